package plot

import (
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// mesh gathers the faces of a scene that can be seen.
type mesh struct {
	scene *Scene
	eye   eye
	light light
	faces []face
}

// add takes a face whose corners run counter-clockwise seen from outside, unless
// it looks away from the eye. near is added to its depth.
func (m *mesh) add(tint color.NRGBA, near float64, corner ...r3.Vec) {
	third := len(corner) / 3
	n := r3.Cross(r3.Sub(corner[third], corner[0]), r3.Sub(corner[2*third], corner[0]))
	if len(corner) == 4 {
		n = r3.Cross(r3.Sub(corner[2], corner[0]), r3.Sub(corner[3], corner[1]))
	}
	l := norm3(n)
	if l == 0 || r3.Dot(n, m.eye.to) <= 0 {
		return
	}
	f := face{corner: corner, tint: m.light.on(tint, r3.Scale(1/l, n), 1)}
	for _, p := range corner {
		f.depth += m.eye.depth(p) / float64(len(corner))
	}
	f.depth += near
	m.faces = append(m.faces, f)
}

// figure adds legs and trunk. They count as nearer by a cell, because the cell
// a foot stands on is only known by its middle.
func (m *mesh) figure() {
	near := m.scene.Ground.Cell
	for _, l := range m.scene.limbs() {
		m.tube(l, near)
		m.ball(l.a, 1.15*l.radius, l.tint, near)
		m.ball(l.b, 1.15*l.last, l.tint, near)
	}
	m.trunk(near)
}

const sides = 12 // of a tube and a ball

// tube adds the side of a link, in pieces along its length so that they sort
// well.
func (m *mesh) tube(l limb, near float64) {
	axis := r3.Sub(l.b, l.a)
	u, v := square(axis)
	pieces := int(min(max(norm3(axis)/(1.5*l.radius), 2), 20))
	ring := func(k, i int) r3.Vec {
		t := float64(k) / float64(pieces)
		s, c := math.Sincos(2 * math.Pi * float64(i) / sides)
		r := l.radius + t*(l.last-l.radius)
		return r3.Add(r3.Add(l.a, r3.Scale(t, axis)), r3.Add(r3.Scale(r*c, u), r3.Scale(r*s, v)))
	}
	for k := range pieces {
		for i := range sides {
			m.add(l.tint, near, ring(k, i), ring(k, i+1), ring(k+1, i+1), ring(k+1, i))
		}
	}
}

// square returns two unit vectors at right angles to axis and to each other,
// with u x v along axis.
func square(axis r3.Vec) (u, v r3.Vec) {
	w := r3.Scale(1/norm3(axis), axis)
	other := r3.Vec{Z: 1}
	if math.Abs(w.Z) > 0.9 {
		other = r3.Vec{X: 1}
	}
	u = r3.Cross(other, w)
	u = r3.Scale(1/norm3(u), u)
	return u, r3.Cross(w, u)
}

func (m *mesh) ball(at r3.Vec, r float64, tint color.NRGBA, near float64) {
	const rows = 6
	p := func(j, i int) r3.Vec {
		st, ct := math.Sincos(math.Pi * float64(j) / rows)
		s, c := math.Sincos(2 * math.Pi * float64(i) / sides)
		return r3.Add(at, r3.Vec{X: r * st * c, Y: r * st * s, Z: -r * ct})
	}
	for j := range rows {
		for i := range sides {
			switch j {
			case 0:
				m.add(tint, near, p(0, 0), p(1, i+1), p(1, i))
			case rows - 1:
				m.add(tint, near, p(j, i), p(j, i+1), p(rows, 0))
			default:
				m.add(tint, near, p(j, i), p(j, i+1), p(j+1, i+1), p(j+1, i))
			}
		}
	}
}

// trunk adds the body: its box with rounded corners and a narrower belly and
// back, the front marked.
func (m *mesh) trunk(near float64) {
	half, mid := m.scene.Rig.Body.Box, m.scene.Rig.Body.Mid
	if half.X <= 0 || half.Y <= 0 || half.Z <= 0 {
		half, mid = m.scene.hipBox()
	}
	const around = 48
	levels := [...]struct{ z, out float64 }{{-1, .82}, {-.55, 1}, {.45, 1}, {1, .8}}
	tint := bodyTint(m.scene.Rig)
	at := func(level, i int) r3.Vec {
		x, y := rounded(2 * math.Pi * float64(i) / around)
		k := levels[level].out
		return m.scene.PoseWB.Apply(r3.Add(mid, r3.Vec{X: half.X * k * x, Y: half.Y * k * y, Z: half.Z * levels[level].z}))
	}
	var belly, back []r3.Vec
	for i := range around {
		for l := range len(levels) - 1 {
			hue := tint
			if front := i < 4 || i >= around-4; front && l == 1 {
				hue = linkTint(2, 3)
			}
			m.add(hue, near, at(l, i), at(l, i+1), at(l+1, i+1), at(l+1, i))
		}
		belly, back = append(belly, at(0, around-i)), append(back, at(3, i))
	}
	m.add(tint, near, belly...)
	m.add(tint, near, back...)
}

// rounded is a rectangle of half side 1 with round corners, by angle.
func rounded(a float64) (x, y float64) {
	s, c := math.Sincos(a)
	root := func(v float64) float64 { return math.Copysign(math.Sqrt(math.Abs(v)), v) }
	return root(c), root(s)
}
