package ik

import (
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	compoundRounds = 3 // turns about each axis of a compound joint a pass
	halving        = 4 // sweeps in which the residual must halve
)

// sweeps runs FABRIK on the compound joints of a leg from w.cur: a free pass
// from t inward, then a pass outward in which every link takes the nearest
// direction that its joints' axes and limits b allow. It ends when the foot is
// within near of t, has not come half as close in four sweeps, or after most.
func (w *work) sweeps(m *model, b *box, t r3.Vec, near float64, most int) int {
	m.pose(w.cur)
	mark, markAt := math.Inf(1), 0
	for k := 0; ; k++ {
		e := norm(r3.Sub(t, w.cur.p[m.n]))
		if e <= near || k == most {
			return k
		}
		if k-markAt >= halving {
			if e > 0.5*mark {
				return k
			}
			mark, markAt = e, k
		} else if k == 0 {
			mark = e
		}
		w.inward(m, t)
		w.outward(m, b)
	}
}

// inward pulls the centres to their distances from t towards the body.
func (w *work) inward(m *model, t r3.Vec) {
	p := &w.cur.p
	p[m.n] = t
	for j := m.n - 1; j > 0; j-- {
		l := norm(r3.Sub(m.at[j+1], m.at[j]))
		if m.group[j] == 0 {
			break
		}
		if l <= 1e-9*m.length {
			p[j] = p[j+1]
			continue
		}
		p[j] = reach(p[j+1], p[j], l)
	}
}

// outward turns the joints, from the body, so that each link points at where
// inward left its end, and rebuilds the posture.
func (w *work) outward(m *model, b *box) {
	p := w.cur
	r := geom.Rot{X: r3.Vec{X: 1}, Y: r3.Vec{Y: 1}, Z: r3.Vec{Z: 1}}
	at := m.at[0]
	for j := 0; j < m.n; {
		end := j + 1
		for end < m.n && m.group[end] == m.group[j] {
			end++
		}
		wish := unit(r3.Sub(p.p[end], at))
		link := r3.Sub(m.at[end], m.at[end-1])
		w.aim(m, b, &r, j, end, link, wish)
		for i := j; i < end; i++ {
			p.p[i] = at
			r = w.turned(m, &r, i)
		}
		at = r3.Add(at, r.Apply(link))
		j = end
	}
	p.p[m.n] = at
	m.pose(p)
}

// turned is r after joint i has turned by its angle in w.cur.
func (w *work) turned(m *model, r *geom.Rot, i int) geom.Rot {
	a := r.Apply(m.axis[i])
	s, c := math.Sincos(m.factor[i]*w.cur.z[m.owner[i]] + m.offset[i])
	return geom.Rot{X: turn(r.X, a, s, c), Y: turn(r.Y, a, s, c), Z: turn(r.Z, a, s, c)}
}

// aim turns joints [from, end), which share a centre, one after another so
// that the link behind them points along wish as far as axes and limits let it.
func (w *work) aim(m *model, b *box, r *geom.Rot, from, end int, link, wish r3.Vec) {
	rounds := compoundRounds
	if end == from+1 {
		rounds = 1
	}
	for range rounds {
		for i := end - 1; i >= from; i-- {
			k := m.owner[i]
			if m.joint[k] != i {
				continue // a mimic joint follows
			}
			before := *r
			for g := from; g < i; g++ {
				before = w.turned(m, &before, g)
			}
			a := before.Apply(m.axis[i])
			after := before
			for g := i + 1; g < end; g++ {
				after = w.turned(m, &after, g)
			}
			w.cur.z[k] = nearestTurn(a, after.Apply(link), wish, w.cur.z[k], b.lo[k], b.hi[k])
		}
	}
}

// nearestTurn is the angle within lo and hi by which v, turned about a, comes
// nearest to wish; now (0 for a turn from where v is) is kept where every angle is equal.
func nearestTurn(a, v, wish r3.Vec, now, lo, hi float64) float64 {
	c := r3.Dot(v, wish) - r3.Dot(a, v)*r3.Dot(a, wish)
	s := r3.Dot(a, r3.Cross(v, wish))
	if c*c+s*s < 1e-24*r3.Norm2(v) {
		return clamp(now, lo, hi)
	}
	return within(math.Atan2(s, c), lo, hi)
}

// within returns the angle equal to a modulo a turn that lies in [lo, hi], or
// else the bound nearest to it around the circle.
func within(a, lo, hi float64) float64 {
	mid := 0.5 * (lo + hi)
	a -= 2 * math.Pi * math.Round((a-mid)/(2*math.Pi))
	return clamp(a, lo, hi)
}

// point turns each free joint of w.cur but the first few in its own right, so
// that the foot comes as near to t as that joint can bring it. A start pointed
// at its target seldom ends in a corner of the limits on the wrong side.
func (w *work) point(m *model, b *box, t r3.Vec, from int) {
	for k := from; k < m.free; k++ {
		j := m.joint[k]
		m.pose(w.cur)
		a, at := w.cur.axis[j], w.cur.p[j]
		z := w.cur.z[k]
		w.cur.z[k] = nearestTurn(a, r3.Sub(w.cur.p[m.n], at), r3.Sub(t, at), 0, b.lo[k]-z, b.hi[k]-z) + z
	}
}
