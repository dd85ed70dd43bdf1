package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// stalled is the slope, of the distance left, at which a search that ended is
// not at a nearest pose.
const stalled = 1e-3

// missSeeds is how many starts look for the nearest pose: each as it is, pointed
// at the target, and pointed but for the first joint. Pointed starts are good
// but may all lead into one corner of the limits.
const missSeeds = 15

// nearest writes the pose on the bend's branch found nearest to a target that
// cannot be met, from several starts and the candidates of legs of two flat
// hinges. What came before never counts.
func (s *Solver) nearest(m *model, angles []float64, leg int, t *Target, steps int) Result {
	w := &s.work
	b := &m.branch
	w.least = math.Inf(1)
	if m.plane.m == 2 && m.kind != anyShape {
		for k := range m.plane.turnsNear(m, t, &w.turns) {
			m.pairAt(w.turns[k], t, &w.cur.z)
			e2, more := w.polish(m, b, t.Foot)
			w.consider(e2)
			steps += more
		}
	} else {
		for k := range missSeeds {
			w.seed(m, b, k/3)
			if k%3 > 0 {
				w.point(m, b, t.Foot, k%3-1)
				w.point(m, b, t.Foot, k%3-1)
			}
			e2, more := w.approach(m, b, t.Foot)
			w.consider(e2)
			steps += more
		}
	}
	w.cur.z = w.best
	e2, more := w.polish(m, b, t.Foot)
	res := Result{Status: m.blame(t.Foot, e2), Residual: math.Sqrt(e2), Iterations: steps + more}
	if res.Status == AtLimit {
		m.columns(&w.cols, w.cur)
		if !w.still(m, b, r3.Sub(t.Foot, w.cur.p[m.n]), stalled*res.Residual) {
			res.Status = Stalled
		}
	}
	s.finish(m, angles, leg)
	return res
}

// consider keeps the pose in w.cur if it is the nearest so far.
func (w *work) consider(e2 float64) {
	if e2 < w.least {
		w.least, w.best = e2, w.cur.z
	}
}

// turnsNear writes the turns that may be best for a target no turn brings into
// the plane: those nearest to it on either side, and the limits.
func (pl *plane) turnsNear(m *model, t *Target, dst *[4]float64) int {
	if !pl.turn {
		return 1
	}
	_, y, z := pl.local(t.Foot)
	lo, hi := m.branch.lo[0], m.branch.hi[0]
	n2 := y*y + z*z
	r := math.Sqrt(max(0, n2-pl.side*pl.side))
	for k, far := range [2]float64{pl.far, -pl.far} {
		turn := m.rest[0]
		if n2 >= pl.axis2 {
			turn = math.Atan2(z*far*r-y*pl.side, y*far*r+z*pl.side)
		}
		dst[k] = within(turn, lo, hi)
	}
	dst[2], dst[3] = lo, hi
	return 4
}

// pairAt writes the pose nearest to the target at one turn of the plane.
func (m *model) pairAt(turn float64, t *Target, z *[maxJoints]float64) {
	pl := &m.plane
	x, y, side := pl.local(t.Foot)
	if pl.turn {
		sin, cos := math.Sincos(turn)
		y = y*cos + side*sin
		z[0] = turn
	}
	t1, t2 := pl.pairNearest(x-pl.bx, y-pl.by)
	k := pl.firstFlat
	z[k], z[k+1] = pl.sign[0]*t1, pl.sign[1]*t2
}

// pairNearest returns the turns of the two links, within the branch, whose end
// is nearest to (x, y). Where no pose meets the target the nearest has a hinge
// on a bound or the links in line, so it is among the poses tried.
func (pl *plane) pairNearest(x, y float64) (t1, t2 float64) {
	l1, l2 := pl.length[0], pl.length[1]
	b := &pl.boxes[0]
	best := math.Inf(1)
	try := func(a, k float64) {
		a, k = within(a, b.lo[0], b.hi[0]), within(k, b.lo[1], b.hi[1])
		s1, c1 := math.Sincos(a + pl.ang[0])
		s2, c2 := math.Sincos(a + k + pl.ang[1])
		dx, dy := x-l1*c1-l2*c2, y-l1*s1-l2*s2
		if d2 := dx*dx + dy*dy; d2 < best {
			t1, t2, best = a, k, d2
		}
	}
	knee := func(k float64) { // with the hip that suits the knee
		s, c := math.Sincos(k + pl.ang[1] - pl.ang[0])
		try(math.Atan2(y, x)-math.Atan2(l2*s, l1+l2*c)-pl.ang[0], k)
	}
	hip := func(a float64) { // with the knee that suits the hip
		s, c := math.Sincos(a + pl.ang[0])
		try(a, math.Atan2(y-l1*s, x-l1*c)-a-pl.ang[1])
	}
	c := clamp((x*x+y*y-l1*l1-l2*l2)/(2*l1*l2), -1, 1)
	knee(pl.bend*math.Acos(c) - pl.ang[1] + pl.ang[0])
	knee(b.lo[1])
	knee(b.hi[1])
	hip(b.lo[0])
	hip(b.hi[0])
	return t1, t2
}
