package rig

import (
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Frame is a joint frame in B: its origin, metres, and its axes.
type Frame struct {
	P r3.Vec
	R geom.Rot
}

// Foot returns the contact point of a leg in B, metres. q holds the angles of
// the whole rig, radians.
func Foot(r *Rig, leg int, q []float64) r3.Vec {
	return LegFoot(&r.Legs[leg], r.Slice(q, leg))
}

// LegFoot is Foot for one leg and its own angles.
func LegFoot(l *Leg, q []float64) r3.Vec {
	f := Frame{R: geom.Rot{X: r3.Vec{X: 1}, Y: r3.Vec{Y: 1}, Z: r3.Vec{Z: 1}}}
	for j := range l.Joints {
		f = f.next(&l.Joints[j], q[j])
	}
	return r3.Add(f.P, f.R.Apply(l.Foot))
}

// Frames writes the frame of every joint of a leg, in B and after its own
// turn, to dst, which must hold one entry a joint.
func Frames(dst []Frame, l *Leg, q []float64) {
	f := Frame{R: geom.Rot{X: r3.Vec{X: 1}, Y: r3.Vec{Y: 1}, Z: r3.Vec{Z: 1}}}
	for j := range l.Joints {
		f = f.next(&l.Joints[j], q[j])
		dst[j] = f
	}
}

// next returns the frame of joint j, turned by angle, for f = the frame before.
func (f Frame) next(j *Joint, angle float64) Frame {
	o := geom.RotOf(j.Origin.Q)
	r := f.R.Mul(o)
	t := axisTurn(j.Axis, angle)
	return Frame{P: r3.Add(f.P, f.R.Apply(j.Origin.P)), R: r.Mul(t)}
}

// axisTurn is Rodrigues' formula.
func axisTurn(a r3.Vec, angle float64) geom.Rot {
	s, c := math.Sincos(angle)
	v := 1 - c
	return geom.Rot{
		X: r3.Vec{X: c + a.X*a.X*v, Y: a.X*a.Y*v + a.Z*s, Z: a.X*a.Z*v - a.Y*s},
		Y: r3.Vec{X: a.X*a.Y*v - a.Z*s, Y: c + a.Y*a.Y*v, Z: a.Y*a.Z*v + a.X*s},
		Z: r3.Vec{X: a.X*a.Z*v + a.Y*s, Y: a.Y*a.Z*v - a.X*s, Z: c + a.Z*a.Z*v},
	}
}

// Jacobian writes, for every joint of a leg, the velocity of the foot in B for
// one rad/s of that joint, to dst (one entry a joint), and returns the foot.
// Mimic joints are not folded in: see FoldMimic.
func Jacobian(dst []r3.Vec, l *Leg, q []float64) r3.Vec {
	var frames [MaxJoints]Frame
	n := len(l.Joints)
	Frames(frames[:n], l, q)
	last := &frames[n-1]
	foot := r3.Add(last.P, last.R.Apply(l.Foot))
	for j := range l.Joints {
		axis := frames[j].R.Apply(l.Joints[j].Axis)
		dst[j] = r3.Cross(axis, r3.Sub(foot, frames[j].P))
	}
	return foot
}

// FoldMimic adds the column of each mimic joint to the joint it copies and
// clears its own, so that free joints alone describe the motion.
func FoldMimic(cols []r3.Vec, l *Leg) {
	for j := range l.Joints {
		if m := l.Joints[j].Mimic; m >= 0 {
			cols[m] = r3.Add(cols[m], r3.Scale(l.Joints[j].Factor, cols[j]))
			cols[j] = r3.Vec{}
		}
	}
}

// Mass returns the mass of the whole rig, kg.
func (r *Rig) Mass() float64 {
	m := r.Body.Mass
	for i := range r.Legs {
		for j := range r.Legs[i].Joints {
			m += r.Legs[i].Joints[j].Link.Mass
		}
	}
	return m
}

// CoM returns the centre of mass of the rig in B, metres, at angles q.
func CoM(r *Rig, q []float64) r3.Vec {
	m := r.Body.Mass
	sum := r3.Scale(m, r.Body.CoM)
	for i := range r.Legs {
		lm, moment := LegMoment(&r.Legs[i], r.Slice(q, i))
		m += lm
		sum = r3.Add(sum, moment)
	}
	return r3.Scale(1/m, sum)
}

// LegMoment returns the mass of a leg, kg, and the sum of mass times position
// of its links in B, kg m.
func LegMoment(l *Leg, q []float64) (mass float64, moment r3.Vec) {
	var frames [MaxJoints]Frame
	Frames(frames[:len(l.Joints)], l, q)
	for j := range l.Joints {
		k := &l.Joints[j].Link
		if k.Mass == 0 {
			continue
		}
		mass += k.Mass
		at := r3.Add(frames[j].P, frames[j].R.Apply(k.CoM))
		moment = r3.Add(moment, r3.Scale(k.Mass, at))
	}
	return mass, moment
}
