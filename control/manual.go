package control

import (
	"math"

	"legctl/balance"
	"legctl/control/mode"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// maxCruise is the longest a cruise lasts, and how long it does unless told
// otherwise, seconds.
const maxCruise = 3600.0

// judgeHand refuses to move a leg by hand where the others could not stand, or
// beyond what the leg can do.
func (c *Controller) judgeHand(r *Reply, s *State, m *Command) {
	if m.Leg < 0 || int(m.Leg) >= len(c.rig.Legs) {
		r.Reason, r.Value, r.Bound = Unknown, float64(m.Leg), float64(len(c.rig.Legs)-1)
		return
	}
	joints := c.rig.Legs[m.Leg].Joints
	switch {
	case s.Mode == mode.Manual && m.Leg != s.Hand:
		r.Reason, r.Value, r.Bound = Busy, float64(m.Leg), float64(s.Hand)
	case s.Off>>m.Leg&1 != 0:
		r.Reason, r.Value = LegOff, float64(m.Leg)
	case !c.holds(s.Off | 1<<m.Leg):
		r.Reason, r.Value, r.Bound = LastLegs, float64(c.standing(s)-1), leastLegs
	case m.Kind == KindFoot:
		l := c.rig.Legs[m.Leg].Length
		within(r, l, m.Offset.X, m.Offset.Y, m.Offset.Z)
	case m.Joint < 0 || int(m.Joint) >= len(joints):
		r.Reason, r.Value, r.Bound = Unknown, float64(m.Joint), float64(len(joints)-1)
	default:
		j := &joints[m.Joint]
		if within(r, 1e3, m.Angle); m.Angle < j.Min {
			r.Reason, r.Value, r.Bound = OutOfRange, m.Angle, j.Min
		} else if m.Angle > j.Max {
			r.Reason, r.Value, r.Bound = OutOfRange, m.Angle, j.Max
		}
	}
}

// standing is the number of legs that are not switched off.
func (c *Controller) standing(s *State) int {
	n := 0
	for i := range s.Legs {
		if s.Off>>i&1 == 0 {
			n++
		}
	}
	return n
}

// applyHand takes in where the leg moved by hand is to go.
func (c *Controller) applyHand(s *State, m *Command) {
	if s.Hand != m.Leg {
		s.Hand, s.HandFoot = m.Leg, r3.Vec{}
		copy(s.HandQ[:], c.rig.Slice(s.Q, int(m.Leg)))
	}
	if s.HandJoint = m.Kind == KindJoint; !s.HandJoint {
		s.HandFoot = m.Offset
		return
	}
	s.HandQ[m.Joint] = m.Angle
}

// letGo gives the leg moved by hand back to the gait, which sets it down.
func (c *Controller) letGo(s *State) {
	if s.Hand >= 0 {
		l := &s.Legs[s.Hand]
		l.Moving, l.Swing = false, 0
	}
	s.Hand, s.HandJoint = -1, false
}

// handShare is the part of the foot speed a foot moved by hand may have.
const handShare = 0.5

// scheduleManual frees the leg once the others hold the body without it, and
// moves its foot towards where it is to be. The others stand.
func (c *Controller) scheduleManual(out *Output, s *State) {
	i := int(s.Hand)
	if i < 0 {
		return
	}
	t := &c.tick
	g := t.prog.sized
	l := &s.Legs[i]
	if l.Planted() {
		if !c.free(s, i) {
			t.note(BindMargin, i)
			return
		}
		out.LiftOff |= 1 << i
		l.Touching, l.Moving = false, true
	}
	l.Moving, l.Grounded = true, false
	if s.HandJoint {
		return // solve moves it
	}
	n := r3.Add(c.rig.Legs[i].Neutral, s.HandFoot)
	l.Target = s.PoseWB.Apply(n)
	l.Foot = toward(l.Foot, l.Target, handShare*g.FootStep)
}

// moveHand moves the joints of the leg moved by hand, after its foot was
// solved like any other.
func (c *Controller) moveHand(out *Output, s *State) {
	i := int(s.Hand)
	if s.Mode != mode.Manual || i < 0 || !s.HandJoint || !s.Legs[i].Moving {
		return
	}
	q := c.rig.Slice(out.Set.Q, i)
	copy(q, c.rig.Slice(s.Q, i))
	follow(&c.rig.Legs[i], s.HandQ[:len(q)])
	c.approach(out, i, s.HandQ[:len(q)])
	s.Legs[i].Foot = s.PoseWB.Apply(rig.Foot(c.rig, i, out.Set.Q))
	s.Legs[i].Target = s.Legs[i].Foot
}

// free reports whether the other feet hold the centre of mass by the floor
// while the body stands still.
func (c *Controller) free(s *State, leg int) bool {
	return c.marginWithout(s, 1<<leg) >= c.tick.prog.floor
}

// holds reports whether a rig with the legs of the set off switched off can
// stand: the neutral feet of the others hold the centre of mass, with a body
// that may lean.
func (c *Controller) holds(off uint64) bool {
	t := &c.tick
	n := len(c.rig.Legs)
	for i := range n {
		t.feetG[i], t.stance[i] = c.rig.Legs[i].Neutral, off>>i&1 == 0
	}
	t.spare.stand(t.feetG[:n], t.stance[:n])
	if len(t.spare.at) < leastLegs {
		return false
	}
	g := c.steady
	d, ok := insideBy(t.sides(&t.spare, planar(c.com), r2.Vec{}, g.floor*leanSlack))
	return ok && r2.Dot(d, d) <= g.lean*g.lean
}

// marginWithout is the margin the planted legs but those of a set would have.
func (c *Controller) marginWithout(s *State, without uint64) float64 {
	return balance.Margin(c.polygon(s, without).at, c.comPlan(s))
}

// width scales the neutral feet's distance from the middle, [least, most].
const (
	leastWidth = 0.7
	mostWidth  = 1.3
)

func (c *Controller) judgeWidth(r *Reply, w float64) {
	if within(r, mostWidth, w); r.Reason == Accepted && w != 0 && w < leastWidth {
		r.Reason, r.Value, r.Bound = OutOfRange, w, leastWidth
	}
}

func (s *State) wide() float64 { return math.Max(leastWidth, s.Width) }
