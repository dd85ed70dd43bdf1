package blend

import (
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// RootMotion is what the root did over a step: it turned by Yaw, radians, and
// moved by Move, metres, as seen from the heading halfway through the turn.
// Seen so, a step and the same step backwards are exact negatives, and weighted
// sums of steps are steps. The zero value stood still.
type RootMotion struct {
	Move r3.Vec
	Yaw  float64
}

// Scale returns the part of the step that takes factor of its time.
func (m RootMotion) Scale(factor float64) RootMotion {
	return RootMotion{Move: r3.Scale(factor, m.Move), Yaw: factor * m.Yaw}
}

// Then returns the one step that does m and after it n.
func (m RootMotion) Then(n RootMotion) RootMotion {
	yaw := m.Yaw + n.Yaw
	first := turned(m.Move, (m.Yaw-yaw)/2)
	return RootMotion{Move: r3.Add(first, turned(n.Move, m.Yaw+(n.Yaw-yaw)/2)), Yaw: yaw}
}

// Inverse returns the step that undoes m.
func (m RootMotion) Inverse() RootMotion { return m.Scale(-1) }

// Times returns the step that does m n times over, n of any sign.
func (m RootMotion) Times(n int) RootMotion {
	// n chords of one circle add up to a chord: sin(n a/2)/sin(a/2) of one.
	k, s := float64(n), math.Sin(m.Yaw/2)
	if math.Abs(s) > zeroLength {
		k = math.Sin(float64(n)*m.Yaw/2) / s
	} else if half := math.Cos(m.Yaw / 2); half < 0 && n%2 == 0 {
		k = -k
	}
	return RootMotion{
		Move: r3.Vec{X: k * m.Move.X, Y: k * m.Move.Y, Z: float64(n) * m.Move.Z},
		Yaw:  float64(n) * m.Yaw,
	}
}

// turned returns v turned about z.
func turned(v r3.Vec, yaw float64) r3.Vec {
	if yaw == 0 {
		return v
	}
	s, c := math.Sincos(yaw)
	return r3.Vec{X: c*v.X - s*v.Y, Y: s*v.X + c*v.Y, Z: v.Z}
}

// Place is the root in the world: At on the ground, metres, facing Yaw,
// radians, which is not wrapped so that turns can be counted.
type Place struct {
	At  r3.Vec
	Yaw float64
}

// After returns where the root is once it has done m.
func (p Place) After(m RootMotion) Place {
	return Place{At: r3.Add(p.At, turned(m.Move, p.Yaw+m.Yaw/2)), Yaw: p.Yaw + m.Yaw}
}

// Pose returns the root as a pose in the world.
func (p Place) Pose() geom.Pose {
	return geom.Pose{P: p.At, Q: geom.AxisAngle(r3.Vec{Z: 1}, p.Yaw)}
}
