package control

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Something is a wall when it is steeper than this and higher than a foot may
// step (Rules.ScanAbove).
const (
	wallNormal = 0.5 // vertical part of the surface's normal, at most
	wallProbe  = 0.2 // U: how far before and behind the face its height is felt
)

// wallAhead reports whether the body, going on along v (W), would soon have
// its feet at something it cannot step on. One level ray at the height of the
// belly looks as far as the feet reach and the body needs to stop.
func (c *Controller) wallAhead(s *State, v r3.Vec) bool {
	n := math.Sqrt(r3.Norm2(v))
	if n == 0 {
		return false
	}
	t := &c.tick
	g := t.prog
	u := g.sizing.U
	dir := r3.Scale(1/n, v)
	belly := s.BaseW
	belly.Z += c.rig.Body.Mid.Z - c.rig.Body.Box.Z
	reach := c.far + g.sized.Comfort + n*n/(2*g.brake)
	hit, ok := t.ground.Cast(belly, dir, reach)
	if !ok || math.Abs(hit.Normal.Z) > wallNormal {
		return false
	}
	before := r3.Add(hit.Point, r3.Scale(-wallProbe*u, dir))
	behind := r3.Add(hit.Point, r3.Scale(wallProbe*u, dir))
	behind.Z += 2 * c.rig.Height
	foot, ok := t.ground.Cast(before, r3.Vec{Z: -1}, 3*c.rig.Height)
	if !ok {
		return false
	}
	top, ok := t.ground.Cast(behind, r3.Vec{Z: -1}, 5*c.rig.Height)
	return ok && top.Point.Z-foot.Point.Z > g.plan.Rules.ScanAbove*u
}
