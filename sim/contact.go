package sim

import (
	"math"
	"math/bits"

	"legctl/geom"
	"legctl/sim/terrain"

	"gonum.org/v1/gonum/spatial/r3"
)

// snap is how far below the ground a foot may be, in U, to stand on it; deeper
// it is inside a wall or a step and finds no hold.
const snap = 0.5

// rounding is the height in U that means nothing.
const rounding = 1e-7

// below returns the ground under a point, looked for from up above it to down
// below it, metres.
func (s *Sim) below(p r3.Vec, up, down float64) (geom.Hit, bool) {
	from := r3.Vec{X: p.X, Y: p.Y, Z: p.Z + up}
	h, ok := s.ground.Cast(from, r3.Vec{Z: -1}, up+down)
	return h, ok && h.Point != from
}

// checkGround releases, when the ground has changed, the anchors that have
// lost it.
func (s *Sim) checkGround() {
	v := s.ground.Version()
	if v == s.st.Version {
		return
	}
	s.st.Version = v
	for set := s.st.Planted; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		if _, ok := s.below(s.st.Feet[i].Anchor, s.r.close, s.r.close); !ok {
			s.st.Planted &^= 1 << i
		}
	}
}

// moveAnchor slides an anchor to another place, on the ground there. Over an
// edge it is released; against a step it stays.
func (s *Sim) moveAnchor(i int, to r3.Vec, way float64) {
	const step = 0.2 // U
	if h, ok := s.ground.Cast(r3.Vec{X: to.X, Y: to.Y, Z: to.Z + step*s.r.u}, r3.Vec{Z: -1}, 2*step*s.r.u); !ok {
		s.st.Planted &^= 1 << i
	} else if h.Point.Z < to.Z+step*s.r.u {
		s.anchor(i, h)
		s.st.Feet[i].Slip += way
	}
}

// anchor plants a foot where the ground was hit.
func (s *Sim) anchor(i int, h geom.Hit) {
	f := &s.st.Feet[i]
	f.Anchor, f.Normal, f.Friction = h.Point, h.Normal, terrain.Friction(h.Material)
	if s.st.Planted>>i&1 == 0 {
		f.Firm = 0
		s.st.Planted |= 1 << i
	}
}

// slip slides the anchors whose foot is stretched away from them beyond the
// friction limit, and releases those that the leg cannot reach. A foot that has
// just touched down slides freely as long as its leg still moves it.
func (s *Sim) slip() {
	hipR := geom.RotOf(s.st.PoseWB.Q)
	for set := s.st.Planted; set != 0; set &= set - 1 {
		i := bits.TrailingZeros64(set)
		f := &s.st.Feet[i]
		l := &s.rig.Legs[i]
		hip := r3.Add(s.st.PoseWB.P, hipR.Apply(l.Joints[0].Origin.P))
		reach := l.Length + s.r.reach
		if r3.Norm2(r3.Sub(f.Anchor, hip)) > reach*reach {
			s.st.Planted &^= 1 << i
			continue
		}
		d := r3.Vec{X: s.feetW[i].X - f.Anchor.X, Y: s.feetW[i].Y - f.Anchor.Y}
		n := math.Sqrt(r3.Norm2(d))
		limit := s.r.friction * f.Friction * f.Firm
		switch {
		case f.Firm == 1:
		case n > s.r.moving:
			f.Firm = 0
		default:
			f.Firm = min(1, f.Firm+s.r.firm)
		}
		if n > limit {
			s.moveAnchor(i, r3.Add(f.Anchor, r3.Scale((n-limit)/n, d)), n-limit)
		}
	}
}

// touchDown makes anchors of the feet that are at or below the ground: below
// it in any case, and close over it when they have come to a halt; those stand as
// high as they are, for real legs give by that much. Heights are those of the
// fit: the body may still be sinking or rising towards it.
func (s *Sim) touchDown(limp bool) {
	for i := range s.feetW {
		f := &s.st.Feet[i]
		p := s.feetW[i]
		p.Z += s.st.Sag
		drop := max(0, f.Was.Z-p.Z)
		still := p.Z <= f.Was.Z+rounding*s.r.u && drop < s.r.halt
		f.Was = p
		if s.st.Planted>>i&1 == 1 || limp || s.st.Enabled>>i&1 == 0 {
			continue
		}
		h, ok := s.below(p, max(snap*s.r.u, drop), s.r.close)
		if !ok || h.Normal.Z < 0.3 || h.Point.Z < p.Z-1e-4*s.r.u && !still {
			continue
		}
		h.Point.Z = max(h.Point.Z, p.Z)
		s.anchor(i, h)
	}
}
