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

// bellyPoint returns a point of the belly in W.
func (s *Sim) bellyPoint(i int) r3.Vec {
	p := s.corner[i%4]
	if i == 4 {
		p = r3.Sub(s.rig.Body.Mid, r3.Vec{Z: s.rig.Body.Box.Z})
	}
	return s.st.PoseWB.Apply(p)
}

// walls keeps the body's box out of what stands upright: the way of its middle
// is swept, then each corner is looked for from the middle. What is too far is
// taken back, and the velocity towards the wall with it.
func (s *Sim) walls(old geom.Pose) {
	mid := old.Apply(s.rig.Body.Mid)
	held := s.against(mid, s.st.PoseWB.Apply(s.rig.Body.Mid))
	for _, c := range s.corner {
		if s.against(s.st.PoseWB.Apply(s.rig.Body.Mid), s.st.PoseWB.Apply(c)) {
			held = true
		}
	}
	if held {
		s.st.Walls++
	}
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
	deep := 0.0
	was := st.Belly
	st.Belly = 0
	up := max(2*s.rig.Body.Box.Z, s.r.u*0.5, -st.Fall*s.dt)
	for i := range bellyPoints {
		p := s.bellyPoint(i)
		slack := 0.0
		if was>>i&1 == 1 {
			slack = s.r.close
		}
		if h, ok := s.below(p, up, slack); ok {
			st.Belly |= 1 << i
			deep = max(deep, h.Point.Z-p.Z)
		}
	}
	if st.Belly == 0 {
		return
	}
	st.PoseWB.P.Z += deep
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
