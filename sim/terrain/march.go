package terrain

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// march is a ray on its way over the cells of a field. Heights are compared at
// the ends of pieces that lie in one triangle, where the gap between ray and
// field is linear; neighbouring pieces share their end, so a change of sign
// cannot be missed.
type march struct {
	f            *field
	t            float64 // distance reached
	u, v, z      float64 // start of the ray, u and v in cells
	du, dv, dz   float64 // a metre of the ray
	i, j         int
	stepI, stepJ int
}

func newMarch(f *field, from, dir r3.Vec, t float64) march {
	m := march{
		f: f, t: t,
		u: from.X * f.per, v: from.Y * f.per, z: from.Z,
		du: dir.X * f.per, dv: dir.Y * f.per, dz: dir.Z,
		stepI: sign(dir.X), stepJ: sign(dir.Y),
	}
	m.i, _ = split(m.u + m.du*t)
	m.j, _ = split(m.v + m.dv*t)
	return m
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// leave is the distance at which the ray leaves cell i along one axis.
func leave(u, du float64, i, step int) float64 {
	switch step {
	case 1:
		return (float64(i+1) - u) / du
	case -1:
		return (float64(i) - u) / du
	}
	return math.Inf(1)
}

// cell tests the present cell up to end and steps to the next one.
func (m *march) cell(end float64) (float64, r3.Vec, bool) {
	ti := leave(m.u, m.du, m.i, m.stepI)
	tj := leave(m.v, m.dv, m.j, m.stepJ)
	to := max(m.t, min(ti, tj, end))
	p := m.f.patch(m.i, m.j)
	if d, n, ok := m.pieces(&p, to); ok {
		return d, n, true
	}
	m.t = to
	if ti <= tj {
		m.i += m.stepI
	} else {
		m.j += m.stepJ
	}
	return 0, r3.Vec{}, false
}

// pieces tests the part of the ray in a cell on both sides of the diagonal.
func (m *march) pieces(p *patch, to float64) (float64, r3.Vec, bool) {
	side := func(t float64) float64 { return (m.u + m.du*t - float64(m.i)) - (m.v + m.dv*t - float64(m.j)) }
	a, b := side(m.t), side(to)
	if a*b < 0 {
		mid := m.t + (to-m.t)*a/(a-b)
		if d, n, ok := m.piece(p, a > 0, m.t, mid); ok {
			return d, n, true
		}
		return m.piece(p, b > 0, mid, to)
	}
	return m.piece(p, a+b >= 0, m.t, to)
}

// piece tests the ray from t0 to t1 against one triangle.
func (m *march) piece(p *patch, lower bool, t0, t1 float64) (float64, r3.Vec, bool) {
	ax, ay := p.facet(lower)
	gap := func(t float64) float64 {
		u, v := m.u+m.du*t-float64(m.i), m.v+m.dv*t-float64(m.j)
		return m.z + m.dz*t - (p.h00 + ax*u + ay*v)
	}
	g0, g1 := gap(t0), gap(t1)
	switch {
	case g0 <= 0:
		return t0, m.f.normal(ax, ay), true
	case g1 <= 0:
		return t0 + (t1-t0)*g0/(g0-g1), m.f.normal(ax, ay), true
	}
	return 0, r3.Vec{}, false
}
