package control

import (
	"legctl/control/mode"

	"gonum.org/v1/gonum/spatial/r3"
)

// enter changes the mode and says so.
func (c *Controller) enter(out *Output, s *State, m mode.Mode) {
	if m == s.Mode {
		return
	}
	was := s.Mode
	s.Mode, s.Step = m, 0
	out.Events |= EventModeChanged
	if m != mode.Walk {
		s.Vx, s.Vy, s.Wz, s.HasGoal = 0, 0, 0, false
		c.giveBack(out, s)
	}
	if !s.active() {
		s.VelW, s.YawRate, s.LeanVel = r3.Vec{}, 0, r3.Vec{}
	}
	switch {
	case m == mode.Rising && was == mode.Sitting:
		c.plant(s, s.PoseWB)
	case m == mode.Lowering:
		s.Offset, s.RPY = r3.Vec{}, r3.Vec{}
	}
	if was == mode.Manual {
		c.letGo(s)
	}
}

// active reports whether the feet hold the body by the rules: the modes in
// which the rig moves by itself.
func (s *State) active() bool {
	switch s.Mode {
	case mode.Rising, mode.Stand, mode.Walk, mode.Manual, mode.Lowering:
		return true
	}
	return false
}

// lying reports whether the mode lets the belly lie on the ground.
func (s *State) lying() bool {
	switch s.Mode {
	case mode.Stand, mode.Walk, mode.Manual, mode.Stopped, mode.Fault:
		return false
	}
	return true
}
