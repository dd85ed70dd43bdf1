package record

import (
	"encoding/json"
	"math"
	"strconv"

	"legctl/control"
	"legctl/rig"
)

// AppendJSON appends a frame or a state as a JSON object, its fields named as in
// the record, lists by leg or joint as objects by name. Numbers that JSON does
// not have are left out. b is the data of a record with that tag.
func (n *Names) AppendJSON(dst []byte, tag control.Tag, b []byte) ([]byte, error) {
	return n.AppendAny(dst, n.like(tag), b)
}

// AppendAny is AppendJSON for bytes of any record; like has their shape.
func (n *Names) AppendAny(dst []byte, like rig.Record, b []byte) ([]byte, error) {
	w := jsonWriter{names: n, dst: append(dst, '{'), fresh: true}
	err := rig.Visit(like, b, &w)
	return append(w.dst, '}'), err
}

// jsonWriter writes what it is shown.
type jsonWriter struct {
	path
	names *Names
	dst   []byte
	fresh bool // nothing stands in the innermost bracket yet
	lists [2]jsonList
	depth int
}

// jsonList is an open list.
type jsonList struct {
	axis  axis
	begun bool // an element was begun: its key is written
	open  bool // that element is an object
}

// key begins a member.
func (w *jsonWriter) key(name string) {
	if w.depth > 0 {
		if l := &w.lists[w.depth-1]; l.begun && !l.open {
			l.open, l.begun, w.fresh = true, false, true
			w.dst = append(w.dst, '{')
		}
	}
	w.comma()
	w.dst = append(appendQuoted(w.dst, name), ':')
}

func (w *jsonWriter) comma() {
	if !w.fresh {
		w.dst = append(w.dst, ',')
	}
	w.fresh = false
}

// Open implements rig.Visitor.
func (w *jsonWriter) Open(name string) {
	w.key(name)
	w.push(name)
	w.dst, w.fresh = append(w.dst, '{'), true
}

// Close implements rig.Visitor.
func (w *jsonWriter) Close() {
	w.pop()
	w.dst, w.fresh = append(w.dst, '}'), false
}

// List implements rig.Visitor.
func (w *jsonWriter) List(name string, _ int) {
	w.key(name)
	w.push(name)
	a := w.names.axes[string(w.b)]
	w.lists[w.depth] = jsonList{axis: a}
	w.depth++
	w.dst, w.fresh = append(w.dst, bracket(a, "[{")), true
}

// bracket picks the bracket of a list: an array's or an object's.
func bracket(a axis, which string) byte {
	if a == byNumber {
		return which[0]
	}
	return which[1]
}

// At implements rig.Visitor.
func (w *jsonWriter) At(i int) {
	l := &w.lists[w.depth-1]
	w.endElement(l)
	l.begun = true
	if l.axis == byNumber {
		w.comma()
		return
	}
	w.comma()
	w.dst = append(appendQuoted(w.dst, w.names.element(l.axis, i)), ':')
}

// endElement closes an element that is an object.
func (w *jsonWriter) endElement(l *jsonList) {
	if l.open {
		w.dst, w.fresh = append(w.dst, '}'), false
	}
	l.open = false
}

// End implements rig.Visitor.
func (w *jsonWriter) End() {
	w.depth--
	l := &w.lists[w.depth]
	w.endElement(l)
	w.pop()
	w.dst, w.fresh = append(w.dst, bracket(l.axis, "]}")), false
}

// Leaf implements rig.Visitor.
func (w *jsonWriter) Leaf(name string, v rig.Value) {
	x := v.Number()
	sound := !math.IsNaN(x) && !math.IsInf(x, 0)
	if name != "" {
		if sound {
			w.key(name)
			w.value(v)
		}
		return
	}
	if sound {
		w.value(v)
	} else {
		w.dst = append(w.dst, "null"...)
	}
}

func (w *jsonWriter) value(v rig.Value) {
	if v.Type() == rig.TypeNumber {
		w.dst = strconv.AppendFloat(w.dst, v.Number(), 'g', -1, 64)
		return
	}
	w.dst = append(w.dst, v.String()...)
}

// appendQuoted appends a string as JSON.
func appendQuoted(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			q, _ := json.Marshal(s) // a string always can
			return append(dst, q...)
		}
	}
	return append(append(append(dst, '"'), s...), '"')
}
