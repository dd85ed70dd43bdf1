package configs

import (
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
	Other []phaseFile `key:"or_phases" doc:"tables tried in this order where phases does not suit a rig, for other numbers of rows"`
	Swing *swingFile  `key:"swing" doc:"how feet swing; of clocked gaits"`
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
	switch {
	case f.Phase != nil:
		plan.Phase = d.phases(f, r)
	case f.Other != nil:
		d.add(f.Other[0].at, "tables for other rigs, and none in phases: put the first there")
	case f.Swing != nil:
		d.add(f.Swing.at, "a swing for step rules, want phases: rules have lift and foot_speed")
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
