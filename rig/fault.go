package rig

import (
	"fmt"
	"strings"
)

// Fault is one thing wrong with a Rig: where, what, the value found and the
// bound it breaks. Leg and Joint are indices, -1 where the fault is not theirs.
// Field is the name of the struct field at fault, such as "Speed".
type Fault struct {
	Leg, Joint int
	Name       string // of the joint, the leg or the rig
	Field      string
	What       string
	Value      string
	Bound      string
}

// String returns the fault as "name field: what: value, bound".
func (f Fault) String() string {
	var b strings.Builder
	b.WriteString(f.Name)
	if f.Field != "" {
		b.WriteString(" " + f.Field)
	}
	b.WriteString(": " + f.What)
	if f.Value != "" {
		b.WriteString(": " + f.Value)
	}
	if f.Bound != "" {
		b.WriteString(", " + f.Bound)
	}
	return b.String()
}

// InvalidError lists every fault of a rig. Validate returns a *InvalidError.
type InvalidError struct {
	Rig    string
	Faults []Fault
}

// Error implements error: one line a fault.
func (e *InvalidError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "rig: %s: %d faults", e.Rig, len(e.Faults))
	if len(e.Faults) == 1 {
		b.Reset()
		fmt.Fprintf(&b, "rig: %s", e.Rig)
	}
	for _, f := range e.Faults {
		b.WriteString("\n\t" + f.String())
	}
	return b.String()
}

// checker gathers faults.
type checker struct {
	r      *Rig
	faults []Fault
}

// add notes a fault of a joint, a leg (joint -1) or the rig (leg -1).
func (c *checker) add(leg, joint int, field, what, value, bound string) {
	c.faults = append(c.faults, Fault{
		Leg: leg, Joint: joint, Name: c.name(leg, joint),
		Field: field, What: what, Value: value, Bound: bound,
	})
}

// name returns what a fault is to be called after; unnamed parts get numbers.
func (c *checker) name(leg, joint int) string {
	if leg < 0 {
		if c.r.Name == "" {
			return "rig"
		}
		return c.r.Name
	}
	l := &c.r.Legs[leg]
	if joint >= 0 && l.Joints[joint].Name != "" {
		return l.Joints[joint].Name
	}
	name := l.Name
	if name == "" {
		name = fmt.Sprintf("leg %d", leg)
	}
	if joint < 0 {
		return name
	}
	return fmt.Sprintf("%s joint %d", name, joint)
}

// num prints a number the way faults show them.
func num(v float64) string { return fmt.Sprintf("%.6g", v) }
