package sim

import (
	"fmt"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Place puts the rig at x, y (W, metres) with heading yaw (rad), at rest in
// neutral stance on the ground there, tilted as the ground under its feet is,
// with torque on every leg. Counters and faults of the past are forgotten. It
// is an error when there is no ground.
func (s *Sim) Place(x, y, yaw float64) error {
	const high = 1e4 // U above and below
	hit, ok := s.ground.Cast(r3.Vec{X: x, Y: y, Z: high * s.r.u}, r3.Vec{Z: -1}, 2*high*s.r.u)
	if !ok {
		return fmt.Errorf("sim: no ground at %v, %v", x, y)
	}
	s.clear()
	p := geom.Pose{P: r3.Vec{X: x, Y: y, Z: hit.Point.Z + s.rig.Height}, Q: geom.FromRPY(0, 0, yaw)}
	for range 4 { // the feet move as the body tilts
		s.st.PoseWB = p
		s.place()
		s.plantBelow(s.r.u * 4)
		if s.st.Planted == 0 {
			break
		}
		p, _ = s.fit(p)
		p.P.X, p.P.Y = x, y
	}
	s.st.PoseWB = p
	s.place()
	s.st.Planted = 0
	s.plantBelow(0.1 * s.r.u)
	s.sense(r3.Vec{})
	return nil
}

// Reset puts the rig into a pose, at rest, with the joints in neutral stance:
// feet that are below the ground stand on it, others do not.
func (s *Sim) Reset(poseWB geom.Pose) error {
	if !geom.FiniteVec(poseWB.P) || !(poseWB.Q.Real*poseWB.Q.Real+poseWB.Q.Imag*poseWB.Q.Imag+
		poseWB.Q.Jmag*poseWB.Q.Jmag+poseWB.Q.Kmag*poseWB.Q.Kmag > 0) {
		return fmt.Errorf("sim: pose %v is not a pose", poseWB)
	}
	s.clear()
	s.st.PoseWB = geom.Pose{P: poseWB.P, Q: geom.Unit(poseWB.Q)}
	s.place()
	s.plantBelow(1e-9 * s.r.u)
	s.sense(r3.Vec{})
	return nil
}

// clear forgets everything but the noise: joints at rest, torque on.
func (s *Sim) clear() {
	noise, stir := s.st.Noise, s.st.Stir
	feet, joints := s.st.Feet, s.st.Joints
	s.st = state{PoseWB: geom.Identity(), Feet: feet, Joints: joints, Noise: noise, Stir: stir}
	clear(feet)
	for i := range s.rig.Legs {
		l := &s.rig.Legs[i]
		for j := range l.Joints {
			joints[l.First+j] = joint{Q: l.Joints[j].Rest, Speed: 1}
		}
	}
	s.st.Enabled = s.allLegs()
	s.st.Version = s.ground.Version()
	s.held = holding{}
	s.kinematics()
}

// plantBelow anchors every foot that is below the ground or within the
// distance over it.
func (s *Sim) plantBelow(within float64) {
	for i := range s.feetW {
		f := &s.st.Feet[i]
		f.Was = s.feetW[i]
		if h, ok := s.below(s.feetW[i], within+s.r.u, within); ok {
			s.anchor(i, h)
			f.Firm = 1
		}
	}
}
