package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	seeds = 24 // starts of a leg of any shape before its target counts as missed
	picks = 10 // of which so many are compared where the first ends far from rest
	// easy is to any leg what chainEasy is to a flat one.
	easy = 0.04
)

// general solves a leg of any shape: sweeps, then a damped approach, then, for
// redundant legs, the way to the solution nearest to rest; on the bend's branch
// and then in the whole range of the joints. It begins at the leg's own start
// and at spread-out ones, never at the last pose: such legs may have several
// solutions that are each nearest to rest among their neighbours, and a warm
// start would keep to one of them for no better reason than where it came from.
func (s *Solver) general(m *model, angles []float64, leg int, t *Target) Result {
	steps := 0
	for i, b := range [2]*box{&m.branch, &m.limit} {
		if m.outside(t.Foot) || (i > 0 && m.branch == m.limit) {
			break
		}
		if e2, ok := s.search(m, b, t, &steps); ok {
			s.finish(m, angles, leg)
			return Result{Residual: math.Sqrt(e2), Iterations: steps, Flipped: i > 0}
		}
	}
	return s.nearest(m, angles, leg, t, steps)
}

// search tries the starts of a box and leaves the solution nearest to rest in
// w.cur.
func (s *Solver) search(m *model, b *box, t *Target, steps *int) (float64, bool) {
	w := &s.work
	least, gap := math.Inf(1), 0.0
	var best [maxJoints]float64
	for k := range seeds {
		if k >= picks && least < math.Inf(1) {
			break
		}
		if w.seed(m, b, k); k > 0 {
			w.point(m, b, t.Foot, 0)
		}
		e2, ok := w.attempt(m, b, t, s.params.MaxSweeps, steps)
		if v := w.cost(m, t); ok && v < least {
			least, gap, best = v, e2, w.cur.z
		}
		if least <= easy {
			break
		}
	}
	w.cur.z = best
	m.pose(w.cur)
	return gap, least < math.Inf(1)
}

// cost is the squared distance of w.cur from rest, in joint ranges, and what a
// wanted direction adds to it.
func (w *work) cost(m *model, t *Target) float64 {
	sum := 0.0
	for k := range m.free {
		d := w.cur.z[k] - m.rest[k]
		sum += m.weight[k] * d * d
	}
	if t.DirWeight > 0 {
		sum += t.DirWeight * r3.Norm2(r3.Sub(w.cur.dir, t.Dir))
	}
	return sum
}

// seed puts the k-th start into w.cur: 0 the leg's own, then points spread
// through the box (Halton's sequence).
func (w *work) seed(m *model, b *box, k int) {
	w.cur.z = m.start
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

// attempt runs one start to its end and returns the squared distance left and
// whether that is an arrival.
func (w *work) attempt(m *model, b *box, t *Target, most int, steps *int) (float64, bool) {
	tol2 := m.tol * m.tol
	*steps += w.sweeps(m, b, t.Foot, 0.05*m.length, most)
	e2, k := w.approach(m, b, t.Foot)
	*steps += k
	if e2 > tol2 || !m.spread {
		return e2, e2 <= tol2
	}
	keep := w.cur.z
	k, ok := w.settle(m, b, t)
	*steps += k
	if !ok {
		w.cur.z = keep
		m.pose(w.cur)
	}
	return r3.Norm2(r3.Sub(t.Foot, w.cur.p[m.n])), true
}

// finish writes the answer, posed in w.cur, to the leg's angles and keeps its
// moment.
func (s *Solver) finish(m *model, angles []float64, leg int) {
	m.spreadAngles(angles, &s.work.cur.z)
	s.last[leg].direct, s.last[leg].sum = true, m.posed(s.work.cur)
}
