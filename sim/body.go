package sim

import (
	"math"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// bellyPoints is the number of points under the body that may touch ground:
// the middle and the corners of the bottom of its box.
const bellyPoints = 5

// newCorners returns the corners of the body's box, B: the lower four first.
func newCorners(b *rig.Body) []r3.Vec {
	list := make([]r3.Vec, 0, 8)
	for _, z := range [2]float64{-1, 1} {
		for _, c := range [4][2]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
			list = append(list, r3.Add(b.Mid, r3.Vec{X: c[0] * b.Box.X, Y: c[1] * b.Box.Y, Z: z * b.Box.Z}))
		}
	}
	return list
}

// bellyPoint returns a point of the belly in W: of the bottom of the box, or of
// its top while the body lies upside down, so that the lowest corner is always
// one of them.
func (s *Sim) bellyPoint(i int) r3.Vec {
	face, z := 0, -s.rig.Body.Box.Z
	if s.upright() < 0 {
		face, z = 4, -z
	}
	p := s.corner[face+i%4]
	if i == 4 {
		p = r3.Add(s.rig.Body.Mid, r3.Vec{Z: z})
	}
	return s.st.PoseWB.Apply(p)
}

// upright is the cosine of the body's tilt.
func (s *Sim) upright() float64 {
	q := s.st.PoseWB.Q
	return q.Real*q.Real + q.Kmag*q.Kmag - q.Imag*q.Imag - q.Jmag*q.Jmag
}

// flank returns how deep the upper corners of a body that leans far are in the
// ground, metres: on a step it is not always the belly that is lowest.
func (s *Sim) flank(least float64) float64 {
	switch up := s.upright(); {
	case math.Abs(up) > 0.87:
		return 0
	case up < 0:
		return s.sunk(s.corner[:4], least)
	default:
		return s.sunk(s.corner[4:], least)
	}
}

// sunk returns how deep the deepest of some corners is, metres, >= 0, looked for
// from least above it and from the height of the body's middle.
func (s *Sim) sunk(corners []r3.Vec, least float64) float64 {
	deep := 0.0
	mid := s.st.PoseWB.Apply(s.rig.Body.Mid).Z
	for _, c := range corners {
		p := s.st.PoseWB.Apply(c)
		if h, ok := s.below(p, max(least, mid-p.Z), 0); ok {
			deep = max(deep, h.Point.Z-p.Z)
		}
	}
	return deep
}

// walls keeps the body's box out of what stands upright: the way of its middle
// is swept, then each corner is looked for from the middle. What is too far is
// taken back, and the velocity towards the wall with it.
func (s *Sim) walls(old geom.Pose) {
	mid := old.Apply(s.rig.Body.Mid)
	held := s.against(mid, s.st.PoseWB.Apply(s.rig.Body.Mid))
	for range 4 { // what frees one corner may bury another
		again := false
		for _, c := range s.corner {
			if s.against(s.st.PoseWB.Apply(s.rig.Body.Mid), s.st.PoseWB.Apply(c)) {
				again = true
			}
		}
		if !again {
			break
		}
		held = true
	}
	if held {
		s.st.Walls++
	}
}

// unbury takes the middle of the body back to where it was a tick ago if it has
// got inside something solid by a way that neither walls nor belly can stop, and
// ends its motion. A body that was put into the ground to begin with comes out
// at the top.
func (s *Sim) unbury(old geom.Pose) {
	skin := r3.Vec{Z: 1e-3 * s.r.u} // a flat body lies on the ground with its middle
	at := s.st.PoseWB.Apply(s.rig.Body.Mid)
	if !s.solid(r3.Add(at, skin)) {
		return
	}
	st := &s.st
	was := old.Apply(s.rig.Body.Mid)
	if s.solid(r3.Add(was, skin)) {
		if h, ok := s.below(was, 1e4*s.r.u, 0); ok {
			was = r3.Vec{X: h.Point.X, Y: h.Point.Y, Z: h.Point.Z + 1e-3*s.r.u}
		}
	}
	st.PoseWB.P = r3.Add(st.PoseWB.P, r3.Sub(was, at))
	st.Fall, st.Slide, st.Carry = 0, r3.Vec{}, r3.Vec{}
	s.walls(st.PoseWB)
	s.belly()
}

// solid reports whether a point is inside the ground.
func (s *Sim) solid(p r3.Vec) bool {
	h, ok := s.ground.Cast(p, r3.Vec{Z: -1}, 0)
	return ok && h.Point == p
}

// against pushes the body back if something upright lies between two points of
// it, and reports whether it did.
func (s *Sim) against(from, to r3.Vec) bool {
	way := r3.Sub(to, from)
	n := math.Sqrt(r3.Norm2(way))
	if n == 0 {
		return false
	}
	dir := r3.Scale(1/n, way)
	h, ok := s.ground.Cast(from, dir, n)
	if !ok || h.Point == from || math.Abs(h.Normal.Z) > 0.5 {
		return false
	}
	out := r3.Vec{X: h.Normal.X, Y: h.Normal.Y}
	out = r3.Scale(1/math.Sqrt(r3.Norm2(out)), out)
	deep := r3.Dot(r3.Sub(h.Point, to), out) + 1e-3*s.r.u // a skin, so as not to start inside
	s.shift(r3.Scale(deep, out))
	for _, v := range [2]*r3.Vec{&s.st.Slide, &s.st.Carry} {
		if into := r3.Dot(*v, out); into < 0 {
			*v = r3.Sub(*v, r3.Scale(into, out))
		}
	}
	return true
}

// belly keeps the bottom of the body out of the ground: it is lifted to it and
// its fall thrown back by Bounce, or ended. On the ground, slide and rotation
// wear off.
func (s *Sim) belly() {
	st := &s.st
	was := st.Belly
	st.Belly = 0
	least := max(2*s.rig.Body.Box.Z, s.r.u*0.5, -st.Fall*s.dt)
	mid := s.st.PoseWB.Apply(s.rig.Body.Mid).Z
	deep := s.flank(least)
	for i := range bellyPoints {
		p := s.bellyPoint(i)
		up := max(least, mid-p.Z)
		slack := 0.0
		if was>>i&1 == 1 {
			slack = s.r.close
		}
		if h, ok := s.below(p, up, slack); ok {
			st.Belly |= 1 << i
			deep = max(deep, h.Point.Z-p.Z)
		}
	}
	if st.Belly == 0 && deep == 0 {
		return
	}
	st.PoseWB.P.Z += deep
	if deep > s.rig.Body.Box.Z { // some corner may have been too deep to be found
		st.PoseWB.P.Z += s.sunk(s.corner, least)
	}
	if deep > 2*s.r.g*s.dt*s.dt*(1-s.par.AirDrag) {
		st.Hits++
	}
	if st.Fall < 0 {
		st.Fall *= -s.par.Bounce
	}
	if st.Fall < s.r.stop {
		st.Fall = 0
	}
	st.Slide = r3.Scale(s.r.belly, st.Slide)
	st.Carry = r3.Scale(s.r.belly, st.Carry)
	st.Spin = r3.Scale(s.r.belly, st.Spin)
	st.YawRate *= s.r.belly
}
