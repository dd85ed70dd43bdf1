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

// solvePair solves legs of two flat hinges, with or without a turn: the turn
// that brings the target into the plane, then the triangle in the plane.
func (s *Solver) solvePair(m *model, angles []float64, leg int, foot r3.Vec, warm bool) Result {
	pl := &m.plane
	x, y, z := pl.local(foot)
	c := pairCase{x: x - pl.bx, y: y, z: z}
	steps := 1
	start := math.NaN()
	if !s.params.Closed {
		steps = 2
		start = pl.start[0]
		if warm {
			start = pl.sign[0] * angles[pl.firstFlat]
		}
	}
	if m.pose2(&c, &m.branch, pl.far, pl.bend, start, &s.last[leg]) {
		m.write(angles, &c)
		return m.pairResult(c.lateral, steps)
	}
	return s.pairElse(m, angles, leg, &Target{Foot: foot}, &c, steps)
}

// pairCase is a target, from the first flat hinge and at turn angle 0, and the
// angles that meet it.
type pairCase struct {
	x, y, z float64
	lateral float64 // what the plane cannot follow, metres
	q       [3]float64
}

// pose2 finds the angles that meet the target on one branch and reports
// whether there are any within b. start is the turn of link one to sweep from;
// NaN means the closed form alone.
func (m *model) pose2(c *pairCase, b *box, far, bend, start float64, o *last) bool {
	pl := &m.plane
	py, c0, s0, k := c.y-pl.by, 1.0, 0.0, 0
	if pl.turn {
		r, cos, sin, ok := pl.turnTo(c.y, c.z, far)
		q, in := fit(angleOf(cos, sin), b.lo[0], b.hi[0])
		if !ok || !in {
			return false
		}
		py, c0, s0, k, c.q[0] = r-pl.by, cos, sin, 1, q
	} else {
		c.lateral = c.z - pl.side
	}
	kx, ky, ok := pl.knee(c.x, py, bend, start, m.tol)
	if !ok {
		return false
	}
	ux, uy := kx*pl.inverse[0], ky*pl.inverse[0]
	vx, vy := (c.x-kx)*pl.inverse[1], (py-ky)*pl.inverse[1]
	c1, s1 := ux*pl.cosA[0]+uy*pl.sinA[0], uy*pl.cosA[0]-ux*pl.sinA[0]
	c2, s2 := vx*pl.cosA[1]+vy*pl.sinA[1], vy*pl.cosA[1]-vx*pl.sinA[1]
	q1, in1 := fit(pl.sign[0]*angleOf(c1, s1), b.lo[k], b.hi[k])
	q2, in2 := fit(pl.sign[1]*angleOf(c2*c1+s2*s1, s2*c1-c2*s1), b.lo[k+1], b.hi[k+1])
	c.q[k], c.q[k+1] = q1, q2
	// Field by field: a whole pose would be copied before its parts are written.
	u := &o.u
	o.direct = false
	u.c0, u.s0, u.c1, u.s1, u.c2, u.s2 = c0, s0, c1, s1, c2, s2
	return in1 && in2
}

// turnTo returns the cosine and sine of the turn that brings a target at y, z
// into the plane, and its y there, on side far. On the turn's axis, or nearer
// to it than the leg's side offset, there is none.
func (pl *plane) turnTo(y, z, far float64) (r, cos, sin float64, ok bool) {
	n2 := y*y + z*z
	r2 := n2 - pl.side*pl.side
	if r2 < 0 || n2 < pl.axis2 {
		return 0, 1, 0, false
	}
	r = far * math.Sqrt(r2)
	inv := 1 / n2
	return r, (y*r + z*pl.side) * inv, (z*r - y*pl.side) * inv, true
}

// knee returns where the knee is, from the first flat hinge, when the two
// links end at (tx, ty) and bend to the given side; false where they cannot.
//
// It is f T + g T', T the target and T' square to it: the triangle. In
// FABRIK's way a sweep from the warm start goes before it, and where that
// arrives its knee is kept; the triangle is then the exact forward pass.
func (pl *plane) knee(tx, ty, bend, start, tol float64) (x, y float64, ok bool) {
	l1, l2 := pl.length[0], pl.length[1]
	r2 := tx*tx + ty*ty
	if r2 < pl.axis2 {
		return 0, 0, false
	}
	inv := 1 / r2
	a := 0.5 * (l1*l1 + r2 - l2*l2)
	f := a * inv
	h2 := l1*l1 - a*f
	if h2 < 0 {
		if h2 < -1e-13*l1*l1 {
			return 0, 0, false
		}
		h2 = 0
	}
	if start == start {
		if x, y, ok := pl.sweep(tx, ty, bend, start, tol); ok {
			return x, y, true
		}
	}
	g := bend * math.Sqrt(h2*inv)
	return f*tx + g*ty, f*ty - g*tx, true
}

// sweep is one FABRIK sweep of the two links from the warm start: the knee is
// pulled to l2 from the target, then to l1 from the hip. It reports whether
// the end has arrived with the knee on its side.
func (pl *plane) sweep(tx, ty, bend, start, tol float64) (x, y float64, ok bool) {
	l1, l2 := pl.length[0], pl.length[1]
	sin, cos := math.Sincos(start + pl.ang[0])
	x, y = l1*cos-tx, l1*sin-ty
	d := l2 / math.Sqrt(x*x+y*y+1e-300)
	x, y = tx+d*x, ty+d*y
	d = l1 / math.Sqrt(x*x+y*y+1e-300)
	x, y = d*x, d*y
	ex, ey := tx-x, ty-y
	gap := math.Sqrt(ex*ex+ey*ey) - l2
	return x, y, math.Abs(gap) <= 0.1*tol && bend*(ty*x-tx*y) >= 0
}

// fit brings an angle in (-pi, pi] into lo and hi by whole turns, and sets back
// on a bound what passes it by rounding; false when it lies outside.
func fit(q, lo, hi float64) (float64, bool) {
	if q >= lo && q <= hi {
		return q, true
	}
	return refit(q, lo, hi)
}

func refit(q, lo, hi float64) (float64, bool) {
	if q < lo-limitSlack {
		q += 2 * math.Pi
	} else if q > hi+limitSlack {
		q -= 2 * math.Pi
	}
	if q < lo-limitSlack || q > hi+limitSlack {
		return q, false
	}
	return clamp(q, lo, hi), true
}

func (m *model) write(angles []float64, c *pairCase) {
	if len(angles) == 3 {
		angles[0], angles[1], angles[2] = c.q[0], c.q[1], c.q[2]
		return
	}
	angles[0], angles[1] = c.q[0], c.q[1]
}

// pairResult is the result of a pose that meets the target but for what the
// plane cannot follow.
func (m *model) pairResult(lateral float64, steps int) Result {
	res := Result{Iterations: steps}
	if gap := math.Abs(lateral); gap > m.tol {
		res.Status, res.Residual = AtLimit, gap
	}
	return res
}

// pairElse tries the other branches of a target the bend's branch misses, and
// then takes the nearest pose on the bend's branch.
func (s *Solver) pairElse(m *model, angles []float64, leg int, t *Target, c *pairCase, steps int) Result {
	pl := &m.plane
	for _, way := range [4][2]float64{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
		if m.pose2(c, &m.limit, way[0]*pl.far, way[1]*pl.bend, math.NaN(), &s.last[leg]) {
			m.write(angles, c)
			res := m.pairResult(c.lateral, steps)
			res.Flipped = way[1] < 0
			return res
		}
	}
	return s.nearest(m, angles, leg, t, steps)
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
