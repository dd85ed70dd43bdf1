package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

const (
	clearBend = 0.1  // rad: a rest pose bent less than this says nothing about the side
	offStart  = 0.05 // share of its range by which a cold start keeps off a bound
)

// bends cuts the limits to the branch of the rest pose: every hinge between
// two links that turns in the plane of the hinge before it (a knee) keeps the
// sign of its bend. Knees that are straight at rest bend so that they come to
// lie above the line from hip to foot, or behind it where above means nothing.
func (m *model) bends() {
	m.branch = m.limit
	var p posture
	p.z = m.rest
	m.pose(&p)
	for k := range m.free {
		j := m.joint[k]
		if m.knee(j) {
			m.cut(k, m.straightAngle(j, &p), &p)
		}
		m.rest[k] = clamp(m.rest[k], m.branch.lo[k], m.branch.hi[k])
		w := offStart * (m.branch.hi[k] - m.branch.lo[k])
		m.start[k] = clamp(m.rest[k], m.branch.lo[k]+w, m.branch.hi[k]-w)
	}
}

// knee reports whether joint j turns in the plane of the joint before it and
// has a link on either side.
func (m *model) knee(j int) bool {
	if j == 0 {
		return false
	}
	if norm(r3.Cross(m.axis[j], m.axis[j-1])) > 1e-6 {
		return false
	}
	return m.flat(j, j-1) > 1e-6*m.length && m.flat(j, j) > 1e-6*m.length
}

// flat is the length of the link from centre i to i+1 across the axis of j.
func (m *model) flat(j, i int) float64 {
	return norm(r3.Cross(m.axis[j], r3.Sub(m.at[i+1], m.at[i])))
}

// straightAngle is the angle of joint j, nearest to the one it has in p, at
// which its links are in line.
func (m *model) straightAngle(j int, p *posture) float64 {
	u, v := r3.Sub(m.at[j], m.at[j-1]), r3.Sub(m.at[j+1], m.at[j])
	a := m.axis[j]
	u = r3.Sub(u, r3.Scale(r3.Dot(u, a), a))
	v = r3.Sub(v, r3.Scale(r3.Dot(v, a), a))
	s := math.Atan2(r3.Dot(a, r3.Cross(v, u)), r3.Dot(v, u))
	z := p.z[m.owner[j]]
	return s + 2*math.Pi*math.Round((z-s)/(2*math.Pi))
}

// cut keeps the side of straight on which variable k lies in p.
func (m *model) cut(k int, straight float64, p *posture) {
	lo, hi := m.limit.lo[k], m.limit.hi[k]
	up := p.z[k] > straight
	if math.Abs(p.z[k]-straight) < clearBend {
		if math.Abs(m.leg.Joints[m.joint[k]].Rest-straight) < clearBend && m.someBend() {
			return // a straight joint in a bent leg, such as a tarsus, may go both ways
		}
		up = m.upward(m.joint[k], p)
	}
	above, below := min(hi, straight+math.Pi)-max(lo, straight), min(hi, straight)-max(lo, straight-math.Pi)
	if up && above < clearBend {
		up = false
	} else if !up && below < clearBend {
		up = true
	}
	if up && above > 0 {
		m.branch.lo[k], m.branch.hi[k] = max(lo, straight), min(hi, straight+math.Pi)
	} else if !up && below > 0 {
		m.branch.lo[k], m.branch.hi[k] = max(lo, straight-math.Pi), min(hi, straight)
	}
}

// someBend reports whether any knee is clearly bent in the rest pose as given.
func (m *model) someBend() bool {
	var p posture
	for k := range m.free {
		p.z[k] = m.leg.Joints[m.joint[k]].Rest
	}
	for k := range m.free {
		if j := m.joint[k]; m.knee(j) && math.Abs(p.z[k]-m.straightAngle(j, &p)) >= clearBend {
			return true
		}
	}
	return false
}

// upward reports whether a positive turn of joint j bends the leg so that the
// joint comes to lie above the line from hip to foot: beside the line d, a
// positive turn about a puts the knee at d x a.
func (m *model) upward(j int, p *posture) bool {
	foot := p.p[m.n]
	if m.leg.Neutral != (r3.Vec{}) {
		foot = m.leg.Neutral
	}
	side := r3.Cross(unit(r3.Sub(foot, p.p[0])), p.axis[j])
	if math.Abs(side.Z) > 1e-3 {
		return side.Z > 0
	}
	return side.X < 0
}
