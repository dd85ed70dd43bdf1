package balance

import (
	"math"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// Energy returns the normalised energy stability margin (NESM), metres: how far
// the centre of mass com must rise before the body tips over the weakest edge
// of its support. feet are the stance feet only, in G with their heights, in
// any order; com is in G.
//
// Outside the support polygon, and so nearly always on one or two feet, it is
// negative: minus the rise that would bring com above the closest point of the
// boundary. On the edge it is 0, with no feet -Inf. The sign is Locate's.
//
// With R the distance from the edge, theta the angle between the plane through
// edge and com and the vertical plane through the edge, psi the slope of the
// edge: rise = R (1 - cos theta) cos psi (Messuri and Klein, 1985). Of several
// feet at one place the highest counts.
func Energy(feet []r3.Vec, com r3.Vec) float64 {
	if len(feet) <= few {
		var p, h [few]r2.Vec
		return energy(p[:0], h[:0], feet, com)
	}
	var p, h [rig.MaxLegs]r2.Vec
	return energy(p[:0], h[:0], feet, com)
}

// few is the number of legs for which a small stack buffer does.
const few = 16

func energy(flat, hull []r2.Vec, feet []r3.Vec, com r3.Vec) float64 {
	for _, f := range feet {
		flat = append(flat, r2.Vec{X: f.X, Y: f.Y})
	}
	hull = geom.Hull(hull, flat)
	if len(hull) == 0 {
		return math.Inf(-1)
	}
	switch w, q := Locate(hull, r2.Vec{X: com.X, Y: com.Y}); w {
	case Inside:
		return max(leastRise(hull, feet, com), math.SmallestNonzeroFloat64)
	case Outside:
		return min(-backRise(hull, feet, com, q), -math.SmallestNonzeroFloat64)
	}
	return 0
}

// leastRise is the rise over the weakest edge.
func leastRise(hull []r2.Vec, feet []r3.Vec, com r3.Vec) float64 {
	least := math.Inf(1)
	a := raise(hull[len(hull)-1], feet)
	for _, v := range hull {
		b := raise(v, feet)
		least = min(least, edgeRise(a, b, com))
		a = b
	}
	return least
}

// backRise is the rise of com on its way to the vertical above the boundary
// point q, whose height is that of the edge it is on.
func backRise(hull []r2.Vec, feet []r3.Vec, com r3.Vec, q r2.Vec) float64 {
	z, best := 0.0, math.Inf(1)
	v := hull[len(hull)-1]
	for _, u := range hull {
		if d := r2.Norm2(r2.Sub(geom.OnSegment(v, u, q), q)); d < best {
			a, b := raise(v, feet), raise(u, feet)
			z, best = a.Z+(b.Z-a.Z)*share(v, u, q), d
		}
		v = u
	}
	x, y := com.X-q.X, com.Y-q.Y
	return gap(x*x+y*y, com.Z-z)
}

// share is how far along a b the point q is, in [0, 1].
func share(a, b, q r2.Vec) float64 {
	e := r2.Sub(b, a)
	l := r2.Norm2(e)
	if l == 0 {
		return 0
	}
	return min(max(r2.Dot(r2.Sub(q, a), e)/l, 0), 1)
}

// raise gives a hull vertex the height of the foot it came from.
func raise(v r2.Vec, feet []r3.Vec) r3.Vec {
	z := math.Inf(-1)
	for _, f := range feet {
		if f.X == v.X && f.Y == v.Y {
			z = max(z, f.Z)
		}
	}
	return r3.Vec{X: v.X, Y: v.Y, Z: z}
}

// pointLike is the square of the length, m2, below which an edge has no
// direction that could be worked out.
const pointLike = 1e-280

// edgeRise is the rise of com on its way into the vertical plane of the edge.
func edgeRise(a, b, com r3.Vec) float64 {
	e, d := r3.Sub(b, a), r3.Sub(com, a)
	flat2 := e.X*e.X + e.Y*e.Y
	if flat2 < pointLike {
		return gap(d.X*d.X+d.Y*d.Y, d.Z)
	}
	flat, length := math.Sqrt(flat2), math.Sqrt(flat2+e.Z*e.Z)
	across := (e.X*d.Y - e.Y*d.X) / flat
	// up is the part of d in the vertical plane, square to the edge.
	up := (flat2*d.Z - e.Z*(e.X*d.X+e.Y*d.Y)) / (flat * length)
	return gap(across*across, up) * flat / length
}

// gap returns sqrt(side2 + up*up) - up without losing digits near the vertical.
func gap(side2, up float64) float64 {
	r := math.Sqrt(side2 + up*up)
	if up > 0 {
		return side2 / (r + up)
	}
	return r - up
}
