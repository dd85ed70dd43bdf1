package control

import (
	"math"

	"legctl/balance"
	"legctl/control/mode"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// sequence moves a rig that is not on its feet: legs fold and unfold in joint
// space, group by group, each leg in a straight line at a share of its joints'
// speed. It has no memory but the number of the step: what is done is read off
// the joints, so a sequence may be left and taken up anywhere.
func (c *Controller) sequence(out *Output, s *State) {
	target := c.posture.seated
	switch s.Mode {
	case mode.Packing:
		target = c.posture.packed
	case mode.Unpacking:
	default:
		return
	}
	if s.Step == 0 {
		if c.upright(s) {
			c.getUp(out, s)
			return
		}
		s.Step = 1
	}
	if int(s.Step) > c.posture.steps {
		c.arrive(out, s)
		return
	}
	there := true
	for i := range s.Legs {
		goal := target
		switch {
		case c.posture.group[i] != int(s.Step-1)/2:
			continue
		case s.Step%2 == 1:
			goal = c.posture.raised
		}
		there = c.approach(out, i, c.rig.Slice(goal, i)) && there
	}
	if there {
		s.Step++
	}
}

// approach moves the joints of a leg in a straight line towards goal and
// reports whether they are there.
func (c *Controller) approach(out *Output, leg int, goal []float64) bool {
	q := c.rig.Slice(out.Set.Q, leg)
	most := c.rig.Slice(c.most, leg)
	ticks := 0.0
	for j := range q {
		ticks = max(ticks, math.Abs(goal[j]-q[j])/(sequenceShare*most[j]))
	}
	if ticks <= 1 {
		copy(q, goal)
		return true
	}
	for j := range q {
		q[j] += (goal[j] - q[j]) / ticks
	}
	return false
}

// uprightShare is how far from sitting to standing a body is up that counts as
// being on its feet.
const uprightShare = 0.1

// upright reports whether the rig is on its feet, at whatever height: enough
// of them below the belly and near their places.
func (c *Controller) upright(s *State) bool {
	comfort := c.tick.prog.sized.Comfort
	up := c.posture.sit + uprightShare*(c.rig.Height-c.posture.sit)
	n := 0
	for i := range s.Legs {
		f, at := rig.Foot(c.rig, i, s.Q), c.rig.Legs[i].Neutral
		near := sq(f.X-at.X)+sq(f.Y-at.Y) < comfort*comfort
		if s.Off>>i&1 == 0 && near && f.Z < -up {
			n++
		}
	}
	return n >= leastLegs
}

// getUp goes on with a rig that is on its feet, though it was on its way from
// or to lying: to a stand, or down again with the feet in place.
func (c *Controller) getUp(out *Output, s *State) {
	c.enter(out, s, mode.Sitting)
	c.enter(out, s, mode.Rising)
	if s.Then == mode.Sit || s.Then == mode.Pack {
		c.enter(out, s, mode.Lowering)
	}
}

// arrive reports the end of a sequence to the mode table, and goes on to what
// was asked for before the sequence began.
func (c *Controller) arrive(out *Output, s *State) {
	next, ok := mode.Next(s.Mode, mode.Settled)
	if !ok || next == s.Mode {
		return
	}
	c.enter(out, s, next)
	if s.Then == mode.Settled {
		return
	}
	if next, ok = mode.Next(s.Mode, s.Then); ok {
		if next == s.Mode { // this is where it wanted to be
			s.Then = mode.Settled
		}
		c.enter(out, s, next)
	}
}

// raise moves the base towards the height want in the two modes that bring the
// body up and down, as fast as no joint is too slow for. It reports whether it
// did, and whether the body is there.
func (c *Controller) raise(s *State, want float64) (moved, there bool) {
	if s.Mode != mode.Rising && (s.Mode != mode.Lowering || s.Step == 0) {
		return false, false
	}
	step := c.posture.climb * c.params.Dt
	d := want - s.BaseW.Z
	// The last of the way is made gently.
	move := clamp(c.tick.prog.follow*d, step)
	if move < 0 && !c.within(s, move) {
		return true, true // as low as these feet let it
	}
	s.BaseW.Z += move
	return true, math.Abs(d) < arriveShare*c.rig.Height
}

// drops reports whether a body that is to come down may do so over its feet where
// they stand: one that must lean for each step home would take many seconds. All
// its feet stand, hold it without a lean, and reach it when it is down.
func (c *Controller) drops(s *State) bool {
	if c.tick.prog.lean == 0 || s.Move != (r3.Vec{}) || s.Turn != (r3.Vec{}) {
		return false
	}
	low := s.PoseWB
	low.P = r3.Sub(low.P, s.Lean)
	low.P.Z += c.posture.sit - c.elevation(s)
	inv := low.Inverse()
	for i := range s.Legs {
		if s.Off>>i&1 != 0 {
			continue
		}
		if !s.Legs[i].Planted() || !c.reaches(i, inv.Apply(s.Legs[i].Foot), s) {
			return false
		}
	}
	com := r2.Sub(c.comPlan(s), planar(s.Lean))
	return balance.Margin(c.polygon(s, 0).at, com) >= c.tick.prog.floor
}

// within reports whether every planted foot stays within reach when the body
// moves up by dz.
func (c *Controller) within(s *State, dz float64) bool {
	pose := s.PoseWB
	pose.P.Z += dz
	inv := pose.Inverse()
	for i := range s.Legs {
		if s.Legs[i].Planted() && !c.reaches(i, inv.Apply(s.Legs[i].Foot), s) {
			return false
		}
	}
	return true
}

// arriveShare is how near to its height, in heights, a body has arrived.
const arriveShare = 0.01
