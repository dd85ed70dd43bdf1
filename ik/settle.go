package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const settled = 1e-9 // rad: a step this small ends the search; Newton squares it

// settle moves a redundant leg, whose foot is on or near t, along what its
// foot leaves free to the pose nearest to rest: it minimises
// sum weight (z - rest)^2 / 2 + DirWeight |dir - Dir|^2 / 2 with the foot at t
// and the variables within b. Newton steps on the Lagrangian, curvature of the
// foot's path included (Nocedal and Wright, chapter 18), with an active set of
// bounds. It reports false, leaving w.cur anywhere, when it does not close.
func (w *work) settle(m *model, b *box, t *Target) (int, bool) {
	n := &w.newton
	n.begin(m.free, &w.cur.z, &m.rest, b)
	n.lambda = r3.Vec{}
	for steps := 1; steps <= settleMax; steps++ {
		m.pose(w.cur)
		m.columns(&w.cols, w.cur)
		e := r3.Sub(t.Foot, w.cur.p[m.n])
		if !n.step(m, w.cur, &w.cols, t, e) {
			return steps, false
		}
		size, blocked := n.take(&w.cur.z, b)
		if blocked || size > settled {
			continue
		}
		if n.release(m.free, &w.cur.z, b) {
			continue
		}
		m.pose(w.cur)
		return steps, n.convex && r3.Norm2(r3.Sub(t.Foot, w.cur.p[m.n])) <= m.tol*m.tol
	}
	return settleMax, false
}

// newton is the scratch of settle.
type newton struct {
	active
	lambda r3.Vec             // force of the foot's tie
	convex bool               // the last step had its curvature: its end is no saddle
	grad   [maxJoints]float64 // of the cost
	h      [maxJoints][maxJoints]float64
	a      [maxJoints][maxJoints]float64
	cols   [maxJoints][4]float64
}

// step works out dz and the new multipliers.
func (n *newton) step(m *model, p *posture, cols *[maxJoints]r3.Vec, t *Target, e r3.Vec) bool {
	n.hessian(m, p, t)
	n.list(m.free)
	if n.k < 1 {
		return false
	}
	gamma := n.tie(m, cols)
	n.convex = n.factor(m, cols, gamma, true)
	if !n.convex && !n.factor(m, cols, gamma, false) {
		return false
	}
	return n.solve(m, cols, gamma, e)
}

// hessian fills the gradient of the cost and the Hessian of the Lagrangian.
// The foot's second derivative for joints i <= j is axis_i x column_j.
func (n *newton) hessian(m *model, p *posture, t *Target) {
	for k := range m.free {
		n.grad[k] = m.weight[k] * (p.z[k] - m.rest[k])
		for i := range m.free {
			n.h[k][i] = 0
		}
	}
	foot, l := p.p[m.n], n.lambda
	dw := t.DirWeight
	for j := range m.n {
		col := r3.Cross(p.axis[j], r3.Sub(foot, p.p[j]))
		var swing r3.Vec
		if dw > 0 {
			swing = r3.Cross(p.axis[j], p.dir)
			n.grad[m.owner[j]] -= dw * m.factor[j] * r3.Dot(t.Dir, swing)
		}
		for i := 0; i <= j; i++ {
			v := -r3.Dot(r3.Cross(l, p.axis[i]), col)
			if dw > 0 {
				v -= dw * r3.Dot(r3.Cross(t.Dir, p.axis[i]), swing)
			}
			v *= m.factor[i] * m.factor[j]
			a, c := m.owner[i], m.owner[j]
			n.h[a][c] += v
			if i != j {
				n.h[c][a] += v
			}
		}
	}
}

// tie returns the weight gamma with which J^T J is added to the Hessian: it
// changes no answer, the foot being tied anyway, but makes the sum positive
// where the Hessian is so along what the foot leaves free.
func (n *newton) tie(m *model, cols *[maxJoints]r3.Vec) float64 {
	top, reach := 0.0, 0.0
	for _, k := range n.idx[:n.k] {
		top = max(top, m.weight[k], math.Abs(n.h[k][k]))
		reach = max(reach, r3.Norm2(cols[k]))
	}
	return 10 * top / max(reach, 1e-12*m.length*m.length)
}

// factor writes the Cholesky factor of H + gamma J^T J over the variables not
// held to n.a; without curvature H is the weights alone.
func (n *newton) factor(m *model, cols *[maxJoints]r3.Vec, gamma float64, curved bool) bool {
	for r, i := range n.idx[:n.k] {
		for c, j := range n.idx[:r+1] {
			v := gamma * r3.Dot(cols[i], cols[j])
			if curved {
				v += n.h[i][j]
			}
			if i == j {
				v += m.weight[i]
			}
			n.a[r][c] = v
		}
	}
	return cholesky(&n.a, n.k)
}

// solve finds lambda from J A^-1 J^T lambda = e - J A^-1 g and then the step.
func (n *newton) solve(m *model, cols *[maxJoints]r3.Vec, gamma float64, e r3.Vec) bool {
	for r, i := range n.idx[:n.k] {
		c := cols[i]
		n.cols[r] = [4]float64{c.X, c.Y, c.Z, -n.grad[i] + gamma*r3.Dot(c, e)}
	}
	substitute(&n.a, &n.cols, n.k)
	var s [3][3]float64
	b := [3]float64{e.X, e.Y, e.Z}
	for r, i := range n.idx[:n.k] {
		c := [3]float64{cols[i].X, cols[i].Y, cols[i].Z}
		for x := range 3 {
			for y := range 3 {
				s[x][y] += c[x] * n.cols[r][y]
			}
			b[x] -= c[x] * n.cols[r][3]
		}
	}
	damp := 1e-14 * (s[0][0] + s[1][1] + s[2][2])
	l := solveDamped(s[0][0]+damp, s[1][1]+damp, s[2][2]+damp, s[0][1], s[0][2], s[1][2], r3.Vec{X: b[0], Y: b[1], Z: b[2]})
	if !finite(l) {
		return false
	}
	n.lambda = l
	for k := range m.free {
		n.dz[k] = 0
	}
	for r, k := range n.idx[:n.k] {
		y := &n.cols[r]
		n.dz[k] = y[3] + y[0]*l.X + y[1]*l.Y + y[2]*l.Z
	}
	for k := range m.free {
		v := n.grad[k] + m.weight[k]*n.dz[k] - r3.Dot(cols[k], l)
		for _, i := range n.idx[:n.k] {
			v += n.h[k][i] * n.dz[i]
		}
		n.slope[k] = v
	}
	return true
}
