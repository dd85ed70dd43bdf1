package ik

import (
	"math"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

const maxJoints = rig.MaxJoints

// box holds the lower and upper bound of every joint of a leg, rad.
type box struct{ lo, hi [maxJoints]float64 }

// model is one leg as the solvers see it: its zero pose in B. Everything is a
// product of turns about these axes, from the body outward.
type model struct {
	leg   *rig.Leg
	first int
	n     int

	at   [maxJoints + 1]r3.Vec // joint centres at q = 0, B; [n] is the foot
	axis [maxJoints]r3.Vec     // joint axes at q = 0, B
	last r3.Vec                // direction of the last link at q = 0, B

	mass  [maxJoints]float64 // of the links, kg
	com   [maxJoints]r3.Vec  // their centres at q = 0, B
	total float64            // kg

	length float64 // stretched, metres
	inner  float64 // inner radius of the bare chain about at[0], metres
	ample  float64 // a foot whose coordinates sum to less than this is taken as it stands
	tol    float64 // metres at which a foot has arrived

	free   int                // count of free joints
	joint  [maxJoints]int     // their indices
	owner  [maxJoints]int     // of every joint: the free variable that drives it
	factor [maxJoints]float64 // and by how much
	offset [maxJoints]float64 // and from where
	limit  box                // of the free variables, mimics folded in
	branch box                // limit, cut to the bend of the rest pose
	rest   [maxJoints]float64 // of the free variables, inside branch
	start  [maxJoints]float64 // where cold solves begin: rest, away from straight and from bounds
	weight [maxJoints]float64 // 1 / range^2
	spread bool               // more free variables than a position takes

	group  [maxJoints]int // of every joint: the compound joint it belongs to
	groups int

	kind  shape
	plane plane
}

// newModel reads one leg.
func newModel(l *rig.Leg, tolerance float64) model {
	m := model{leg: l, first: l.First, n: len(l.Joints)}
	m.zeroPose()
	m.measure(tolerance)
	m.variables()
	m.compounds()
	m.detect()
	m.bends()
	m.spread = m.free > 3
	m.settleShape()
	return m
}

// zeroPose writes centres and axes at q = 0.
func (m *model) zeroPose() {
	var frames [maxJoints]rig.Frame
	var zero [maxJoints]float64
	rig.Frames(frames[:m.n], m.leg, zero[:m.n])
	for j := range m.n {
		m.at[j] = frames[j].P
		m.axis[j] = unit(frames[j].R.Apply(m.leg.Joints[j].Axis))
	}
	m.masses(&frames)
	end := &frames[m.n-1]
	m.at[m.n] = r3.Add(end.P, end.R.Apply(m.leg.Foot))
	m.last = unit(r3.Sub(m.at[m.n], m.at[m.n-1]))
}

// measure works out the reach of the leg as a bare chain.
func (m *model) measure(tolerance float64) {
	top := 0.0
	for j := range m.n {
		l := norm(r3.Sub(m.at[j+1], m.at[j]))
		m.length += l
		top = max(top, l)
	}
	m.inner = max(0, 2*top-m.length)
	m.tol = tolerance * m.length
	m.ample = farLengths*m.length + norm(m.at[0])
}

// variables folds mimic joints into the joints they copy.
func (m *model) variables() {
	index := [maxJoints]int{}
	for j := range m.n {
		if m.leg.Joints[j].Mimic < 0 {
			k := m.free
			index[j], m.joint[k] = k, j
			m.limit.lo[k], m.limit.hi[k] = m.leg.Joints[j].Min, m.leg.Joints[j].Max
			m.free++
		}
	}
	for j := range m.n {
		o := &m.leg.Joints[j]
		m.owner[j], m.factor[j] = index[j], 1
		if o.Mimic >= 0 {
			m.owner[j], m.factor[j], m.offset[j] = index[o.Mimic], o.Factor, o.Offset
			m.narrow(m.owner[j], o)
		}
	}
	for k := range m.free {
		w := max(m.limit.hi[k]-m.limit.lo[k], 1e-3)
		m.weight[k] = 1 / (w * w)
		m.rest[k] = clamp(m.leg.Joints[m.joint[k]].Rest, m.limit.lo[k], m.limit.hi[k])
	}
}

// narrow cuts the range of variable k so that its mimic joint keeps to its own.
func (m *model) narrow(k int, o *rig.Joint) {
	if o.Factor == 0 {
		return
	}
	a, b := (o.Min-o.Offset)/o.Factor, (o.Max-o.Offset)/o.Factor
	lo, hi := max(m.limit.lo[k], min(a, b)), min(m.limit.hi[k], max(a, b))
	if lo <= hi {
		m.limit.lo[k], m.limit.hi[k] = lo, hi
	}
}

// compounds numbers the groups of joints whose centres coincide.
func (m *model) compounds() {
	for j := 1; j < m.n; j++ {
		m.group[j] = m.group[j-1]
		if norm(r3.Sub(m.at[j], m.at[j-1])) > 1e-9*m.length {
			m.group[j]++
		}
	}
	m.groups = m.group[m.n-1] + 1
}

// spreadAngles writes the joint angles that the free variables z mean.
func (m *model) spreadAngles(q []float64, z *[maxJoints]float64) {
	for j := range m.n {
		q[j] = m.factor[j]*z[m.owner[j]] + m.offset[j]
	}
}

// variablesOf reads the free variables out of the leg's joint angles.
func (m *model) variablesOf(z *[maxJoints]float64, q []float64) {
	for k := range m.free {
		z[k] = q[m.joint[k]]
	}
}

// posture is a leg at one set of free variables.
type posture struct {
	z    [maxJoints]float64
	p    [maxJoints + 1]r3.Vec // joint centres, then the foot, B
	axis [maxJoints]r3.Vec     // B
	r    [maxJoints]geom.Rot   // of each link against the zero pose
	dir  r3.Vec                // of the last link, B
}

// pose works out the posture at p.z.
func (m *model) pose(p *posture) {
	r := geom.Rot{X: r3.Vec{X: 1}, Y: r3.Vec{Y: 1}, Z: r3.Vec{Z: 1}}
	at := m.at[0]
	for j := range m.n {
		p.p[j] = at
		a := r.Apply(m.axis[j])
		p.axis[j] = a
		s, c := math.Sincos(m.factor[j]*p.z[m.owner[j]] + m.offset[j])
		r = geom.Rot{X: turn(r.X, a, s, c), Y: turn(r.Y, a, s, c), Z: turn(r.Z, a, s, c)}
		p.r[j] = r
		at = r3.Add(at, r.Apply(r3.Sub(m.at[j+1], m.at[j])))
	}
	p.p[m.n] = at
	p.dir = r.Apply(m.last)
}

// turn is Rodrigues' formula: v turned about the unit vector a.
func turn(v, a r3.Vec, s, c float64) r3.Vec {
	d := (1 - c) * (a.X*v.X + a.Y*v.Y + a.Z*v.Z)
	return r3.Vec{
		X: c*v.X + s*(a.Y*v.Z-a.Z*v.Y) + d*a.X,
		Y: c*v.Y + s*(a.Z*v.X-a.X*v.Z) + d*a.Y,
		Z: c*v.Z + s*(a.X*v.Y-a.Y*v.X) + d*a.Z,
	}
}

// columns writes the velocity of the foot for each free variable.
func (m *model) columns(dst *[maxJoints]r3.Vec, p *posture) {
	for k := range m.free {
		dst[k] = r3.Vec{}
	}
	foot := p.p[m.n]
	for j := range m.n {
		c := r3.Cross(p.axis[j], r3.Sub(foot, p.p[j]))
		k := m.owner[j]
		dst[k] = r3.Add(dst[k], r3.Scale(m.factor[j], c))
	}
}
