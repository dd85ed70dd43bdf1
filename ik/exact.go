package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// exact is the forward pass that cannot miss. Going outward it keeps each
// link's direction as long as the links after it can still bridge what is left
// to target, and otherwise turns the link, in the plane of itself and the
// target, to the nearest direction from which they can. The last suffix is one
// link with a single reach, so the last turn is the triangle; by induction
// every target within hi[0] and lo[0] is met.
func exact(joints []r3.Vec, lengths, hi, lo []float64, target r3.Vec) {
	n := len(lengths)
	joints = joints[:n+1]
	q := joints[0]
	hi, lo = hi[:n], lo[:n]
	for i := 0; i+2 < n; i++ {
		l := lengths[i]
		p := joints[i+1]
		v := r3.Vec{X: p.X - q.X, Y: p.Y - q.Y, Z: p.Z - q.Z}
		v2 := v.X*v.X + v.Y*v.Y + v.Z*v.Z
		if v2 > tiny2 && v2 < huge2 {
			f := l / math.Sqrt(v2)
			v.X, v.Y, v.Z = f*v.X, f*v.Y, f*v.Z
		} else {
			v = r3.Scale(l, unit(v))
		}
		t := r3.Vec{X: target.X - q.X, Y: target.Y - q.Y, Z: target.Z - q.Z}
		dx, dy, dz := t.X-v.X, t.Y-v.Y, t.Z-v.Z
		e2 := dx*dx + dy*dy + dz*dz
		if h := hi[i+1] * hi[i+1]; e2 > h {
			v = bend(v, t, l, l*l, h)
		} else if h := lo[i+1] * lo[i+1]; e2 < h {
			v = bend(v, t, l, l*l, h)
		}
		q = r3.Vec{X: q.X + v.X, Y: q.Y + v.Y, Z: q.Z + v.Z}
		joints[i+1] = q
	}
	if n > 1 {
		joints[n-1] = triangle(joints[n-1], q, target, lengths[n-2], lengths[n-1])
	}
	joints[n] = target
}

// triangle returns the point l1 from q and l2 from t that is nearest to p, as
// a direction from q.
func triangle(p, q, t r3.Vec, l1, l2 float64) r3.Vec {
	v, r := r3.Sub(p, q), r3.Sub(t, q)
	v2 := v.X*v.X + v.Y*v.Y + v.Z*v.Z
	if !(v2 > tiny2 && v2 < huge2) {
		v, v2 = unit(v), 1
	}
	v = bend(v, r, l1, v2, l2*l2)
	return r3.Vec{X: q.X + v.X, Y: q.Y + v.Y, Z: q.Z + v.Z}
}

// bend returns the vector of length l, nearest in direction to v, whose end is
// sqrt(e2) from the end of t. v2 is the square of v.
func bend(v, t r3.Vec, l, v2, e2 float64) r3.Vec {
	t2 := t.X*t.X + t.Y*t.Y + t.Z*t.Z
	if t2 < tiny2 {
		return r3.Scale(l/math.Sqrt(v2), v) // every direction is equally far
	}
	inv := 1 / t2
	a := 0.5 * (l*l + t2 - e2)
	f := a * inv
	h2 := l*l - a*f
	if h2 < 0 {
		h2 = 0
		f = math.Copysign(l*math.Sqrt(inv), a)
	}
	k := (v.X*t.X + v.Y*t.Y + v.Z*t.Z) * inv
	w := r3.Vec{X: v.X - k*t.X, Y: v.Y - k*t.Y, Z: v.Z - k*t.Z}
	w2 := w.X*w.X + w.Y*w.Y + w.Z*w.Z
	// Below this the difference is mostly rounding and no longer square to t.
	if w2 < 1e-12*v2 {
		w = perpendicular(t)
		w2 = w.X*w.X + w.Y*w.Y + w.Z*w.Z
	}
	g := math.Sqrt(h2 / w2)
	return r3.Vec{X: f*t.X + g*w.X, Y: f*t.Y + g*w.Y, Z: f*t.Z + g*w.Z}
}

// perpendicular returns a fixed vector square to t, t not zero: t x y, or t x x
// when t runs along y.
func perpendicular(t r3.Vec) r3.Vec {
	if math.Abs(t.Y) > 0.9*math.Sqrt(r3.Norm2(t)) {
		return r3.Vec{Y: t.Z, Z: -t.Y}
	}
	return r3.Vec{X: -t.Z, Z: t.X}
}
