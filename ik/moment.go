package ik

import (
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// flatMoment holds the mass moment of a leg of flat hinges as constants: with
// link i turned to the unit direction u[i] (from x towards y, against the zero
// pose), the sum of mass times position in the plane is k0 + sum k[i] u[i] as
// complex numbers, and side along z.
type flatMoment struct {
	mass float64
	base r3.Vec // mass x origin, B
	side float64
	k0   [2]float64
	k    [maxJoints][2]float64
}

// newFlatMoment works the constants out: each link moves rigidly with its own
// hinge about the end of the link before.
func newFlatMoment(m *model) flatMoment {
	pl := &m.plane
	f := flatMoment{}
	add := func(k *[2]float64, mass float64, at, from r3.Vec) {
		d := r3.Sub(at, from)
		k[0] += mass * r3.Dot(d, pl.x)
		k[1] += mass * r3.Dot(d, pl.y)
	}
	first := pl.firstFlat
	for j := range m.n {
		mass, at := m.mass[j], m.com[j]
		_, _, z := pl.local(at)
		f.mass += mass
		f.side += mass * z
		if j < first {
			add(&f.k0, mass, at, pl.origin)
			continue
		}
		add(&f.k0, mass, m.at[first], pl.origin)
		for i := first; i < j; i++ {
			add(&f.k[i-first], mass, m.at[i+1], m.at[i])
		}
		add(&f.k[j-first], mass, at, m.at[j])
	}
	f.base = r3.Scale(f.mass, pl.origin)
	return f
}

// at returns the moment for the plane's coordinates x, y of it at a turn whose
// cosine and sine are c and s.
func (f *flatMoment) at(pl *plane, x, y, c, s float64) r3.Vec {
	y, z := y*c-f.side*s, y*s+f.side*c
	return r3.Vec{
		X: f.base.X + x*pl.x.X + y*pl.y.X + z*pl.z.X,
		Y: f.base.Y + x*pl.x.Y + y*pl.y.Y + z*pl.z.Y,
		Z: f.base.Z + x*pl.x.Z + y*pl.y.Z + z*pl.z.Z,
	}
}

// last is what is remembered of a leg's last solve for Moment.
type last struct {
	direct bool // sum is in place; else it follows from the directions below
	sum    r3.Vec
	u      flatPose
}

// posed returns the moment of the leg at posture p.
func (m *model) posed(p *posture) r3.Vec {
	var sum r3.Vec
	for j := range m.n {
		if m.mass[j] != 0 {
			at := r3.Add(p.p[j], p.r[j].Apply(r3.Sub(m.com[j], m.at[j])))
			sum = r3.Add(sum, r3.Scale(m.mass[j], at))
		}
	}
	return sum
}

// masses reads the links' masses and their centres at q = 0, B.
func (m *model) masses(frames *[maxJoints]rig.Frame) {
	for j := range m.n {
		link := &m.leg.Joints[j].Link
		m.mass[j] = link.Mass
		m.com[j] = r3.Add(frames[j].P, frames[j].R.Apply(link.CoM))
		m.total += link.Mass
	}
}

// Moment returns the mass of a leg, kg, and the sum of mass times position of
// its links in B, kg m, at the angles its last solve ended with. It equals
// rig.LegMoment of those angles to rounding and costs no trigonometry. Before
// the first valid solve of the leg, and for a leg out of range, all is zero.
func (s *Solver) Moment(leg int) (mass float64, moment r3.Vec) {
	if uint(leg) >= uint(len(s.last)) {
		return 0, r3.Vec{}
	}
	o, m := &s.last[leg], &s.legs[leg]
	if o.direct {
		return m.total, o.sum
	}
	u := &o.u
	if u.c0 == 0 && u.s0 == 0 {
		return 0, r3.Vec{}
	}
	f := &m.plane.moment
	x := f.k0[0] + f.k[0][0]*u.c1 - f.k[0][1]*u.s1 + f.k[1][0]*u.c2 - f.k[1][1]*u.s2
	y := f.k0[1] + f.k[0][0]*u.s1 + f.k[0][1]*u.c1 + f.k[1][0]*u.s2 + f.k[1][1]*u.c2
	return m.total, f.at(&m.plane, x, y, u.c0, u.s0)
}
