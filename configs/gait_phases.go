package configs

import (
	"math"
	"strconv"
	"strings"

	"legctl/gait"
	"legctl/rig"

	"github.com/goccy/go-yaml/ast"
	"github.com/invopop/jsonschema"
)

// phaseFile is a phase table: offsets are cycle phases of touchdown.
type phaseFile struct {
	placed
	Duty        val[dutyForm] `key:"duty" default:"wave: see aloft" doc:"share of the cycle every leg stands, (0, 1]; fractions such as 2/3 too"`
	Wave        val[bool]     `key:"wave" default:"false" doc:"wave gait for any number of paired rows"`
	Aloft       val[int]      `key:"aloft" in:"[1, 32]" default:"1" doc:"of a wave without duty: legs in the air at a time"`
	Alternating val[bool]     `key:"alternating" default:"false" doc:"the two colours of legs take turns: trot, tripod, tetrapod"`
	Rows        val[int]      `key:"rows" in:"[1, 32]" default:"any, or as many as are listed" doc:"rows of legs the table is for"`
	Left        []phaseForm   `key:"left" doc:"touchdown of the left leg of each row, front to rear, [0, 1)"`
	Right       []phaseForm   `key:"right" doc:"touchdown of the right leg of each row, front to rear, [0, 1)"`
	DutyLeft    []dutyForm    `key:"duty_left" default:"duty" doc:"share of the cycle the left leg of each row stands, (0, 1]"`
	DutyRight   []dutyForm    `key:"duty_right" default:"duty" doc:"share of the cycle the right leg of each row stands, (0, 1]"`
	Period      val[float64]  `key:"period" in:"[0, 1000]" default:"0: as the swing needs" doc:"cycle in time units k of the rig"`
}

// swingFile is how feet swing.
type swingFile struct {
	placed
	Curve  val[string]  `key:"curve" choices:"quintic|bezier" default:"quintic" doc:"C2 quintic, or cubic Bezier"`
	Height val[float64] `key:"height" in:"[0, 3]" default:"0: the lift of the rules" doc:"crest above the higher end of the step, U"`
	Width  val[float64] `key:"width" in:"[-2, 2]" default:"0" doc:"bow away from the body at mid-swing, U"`
	Depth  val[float64] `key:"depth" in:"[0, 3]" default:"0" doc:"how far a foot that finds no ground searches down, U"`
}

// phaseForm is a touchdown: a number or a fraction in [0, 1).
type phaseForm float64

// dutyForm is a duty factor: a number or a fraction in (0, 1].
type dutyForm float64

func (f *phaseForm) decode(d *decoder, n ast.Node, p pos, _ float64) {
	if v, ok := d.fraction(n, p); ok {
		if !(v >= 0 && v < 1) {
			d.add(p, "%.6g is outside [0, 1)", v)
			return
		}
		*f = phaseForm(v)
	}
}

func (f *dutyForm) decode(d *decoder, n ast.Node, p pos, _ float64) {
	if v, ok := d.fraction(n, p); ok {
		if !(v > 0 && v <= 1) {
			d.add(p, "%.6g is outside (0, 1]", v)
			return
		}
		*f = dutyForm(v)
	}
}

// fraction decodes a number, or one over another.
func (d *decoder) fraction(n ast.Node, p pos) (float64, bool) {
	if x, ok := n.(*ast.StringNode); ok {
		if above, below, ok := strings.Cut(x.Value, "/"); ok {
			a, errA := strconv.ParseUint(strings.TrimSpace(above), 10, 31)
			b, errB := strconv.ParseUint(strings.TrimSpace(below), 10, 31)
			if errA != nil || errB != nil || b == 0 {
				d.add(p, "%q is no fraction, want one such as 2/3", clip(x.Value))
				return 0, false
			}
			return float64(a) / float64(b), true
		}
	}
	v, ok := plainNumber(n)
	if !ok {
		d.notNumber(n, spelling{worth: 1}, p)
		return 0, false
	}
	return v, math.Abs(v) < math.MaxFloat64
}

// fractionSchema is a number, or a fraction as text.
func fractionSchema() *jsonschema.Schema {
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{
		{Type: "number", Minimum: "0", Maximum: "1"}, {Type: "string", Pattern: "^[0-9]+ */ *[0-9]+$"},
	}}
}

func (*phaseForm) schema(*schemaMaker, *field, spelling) *jsonschema.Schema { return fractionSchema() }
func (*dutyForm) schema(*schemaMaker, *field, spelling) *jsonschema.Schema  { return fractionSchema() }

// phases makes the table for the rig: the first of the file that suits it.
func (d *decoder) phases(f *gaitFile, r *rig.Rig) *gait.Gait {
	var first error
	tables := append([]phaseFile{*f.Phase}, f.Other...)
	for i := range tables {
		t, ok := d.phaseTable(f, &tables[i])
		if !ok || r == nil {
			continue
		}
		g, err := t.For(r)
		if err == nil {
			return g
		}
		if first == nil {
			first = err
		}
	}
	if first != nil {
		d.add(f.Phase.at, "does not suit rig %s: %s", r.Name, strings.TrimPrefix(firstLine(first), "gait: "))
	}
	return nil
}

// phaseTable reads one table; false where the file is wrong whatever the rig.
func (d *decoder) phaseTable(f *gaitFile, p *phaseFile) (gait.Table, bool) {
	t := gait.Table{
		Name: f.Name.V, About: f.About.V, Rows: p.Rows.V, Duty: float64(p.Duty.V), Aloft: p.Aloft.V, Period: p.Period.V,
		Left: numbers(p.Left), Right: numbers(p.Right), DutyLeft: numbers(p.DutyLeft), DutyRight: numbers(p.DutyRight),
	}
	if s := f.Swing; s != nil {
		t.Shape = gait.Shape{Height: s.Height.V, Width: s.Width.V, Depth: s.Depth.V}
		if s.Curve.V == gait.CurveBezier.String() {
			t.Shape.Curve = gait.CurveBezier
		}
	}
	ways := 0
	for _, way := range []struct {
		given bool
		form  gait.Form
	}{{p.Wave.V, gait.FormWave}, {p.Alternating.V, gait.FormAlternating}, {p.Left != nil || p.Right != nil, gait.FormRows}} {
		if way.given {
			ways, t.Form = ways+1, way.form
		}
	}
	each := p.DutyLeft != nil && p.DutyRight != nil
	switch {
	case ways != 1:
		d.add(p.at, "%d ways to say the phases, want one of wave, alternating, or left and right", ways)
	case !p.Duty.Set && !p.Wave.V && !each:
		d.add(p.at, "key duty is missing: share of the cycle a leg stands")
	case t.Form != gait.FormRows && (p.DutyLeft != nil || p.DutyRight != nil):
		d.add(p.at, "duty_left and duty_right go with left and right, want duty")
	case p.Aloft.Set && (!p.Wave.V || p.Duty.Set):
		d.add(p.at, "aloft goes with wave: true and no duty")
	case len(t.Left) != len(t.Right), p.Rows.Set && ways == 1 && t.Form == gait.FormRows && p.Rows.V != len(t.Left):
		d.add(p.at, "%d rows left and %d right, want as many of each%s", len(t.Left), len(t.Right), rowsWanted(p))
	default:
		return t, true
	}
	return t, false
}

func rowsWanted(p *phaseFile) string {
	if !p.Rows.Set {
		return ""
	}
	return ", " + strconv.Itoa(p.Rows.V) + " as rows says"
}

// numbers copies a list of forms; nil stays nil.
func numbers[T ~float64](list []T) []float64 {
	if list == nil {
		return nil
	}
	out := make([]float64, len(list))
	for i, v := range list {
		out[i] = float64(v)
	}
	return out
}
