package balance

import (
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// Support writes the support polygon to dst[:0] and returns it: the strict
// convex hull of the feet that stand, projected along gravity, counter-
// clockwise from the lowest x, then lowest y. With no, one or two distinct feet
// it has as many vertices; collinear feet give the two ends.
//
// feetG has one foot a leg, G, metres; a leg counts when its entry of stance is
// true and its foot is finite (entries beyond the shorter slice do not count).
// It does not allocate for up to rig.MaxLegs legs when dst has room for every
// foot that stands.
func Support(dst []r2.Vec, feetG []r3.Vec, stance []bool) []r2.Vec {
	dst = dst[:0]
	for i := range feetG[:min(len(feetG), len(stance))] {
		if stance[i] {
			dst = append(dst, r2.Vec{X: feetG[i].X, Y: feetG[i].Y})
		}
	}
	return geom.Hull(dst, dst)
}

// Where says how a centre of mass lies to a support polygon.
type Where uint8

// The places. The zero value is None.
const (
	None    Where = iota // no feet
	Inside               // strictly inside
	Edge                 // exactly on the boundary, or on a support point or segment
	Outside              // outside
	Wheres
)

// String returns the word for w.
func (w Where) String() string {
	switch w {
	case None:
		return "none"
	case Inside:
		return "inside"
	case Edge:
		return "edge"
	case Outside:
		return "outside"
	}
	return "unknown"
}

// Locate says where comG lies, decided exactly on the given doubles, and
// returns the nearest point of the boundary (comG itself on an edge and with no
// feet). support is a polygon as Support returns it. A comG with a NaN or an
// infinity is Outside, and its own nearest point.
func Locate(support []r2.Vec, comG r2.Vec) (Where, r2.Vec) {
	side, q, _ := geom.Place(support, comG)
	return where(support, side), q
}

func where(support []r2.Vec, side int) Where {
	switch {
	case len(support) == 0:
		return None
	case side > 0:
		return Inside
	case side < 0:
		return Outside
	}
	return Edge
}

// Margin returns the signed static stability margin, metres: the distance from
// comG to the boundary of the support polygon, positive inside, 0 on the edge,
// negative outside, -Inf with no feet. The sign is Locate's, never the
// distance's: a point inside by less than can be measured has the smallest
// positive margin.
func Margin(support []r2.Vec, comG r2.Vec) float64 {
	if len(support) == 0 {
		return math.Inf(-1)
	}
	side, _, d := geom.Place(support, comG)
	switch {
	case side > 0:
		return max(d, math.SmallestNonzeroFloat64)
	case side < 0:
		return min(-d, -math.SmallestNonzeroFloat64)
	}
	return 0
}

// Force returns the support force per unit of mass on the body, G, m/s2. Inside
// the polygon and on its edge it is (0, 0, g); outside it has size g and the
// direction from the closest point of the boundary, at height 0, to comG, so
// that a body which leans out is pushed further out; with no feet it is zero.
// comG.Z is the height of the centre of mass above the mean stance foot,
// metres; at 0 or below the force is horizontal or points down, as the line
// does. It stays finite for any finite input.
func Force(support []r2.Vec, comG r3.Vec, g float64) r3.Vec {
	w, q := Locate(support, r2.Vec{X: comG.X, Y: comG.Y})
	switch w {
	case None:
		return r3.Vec{}
	case Inside, Edge:
		return r3.Vec{Z: g}
	}
	d := r3.Vec{X: comG.X - q.X, Y: comG.Y - q.Y, Z: comG.Z}
	n := math.Sqrt(r3.Norm2(d))
	if !(n > 0) || math.IsInf(n, 0) {
		return r3.Vec{Z: g}
	}
	return r3.Scale(g/n, d)
}
