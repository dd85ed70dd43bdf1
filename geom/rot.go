package geom

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Rot is a rotation as the three columns of its matrix: the axes of B in A.
// It turns many vectors for less than a quaternion does.
type Rot struct {
	X, Y, Z r3.Vec
}

// RotOf returns the matrix of the unit quaternion q.
func RotOf(q quat.Number) Rot {
	w, x, y, z := q.Real, q.Imag, q.Jmag, q.Kmag
	return Rot{
		X: r3.Vec{X: 1 - 2*(y*y+z*z), Y: 2 * (x*y + w*z), Z: 2 * (x*z - w*y)},
		Y: r3.Vec{X: 2 * (x*y - w*z), Y: 1 - 2*(x*x+z*z), Z: 2 * (y*z + w*x)},
		Z: r3.Vec{X: 2 * (x*z + w*y), Y: 2 * (y*z - w*x), Z: 1 - 2*(x*x+y*y)},
	}
}

// Apply returns v, given in B, as seen from A.
func (r *Rot) Apply(v r3.Vec) r3.Vec {
	return r3.Vec{
		X: r.X.X*v.X + r.Y.X*v.Y + r.Z.X*v.Z,
		Y: r.X.Y*v.X + r.Y.Y*v.Y + r.Z.Y*v.Z,
		Z: r.X.Z*v.X + r.Y.Z*v.Y + r.Z.Z*v.Z,
	}
}

// ApplyInv returns v, given in A, as seen from B (the transpose).
func (r *Rot) ApplyInv(v r3.Vec) r3.Vec {
	return r3.Vec{
		X: r.X.X*v.X + r.X.Y*v.Y + r.X.Z*v.Z,
		Y: r.Y.X*v.X + r.Y.Y*v.Y + r.Y.Z*v.Z,
		Z: r.Z.X*v.X + r.Z.Y*v.Y + r.Z.Z*v.Z,
	}
}

// Mul returns the rotation of C in A for r = B in A and o = C in B.
func (r *Rot) Mul(o Rot) Rot {
	return Rot{X: r.Apply(o.X), Y: r.Apply(o.Y), Z: r.Apply(o.Z)}
}
