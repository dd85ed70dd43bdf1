package record

import (
	"encoding/json"

	"legctl/control"
	"legctl/rig"
)

// Schema returns the JSON schema of what AppendJSON writes.
func (n *Names) Schema(tag control.Tag) []byte { return n.SchemaOf(tagName(tag), n.like(tag)) }

// SchemaOf returns the JSON schema of what AppendAny writes.
func (n *Names) SchemaOf(title string, like rig.Record) []byte {
	s := schemer{names: n}
	s.stack = []*node{{Title: "legctl." + title, Type: "object", Properties: map[string]*node{}}}
	_ = rig.Visit(like, nil, &s)     // a layout alone cannot fail
	b, _ := json.Marshal(s.stack[0]) // neither can plain strings
	return b
}

// node is a schema.
type node struct {
	Title      string           `json:"title,omitempty"`
	Type       string           `json:"type"`
	Properties map[string]*node `json:"properties,omitempty"`
	Items      *node            `json:"items,omitempty"`
}

// schemer builds the schema of what it is shown. The innermost node is an
// object, or a list whose element follows.
type schemer struct {
	path
	names *Names
	stack []*node
	list  []element
}

// element is the element of an open list that is being shown.
type element struct {
	axis axis
	name string
	node *node // nil: not begun
}

func (s *schemer) add(name string, n *node) {
	if k := len(s.list) - 1; k >= 0 && s.list[k].node == nil {
		if name == "" {
			s.place(k, n)
			return
		}
		s.place(k, &node{Type: "object", Properties: map[string]*node{}})
		s.stack = append(s.stack, s.list[k].node)
	}
	s.stack[len(s.stack)-1].Properties[name] = n
}

// place puts an element into its list.
func (s *schemer) place(k int, n *node) {
	s.list[k].node = n
	of := s.stack[len(s.stack)-1]
	if s.list[k].axis == byNumber {
		of.Items = n
		return
	}
	of.Properties[s.list[k].name] = n
}

// Open implements rig.Visitor.
func (s *schemer) Open(name string) {
	n := &node{Type: "object", Properties: map[string]*node{}}
	s.add(name, n)
	s.push(name)
	s.stack = append(s.stack, n)
}

// Close implements rig.Visitor.
func (s *schemer) Close() {
	s.pop()
	s.stack = s.stack[:len(s.stack)-1]
}

// List implements rig.Visitor.
func (s *schemer) List(name string, _ int) {
	n := &node{Type: "array"}
	s.add(name, n)
	s.push(name)
	a := s.names.axes[string(s.b)]
	if a != byNumber {
		n.Type, n.Properties = "object", map[string]*node{}
	}
	s.stack = append(s.stack, n)
	s.list = append(s.list, element{axis: a, node: n}) // no element yet: At begins one
}

// At implements rig.Visitor.
func (s *schemer) At(i int) {
	s.leave()
	l := &s.list[len(s.list)-1]
	l.name, l.node = s.names.element(l.axis, i), nil
}

// leave ends an element that is an object.
func (s *schemer) leave() {
	l, top := s.list[len(s.list)-1], s.stack[len(s.stack)-1]
	if l.node == top && l.name != "" {
		s.stack = s.stack[:len(s.stack)-1]
	}
}

// End implements rig.Visitor.
func (s *schemer) End() {
	s.leave()
	s.list = s.list[:len(s.list)-1]
	s.Close()
}

// Leaf implements rig.Visitor.
func (s *schemer) Leaf(name string, v rig.Value) {
	s.add(name, &node{Type: [...]string{"number", "integer", "boolean"}[v.Type()]})
}
