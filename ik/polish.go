package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	polishSteps = 40
	onBound     = 1e-12 // rad: a step to a bound this near would be lost in rounding
)

// polish moves w.cur, within the box b, to the nearest pose of its
// neighbourhood to a foot that cannot be met, by Newton steps on half the
// squared distance: H = J^T J - e . p” + mu I, with a projected active set.
// Where Gauss-Newton creeps, because the distance left is large, this squares
// the error. It returns the squared distance and the steps taken.
func (w *work) polish(m *model, b *box, t r3.Vec) (e2 float64, steps int) {
	n := &w.newton
	none := Target{}
	l2 := m.length * m.length
	mu := 1e-6 * l2
	m.pose(w.cur)
	for steps = 0; steps < polishSteps; steps++ {
		e := r3.Sub(t, w.cur.p[m.n])
		e2 = r3.Norm2(e)
		m.columns(&w.cols, w.cur)
		n.lambda = e
		n.hessian(m, w.cur, &none)
		n.pull(m, w.cur, &w.cols, b, e)
		size, ok := 0.0, false
		for ; mu < 1e6*l2 && !ok; mu *= 10 {
			if !n.distance(m, &w.cols, mu) {
				continue
			}
			size = w.project(m, b)
			m.pose(w.try)
			ok = r3.Norm2(r3.Sub(t, w.try.p[m.n])) < e2
		}
		if !ok {
			break
		}
		w.cur, w.try = w.try, w.cur
		mu = max(mu*1e-3, 1e-14*l2)
		if size < 1e-12 {
			break
		}
	}
	return r3.Norm2(r3.Sub(t, w.cur.p[m.n])), steps
}

// pull fills grad with the pull of e on each variable and holds those that a
// bound keeps from following it.
func (n *newton) pull(m *model, p *posture, cols *[maxJoints]r3.Vec, b *box, e r3.Vec) {
	for k := range m.free {
		g := r3.Dot(cols[k], e)
		n.grad[k] = g
		n.held[k] = (p.z[k] <= b.lo[k]+onBound && g <= 0) || (p.z[k] >= b.hi[k]-onBound && g >= 0)
		n.dz[k] = 0
	}
	n.list(m.free)
}

// distance solves for the step of polish at damping mu; false where the
// Hessian is not positive.
func (n *newton) distance(m *model, cols *[maxJoints]r3.Vec, mu float64) bool {
	for r, i := range n.idx[:n.k] {
		for c, j := range n.idx[:r+1] {
			n.a[r][c] = n.h[i][j] + r3.Dot(cols[i], cols[j])
		}
		n.a[r][r] += mu
	}
	if !cholesky(&n.a, n.k) {
		return false
	}
	for r, i := range n.idx[:n.k] {
		n.cols[r] = [4]float64{n.grad[i]}
	}
	substitute(&n.a, &n.cols, n.k)
	for r, i := range n.idx[:n.k] {
		n.dz[i] = n.cols[r][0]
	}
	return true
}

// project writes the step of the newton scratch, cut to the box, to w.try and
// returns the largest change.
func (w *work) project(m *model, b *box) float64 {
	size := 0.0
	for k := range m.free {
		z := w.cur.z[k] + clamp(w.newton.dz[k], -longStep, longStep)
		z = clamp(z, b.lo[k], b.hi[k])
		w.try.z[k] = z
		size = max(size, math.Abs(z-w.cur.z[k]))
	}
	return size
}
