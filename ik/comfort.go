package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	// unitShare is U in comfort radii: the cylinder's radius is 1.5 U.
	unitShare = 1 / 1.5
	// tallShare is the half height of the cylinder in U.
	tallShare  = 0.35
	bearings   = 24
	rayMarks   = 10 // points tried along a ray before its end is halved in on
	rayHalves  = 40
	comfortTol = 1e-6 // of the leg's length: a foot this near counts as reached
)

// Comfort returns the radius R, metres, of the largest vertical cylinder round
// footB (B, metres) whose every point the leg reaches within its limits and on
// its bend's branch: from 0.35 U below footB to 0.35 U above, U = R/1.5, grown
// from zero to the first point that fails. A leg whose joints all turn in one
// plane gets the segment in that plane instead. 0 when footB itself cannot be
// reached or leg is out of range. Points are tried on 24 bearings at the two
// rims and at mid height and on the axis.
func Comfort(s *Solver, leg int, footB r3.Vec) (radius float64) {
	if uint(leg) >= uint(len(s.legs)) || !finite(footB) {
		return 0
	}
	return s.comfort(&s.legs[leg], footB, bearings)
}

// comfort is Comfort on a choice of bearings.
func (s *Solver) comfort(m *model, foot r3.Vec, count int) float64 {
	w := &s.work
	w.cur.z = m.start
	if !s.reaches(m, foot) {
		return 0
	}
	home := w.cur.z
	best := 2 * m.length
	ray := func(v r3.Vec) {
		best = s.ray(m, foot, v, home, best)
	}
	tall := tallShare * unitShare
	ray(r3.Vec{Z: tall})
	ray(r3.Vec{Z: -tall})
	if m.planar() {
		u := m.level()
		for _, z := range [3]float64{-tall, 0, tall} {
			ray(r3.Vec{X: u.X, Y: u.Y, Z: z})
			ray(r3.Vec{X: -u.X, Y: -u.Y, Z: z})
		}
		return best
	}
	for b := range count {
		// Spread order: early rays from all round keep the later ones short.
		k := (b * 7) % count
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(count))
		for _, z := range [3]float64{-tall, tall, 0} {
			ray(r3.Vec{X: cos, Y: sin, Z: z})
		}
	}
	return best
}

// ray returns the largest R up to most for which every point foot + x v, x up
// to R, is reached, starting at home.
func (s *Solver) ray(m *model, foot, v r3.Vec, home [maxJoints]float64, most float64) float64 {
	w := &s.work
	good := 0.0
	w.cur.z = home
	for k := 1; k <= rayMarks; k++ {
		x := most * float64(k) / rayMarks
		keep := w.cur.z
		if s.reaches(m, r3.Add(foot, r3.Scale(x, v))) {
			good = x
			continue
		}
		bad := x
		for range rayHalves {
			mid := 0.5 * (good + bad)
			w.cur.z = keep
			if s.reaches(m, r3.Add(foot, r3.Scale(mid, v))) {
				good, keep = mid, w.cur.z
			} else {
				bad = mid
			}
			if bad-good < 1e-9*m.length {
				break
			}
		}
		return good
	}
	return most
}

// reaches reports whether the leg gets to foot within its branch, from the
// variables in w.cur or from its own start.
func (s *Solver) reaches(m *model, foot r3.Vec) bool {
	if m.outside(foot) {
		return false
	}
	w := &s.work
	tol := comfortTol * m.length
	if e2, _ := w.approach(m, &m.branch, foot, seekGain); e2 <= tol*tol {
		return true
	}
	w.cur.z = m.start
	e2, _ := w.approach(m, &m.branch, foot, seekGain)
	return e2 <= tol*tol
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
