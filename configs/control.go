package configs

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"legctl/control"
	"legctl/sim"
)

// Controller is what the parameters of the controller itself are listed under,
// beside the gaits.
const Controller = "controller"

// controlFile is what a world may change of the controller.
type controlFile struct {
	placed
	TTL    val[float64] `key:"twist_ttl" unit:"s" in:"[0.05, 60]" default:"0.5" doc:"how long a twist stays good that does not say"`
	Near   val[float64] `key:"goal_near" in:"[0.1, 50]" default:"2.2" doc:"how near a goal is near enough, U"`
	Closed val[bool]    `key:"closed_form" default:"false" doc:"closed forms where a leg has one, instead of FABRIK"`
	Share  val[float64] `key:"solver_tolerance" in:"[1e-12, 1e-4]" default:"1e-10" doc:"share of a leg's length at which a foot has arrived"`
	Sweeps val[int]     `key:"solver_sweeps" in:"[1, 64]" default:"12" doc:"sweeps of FABRIK before the exact finish"`
	Press  val[bool]    `key:"feel_push" default:"false" doc:"feet without switches are felt by how far their servos are pushed off"`
}

// values returns what the file gave, by key.
func (f *controlFile) values() map[string]any {
	if f == nil {
		return nil
	}
	m := map[string]any{}
	put := func(key string, set bool, v any) {
		if set {
			m[key] = v
		}
	}
	put("twist_ttl", f.TTL.Set, f.TTL.V)
	put("goal_near", f.Near.Set, f.Near.V)
	put("closed_form", f.Closed.Set, f.Closed.V)
	put("solver_tolerance", f.Share.Set, f.Share.V)
	put("solver_sweeps", f.Sweeps.Set, float64(f.Sweeps.V))
	put("feel_push", f.Press.Set, f.Press.V)
	return m
}

// controlAt returns where a key of controlFile is kept: *float64, *int, *bool.
func controlAt(p *control.Params, key string) any {
	switch key {
	case "twist_ttl":
		return &p.TTL
	case "goal_near":
		return &p.Near
	case "closed_form":
		return &p.IK.Closed
	case "solver_tolerance":
		return &p.IK.Tolerance
	case "solver_sweeps":
		return &p.IK.MaxSweeps
	case "feel_push":
		return &p.Press
	}
	return nil
}

// ControlLives returns the parameters of the controller that may be changed
// while a rig walks, as they are; whole numbers are float64 too.
func ControlLives(p *control.Params) []Live {
	var list []Live
	for _, f := range fields(reflect.TypeFor[controlFile]()) {
		l := Live{Key: f.key, Bounds: f.bound.text, Low: math.Inf(-1), High: math.Inf(1)}
		if l.Doc, l.Unit = splitUnit(f.doc); l.Unit == "" {
			l.Unit = f.unit
		}
		switch at := controlAt(p, f.key).(type) {
		case *float64:
			l.Value = *at
		case *int:
			l.Value = float64(*at)
		case *bool:
			l.Value = *at
		}
		if l.Bounds != "" {
			l.Low, l.High = f.bound.lo, f.bound.hi
		}
		list = append(list, l)
	}
	return list
}

// SetControlLives changes parameters of the controller, all or none; the error
// names every one that cannot be had, with its bound.
func SetControlLives(p *control.Params, values map[string]any) error {
	next := *p
	all := fields(reflect.TypeFor[controlFile]())
	var known []string
	for _, f := range all {
		known = append(known, f.key)
	}
	var errs []error
	for key, v := range values {
		if i, ok := indexOf(known, key); ok {
			errs = append(errs, setControl(controlAt(&next, key), &all[i], v))
			continue
		}
		why := ""
		if near := nearest(key, known); near != "" {
			why = fmt.Sprintf("; did you mean %q?", near)
		}
		errs = append(errs, fmt.Errorf("configs: unknown parameter %q%s", clip(key), why))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	*p = next
	return nil
}

// setControl sets one parameter of the controller.
func setControl(at any, f *field, v any) error {
	if b, ok := at.(*bool); ok {
		is, ok := v.(bool)
		if !ok {
			return fmt.Errorf("configs: %s is %v, must be true or false", f.key, v)
		}
		*b = is
		return nil
	}
	x, ok := v.(float64)
	n, whole := at.(*int)
	if !ok || x-x != 0 || !f.bound.holds(x) || whole && x != math.Trunc(x) {
		kind := "a number"
		if whole {
			kind = "a whole number"
		}
		return fmt.Errorf("configs: %s is %v, must be %s in %s", f.key, v, kind, f.bound.text)
	}
	if whole {
		*n = int(x)
		return nil
	}
	*at.(*float64) = x
	return nil
}

// WorldYAML returns a world file that starts what w starts, with the parameters
// of the controller as they are in p. Simulator parameters that differ from the
// reference are named, not written.
func WorldYAML(w *World, p *control.Params) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "world: saved\nabout: saved by the page of legctl\nrig: %s\nterrain: %s\n", strconv.Quote(w.Rig), strconv.Quote(w.Terrain))
	if w.Gait != "" {
		fmt.Fprintf(&b, "gait: %s\n", strconv.Quote(w.Gait))
	}
	fmt.Fprintf(&b, "seed: %d\ncontrol:\n", w.Seed)
	for _, l := range ControlLives(p) {
		key := l.Key
		if l.Unit == "s" {
			key += "_s"
		}
		text := fmt.Sprint(l.Value)
		if x, ok := l.Value.(float64); ok {
			text = number(x)
		}
		fmt.Fprintf(&b, "  %s: %s\n", key, text)
	}
	if !reflect.DeepEqual(w.Sim, sim.Default()) {
		fmt.Fprintf(&b, "# The section sim of world %s belongs here too.\n", w.Name)
	}
	return []byte(b.String())
}
