package control

import (
	"math"

	"legctl/control/mode"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// When the body is this far from the wish, dead reckoning has lost its sense
// and everything is taken from the observation anew.
const (
	lostHeight = 0.5 // of the neutral height
	lostTilt   = 25 * math.Pi / 180
	fallenTilt = 60 * math.Pi / 180
)

// locate moves the controller's world so that the pose it wanted in the last
// tick lies where the body really was: a turn about the vertical and a shift
// along the ground. Feet, targets and body move together, so no joint angle
// changes by it; what changes is where the next feet will look for ground.
func (c *Controller) locate(out *Output, s *State, obs *rig.Observation) {
	if !s.active() {
		c.lie(s, obs)
		return
	}
	if obs == nil || obs.Has&rig.HasPose == 0 {
		return
	}
	p := obs.PoseWB
	if !finitePose(p) {
		out.Events |= EventObservation
		return
	}
	up := geom.RotOf(p.Q).Z
	if up.Z < math.Cos(fallenTilt) {
		out.Events |= EventTilt
	}
	if p.P == s.PoseWB.P && p.Q == s.PoseWB.Q {
		return
	}
	c.landing(s, obs)
	was := geom.RotOf(s.PoseWB.Q).Z
	if math.Abs(p.P.Z-s.PoseWB.P.Z) > lostHeight*c.rig.Height || r3.Dot(up, was) < math.Cos(lostTilt) {
		c.relocate(s, obs)
		return
	}
	c.shiftWorld(s, p)
}

// shiftWorld turns and shifts everything planned so that PoseWB comes to lie
// under p, height and tilt aside.
func (c *Controller) shiftWorld(s *State, p geom.Pose) {
	turn := geom.WrapAngle(geom.Yaw(p.Q) - geom.Yaw(s.PoseWB.Q))
	sn, cs := math.Sincos(turn)
	from, to := s.PoseWB.P, p.P
	move := func(v r3.Vec) r3.Vec {
		x, y := v.X-from.X, v.Y-from.Y
		return r3.Vec{X: to.X + cs*x - sn*y, Y: to.Y + sn*x + cs*y, Z: v.Z}
	}
	s.BaseW = move(s.BaseW)
	s.PoseWB.P = move(s.PoseWB.P)
	s.Yaw = geom.WrapAngle(s.Yaw + turn)
	for i := range s.Legs {
		l := &s.Legs[i]
		l.Foot, l.Lift = move(l.Foot), move(l.Lift)
		if l.Moving {
			l.Target = move(l.Target)
		}
	}
}

// relocate takes the body and the feet from the observation: after a fall, or
// off the ground.
func (c *Controller) relocate(s *State, obs *rig.Observation) {
	if obs.Has&rig.HasQ != 0 && len(obs.Q) == len(s.Q) {
		copy(s.Q, obs.Q)
		s.CoMB = rig.CoM(c.rig, s.Q)
	}
	c.plant(s, obs.PoseWB)
}

func finitePose(p geom.Pose) bool {
	q := p.Q
	return geom.FiniteVec(p.P) && q.Real*q.Real+q.Imag*q.Imag+q.Jmag*q.Jmag+q.Kmag*q.Kmag > 0.5
}

// lie takes pose and feet of a rig that does not stand on its own from what is
// seen of it. Without torque its joints are where they are measured, so that
// arming holds them there. Without a pose its feet or its belly, whichever is
// lower, rest on the ground.
func (c *Controller) lie(s *State, obs *rig.Observation) {
	if obs != nil && s.Mode == mode.Limp && obs.Has&rig.HasQ != 0 && len(obs.Q) == len(s.Q) && finiteAll(obs.Q) {
		copy(s.Q, obs.Q)
		s.CoMB = rig.CoM(c.rig, s.Q)
	}
	if obs != nil && obs.Has&rig.HasPose != 0 {
		if finitePose(obs.PoseWB) {
			c.plant(s, obs.PoseWB)
		}
		return
	}
	pose := s.PoseWB
	up := r3.Add(pose.P, r3.Vec{Z: c.rig.Height})
	if hit, ok := c.tick.ground.Cast(up, r3.Vec{Z: -1}, 4*c.rig.Height); ok {
		low := c.posture.belly
		for i := range s.Legs {
			low = max(low, -rig.Foot(c.rig, i, s.Q).Z)
		}
		pose.P.Z = hit.Point.Z + low
	}
	c.plant(s, pose)
}

func finiteAll(q []float64) bool {
	for _, v := range q {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// bumpTime is how fast a body that came down off its plan is brought back to
// it, k.
const bumpTime = 3

// landing takes in how far a body in flight is above its plan: its feet must
// meet the ground where the body really comes down. Once feet feel the ground
// the difference is worked off.
func (c *Controller) landing(s *State, obs *rig.Observation) {
	down := obs.Contact
	if obs.Has&rig.HasContact == 0 {
		for i := range s.Legs {
			if s.Legs[i].Planted() {
				down |= 1 << i
			}
		}
	}
	s.Flying = down == 0 && (s.Hop > 0 || s.Drive.Playing)
	if s.Flying {
		s.Bump += obs.PoseWB.P.Z - s.PoseWB.P.Z
	}
}
