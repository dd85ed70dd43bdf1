package record

import (
	"strconv"
	"strings"

	"legctl/control"
	"legctl/rig"
)

// Names gives the fields of records the names of legs and joints. Which lists
// are by leg or by joint is found from the records themselves: those whose
// length follows the rig's. It is read-only and may be shared.
type Names struct {
	legs, joints []string
	axes         map[string]axis // by path without indices
	frame        *control.Frame  // shapes
	state        *control.State
}

// axis says what the elements of a list are.
type axis uint8

const (
	byNumber axis = iota
	byLeg
	byJoint
)

// NamesOf returns the names of a rig.
func NamesOf(r *rig.Rig) *Names {
	n := &Names{axes: map[string]axis{}, frame: control.NewFrame(r), state: &control.NewStates(r, 1)[0]}
	for i := range r.Legs {
		n.legs = append(n.legs, r.Legs[i].Name)
		for j := range r.Legs[i].Joints {
			n.joints = append(n.joints, r.Legs[i].Joints[j].Name)
		}
	}
	a, b := lengths(Header{Legs: 5, Joints: 11}), lengths(Header{Legs: 7, Joints: 13})
	for path, length := range a {
		switch [2]int{length, b[path]} {
		case [2]int{5, 7}:
			n.axes[path] = byLeg
		case [2]int{11, 13}:
			n.axes[path] = byJoint
		}
	}
	return n
}

// lengths returns the length of every list of the records of a rig of that size.
func lengths(h Header) map[string]int {
	r := h.shape()
	v := lister{found: map[string]int{}}
	_ = rig.Visit(control.NewFrame(r), nil, &v) // a layout alone cannot fail
	_ = rig.Visit(&control.NewStates(r, 1)[0], nil, &v)
	return v.found
}

// lister collects the lengths of lists.
type lister struct {
	path
	found map[string]int
}

// List implements rig.Visitor.
func (l *lister) List(name string, n int) {
	l.path.push(name)
	l.found[string(l.path.b)] = n
}

// Leaf implements rig.Visitor.
func (l *lister) Leaf(string, rig.Value) {}

// path follows a visit: the names of the parts that are open, without indices.
type path struct {
	b     []byte
	marks []int
}

func (p *path) push(name string) {
	p.marks = append(p.marks, len(p.b))
	if len(p.b) > 0 {
		p.b = append(p.b, '.')
	}
	p.b = append(p.b, name...)
}

func (p *path) pop() {
	last := len(p.marks) - 1
	p.b, p.marks = p.b[:p.marks[last]], p.marks[:last]
}

// Open implements rig.Visitor.
func (p *path) Open(name string) { p.push(name) }

// Close implements rig.Visitor.
func (p *path) Close() { p.pop() }

// List implements rig.Visitor.
func (p *path) List(name string, _ int) { p.push(name) }

// At implements rig.Visitor.
func (p *path) At(int) {}

// End implements rig.Visitor.
func (p *path) End() { p.pop() }

// element returns the name of element i of a list on that axis, or its number.
func (n *Names) element(a axis, i int) string {
	switch {
	case a == byLeg && i < len(n.legs):
		return n.legs[i]
	case a == byJoint && i < len(n.joints):
		return n.joints[i]
	}
	return strconv.Itoa(i)
}

// Field returns the field of a rig.Difference with names in place of the
// numbers of legs and joints: out.legs[2].foot.x becomes out.legs[lm].foot.x.
func (n *Names) Field(field string) string {
	var out, bare strings.Builder
	for {
		head, rest, found := strings.Cut(field, "[")
		out.WriteString(head)
		bare.WriteString(head)
		if !found {
			return out.String()
		}
		number, tail, _ := strings.Cut(rest, "]")
		if i, err := strconv.Atoi(number); err == nil {
			number = n.element(n.axes[bare.String()], i)
		}
		out.WriteString("[" + number + "]")
		field = tail
	}
}

// like returns a record of the shape of a tag, nil for tags without fields here.
func (n *Names) like(tag control.Tag) rig.Record {
	switch tag {
	case control.TagFrame:
		return n.frame
	case control.TagState:
		return n.state
	}
	return nil
}
