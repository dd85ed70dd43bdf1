package control

import (
	"math"

	"legctl/control/mode"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// steer turns the goal or the commanded twist into the wish of the tick, in B
// (stage 2).
func (c *Controller) steer(out *Output, s *State) {
	t := &c.tick
	t.wish = [3]float64{s.Vx, s.Vy, s.Wz}
	if s.Mode != mode.Walk {
		t.wish = [3]float64{}
	} else if s.HasGoal {
		s.Goal = r3.Add(s.Goal, r3.Scale(c.params.Dt, s.GoalVel))
		if !s.Drive.Playing {
			c.pursue(out, s)
		}
	}
	c.engage(out, s)
	if t.share = 0; s.Drive.Playing {
		t.share = c.steerClips(out, s)
		t.wish[0] = t.share * s.Drive.Speed
	}
	out.Wish = t.wish
	c.auto(s)
}

// pursue faces the goal and goes at full speed until braking must begin (gait
// rules 8: the distance plus v2/2a).
func (c *Controller) pursue(out *Output, s *State) {
	t := &c.tick
	g := t.prog
	dx, dy := s.Goal.X-s.BaseW.X, s.Goal.Y-s.BaseW.Y
	d := math.Sqrt(dx*dx + dy*dy)
	v2 := s.VelW.X*s.VelW.X + s.VelW.Y*s.VelW.Y
	if d <= s.Near+v2/(2*g.brake) {
		t.wish = [3]float64{}
		if v2 == 0 && !s.Follow {
			s.HasGoal = false
			out.Events |= EventGoalReached
		}
		return
	}
	bearing := geom.WrapAngle(math.Atan2(dy, dx) - s.Yaw)
	// Turn so that the turn can be stopped in time, and walk only as far as
	// the rig faces the goal.
	turn := min(g.allowed.Turn, c.turnFor(math.Abs(bearing)))
	t.wish[2] = math.Copysign(turn, bearing)
	ahead := math.Cos(bearing)
	if ahead > 0.5 {
		t.wish[0] = g.allowed.Linear[0] * ahead
	}
}

// turnFor returns the yaw rate with which a bearing, rad, is made up: such that
// half the feet can stop the turn in time, and near the end a gentle approach,
// for a rate that flips from tick to tick would cost speed.
func (c *Controller) turnFor(bearing float64) float64 {
	g := c.tick.prog
	return min(math.Sqrt(g.sized.TurnAccel*bearing), bearing/(approach*g.sizing.K))
}

// approach is the time constant with which the last of a bearing is made up, k.
const approach = 4
