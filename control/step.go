package control

import (
	"legctl/geom"
	"legctl/rig"
)

// Step is the tick: from the state s, at most one command, what the plant
// observed and the ground, it works out the next state and what the plant is
// to do. s and out must be made for the controller's rig (NewStates,
// NewOutputs); cmd may be nil. It never fails: what goes wrong is in out.
func (c *Controller) Step(out *Output, s *State, cmd *Command, obs *rig.Observation, g geom.Ground) {
	t := &c.tick
	c.begin(out, s, g)
	c.accept(out, s, cmd) // 1: command in, or refused with the reason
	c.health(out, s, obs) //    legs that no longer do what they are told
	c.sense(out, s, obs)  //    which way is up, which feet stand
	c.locate(out, s, obs) //    observation in: where the body really is
	c.steer(out, s)       // 2: goal or twist -> wish
	c.limit(out, s)       // 3: allowed, slewed; which limit binds
	c.schedule(out, s)    // 4: who swings
	c.style(out, s)       // 6: what clips add to swing and body
	c.support(s)          // 7: polygon and margin of the wish
	c.pose(out, s)        // 8: levelled, leaning, offset; kept within reach
	c.solve(out, s)       // 9: FABRIK per leg
	c.overlay(out, s)     // 10: clamps, events
	s.Tick++
	out.Binding, out.BindLeg = t.binding, t.bindLeg
}
