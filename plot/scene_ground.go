package plot

import (
	"image/color"
	"slices"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// splits is how often a cell is cut in nine for a crisp edge.
const splits = 2

// terrain adds the cells of the ground and the walls of its rim.
func (m *mesh) terrain() {
	g := m.scene.Ground
	low := slices.Min(g.Z)
	base := low - max(0.03*g.Cell*float64(g.NX-1), 0.1*(m.light.top-low))
	for j := range g.NY - 1 {
		for i := range g.NX - 1 {
			m.cell(g.point(i, j), g.point(i+1, j), g.point(i+1, j+1), g.point(i, j+1), low, splits)
		}
	}
	wall := color.NRGBA{R: 0xb4, G: 0xa6, B: 0x92, A: 0xff}
	down := func(p r3.Vec) r3.Vec { return r3.Vec{X: p.X, Y: p.Y, Z: base} }
	side := func(p, q r3.Vec) { m.add(wall, 0, down(p), down(q), q, p) }
	for i := range g.NX - 1 {
		side(g.point(i, 0), g.point(i+1, 0))
		side(g.point(i+1, g.NY-1), g.point(i, g.NY-1))
	}
	for j := range g.NY - 1 {
		side(g.point(g.NX-1, j), g.point(g.NX-1, j+1))
		side(g.point(0, j+1), g.point(0, j))
	}
}

// cell adds one cell of the ground with its shadow and marks, or nine smaller
// ones where the edge of either runs through it.
func (m *mesh) cell(a, b, c, d r3.Vec, low float64, split int) {
	n := r3.Cross(r3.Sub(c, a), r3.Sub(d, b))
	l := norm3(n)
	if l == 0 || r3.Dot(n, m.eye.to) <= 0 {
		return
	}
	mid := r3.Scale(0.25, r3.Add(r3.Add(a, b), r3.Add(c, d)))
	open, mark := m.light.open(a, b, c, d), m.mark(mid)
	mixed := open > 0 && open < 1
	for _, p := range []r3.Vec{a, b, c, d} {
		mixed = mixed || m.mark(p) != mark
	}
	if mixed && split > 0 {
		m.nine(a, b, c, d, low, split-1)
		return
	}
	tint := color.NRGBA{R: 0xd8, G: 0xcf, B: 0xbd, A: 0xff}
	if m.light.top > low {
		tint = mix(tint, color.NRGBA{R: 0xf4, G: 0xee, B: 0xe2, A: 0xff}, (mid.Z-low)/(m.light.top-low))
	}
	switch mark {
	case markSupport:
		tint = mix(tint, good(), 0.35)
	case markCom:
		tint = mix(tint, bad(), 0.85)
	}
	tint = m.light.on(tint, r3.Scale(1/l, n), open)
	m.faces = append(m.faces, face{corner: []r3.Vec{a, b, c, d}, depth: m.eye.depth(mid), tint: tint})
}

// nine adds a cell in three by three parts.
func (m *mesh) nine(a, b, c, d r3.Vec, low float64, split int) {
	const n = 3
	at := func(i, j int) r3.Vec { return bilinear(a, b, c, d, float64(i)/n, float64(j)/n) }
	for j := range n {
		for i := range n {
			m.cell(at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1), low, split)
		}
	}
}

// bilinear is the point of the patch a b c d at u along a b, v along a d.
func bilinear(a, b, c, d r3.Vec, u, v float64) r3.Vec {
	low := r3.Add(r3.Scale(1-u, a), r3.Scale(u, b))
	high := r3.Add(r3.Scale(1-u, d), r3.Scale(u, c))
	return r3.Add(r3.Scale(1-v, low), r3.Scale(v, high))
}

// What a point of the ground is marked as.
const (
	markNone = iota
	markSupport
	markCom
)

// mark says what lies at a point of the ground: the support polygon, and in it
// a disc below the centre of mass.
func (m *mesh) mark(at r3.Vec) int {
	if !m.scene.Marks || len(m.light.support) < 3 {
		return markNone
	}
	p := flat2(at)
	if r := 0.03 * m.scene.Rig.L(); r2.Norm2(r2.Sub(p, m.light.com)) < r*r {
		return markCom
	}
	if geom.Parity(m.light.support, p) {
		return markSupport
	}
	return markNone
}
