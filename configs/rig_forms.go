package configs

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"gonum.org/v1/gonum/spatial/r3"
)

// axisForm is an axis by name or as a vector of any length.
type axisForm struct{ r3.Vec }

var axes = map[string]r3.Vec{"yaw": {Z: 1}, "pitch": {Y: 1}, "roll": {X: 1}}

func (a *axisForm) decode(d *decoder, n ast.Node, p pos, _ float64) {
	if s, ok := n.(*ast.StringNode); ok {
		v, known := axes[s.Value]
		if !known {
			d.add(p, "%q is no axis, want yaw, pitch, roll or a vector [x, y, z]", clip(s.Value))
		}
		a.Vec = v
		return
	}
	v, ok := d.triple(n, p, 1)
	if !ok {
		return
	}
	length := r3.Norm(v)
	if length < 1e-6 {
		d.add(p, "axis of length %.3g, want a direction", length)
		return
	}
	a.Vec = r3.Scale(1/length, v)
}

// linkForm is a length along x, or a vector, in metres.
type linkForm struct{ r3.Vec }

func (l *linkForm) decode(d *decoder, n ast.Node, p pos, worth float64) {
	if _, list := n.(*ast.SequenceNode); list {
		if v, ok := d.triple(n, p, worth); ok {
			l.Vec = v
		}
		return
	}
	s := spelling{worth: worth, word: "metres"}
	if worth != 1 {
		s.word = "millimetres"
	}
	f := field{unit: "m", bound: parseInterval("[0, 100]")}
	l.X = d.number(n, &f, s, p)
}

// triple decodes [x, y, z].
func (d *decoder) triple(n ast.Node, p pos, worth float64) (r3.Vec, bool) {
	seq, ok := n.(*ast.SequenceNode)
	if !ok || len(seq.Values) != 3 {
		d.add(p, "%s, want a list of 3 numbers", kind(n))
		return r3.Vec{}, false
	}
	before := len(d.issues)
	f := field{unit: "m", bound: parseInterval("[-100, 100]")}
	var v [3]float64
	for i, e := range seq.Values {
		v[i] = d.number(e, &f, spelling{worth: worth}, at(e, fmt.Sprintf("%s[%d]", p.path, i)))
	}
	return r3.Vec{X: v[0], Y: v[1], Z: v[2]}, len(d.issues) == before
}

// groupsForm is the word ring, or a mapping with rows.
type groupsForm struct {
	at   pos
	ring bool
	rows [][]string
}

func (g *groupsForm) decode(d *decoder, n ast.Node, p pos, _ float64) {
	g.at = p
	if m, ok := n.(ast.MapNode); ok {
		for it := m.MapRange(); it.Next(); {
			kv := it.KeyValue()
			if key := keyText(kv); key != "rows" {
				d.add(at(kv.Key, join(p.path, key)), "unknown key; known here: rows")
				continue
			}
			g.decodeRows(d, kv.Value, join(p.path, "rows"))
		}
		return
	}
	f := field{choices: []string{"ring"}}
	g.ring = d.text(n, &f, p) == "ring"
}

func (g *groupsForm) decodeRows(d *decoder, n ast.Node, path string) {
	rows, ok := n.(*ast.SequenceNode)
	if !ok {
		d.add(at(n, path), "%s, want a list of rows", kind(n))
		return
	}
	for i, r := range rows.Values {
		here := at(r, fmt.Sprintf("%s[%d]", path, i))
		legs, ok := r.(*ast.SequenceNode)
		if !ok || len(legs.Values) < 1 || len(legs.Values) > 2 {
			d.add(here, "want a list of one or two leg names")
			continue
		}
		var row []string
		for _, l := range legs.Values {
			row = append(row, d.text(l, &field{}, here))
		}
		g.rows = append(g.rows, row)
	}
}
