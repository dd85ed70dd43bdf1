package control

import (
	"math"

	"legctl/blend/space"
	"legctl/control/mode"
	"legctl/estimate"
	"legctl/gait"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Start writes the state of a rig that stands in neutral stance where obs
// says it is (without a pose: at the origin, over the ground there). armed
// rigs are ready in Stand, others are Limp until armed. The gait is the first
// one offered.
func (c *Controller) Start(s *State, obs *rig.Observation, g geom.Ground, armed bool) {
	legs, feet, q, play := s.Legs, s.Feet, s.Q, s.Drive.Play.Feet
	clear(feet)
	clear(play)
	*s = State{Legs: legs, Feet: feet, Q: q, Style: Styling{Scale: 1, Most: 1}, Drive: Drive{By: DriverGait, Play: space.State{Feet: play}}, Favour: -1, Width: 1, Hand: -1, Clock: noClock, Then: mode.Settled, TTL: staleness}
	c.rig.RestPose(s.Q)
	if best := c.Best(); best > 0 {
		s.Gait = uint16(best)
	}
	if armed {
		s.Mode = mode.Stand
	}
	pose := geom.Pose{P: r3.Vec{Z: c.rig.Height}, Q: geom.Identity().Q}
	if hit, ok := g.Cast(r3.Vec{Z: 100 * c.rig.Height}, r3.Vec{Z: -1}, 200*c.rig.Height); ok {
		pose.P.Z += hit.Point.Z
	}
	if obs != nil && obs.Has&rig.HasPose != 0 {
		pose = obs.PoseWB
		if obs.Has&rig.HasQ != 0 && len(obs.Q) == len(s.Q) {
			copy(s.Q, obs.Q)
		}
	}
	s.Version = g.Version()
	s.CoMB = rig.CoM(c.rig, s.Q)
	c.tick.ground, c.tick.prog = g, c.chosen(s)
	c.plant(s, pose)
	for i := range s.Legs {
		s.Legs[i].Touching, s.Legs[i].Grounded = true, true
	}
}

// plant takes the body to be at pose with the joint angles of s, and the feet
// to be where those angles put them. Feet count as touching where there is
// ground under them.
func (c *Controller) plant(s *State, pose geom.Pose) {
	roll, pitch, yaw := geom.RPY(pose.Q)
	s.PoseWB, s.BaseW, s.Yaw, s.Course = pose, pose.P, yaw, yaw
	s.Level = [2]float64{roll, pitch}
	s.Lean, s.LeanVel, s.Favour = r3.Vec{}, r3.Vec{}, -1
	s.Drive.Playing = false
	s.Clock, s.Hop, s.Bump, s.Rise, s.Flying = noClock, 0, 0, 0, false
	s.Senses.Trim, s.Senses.Air = [2]float64{}, 0
	for i := range s.Legs {
		foot := pose.Apply(rig.Foot(c.rig, i, s.Q))
		touching := c.tick.prog.sized.Probe(c.tick.ground, foot)
		s.Feet[i].Contact = estimate.Contact{Touch: touching, Stood: touching}
		s.Legs[i] = gait.LegState{
			Foot: foot, Target: foot, Lift: foot, Touching: touching, Grounded: touching,
			SinceLift: math.MaxInt32 / 2, SinceLand: math.MaxInt32 / 2,
		}
	}
}
