package gait

import (
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// edgeSlope is how steep, as rise over run, the ground under a foot may be
// before it counts as an edge.
const edgeSlope = 1.2

// around are the four places at which the ground round a foothold is felt.
var around = [4]r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}}

// foothold returns the place nearest to p where the whole foot finds ground: p
// itself, or p moved away from an edge or a gap that is nearer than the foot's
// radius. It is not ok where that does not help.
func (s *Sized) foothold(g geom.Ground, p r3.Vec) (r3.Vec, bool) {
	if s.foot == 0 {
		return p, true
	}
	away, ok := s.edges(g, p)
	if ok {
		return p, true
	}
	// Twice: in a corner the first move brings out the second edge.
	for range 2 {
		n := math.Sqrt(r3.Norm2(away))
		if n == 0 {
			return p, false // edges on both sides
		}
		p = r3.Add(p, r3.Scale(s.foot/n, away))
		if p, ok = s.drop(g, p); !ok {
			return p, false
		}
		if away, ok = s.edges(g, p); ok {
			return p, true
		}
	}
	return p, false
}

// edges feels the ground round p, and returns the way from what is no ground, or
// too much higher or lower, and whether all is well.
func (s *Sized) edges(g geom.Ground, p r3.Vec) (away r3.Vec, ok bool) {
	if geom.IsLevel(g) { // it is the same all round
		at, hit := s.drop(g, p)
		return r3.Vec{}, hit && !(math.Abs(at.Z-p.Z) > edgeSlope*s.foot)
	}
	ok = true
	for _, d := range around {
		at, hit := s.drop(g, r3.Add(p, r3.Scale(s.foot, d)))
		if !hit || math.Abs(at.Z-p.Z) > edgeSlope*s.foot {
			away, ok = r3.Sub(away, d), false
		}
	}
	return away, ok
}

// drop returns the ground at p, within one U above and below it.
func (s *Sized) drop(g geom.Ground, p r3.Vec) (r3.Vec, bool) {
	up := s.Scale.U
	p.Z += up
	return geom.Down(g, p, 2*up)
}
