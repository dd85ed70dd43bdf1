package ik

import (
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// flatMoment holds the mass moment of a leg of two flat hinges as constants:
// with links one and two turned to unit directions u1 and u2 (from x towards
// y, against the zero pose), the sum of mass times position in the plane is
// k0 + k1 u1 + k2 u2 as complex numbers, and side along z.
type flatMoment struct {
	mass       float64
	base       r3.Vec // mass x origin, B
	side       float64
	k0, k1, k2 [2]float64
}

// newFlatMoment works the constants out; legs of more joints need none.
func newFlatMoment(m *model) flatMoment {
	pl := &m.plane
	f := flatMoment{}
	if pl.m != 2 {
		return f
	}
	var frames [maxJoints]rig.Frame
	var zero [maxJoints]float64
	rig.Frames(frames[:m.n], m.leg, zero[:m.n])
	first := pl.firstFlat
	add := func(k *[2]float64, mass float64, at, from r3.Vec) {
		d := r3.Sub(at, from)
		k[0] += mass * r3.Dot(d, pl.x)
		k[1] += mass * r3.Dot(d, pl.y)
	}
	for j := range m.n {
		link := &m.leg.Joints[j].Link
		at := r3.Add(frames[j].P, frames[j].R.Apply(link.CoM))
		_, _, z := pl.local(at)
		f.mass += link.Mass
		f.side += link.Mass * z
		switch j - first {
		case -1:
			add(&f.k0, link.Mass, at, pl.origin)
		case 0:
			add(&f.k0, link.Mass, m.at[first], pl.origin)
			add(&f.k1, link.Mass, at, m.at[first])
		case 1:
			add(&f.k0, link.Mass, m.at[first], pl.origin)
			add(&f.k1, link.Mass, m.at[first+1], m.at[first])
			add(&f.k2, link.Mass, at, m.at[first+1])
		}
	}
	f.base = r3.Scale(f.mass, pl.origin)
	return f
}

// last is what is remembered of a leg's last solve for Moment.
type last struct {
	direct bool // sum is in place; else it follows from the directions below
	mass   float64
	sum    r3.Vec
	u      flatPose
}

// keepMoment stores the moment for shapes without constants.
func (s *Solver) keepMoment(m *model, angles []float64, leg int) {
	o := &s.last[leg]
	o.direct = true
	o.mass, o.sum = rig.LegMoment(m.leg, angles)
}

// Moment returns the mass of a leg, kg, and the sum of mass times position of
// its links in B, kg m, at the angles its last solve ended with. It equals
// rig.LegMoment of those angles to rounding and costs no trigonometry. Before
// the first valid solve of the leg, and for a leg out of range, all is zero.
func (s *Solver) Moment(leg int) (mass float64, moment r3.Vec) {
	if uint(leg) >= uint(len(s.last)) {
		return 0, r3.Vec{}
	}
	o := &s.last[leg]
	if o.direct {
		return o.mass, o.sum
	}
	pl := &s.legs[leg].plane
	f, u := &pl.moment, &o.u
	if u.c0 == 0 && u.s0 == 0 {
		return 0, r3.Vec{}
	}
	x := f.k0[0] + f.k1[0]*u.c1 - f.k1[1]*u.s1 + f.k2[0]*u.c2 - f.k2[1]*u.s2
	r := f.k0[1] + f.k1[0]*u.s1 + f.k1[1]*u.c1 + f.k2[0]*u.s2 + f.k2[1]*u.c2
	y := r*u.c0 - f.side*u.s0
	z := r*u.s0 + f.side*u.c0
	return f.mass, r3.Vec{
		X: f.base.X + x*pl.x.X + y*pl.y.X + z*pl.z.X,
		Y: f.base.Y + x*pl.x.Y + y*pl.y.Y + z*pl.z.Y,
		Z: f.base.Z + x*pl.x.Z + y*pl.y.Z + z*pl.z.Z,
	}
}
