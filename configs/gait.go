package configs

import (
	"fmt"
	"reflect"

	"legctl/control"
	"legctl/gait"
	"legctl/rig"

	"github.com/goccy/go-yaml/ast"
)

// gaitFile is the form of configs/gaits/*.yaml: step rules, or a phase table
// that is walked with the sizes of the rules.
type gaitFile struct {
	placed
	Name  val[string] `key:"gait" need:"yes" doc:"name of the gait; matches [a-z0-9][a-z0-9_-]*"`
	About val[string] `key:"about" doc:"one line for gait list"`
	Base  val[string] `key:"base" choices:"walk|gallop|crawl|reference_walk|reference_gallop" default:"walk" doc:"rules to start from"`
	Rules rulesForm   `key:"rules" doc:"step rules that differ from the base: keys below"`
	Phase *phaseFile  `key:"phases" default:"none: step rules" doc:"phase table by row and side"`
}

// phaseFile is a phase table: offsets are cycle phases of touchdown.
type phaseFile struct {
	placed
	Duty        val[float64] `key:"duty" in:"(0, 1]" default:"wave: one leg in the air at a time" doc:"share of the cycle a leg stands"`
	Wave        val[bool]    `key:"wave" default:"false" doc:"wave gait for any number of paired rows"`
	Alternating val[bool]    `key:"alternating" default:"false" doc:"the two colours of legs take turns: trot, tripod, tetrapod"`
	Left        []float64    `key:"left" in:"[0, 1)" doc:"touchdown of the left leg of each row, front to rear"`
	Right       []float64    `key:"right" in:"[0, 1)" doc:"touchdown of the right leg of each row, front to rear"`
}

// rulesForm keeps the node of the rules until their base is known.
type rulesForm struct {
	at   pos
	node ast.Node
}

func (r *rulesForm) decode(_ *decoder, n ast.Node, p pos, _ float64) { r.at, r.node = p, n }

var bases = map[string]func() gait.Rules{
	"": gait.Walk, "walk": gait.Walk, "gallop": gait.Gallop, "crawl": gait.Crawl,
	"reference_walk": gait.ReferenceWalk, "reference_gallop": gait.ReferenceGallop,
}

// Gaits returns the names of the shipped gaits, sorted.
func Gaits() []string { return shipped("gaits") }

// LoadGait returns a gait for a rig, by the name of a shipped one or by path.
func LoadGait(name string, r *rig.Rig) (control.Plan, error) {
	file, data, err := read("gaits", name)
	if err != nil {
		return control.Plan{}, err
	}
	return ParseGait(file, data, r)
}

// ParseGait returns the gait a file describes, for a rig: phase tables are
// written by row and side, and a table the rig has no rows for is refused.
// With a nil rig the file is only checked and Plan.Phase stays nil.
func ParseGait(file string, data []byte, r *rig.Rig) (control.Plan, error) {
	rep, root := parse(file, data)
	if root == nil {
		return control.Plan{}, rep.err()
	}
	f := new(gaitFile)
	d := decoder{report: rep}
	d.mapping(root, reflect.ValueOf(f).Elem(), at(root, ""))
	if f.Name.Set && !rig.ValidName(f.Name.V) {
		d.add(f.Name.at, "bad name %q, want lower-case letters, digits, _ and -", clip(f.Name.V))
	}
	plan := control.Plan{Name: f.Name.V}
	if base, ok := bases[f.Base.V]; ok {
		plan.Rules = base()
		d.rules(&plan.Rules, &f.Rules)
	}
	if f.Phase != nil {
		plan.Phase = d.phases(f, r)
	}
	if err := rep.err(); err != nil {
		return control.Plan{}, err
	}
	return plan, nil
}

func (d *decoder) rules(r *gait.Rules, f *rulesForm) {
	if f.node == nil {
		return
	}
	d.flat(f.node, reflect.ValueOf(r).Elem(), f.at, checkRules)
}

func checkRules(v reflect.Value) error { return v.Addr().Interface().(*gait.Rules).Validate() }

// phases makes the table for the rig.
func (d *decoder) phases(f *gaitFile, r *rig.Rig) *gait.Gait {
	p := f.Phase
	ways := 0
	for _, given := range []bool{p.Wave.V, p.Alternating.V, p.Left != nil || p.Right != nil} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		d.add(p.at, "%d ways to say the phases, want one of wave, alternating, or left and right", ways)
		return nil
	}
	if !p.Duty.Set && !p.Wave.V {
		d.add(p.at, "key duty is missing: share of the cycle a leg stands")
		return nil
	}
	if r == nil {
		return nil
	}
	g, err := p.table(f.Name.V, r)
	if err != nil {
		d.add(p.at, "does not suit rig %s: %s", r.Name, firstLine(err))
		return nil
	}
	return g
}

// table builds the phase table.
func (p *phaseFile) table(name string, r *rig.Rig) (*gait.Gait, error) {
	switch {
	case p.Wave.V:
		g, err := gait.Wave(r, p.Duty.or(1-1/float64(len(r.Legs))))
		if err == nil {
			g.Name = name
		}
		return g, err
	case p.Alternating.V:
		return gait.Alternating(r, name, p.Duty.V)
	}
	g := &gait.Gait{Name: name}
	for i := range r.Legs {
		row := p.Left
		if r.Groups.Side[i] < 0 {
			row = p.Right
		}
		if r.Groups.Side[i] == 0 || r.Groups.Row[i] >= len(row) {
			return nil, fmt.Errorf("leg %s of row %d has no phase, the table has %d rows left and %d right", r.Legs[i].Name, r.Groups.Row[i]+1, len(p.Left), len(p.Right))
		}
		g.Duty = append(g.Duty, p.Duty.V)
		g.Offset = append(g.Offset, row[r.Groups.Row[i]])
	}
	for _, rows := range [][]float64{p.Left, p.Right} {
		if want := rowsOf(r); len(rows) != want {
			return nil, fmt.Errorf("the table has %d rows left and %d right, the rig has %d", len(p.Left), len(p.Right), want)
		}
	}
	return g, g.Validate()
}

func rowsOf(r *rig.Rig) int {
	n := 0
	for _, row := range r.Groups.Row {
		n = max(n, row+1)
	}
	return n
}
