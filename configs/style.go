package configs

import (
	"reflect"

	"legctl/blend/retarget"
	"legctl/rig"
)

// styleFile is the form of configs/styles/*.yaml: a way of going as numbers.
type styleFile struct {
	placed
	Name   val[string]  `key:"style" need:"yes" doc:"name of the style; matches [a-z0-9][a-z0-9_-]*"`
	About  val[string]  `key:"about" doc:"one line for lists"`
	Order  val[string]  `key:"order" choices:"alternating|wave" default:"alternating" doc:"colours of legs take turns, or legs follow one another from rear to front"`
	Duty   val[float64] `key:"duty" in:"[0.15, 0.98]" need:"yes" doc:"share of its cycle a foot stands; below one half the body flies, except on more than four legs"`
	Stride val[float64] `key:"stride" in:"[0.02, 1.2]" need:"yes" doc:"way of a foot in a stance, in diameters of its comfort circle"`
	Period val[float64] `key:"period" in:"[0.5, 60]" need:"yes" doc:"of a cycle, in square roots of height over gravity"`
	Lift   val[float64] `key:"lift" in:"[0.01, 1]" default:"0.15" doc:"height of a step, in body heights"`
	Crouch val[float64] `key:"crouch" in:"[-0.3, 0.5]" default:"0" doc:"how much lower the body is held, in body heights"`
	Lean   val[float64] `key:"lean" unit:"deg" in:"[-28, 28]" default:"0" doc:"pitch of the body, nose down positive"`
	Heave  val[float64] `key:"heave" in:"[-0.3, 0.3]" default:"0" doc:"up and down twice a cycle, in body heights"`
	Sway   val[float64] `key:"sway" in:"[-0.5, 0.5]" default:"0" doc:"side to side once a cycle, in body heights"`
	Roll   val[float64] `key:"roll" unit:"deg" in:"[-28, 28]" default:"0" doc:"once a cycle"`
	Pitch  val[float64] `key:"pitch" unit:"deg" in:"[-28, 28]" default:"0" doc:"twice a cycle"`
	Limp   val[float64] `key:"limp" in:"[0, 0.9]" default:"0" doc:"how much less the first leg stands and lifts"`
	Flick  val[float64] `key:"flick" in:"[0, 1]" default:"0" doc:"how much a swing dwells in its middle"`
}

// Styles returns the names of the shipped styles, sorted.
func Styles() []string { return shipped("styles") }

// LoadStyle returns a style by the name of a shipped one or by path.
func LoadStyle(name string) (*retarget.Style, error) {
	file, data, err := read("styles", name)
	if err != nil {
		return nil, err
	}
	return ParseStyle(file, data)
}

// ParseStyle returns the style a file describes.
func ParseStyle(file string, data []byte) (*retarget.Style, error) {
	rep, root := parse(file, data)
	if root == nil {
		return nil, rep.err()
	}
	f := new(styleFile)
	d := decoder{report: rep}
	d.mapping(root, reflect.ValueOf(f).Elem(), at(root, ""))
	if f.Name.Set && !rig.ValidName(f.Name.V) {
		d.add(f.Name.at, "bad name %q, want lower-case letters, digits, _ and -", clip(f.Name.V))
	}
	s := &retarget.Style{
		Name: f.Name.V, Wave: f.Order.V == "wave", Duty: f.Duty.V, Stride: f.Stride.V, Period: f.Period.V, Lift: f.Lift.or(0.15),
		Crouch: f.Crouch.V, Lean: f.Lean.V, Heave: f.Heave.V, Sway: f.Sway.V, Roll: f.Roll.V, Pitch: f.Pitch.V, Limp: f.Limp.V, Flick: f.Flick.V,
	}
	if err := rep.err(); err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		d.add(f.at, "%s", firstLine(err))
		return nil, rep.err()
	}
	return s, nil
}
