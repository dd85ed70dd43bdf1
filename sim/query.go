package sim

import (
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Tick returns the number of Applies since New or Reset.
func (s *Sim) Tick() uint64 { return s.st.Tick }

// Pose returns the pose of B in W.
func (s *Sim) Pose() geom.Pose { return s.st.PoseWB }

// Twist returns the velocity of the last tick in B.
func (s *Sim) Twist() geom.Twist { return s.st.TwistB }

// Velocity returns the velocity of the last tick in W, m/s.
func (s *Sim) Velocity() r3.Vec { return geom.Rotate(s.st.PoseWB.Q, s.st.TwistB.V) }

// Planted returns the bit set of legs whose foot is anchored.
func (s *Sim) Planted() uint64 { return s.st.Planted }

// Contacts returns the bit set of legs whose foot feels ground: the anchored
// ones, and those without torque that lie on it.
func (s *Sim) Contacts() uint64 { return s.st.Planted | s.st.Resting }

// Anchor returns where the foot of a leg stands, W, and whether it does.
func (s *Sim) Anchor(leg int) (r3.Vec, bool) {
	return s.st.Feet[leg].Anchor, s.st.Planted>>leg&1 == 1
}

// Foot returns the foot of a leg under the actual joint angles and pose, W.
func (s *Sim) Foot(leg int) r3.Vec { return s.feetW[leg] }

// Joints writes the actual joint angles to dst[:0] and returns it, rad.
func (s *Sim) Joints(dst []float64) []float64 {
	dst = dst[:0]
	for i := range s.st.Joints {
		dst = append(dst, s.st.Joints[i].Q)
	}
	return dst
}

// Slip returns how far the standing foot of a leg has slid since the start,
// metres.
func (s *Sim) Slip(leg int) float64 { return s.st.Feet[leg].Slip }

// Falls returns the number of falls since the start: belly or a non-foot link
// on the ground, or tilt beyond 60 degrees, with torque on.
func (s *Sim) Falls() int { return int(s.st.Falls) }

// Hits returns how often the belly has struck the ground hard.
func (s *Sim) Hits() int { return int(s.st.Hits) }

// Walls returns the number of ticks in which a wall held the body back.
func (s *Sim) Walls() int { return int(s.st.Walls) }

// Lying reports whether the belly is on the ground.
func (s *Sim) Lying() bool { return s.st.Belly != 0 }

// Ground returns what the rig stands on.
func (s *Sim) Ground() geom.Ground { return s.ground }

// Rig returns the rig.
func (s *Sim) Rig() *rig.Rig { return s.rig }

// Dt returns the seconds one Apply takes.
func (s *Sim) Dt() float64 { return s.dt }
