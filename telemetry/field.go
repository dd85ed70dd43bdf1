package telemetry

import (
	"encoding/json"
	"fmt"

	"legctl/control"
)

// field is one key a topic knows. Exactly one of num, text, flag, vec and
// shares is set.
type field struct {
	key, unit, doc string
	required       bool
	num            func(r *Request) *float64
	text           func(n *Names, r *Request, s string) error
	flag           func(r *Request, v bool)
	vec            func(r *Request, v [3]float64) error
	shares         func(n *Names, c *control.Command, name string, v float64) error
	words          func(n *Names) []string // what a text may be; nil: anything
}

// number is a key that takes a number of the command.
func number(key, unit, doc string, at func(c *control.Command) *float64) field {
	return amount(key, unit, doc, func(r *Request) *float64 { return at(&r.Cmd) })
}

// amount is a key that takes a number of the request.
func amount(key, unit, doc string, at func(r *Request) *float64) field {
	return field{key: key, unit: unit, doc: doc, num: at}
}

// name is a required key that takes a name of the rig or of a table.
func name(key, doc string, set func(*Names, *control.Command, string) error, words func(*Names) []string) field {
	return field{
		key: key, doc: doc, required: true, words: words,
		text: func(n *Names, r *Request, s string) error { return set(n, &r.Cmd, s) },
	}
}

// word is a key that takes one of some words, or with none any text.
func word(key, doc string, known []string, at func(r *Request) *string) field {
	f := field{key: key, doc: doc}
	if known != nil {
		f.words = func(*Names) []string { return known }
	}
	f.text = func(_ *Names, r *Request, s string) error {
		if known != nil {
			i, ok := find(known, s)
			if !ok {
				return unknown(key, s, known)
			}
			s = known[i]
		}
		*at(r) = s
		return nil
	}
	return f
}

// toggle is a required key that takes true or false.
func toggle(key, doc string, set func(c *control.Command, v bool)) field {
	return field{key: key, doc: doc, required: true, flag: func(r *Request, v bool) { set(&r.Cmd, v) }}
}

// vector is a key that takes {"x","y","z"}, as ROS writes vectors.
func vector(key, unit, doc string, set func(c *control.Command, v [3]float64) error) field {
	return field{key: key, unit: unit, doc: doc, vec: func(r *Request, v [3]float64) error { return set(&r.Cmd, v) }}
}

// sharesOf is a required key that takes an object of names of the rig's, each with
// its share.
func sharesOf(key, doc string, set func(*Names, *control.Command, string, float64) error, words func(*Names) []string) field {
	return field{key: key, doc: doc, required: true, words: words, shares: set}
}

// setShares reads an object of names and numbers.
func (f *field) setShares(n *Names, r *Request, raw json.RawMessage) error {
	if raw[0] != '{' {
		return fmt.Errorf(`%s: want {"name":share,...}, got %s`, f.key, short(raw))
	}
	members, err := object(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", f.key, err)
	}
	for _, m := range members {
		v, err := floatOf(f.key+"."+m.key, "shares of 1", m.value)
		if err == nil {
			err = f.shares(n, &r.Cmd, m.key, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maybe makes a key one that may be left out.
func (f field) maybe() field { f.required = false; return f }

func (f field) must() field { f.required = true; return f }

func linearOf(c *control.Command, v [3]float64) error {
	if v[2] != 0 {
		return fmt.Errorf("linear.z: %g m/s, want 0: a twist moves along the ground; use pose or height", v[2])
	}
	c.Vx, c.Vy = v[0], v[1]
	return nil
}

func angularOf(c *control.Command, v [3]float64) error {
	if v[0] != 0 || v[1] != 0 {
		return fmt.Errorf("angular: x %g, y %g rad/s, want 0: a twist turns about the vertical; use pose", v[0], v[1])
	}
	c.Wz = v[2]
	return nil
}

// clashes are pairs of keys that say the same and exclude each other.
var clashes = [...][2]string{{"linear", "vx"}, {"linear", "vy"}, {"angular", "wz"}}

// vectorOf reads an object of numbers x, y and z; what is left out is 0.
func vectorOf(f *field, raw json.RawMessage) (v [3]float64, err error) {
	if raw[0] != '{' {
		return v, fmt.Errorf(`%s: want {"x":..,"y":..,"z":..} in %s, got %s`, f.key, f.unit, short(raw))
	}
	members, err := object(raw)
	if err != nil {
		return v, fmt.Errorf("%s: %w", f.key, err)
	}
	known := []string{"x", "y", "z"}
	for _, m := range members {
		i, ok := find(known, m.key)
		if !ok || known[i] != m.key {
			return v, unknown("key of "+f.key, m.key, known)
		}
		if v[i], err = floatOf(f.key+"."+m.key, f.unit, m.value); err != nil {
			return v, err
		}
	}
	return v, nil
}
