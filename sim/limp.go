package sim

import (
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// giveWay bends the legs without torque so that their feet stay out of the
// ground: a damped least-squares step of the joints along the ground's normal.
// Above the ground their joints stay where they are.
func (s *Sim) giveWay(limp bool) {
	s.st.Resting = 0
	for i := range s.rig.Legs {
		if !limp && s.st.Enabled>>i&1 == 1 {
			continue
		}
		for range 4 {
			h, ok := s.below(s.feetW[i], 2*s.r.u, s.r.close)
			if !ok {
				break
			}
			s.st.Resting |= 1 << i
			if h.Point.Z <= s.feetW[i].Z {
				break
			}
			s.bend(i, h.Point.Z-s.feetW[i].Z)
		}
	}
}

// bend lifts the foot of a leg by up to rise metres.
func (s *Sim) bend(leg int, rise float64) {
	var q [rig.MaxJoints]float64
	var cols [rig.MaxJoints]r3.Vec
	l := &s.rig.Legs[leg]
	n := len(l.Joints)
	for j := range n {
		q[j] = s.st.Joints[l.First+j].Q
	}
	rig.Jacobian(cols[:n], l, q[:n])
	rig.FoldMimic(cols[:n], l)
	up := geom.Rotate(quat.Conj(s.st.PoseWB.Q), r3.Vec{Z: 1})
	sum := 1e-3 * l.Length * l.Length
	for j := range n {
		d := r3.Dot(cols[j], up)
		sum += d * d
	}
	for j := range n {
		at := &s.st.Joints[l.First+j]
		if !at.Frozen && l.Joints[j].Mimic < 0 {
			at.Q = min(max(at.Q+rise*r3.Dot(cols[j], up)/sum, l.Joints[j].Min), l.Joints[j].Max)
		}
	}
	s.mimic(l)
	for j := range n {
		q[j] = s.st.Joints[l.First+j].Q
	}
	s.feetB[leg] = rig.LegFoot(l, q[:n])
	s.feetW[leg] = s.st.PoseWB.Apply(s.feetB[leg])
}
