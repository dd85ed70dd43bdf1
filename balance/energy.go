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
// Outside the support polygon it is negative: the rise that would bring the
// body back over every edge it is beyond. One foot or two never hold a body:
// there it is 0 when com is exactly above them, else minus the rise. -Inf with
// no feet. The sign is Locate's.
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

func energy(flat, hull []r2.Vec, feet []r3.Vec, com r3.Vec) float64 {
	for _, f := range feet {
		flat = append(flat, r2.Vec{X: f.X, Y: f.Y})
	}
	hull = geom.Hull(hull, flat)
	if len(hull) == 0 {
		return math.Inf(-1)
	}
	below := r2.Vec{X: com.X, Y: com.Y}
	w, _ := Locate(hull, below)
	if w == Edge {
		return 0
	}
	if len(hull) == 1 {
		return -pointRise(raise(hull[0], feet), com)
	}
	least, most := math.Inf(1), 0.0
	v := hull[len(hull)-1]
	a := raise(v, feet)
	for _, u := range hull {
		b := raise(u, feet)
		h := edgeRise(a, b, com)
		least = min(least, h)
		if geom.Orient(v, u, below) <= 0 {
			most = max(most, h)
		}
		v, a = u, b
	}
	if w == Inside {
		return least
	}
	return -most
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

// pointRise is the rise of com on its way to the vertical above a.
func pointRise(a, com r3.Vec) float64 {
	d := r3.Sub(com, a)
	return gap(d.X*d.X+d.Y*d.Y, d.Z)
}

// edgeRise is the rise of com on its way into the vertical plane of the edge.
func edgeRise(a, b, com r3.Vec) float64 {
	e, d := r3.Sub(b, a), r3.Sub(com, a)
	flat2 := e.X*e.X + e.Y*e.Y
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
