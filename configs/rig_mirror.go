package configs

import (
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// mirrorLeg returns the image of a leg on the other side of the plane y = 0,
// under another name. Axes turn over as pseudo-vectors do, (-x, y, -z), so
// that the same angles on both sides give mirrored poses: limits, rest and
// speeds are simply the same.
func mirrorLeg(l *rig.Leg, name string) rig.Leg {
	m := *l
	m.Name = name
	m.Foot, m.Neutral = flip(l.Foot), flip(l.Neutral)
	m.Joints = make([]rig.Joint, len(l.Joints))
	for i := range l.Joints {
		j := l.Joints[i]
		j.Origin.P = flip(j.Origin.P)
		q := j.Origin.Q
		j.Origin.Q = quat.Number{Real: q.Real, Imag: -q.Imag, Jmag: q.Jmag, Kmag: -q.Kmag}
		j.Axis = r3.Vec{X: neg(j.Axis.X), Y: j.Axis.Y, Z: neg(j.Axis.Z)}
		j.Link.CoM = flip(j.Link.CoM)
		m.Joints[i] = j
	}
	return m
}

func flip(v r3.Vec) r3.Vec { return r3.Vec{X: v.X, Y: neg(v.Y), Z: v.Z} }

// neg is minus v without making a minus zero, which would print as -0.
func neg(v float64) float64 { return 0 - v }
