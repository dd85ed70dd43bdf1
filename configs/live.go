package configs

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"legctl/control"
	"legctl/gait"
)

// Live is one parameter of a gait that may be changed while a rig walks.
type Live struct {
	Key       string // as in a gait file: rules by their own key, phases.period, swing.height
	Value     any    // float64 or bool
	Unit, Doc string
	Bounds    string  // as the reference writes it; "" = any
	Low, High float64 // of numbers; infinite where nothing bounds them
}

// liveExtras are the numbers of a phase table that may be changed.
var liveExtras = []struct {
	key, unit, doc string
	low, high      float64
	at             func(g *gait.Gait) *float64
}{
	{"phases.period", "k", "cycle time; 0: as the swing needs", 0, 1000, func(g *gait.Gait) *float64 { return &g.Period }},
	{"swing.height", "U", "crest above the higher end of a step; 0: the lift of the rules", 0, 3, func(g *gait.Gait) *float64 { return &g.Shape.Height }},
	{"swing.width", "U", "bow away from the body at mid-swing", -2, 2, func(g *gait.Gait) *float64 { return &g.Shape.Width }},
	{"swing.depth", "U", "how far a foot that finds no ground searches down", 0, 3, func(g *gait.Gait) *float64 { return &g.Shape.Depth }},
}

// Lives returns the parameters of a gait as they are, rules first, in the order
// of the reference.
func Lives(p *control.Plan) []Live {
	rules := p.Rules
	top := reflect.ValueOf(&rules).Elem()
	var list []Live
	for i, key := range flatKeys(top.Type()) {
		f := top.Field(i)
		l := Live{Key: key, Value: f.Interface(), Low: math.Inf(-1), High: math.Inf(1)}
		l.Doc, l.Unit = splitUnit(liveDocs[key])
		if l.Bounds = boundOf(top, f, checkRules); l.Bounds != "" {
			b := parseInterval(l.Bounds)
			l.Low, l.High = b.lo, b.hi
		}
		list = append(list, l)
	}
	if p.Phase != nil {
		for _, x := range liveExtras {
			list = append(list, Live{
				Key: x.key, Value: *x.at(p.Phase), Unit: x.unit, Doc: x.doc,
				Bounds: fmt.Sprintf("[%g, %g]", x.low, x.high), Low: x.low, High: x.high,
			})
		}
	}
	return list
}

// splitUnit takes the unit off a comment such as "body speed, U/k".
func splitUnit(doc string) (text, unit string) {
	head, last, ok := cutLast(doc, ", ")
	word, rest, _ := strings.Cut(last, ";")
	switch strings.TrimSpace(word) {
	case "U", "k", "L", "h", "U/k", "U/k2", "rad/k", "rad/k2", "rad", "s":
		if rest != "" {
			head += ";" + rest
		}
		return head, strings.TrimSpace(word)
	}
	if !ok {
		return last, ""
	}
	return doc, ""
}

// cutLast cuts s at the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return "", s, false
}

// SetLives changes parameters of a gait, all or none; the error names every one
// that cannot be had, with its bound. The plan's own phase table is not
// touched: it gets a new one.
func SetLives(p *control.Plan, values map[string]any) error {
	next := *p
	if p.Phase != nil {
		g := *p.Phase
		next.Phase = &g
	}
	rules := reflect.ValueOf(&next.Rules).Elem()
	keys := flatKeys(rules.Type())
	var errs []error
	for key, v := range values {
		if i, ok := indexOf(keys, key); ok {
			errs = append(errs, setLive(rules, rules.Field(i), key, v))
			continue
		}
		errs = append(errs, setExtra(next.Phase, key, v, keys))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := next.Rules.Validate(); err != nil {
		return err
	}
	if next.Phase != nil {
		if err := next.Phase.Validate(); err != nil {
			return err
		}
	}
	*p = next
	return nil
}

// setLive sets one rule.
func setLive(top, f reflect.Value, key string, v any) error {
	switch f.Kind() {
	case reflect.Bool:
		b, ok := v.(bool)
		if !ok {
			return fmt.Errorf("configs: %s is %v, must be true or false", key, v)
		}
		f.SetBool(b)
		return nil
	case reflect.Float64:
		x, ok := v.(float64)
		if !ok {
			return fmt.Errorf("configs: %s is %v, must be a number", key, v)
		}
		if text := boundOf(top, f, checkRules); text != "" && !parseInterval(text).holds(x) || x-x != 0 {
			return fmt.Errorf("configs: %s is %v, must be in %s", key, x, text)
		}
		f.SetFloat(x)
		return nil
	}
	return fmt.Errorf("configs: %s cannot be changed live", key)
}

// setExtra sets a number of a phase table.
func setExtra(g *gait.Gait, key string, v any, known []string) error {
	for _, e := range liveExtras {
		if e.key != key || g == nil {
			continue
		}
		x, ok := v.(float64)
		if !ok || !(x >= e.low && x <= e.high) {
			return fmt.Errorf("configs: %s is %v, must be a number in [%g, %g]", key, v, e.low, e.high)
		}
		*e.at(g) = x
		return nil
	}
	why := ""
	if near := nearest(key, known); near != "" {
		why = fmt.Sprintf("; did you mean %q?", near)
	}
	return fmt.Errorf("configs: unknown parameter %q%s", clip(key), why)
}
