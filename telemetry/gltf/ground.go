package gltf

import (
	"image/color"

	"legctl/telemetry/show"

	"github.com/qmuntal/gltf"
	"gonum.org/v1/gonum/spatial/r3"
)

// mostGrounds is how many states of a ground that changes are shown; later
// changes show with the last of them.
const mostGrounds = 64

// margin is how far the ground is shown beyond where the body was, in lengths of
// the longest leg.
const margin = 10

// ground writes the terrain, once for every state it had, each visible in its
// time.
func (f *film) ground(a *animator) {
	if f.o.Ground == nil {
		return
	}
	mid := r3.Scale(0.5, r3.Add(f.lo, f.hi))
	half := max(f.hi.X-f.lo.X, f.hi.Y-f.lo.Y)/2 + margin*f.o.Rig.L()
	since := []float32{f.times[0]}
	var nodes []int
	add := func() { nodes = append(nodes, f.terrain(a.b, mid, half)) }
	pending := false
	k := 0
	for ; k < len(f.events) && f.events[k].at <= f.times[0]; k++ {
		f.o.Ground.Take(f.events[k].data)
	}
	add()
	for ; k < len(f.events); k++ {
		if !f.o.Ground.Take(f.events[k].data) {
			continue
		}
		pending = true
		if at := f.events[k].at; at > since[len(since)-1] && len(since) < mostGrounds {
			since = append(since, at)
			add()
			pending = false
		}
	}
	if pending {
		since = append(since, since[len(since)-1]+1e-3)
		add()
	}
	if len(nodes) > 1 {
		a.takeTurns(nodes, since)
	}
}

// takeTurns lets nodes be visible one after the other: the others have no size.
func (a *animator) takeTurns(nodes []int, since []float32) {
	in := times(a.b.doc, since)
	for i, n := range nodes {
		scale := make([][3]float32, len(since))
		scale[i] = [3]float32{1, 1, 1}
		a.add(n, gltf.TRSScale, in, scale, gltf.InterpolationStep)
	}
}

// terrain writes the ground as it is now.
func (f *film) terrain(b *builder, mid r3.Vec, half float64) int {
	points, tints, triangles := f.o.Ground.Mesh(mid, half)
	by := map[color.RGBA]*shape{}
	var order []color.RGBA
	for i := 0; i+2 < len(triangles); i += 3 {
		t := tints[triangles[i]]
		s := by[t]
		if s == nil {
			s = &shape{}
			by[t] = s
			order = append(order, t)
		}
		for _, k := range triangles[i : i+3] {
			s.index = append(s.index, uint32(len(s.points)))
			s.points = append(s.points, points[k])
		}
		s.flat()
	}
	var parts []*gltf.Primitive
	for _, t := range order {
		parts = append(parts, b.primitive(by[t], show.Solid(t)))
	}
	n := &gltf.Node{Name: "ground"}
	if len(parts) > 0 {
		n.Mesh = b.mesh("ground", parts...)
	}
	return b.node(n, -1)
}

// flat gives the last triangle its normal.
func (s *shape) flat() {
	k := len(s.points)
	n := r3.Cross(r3.Sub(s.points[k-2], s.points[k-3]), r3.Sub(s.points[k-1], s.points[k-3]))
	if l := r3.Norm(n); l > 0 {
		n = r3.Scale(1/l, n)
	} else {
		n = r3.Vec{Z: 1}
	}
	s.normals = append(s.normals, n, n, n)
}
