package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	// unitShare is U in comfort radii: the cylinder's radius is 1.5 U.
	unitShare = 1 / 1.5
	// tallShare is the half height of the cylinder in U.
	tallShare = 0.35
	bearings  = 24
	// The bearing that fails first is then halved in on, this many times.
	bearingHalves = 6
	rayMarks      = 10   // points tried along a ray before its end is halved in on
	rayGrain      = 1e-6 // of the length
	comfortTol    = 1e-6 // of the leg's length: a foot this near counts as reached
)

// Comfort returns the radius R, metres, of the largest vertical cylinder round
// footB (B, metres) whose every point the leg reaches within its limits, on its
// bend's branch and on the rest pose's side of its first hinge: from 0.35 U
// below footB to 0.35 U above, U = R/1.5, grown from zero to the first point
// that fails. A leg whose joints all turn in one plane gets the segment in that
// plane instead. 0 when footB itself cannot be reached or leg is out of range.
// Points are tried on 24 bearings, and finer round the one that fails first, at
// the two rims and at mid height, and on the axis, to 1e-6 of the leg's length.
func Comfort(s *Solver, leg int, footB r3.Vec) (radius float64) {
	if uint(leg) >= uint(len(s.legs)) || !finite(footB) {
		return 0
	}
	return s.comfort(&s.legs[leg], footB, bearings, 0)
}

// comfort is Comfort on a choice of bearings; it returns 0 as soon as the
// radius is known not to beat least.
func (s *Solver) comfort(m *model, foot r3.Vec, count int, least float64) float64 {
	g := grower{s: s, m: m, foot: foot, best: 2 * m.length, least: least}
	g.home = m.start
	if !g.reaches(foot) {
		return 0
	}
	g.home = g.now
	const tall = tallShare * unitShare
	if m.planar() {
		u := m.level()
		for _, z := range [3]float64{-tall, tall, 0} {
			g.ray(r3.Vec{X: u.X, Y: u.Y, Z: z})
			g.ray(r3.Vec{X: -u.X, Y: -u.Y, Z: z})
		}
		return g.best
	}
	g.ray(r3.Vec{Z: tall})
	g.ray(r3.Vec{Z: -tall})
	// Early rays from all round keep the later ones short.
	step := 2 * math.Pi / float64(count)
	at, height := 0.0, 0.0
	for b := range count {
		a := step * float64((b*7)%count)
		for _, z := range [3]float64{-tall, tall, 0} {
			if g.bearing(a, z) {
				at, height = a, z
			}
			if g.best <= least {
				return 0
			}
		}
	}
	for range bearingHalves {
		step *= 0.5
		for _, a := range [2]float64{at - step, at + step} {
			if g.bearing(a, height) {
				at = a
			}
		}
	}
	return g.best
}

// bearing sends a ray to the cylinder's side and reports whether it shortened
// best.
func (g *grower) bearing(a, z float64) bool {
	before := g.best
	sin, cos := math.Sincos(a)
	g.ray(r3.Vec{X: cos, Y: sin, Z: z})
	return g.best < before
}

// grower finds out how far a leg reaches from one foot.
type grower struct {
	s     *Solver
	m     *model
	foot  r3.Vec
	best  float64
	least float64
	home  [maxJoints]float64 // where rays start: the pose at foot
	now   [maxJoints]float64 // the pose at the last point reached
}

// ray shortens best to the largest R for which every point foot + x v, x up to
// R, is reached.
func (g *grower) ray(v r3.Vec) {
	good := 0.0
	g.now = g.home
	for k := 1; k <= rayMarks; k++ {
		x := g.best * float64(k) / rayMarks
		if g.reaches(r3.Add(g.foot, r3.Scale(x, v))) {
			good = x
			continue
		}
		for bad := x; bad-good > rayGrain*g.m.length && bad > g.least; {
			mid := 0.5 * (good + bad)
			if g.reaches(r3.Add(g.foot, r3.Scale(mid, v))) {
				good = mid
			} else {
				bad = mid
			}
		}
		g.best = good
		return
	}
}

// reaches reports whether the leg gets to foot, from the last pose that did or
// from its own start, and keeps the pose.
func (g *grower) reaches(foot r3.Vec) bool {
	m, pl := g.m, &g.m.plane
	if m.outside(foot) {
		return false
	}
	b := &m.branch
	var locked box
	if m.kind != anyShape {
		x, y, z := pl.local(foot)
		if pl.m == 2 {
			c := pairCase{x: x - pl.bx, y: y, z: z}
			return m.pose2(&c, b, pl.far, pl.bend, math.NaN(), &g.s.spare) && math.Abs(c.lateral) <= comfortTol*m.length
		}
		c := chainCase{x: x - pl.bx, y: y, z: z}
		if !m.carry(&c, pl.far) {
			return false
		}
		if pl.turn {
			locked = *b
			locked.lo[0], locked.hi[0] = c.turn, c.turn
			b = &locked
		}
	}
	w := &g.s.work
	tol2 := comfortTol * comfortTol * m.length * m.length
	for _, start := range [2]*[maxJoints]float64{&g.now, &m.start} {
		w.cur.z = *start
		for k := range m.free {
			w.cur.z[k] = clamp(w.cur.z[k], b.lo[k], b.hi[k])
		}
		if e2, _ := w.approach(m, b, foot); e2 <= tol2 {
			g.now = w.cur.z
			return true
		}
	}
	return false
}

// planar reports whether all joints turn about one direction.
func (m *model) planar() bool {
	for j := 1; j < m.n; j++ {
		if norm(r3.Cross(m.axis[j], m.axis[0])) > 1e-6 {
			return false
		}
	}
	return true
}

// level is the horizontal direction, B, in the plane a planar leg moves in.
func (m *model) level() r3.Vec {
	u := r3.Cross(m.axis[0], r3.Vec{Z: 1})
	if norm(u) < 1e-9 {
		return r3.Vec{X: 1}
	}
	return unit(u)
}
