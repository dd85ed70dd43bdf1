package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// flatPose is a leg of two flat hinges as cosines and sines: of the turn, and
// of the turns of link one and link two against the zero pose, x towards y.
type flatPose struct{ c0, s0, c1, s1, c2, s2 float64 }

const (
	limitSlack = 1e-11 // rad by which a solution may pass a limit and be set back on it
	onAxis     = 1e-12 // of the length: nearer to the turn's axis there is no bearing
)

// solvePair solves legs of two flat hinges, with or without a turn.
func (s *Solver) solvePair(m *model, angles []float64, leg int, t *Target, warm bool) Result {
	pl := &m.plane
	x, y, z := pl.local(t.Foot)
	o := &s.last[leg]
	o.direct = false
	c := pairCase{x: x - pl.bx, y: y, z: z, far: pl.far, bend: pl.bend}
	if !s.params.Closed {
		c.sweep = true
		c.warm = pl.start[0]
		if warm {
			c.warm = pl.sign[0] * angles[pl.firstFlat]
		}
	}
	if m.turnTo(&c, &o.u) && m.fold(&c, &o.u) && m.keep(&c, &m.branch) {
		m.write(angles, &c)
		return m.pairResult(&c, false)
	}
	return s.pairElse(m, angles, leg, t, &c)
}

// pairCase is one solve on the way: the target, from the first flat hinge and
// at turn angle 0, the branch tried, the warm start and the joint angles.
type pairCase struct {
	x, y, z   float64
	far, bend float64
	sweep     bool    // FABRIK rather than the closed form
	warm      float64 // turn of link one in the warm start
	px, py    float64 // the target in the plane, from the first flat hinge
	lateral   float64 // what the plane cannot follow, metres
	q         [3]float64
	steps     int
}

// turnTo finds the turn that brings the target into the plane, on side far.
func (m *model) turnTo(c *pairCase, u *flatPose) bool {
	pl := &m.plane
	c.px = c.x
	if !pl.turn {
		u.c0, u.s0 = 1, 0
		c.py, c.lateral = c.y-pl.by, c.z-pl.side
		return true
	}
	n2 := c.y*c.y + c.z*c.z
	r2 := n2 - pl.side*pl.side
	if r2 < 0 || n2 < onAxis*onAxis*m.length*m.length {
		return false
	}
	r := c.far * math.Sqrt(r2)
	inv := 1 / n2
	u.c0, u.s0 = (c.y*r+c.z*pl.side)*inv, (c.z*r-c.y*pl.side)*inv
	c.q[0] = angleOf(u.c0, u.s0)
	c.py = r - pl.by
	return true
}

// fold turns the two links so that their end meets the target in the plane,
// the knee on side bend, and works out the angles.
//
// The knee is f T + g T', T the target and T' square to it: the triangle. In
// FABRIK's way a sweep from the warm start goes before it, and where that
// arrives its knee is kept; the triangle is the exact forward pass.
func (m *model) fold(c *pairCase, u *flatPose) bool {
	pl := &m.plane
	l1, l2 := pl.length[0], pl.length[1]
	tx, ty := c.px, c.py
	r2 := tx*tx + ty*ty
	a := 0.5 * (l1*l1 + r2 - l2*l2)
	if r2 < onAxis*onAxis*l1*l1 {
		return false
	}
	inv := 1 / r2
	f := a * inv
	h2 := l1*l1 - a*f
	if h2 < 0 {
		if h2 < -1e-13*l1*l1 {
			return false
		}
		h2 = 0
	}
	c.steps = 1
	var kx, ky float64
	if !c.sweep || !pl.sweep(c, m.tol, &kx, &ky) {
		g := c.bend * math.Sqrt(h2*inv)
		kx, ky = f*tx+g*ty, f*ty-g*tx
	}
	i1, i2 := pl.inverse[0], pl.inverse[1]
	ux, uy := kx*i1, ky*i1
	vx, vy := (tx-kx)*i2, (ty-ky)*i2
	u.c1, u.s1 = ux*pl.cosA[0]+uy*pl.sinA[0], uy*pl.cosA[0]-ux*pl.sinA[0]
	u.c2, u.s2 = vx*pl.cosA[1]+vy*pl.sinA[1], vy*pl.cosA[1]-vx*pl.sinA[1]
	k := pl.firstFlat
	c.q[k] = pl.sign[0] * angleOf(u.c1, u.s1)
	c.q[k+1] = pl.sign[1] * angleOf(u.c2*u.c1+u.s2*u.s1, u.s2*u.c1-u.c2*u.s1)
	return true
}

// sweep is one FABRIK sweep of the two links from the warm start: the knee is
// pulled to l2 from the target, then to l1 from the hip. It reports whether
// the end has arrived with the knee on its side.
func (pl *plane) sweep(c *pairCase, tol float64, kx, ky *float64) bool {
	l1, l2 := pl.length[0], pl.length[1]
	sin, cos := math.Sincos(c.warm + pl.ang[0])
	x, y := l1*cos-c.px, l1*sin-c.py
	d := l2 / math.Sqrt(x*x+y*y+1e-300)
	x, y = c.px+d*x, c.py+d*y
	d = l1 / math.Sqrt(x*x+y*y+1e-300)
	x, y = d*x, d*y
	*kx, *ky = x, y
	c.steps = 2
	ex, ey := c.px-x, c.py-y
	gap := math.Sqrt(ex*ex+ey*ey) - l2
	return math.Abs(gap) <= 0.1*tol && c.bend*(c.py*x-c.px*y) >= 0
}

// keep brings the angles into the turn of the limits and reports whether they
// lie within b, setting back what passes a bound by rounding.
func (m *model) keep(c *pairCase, b *box) bool {
	for k := range m.n {
		q := c.q[k]
		lo, hi := b.lo[k], b.hi[k]
		if q < lo {
			if q < lo-limitSlack {
				if q += 2 * math.Pi; q > hi+limitSlack || q < lo-limitSlack {
					return false
				}
			}
			q = clamp(q, lo, hi)
		} else if q > hi {
			if q > hi+limitSlack {
				if q -= 2 * math.Pi; q > hi+limitSlack || q < lo-limitSlack {
					return false
				}
			}
			q = clamp(q, lo, hi)
		}
		c.q[k] = q
	}
	return true
}

func (m *model) write(angles []float64, c *pairCase) {
	if len(angles) == 3 {
		angles[0], angles[1], angles[2] = c.q[0], c.q[1], c.q[2]
		return
	}
	angles[0], angles[1] = c.q[0], c.q[1]
}

// pairResult is the result of a pose that meets the target in the plane.
func (m *model) pairResult(c *pairCase, flipped bool) Result {
	res := Result{Iterations: c.steps, Flipped: flipped}
	if gap := math.Abs(c.lateral); gap > m.tol {
		res.Status, res.Residual = AtLimit, gap
	}
	return res
}

// pairElse tries the other branches of a target the bend's branch misses, and
// then takes the nearest pose on the bend's branch.
func (s *Solver) pairElse(m *model, angles []float64, leg int, t *Target, c *pairCase) Result {
	pl := &m.plane
	o := &s.last[leg]
	for _, way := range [4][2]float64{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
		c.far, c.bend = way[0]*pl.far, way[1]*pl.bend
		if m.turnTo(c, &o.u) && m.fold(c, &o.u) && m.keep(c, &m.limit) {
			m.write(angles, c)
			return m.pairResult(c, way[1] < 0)
		}
	}
	w := &s.work
	m.nearestPair(c, &w.cur.z)
	e2, steps := w.approach(m, &m.branch, t.Foot, polishing)
	s.finish(m, angles, leg)
	return Result{Status: m.blame(t.Foot, e2), Residual: math.Sqrt(e2), Iterations: c.steps + steps}
}

// nearestPair writes the pose on the bend's branch whose foot is nearest to
// the target, exact in the plane for each turn that may be best: on either
// side, and at either limit.
func (m *model) nearestPair(c *pairCase, z *[maxJoints]float64) {
	pl := &m.plane
	best := math.Inf(1)
	try := func(turn float64) {
		sin, cos := math.Sincos(turn)
		y, lateral := c.y, c.z-pl.side
		if pl.turn {
			y, lateral = c.y*cos+c.z*sin, c.z*cos-c.y*sin-pl.side
		}
		t1, t2, e2 := pl.nearest(c.x, y-pl.by)
		if e2 += lateral * lateral; e2 < best {
			best = e2
			k := pl.firstFlat
			z[0] = turn
			z[k], z[k+1] = pl.sign[0]*t1, pl.sign[1]*t2
		}
	}
	if !pl.turn {
		try(0)
		return
	}
	lo, hi := m.branch.lo[0], m.branch.hi[0]
	n2 := c.y*c.y + c.z*c.z
	r := math.Sqrt(max(0, n2-pl.side*pl.side))
	for _, far := range [2]float64{pl.far, -pl.far} {
		turn := m.rest[0]
		if n2 > onAxis*onAxis*m.length*m.length {
			turn = math.Atan2(c.z*far*r-c.y*pl.side, c.y*far*r+c.z*pl.side)
		}
		try(within(turn, lo, hi))
	}
	try(lo)
	try(hi)
}

// nearest returns the turns of the two links, within the branch, whose end is
// nearest to (x, y), and the squared distance. Where no pose meets the target
// the nearest has a hinge on a bound or the links in line, so it is among the
// poses tried.
func (pl *plane) nearest(x, y float64) (t1, t2, e2 float64) {
	l1, l2 := pl.length[0], pl.length[1]
	b := &pl.boxes[0]
	e2 = math.Inf(1)
	try := func(a, k float64) {
		a, k = within(a, b.lo[0], b.hi[0]), within(k, b.lo[1], b.hi[1])
		s1, c1 := math.Sincos(a + pl.ang[0])
		s2, c2 := math.Sincos(a + k + pl.ang[1])
		dx, dy := x-l1*c1-l2*c2, y-l1*s1-l2*s2
		if d2 := dx*dx + dy*dy; d2 < e2 {
			t1, t2, e2 = a, k, d2
		}
	}
	knee := func(k float64) { // the hip that suits a knee, and the knee that suits that hip
		rho := k + pl.ang[1] - pl.ang[0]
		s, c := math.Sincos(rho)
		try(math.Atan2(y, x)-math.Atan2(l2*s, l1+l2*c)-pl.ang[0], k)
	}
	hip := func(a float64) { // the knee that suits a hip
		s, c := math.Sincos(a + pl.ang[0])
		try(a, math.Atan2(y-l1*s, x-l1*c)-a-pl.ang[1])
	}
	c := clamp((x*x+y*y-l1*l1-l2*l2)/(2*l1*l2), -1, 1)
	knee(pl.bend*math.Acos(c) - pl.ang[1] + pl.ang[0])
	knee(b.lo[1])
	knee(b.hi[1])
	hip(b.lo[0])
	hip(b.hi[0])
	return t1, t2, e2
}

// blame says why the foot stays a squared distance e2 from t.
func (m *model) blame(t r3.Vec, e2 float64) Status {
	switch {
	case e2 <= m.tol*m.tol:
		return Reached
	case m.outside(t):
		return OutOfReach
	}
	return AtLimit
}

// outside reports whether no pose of the bare chain gets there.
func (m *model) outside(t r3.Vec) bool {
	d := norm(r3.Sub(t, m.at[0]))
	return d > m.length+m.tol || d < m.inner-m.tol
}
