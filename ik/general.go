package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// seeds is how many spread-out starts a leg of any shape may try before its
// target counts as out of reach.
const seeds = 24

// general solves a leg of any shape: sweeps, then a damped approach, then, for
// redundant legs, the way to the solution nearest to rest. The bend's branch
// comes first, from the warm start, from the leg's own and from spread-out
// ones; then the whole range of the joints.
func (s *Solver) general(m *model, angles []float64, leg int, t *Target, warm bool) Result {
	w := &s.work
	best := math.Inf(1)
	w.best = m.start
	total := 0
	for i, b := range [2]*box{&m.branch, &m.limit} {
		for k := -1; k < seeds; k++ {
			if (k < 0 && (!warm || i > 0)) || (i > 0 && (m.branch == m.limit || m.outside(t.Foot))) {
				continue
			}
			if w.seed(m, b, angles, k); k > 0 {
				w.point(m, b, t.Foot)
			}
			e2, steps := w.attempt(m, b, t, s.params.MaxSweeps)
			total += steps
			if e2 <= m.tol*m.tol {
				s.finish(m, angles, leg)
				return Result{Residual: math.Sqrt(e2), Iterations: total, Flipped: i > 0}
			}
			if i == 0 && e2 < best {
				best, w.best = e2, w.cur.z
			}
			if k >= 0 && m.outside(t.Foot) {
				break // the straight chain needs no second start
			}
		}
	}
	w.cur.z = w.best
	e2, steps := w.approach(m, &m.branch, t.Foot, polishing)
	s.finish(m, angles, leg)
	return Result{Status: m.blame(t.Foot, e2), Residual: math.Sqrt(e2), Iterations: total + steps}
}

// seed puts the k-th start into w.cur: -1 the warm one, 0 the leg's own, then
// points spread through the box (Halton's sequence).
func (w *work) seed(m *model, b *box, angles []float64, k int) {
	if k < 0 {
		m.variablesOf(&w.cur.z, angles)
	} else {
		w.cur.z = m.start
	}
	for i := range m.free {
		if k > 0 {
			w.cur.z[i] = b.lo[i] + (b.hi[i]-b.lo[i])*halton(k, i)
		}
		w.cur.z[i] = clamp(w.cur.z[i], b.lo[i], b.hi[i])
	}
}

// primes are the bases of Halton's sequence, one a joint.
var primes = [maxJoints]int{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}

func halton(k, dim int) float64 {
	f, v := 1.0, 0.0
	for b := primes[dim]; k > 0; k /= b {
		f /= float64(b)
		v += f * float64(k%b)
	}
	return v
}

// attempt runs one start to its end and returns the squared distance left.
func (w *work) attempt(m *model, b *box, t *Target, most int) (float64, int) {
	steps := w.sweeps(m, b, t.Foot, 0.05*m.length, most)
	e2, k := w.approach(m, b, t.Foot, seekGain)
	steps += k
	if e2 > m.tol*m.tol || !m.spread {
		return e2, steps
	}
	keep := w.cur.z
	k, ok := w.settle(m, b, t)
	if !ok {
		w.cur.z = keep
		m.pose(w.cur)
	}
	return r3.Norm2(r3.Sub(t.Foot, w.cur.p[m.n])), steps + k
}

// finish writes the answer in w.cur to the leg's angles and keeps its moment.
func (s *Solver) finish(m *model, angles []float64, leg int) {
	m.spreadAngles(angles, &s.work.cur.z)
	s.keepMoment(m, angles, leg)
}
