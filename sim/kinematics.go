package sim

import (
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// check is a point of a link that must not touch the ground.
type check struct {
	leg, joint int
	mid        bool    // half-way back to the joint before, else the joint itself
	radius     float64 // metres
	at         r3.Vec  // B
}

// newChecks lists the joints beyond the body and the middle of the links
// before them; the last link is only checked where it begins, since its far end
// is the foot.
func newChecks(r *rig.Rig) []check {
	var list []check
	for i := range r.Legs {
		for j := 1; j < len(r.Legs[i].Joints); j++ {
			if r3.Norm2(r.Legs[i].Joints[j].Origin.P) == 0 {
				continue
			}
			c := check{leg: i, joint: j, radius: r.Legs[i].Joints[j-1].Link.Radius}
			list = append(list, c)
			c.mid = true
			list = append(list, c)
		}
	}
	return list
}

// kinematics works out feet, centre of mass and checks in B from the joints.
func (s *Sim) kinematics() {
	var q [rig.MaxJoints]float64
	var frames [rig.MaxJoints]rig.Frame
	moment := r3.Scale(s.rig.Body.Mass, s.rig.Body.CoM)
	k := 0
	for i := range s.rig.Legs {
		l := &s.rig.Legs[i]
		n := len(l.Joints)
		for j := range n {
			q[j] = s.st.Joints[l.First+j].Q
		}
		rig.Frames(frames[:n], l, q[:n])
		s.feetB[i] = r3.Add(frames[n-1].P, frames[n-1].R.Apply(l.Foot))
		for j := range n {
			link := &l.Joints[j].Link
			if link.Mass > 0 {
				at := r3.Add(frames[j].P, frames[j].R.Apply(link.CoM))
				moment = r3.Add(moment, r3.Scale(link.Mass, at))
			}
		}
		for ; k < len(s.checks) && s.checks[k].leg == i; k++ {
			s.checks[k].place(frames[:n])
		}
	}
	s.comB = r3.Scale(1/s.mass, moment)
}

func (c *check) place(frames []rig.Frame) {
	c.at = frames[c.joint].P
	if c.mid {
		c.at = r3.Scale(0.5, r3.Add(c.at, frames[c.joint-1].P))
	}
}

// place works out the feet in W under the present pose.
func (s *Sim) place() {
	r := geom.RotOf(s.st.PoseWB.Q)
	for i := range s.feetB {
		s.feetW[i] = r3.Add(s.st.PoseWB.P, r.Apply(s.feetB[i]))
	}
}
