package geom

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Pose is a rigid transform: frame B seen from frame A. P is the origin of B
// in A, metres; Q is the unit quaternion that turns B axes into A. The zero
// value is not a pose (its Q has no length); use Identity.
type Pose struct {
	P r3.Vec
	Q quat.Number
}

// Twist is a velocity of a body expressed in one frame: V in m/s, W in rad/s.
type Twist struct {
	V, W r3.Vec
}

// Identity returns the pose that changes nothing.
func Identity() Pose { return Pose{Q: quat.Number{Real: 1}} }

// Apply returns the point v, given in B, as seen from A.
func (p Pose) Apply(v r3.Vec) r3.Vec { return r3.Add(p.P, Rotate(p.Q, v)) }

// Mul returns poseAC for p = poseAB and o = poseBC.
func (p Pose) Mul(o Pose) Pose {
	return Pose{P: p.Apply(o.P), Q: Unit(quat.Mul(p.Q, o.Q))}
}

// Inverse returns poseBA for p = poseAB. Q must be of unit length.
func (p Pose) Inverse() Pose {
	q := quat.Conj(p.Q)
	return Pose{P: r3.Scale(-1, Rotate(q, p.P)), Q: q}
}

// Rotate returns v turned by the unit quaternion q.
// Formula: v + 2 s (u x v) + 2 u x (u x v) with q = (s, u).
func Rotate(q quat.Number, v r3.Vec) r3.Vec {
	tx := 2 * (q.Jmag*v.Z - q.Kmag*v.Y)
	ty := 2 * (q.Kmag*v.X - q.Imag*v.Z)
	tz := 2 * (q.Imag*v.Y - q.Jmag*v.X)
	return r3.Vec{
		X: v.X + q.Real*tx + q.Jmag*tz - q.Kmag*ty,
		Y: v.Y + q.Real*ty + q.Kmag*tx - q.Imag*tz,
		Z: v.Z + q.Real*tz + q.Imag*ty - q.Jmag*tx,
	}
}

// Unit returns q scaled to length one; the zero quaternion gives identity.
func Unit(q quat.Number) quat.Number {
	n := math.Sqrt(q.Real*q.Real + q.Imag*q.Imag + q.Jmag*q.Jmag + q.Kmag*q.Kmag)
	if n == 0 {
		return quat.Number{Real: 1}
	}
	s := 1 / n
	return quat.Number{Real: q.Real * s, Imag: q.Imag * s, Jmag: q.Jmag * s, Kmag: q.Kmag * s}
}

// AxisAngle returns the turn by angle radians about the unit vector axis.
func AxisAngle(axis r3.Vec, angle float64) quat.Number {
	s, c := math.Sincos(angle / 2)
	return quat.Number{Real: c, Imag: s * axis.X, Jmag: s * axis.Y, Kmag: s * axis.Z}
}

// FromRPY returns the rotation yaw about z after pitch about y after roll
// about x (fixed axes x, y, z; the REP-103 order), radians.
func FromRPY(roll, pitch, yaw float64) quat.Number {
	sr, cr := math.Sincos(roll / 2)
	sp, cp := math.Sincos(pitch / 2)
	sy, cy := math.Sincos(yaw / 2)
	return quat.Number{
		Real: cr*cp*cy + sr*sp*sy,
		Imag: sr*cp*cy - cr*sp*sy,
		Jmag: cr*sp*cy + sr*cp*sy,
		Kmag: cr*cp*sy - sr*sp*cy,
	}
}

// RPY returns the angles that FromRPY takes, radians; pitch in [-pi/2, pi/2].
func RPY(q quat.Number) (roll, pitch, yaw float64) {
	sp := 2 * (q.Real*q.Jmag - q.Kmag*q.Imag)
	sp = max(-1, min(1, sp))
	roll = math.Atan2(2*(q.Real*q.Imag+q.Jmag*q.Kmag), 1-2*(q.Imag*q.Imag+q.Jmag*q.Jmag))
	pitch = math.Asin(sp)
	yaw = math.Atan2(2*(q.Real*q.Kmag+q.Imag*q.Jmag), 1-2*(q.Jmag*q.Jmag+q.Kmag*q.Kmag))
	return roll, pitch, yaw
}

// Yaw returns the heading of q, radians in (-pi, pi].
func Yaw(q quat.Number) float64 {
	return math.Atan2(2*(q.Real*q.Kmag+q.Imag*q.Jmag), 1-2*(q.Jmag*q.Jmag+q.Kmag*q.Kmag))
}

// Tilt returns the angle between the z axis of q and the vertical, radians.
func Tilt(q quat.Number) float64 {
	c := 1 - 2*(q.Imag*q.Imag+q.Jmag*q.Jmag)
	return math.Acos(max(-1, min(1, c)))
}

// WrapAngle returns a in (-pi, pi].
func WrapAngle(a float64) float64 {
	if a > -math.Pi && a <= math.Pi {
		return a
	}
	a = math.Mod(a+math.Pi, 2*math.Pi)
	if a <= 0 {
		a += 2 * math.Pi
	}
	return a - math.Pi
}

// FiniteVec reports whether every component of v is finite.
func FiniteVec(v r3.Vec) bool {
	// A sum of finite numbers may overflow, a difference with itself cannot.
	return v.X-v.X == 0 && v.Y-v.Y == 0 && v.Z-v.Z == 0
}
