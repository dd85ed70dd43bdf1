package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Squared norms between these bounds can be inverted and squared safely.
const tiny2, huge2 = 1e-200, 1e200

// finite reports whether no component of v is NaN or infinite.
func finite(v r3.Vec) bool { return v.X-v.X == 0 && v.Y-v.Y == 0 && v.Z-v.Z == 0 }

// finiteAll reports whether every component is finite. A sum of components is
// finite only if all of them are; the reverse fails when it overflows.
func finiteAll(vs []r3.Vec) bool {
	var x, y, z float64
	for i := range vs {
		v := &vs[i]
		x += v.X
		y += v.Y
		z += v.Z
	}
	if s := x + y + z; s-s == 0 {
		return true
	}
	for i := range vs {
		if !finite(vs[i]) {
			return false
		}
	}
	return true
}

// norm is the length of v without the cost of a nested Hypot; it neither over-
// nor underflows.
func norm(v r3.Vec) float64 {
	d2 := v.X*v.X + v.Y*v.Y + v.Z*v.Z
	if d2 > tiny2 && d2 < huge2 {
		return math.Sqrt(d2)
	}
	m := max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z))
	if m == 0 {
		return 0
	}
	x, y, z := v.X/m, v.Y/m, v.Z/m
	return min(m*math.Sqrt(x*x+y*y+z*z), math.MaxFloat64)
}

// unit returns v scaled to length one; the zero vector gives x.
func unit(v r3.Vec) r3.Vec { return along(v, norm(v)) }

// along is unit for a vector whose length d is known.
func along(v r3.Vec, d float64) r3.Vec {
	if d > 1e-100 && d < 1e100 {
		f := 1 / d
		return r3.Vec{X: v.X * f, Y: v.Y * f, Z: v.Z * f}
	}
	m := max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z))
	if m == 0 || !finite(v) {
		return r3.Vec{X: 1}
	}
	x, y, z := v.X/m, v.Y/m, v.Z/m
	f := 1 / math.Sqrt(x*x+y*y+z*z)
	return r3.Vec{X: x * f, Y: y * f, Z: z * f}
}

func clamp(x, lo, hi float64) float64 { return max(lo, min(hi, x)) }
