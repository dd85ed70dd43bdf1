package control

import (
	"math"
	"math/bits"

	"legctl/control/mode"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Bounds of what may be commanded.
const (
	maxSpeed  = 100.0 // m/s and rad/s: beyond this it is a mistake of units
	maxTTL    = 3600.0
	maxGoal   = 1e5
	maxTurn   = math.Pi / 2 // of a commanded body turn, rad
	staleness = -1          // TTL of a twist that never was
)

// begin clears what the last tick left in out and the scratch space.
func (c *Controller) begin(out *Output, s *State, g geom.Ground) {
	legs, set := out.Legs, out.Set
	*out = Output{}
	out.Legs, out.Set, out.Tick = legs, set, s.Tick
	out.Kept, out.StyleScale, out.Driver, out.BindLeg = 1, 1, DriverGait, -1
	t := &c.tick
	t.ground, t.binding, t.bindLeg = g, BindNone, -1
	t.prog = c.chosen(s)
}

// accept ages the twist and takes in the command, if the mode table and its
// numbers allow it (stage 1).
func (c *Controller) accept(out *Output, s *State, cmd *Command) {
	if s.TTL > 0 {
		s.TTL -= c.params.Dt
		if s.TTL <= 0 {
			if s.Vx != 0 || s.Vy != 0 || s.Wz != 0 {
				out.Events |= EventCommandStale
			}
			s.Vx, s.Vy, s.Wz, s.TTL = 0, 0, 0, staleness
			if s.Follow && s.HasGoal {
				s.Follow, s.HasGoal = false, false
				out.Events |= EventCommandStale
			}
		}
	}
	if cmd == nil || cmd.Kind == KindNone {
		return
	}
	out.Reply = c.judge(s, cmd)
	if out.Reply.Reason != Accepted {
		return
	}
	in := cmd.Input()
	next, _ := mode.Next(s.Mode, in)
	s.Then = mode.Settled
	if in == mode.Rise || in == mode.Sit || in == mode.Pack {
		s.Then = in
	}
	c.enter(out, s, next)
	c.apply(s, cmd)
	c.tick.prog = c.chosen(s)
}

// Input returns what the command is to the mode table.
func (m *Command) Input() mode.Input {
	switch m.Kind {
	case KindTwist:
		if m.Vx == 0 && m.Vy == 0 && m.Wz == 0 {
			return mode.Stop
		}
		return mode.Twist
	case KindGoto, KindFollow:
		return mode.Goto
	case KindStop:
		return mode.Stop
	case KindGait, KindStyle, KindDrive:
		return mode.Gait
	case KindPose:
		return mode.Pose
	case KindHeight:
		return mode.Height
	case KindLeg:
		return mode.Leg
	case KindMode:
		return m.Mode
	case KindCruise:
		return mode.Twist
	case KindFoot, KindJoint:
		return mode.Foot
	}
	return mode.Inputs
}

// judge says whether a command may be carried out, and why not.
func (c *Controller) judge(s *State, m *Command) Reply {
	r := Reply{ID: m.ID, Kind: m.Kind}
	if m.Kind >= Kinds || m.Kind == KindMode && !mode.IsOrder(m.Mode) {
		r.Reason, r.Value, r.Bound = Unknown, float64(m.Kind), float64(Kinds-1)
		return r
	}
	if _, ok := mode.Next(s.Mode, m.Input()); !ok {
		r.Reason, r.Value = IllegalMode, float64(s.Mode)
		return r
	}
	switch m.Kind {
	case KindTwist:
		within(&r, maxSpeed, m.Vx, m.Vy, m.Wz)
		within(&r, maxTTL, m.TTL)
	case KindGoto:
		within(&r, maxGoal, m.X, m.Y, m.Near)
		c.judgeDriver(&r, m.By)
	case KindFollow:
		within(&r, maxGoal, m.X, m.Y, m.Near)
		within(&r, maxSpeed, m.Vx, m.Vy)
		within(&r, maxTTL, m.TTL)
		c.judgeDriver(&r, m.By)
	case KindStyle:
		c.judgeStyle(&r, m)
	case KindDrive:
		c.judgeDriver(&r, m.By)
	case KindPose:
		l := c.rig.L()
		within(&r, l, m.Offset.X, m.Offset.Y, m.Offset.Z)
		within(&r, maxTurn, m.RPY.X, m.RPY.Y, m.RPY.Z)
	case KindHeight:
		c.judgeHeight(&r, m.Height)
		c.judgeWidth(&r, m.Width)
	case KindGait:
		c.judgeGait(&r, int(m.Gait))
	case KindLeg:
		c.judgeLeg(&r, s, m)
	case KindCruise:
		within(&r, maxSpeed, m.Vx, m.Vy, m.Wz)
		within(&r, maxCruise, m.TTL)
	case KindFoot, KindJoint:
		c.judgeHand(&r, s, m)
	}
	return r
}

// within refuses the first value that is not finite or beyond bound.
func within(r *Reply, bound float64, values ...float64) {
	for _, v := range values {
		switch {
		case r.Reason != Accepted:
		case v-v != 0:
			r.Reason, r.Value, r.Bound = NotFinite, 0, bound
		case math.Abs(v) > bound:
			r.Reason, r.Value, r.Bound = OutOfRange, v, bound
		}
	}
}

// judgeHeight keeps a commanded height near the rig's own: the comfort
// cylinder reaches 0.35 U up and down.
func (c *Controller) judgeHeight(r *Reply, h float64) {
	within(r, 10*c.rig.L(), h)
	if r.Reason != Accepted || h == 0 {
		return
	}
	span := stepLift * c.tick.prog.sizing.U
	if least, most := c.rig.Height-span, c.rig.Height+span; h < least {
		r.Reason, r.Value, r.Bound = OutOfRange, h, least
	} else if h > most {
		r.Reason, r.Value, r.Bound = OutOfRange, h, most
	}
}

func (c *Controller) judgeGait(r *Reply, i int) {
	if i == GaitAuto && len(c.ladder) > 0 {
		return
	}
	if i >= len(c.gaits) {
		r.Reason, r.Value, r.Bound = Unknown, float64(i), float64(len(c.gaits)-1)
	} else if c.gaits[i].refused != "" {
		r.Reason, r.Value = NotSuited, float64(i)
	}
}

// leastLegs is how many legs must stay on for a rig to stand.
const leastLegs = 3

func (c *Controller) judgeLeg(r *Reply, s *State, m *Command) {
	if m.Leg < 0 || int(m.Leg) >= len(c.rig.Legs) {
		r.Reason, r.Value, r.Bound = Unknown, float64(m.Leg), float64(len(c.rig.Legs)-1)
		return
	}
	off := s.Off | 1<<m.Leg
	if !m.On && !c.holds(off) {
		r.Reason, r.Bound = LastLegs, leastLegs
		r.Value = float64(len(c.rig.Legs) - bits.OnesCount64(off))
	}
}

// apply writes an accepted command into the state.
func (c *Controller) apply(s *State, m *Command) {
	switch m.Kind {
	case KindTwist:
		s.Vx, s.Vy, s.Wz, s.HasGoal = m.Vx, m.Vy, m.Wz, false
		s.TTL = m.TTL
		if s.TTL <= 0 {
			s.TTL = c.params.TTL
		}
	case KindGoto:
		c.aim(s, m)
	case KindFollow:
		c.aim(s, m)
		s.Follow, s.GoalVel = true, r3.Vec{X: m.Vx, Y: m.Vy}
		if s.TTL = m.TTL; s.TTL <= 0 {
			s.TTL = c.params.TTL
		}
	case KindStyle:
		c.applyStyle(s, m)
	case KindDrive:
		s.Drive.By = m.By
	case KindCruise:
		if m.Vx != 0 || m.Vy != 0 || m.Wz != 0 {
			s.Vx, s.Vy, s.Wz = m.Vx, m.Vy, m.Wz
		}
		s.HasGoal = false
		if s.TTL = m.TTL; s.TTL <= 0 {
			s.TTL = maxCruise
		}
	case KindStop:
		s.Vx, s.Vy, s.Wz, s.HasGoal = 0, 0, 0, false
	case KindFoot, KindJoint:
		c.applyHand(s, m)
	case KindGait:
		if s.Auto = m.Gait == GaitAuto; !s.Auto {
			s.Gait = m.Gait
		}
	case KindPose:
		s.Offset, s.RPY = m.Offset, m.RPY
	case KindHeight:
		s.Height = m.Height
		if m.Width > 0 {
			s.Width = m.Width
		}
	case KindLeg:
		if m.On {
			s.Off &^= 1 << m.Leg
			s.Lost &^= 1 << m.Leg
			s.Legs[m.Leg].Stuck = 0
		} else {
			s.Off |= 1 << m.Leg
		}
	}
}

// aim makes the place of a command the goal.
func (c *Controller) aim(s *State, m *Command) {
	s.Goal, s.HasGoal, s.Follow, s.GoalVel = r3.Vec{X: m.X, Y: m.Y}, true, false, r3.Vec{}
	if s.Near = m.Near; s.Near <= 0 {
		s.Near = c.params.Near * c.tick.prog.sizing.U
	}
	if m.By != DriverKept {
		s.Drive.By = m.By
	}
}
