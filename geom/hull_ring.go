package geom

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Closest returns the point of a ring's boundary that is nearest to p, and
// their distance, metres. The ring closes by itself; one point is its own
// boundary, two are a segment, duplicates do no harm. Of several nearest
// points the one on the first edge is returned. No points give p and +Inf.
func Closest(ring []r2.Vec, p r2.Vec) (r2.Vec, float64) {
	if len(ring) == 0 {
		return p, math.Inf(1)
	}
	best, dd := ring[0], math.Inf(1)
	a := ring[len(ring)-1]
	for _, b := range ring {
		q := OnSegment(a, b, p)
		if d := r2.Norm2(r2.Sub(q, p)); d < dd {
			best, dd = q, d
		}
		a = b
	}
	return best, math.Sqrt(dd)
}

// OnSegment returns the point of the segment a b that is nearest to p; a where
// the two ends are equal.
func OnSegment(a, b, p r2.Vec) r2.Vec {
	e := r2.Sub(b, a)
	l := r2.Norm2(e)
	t := r2.Dot(r2.Sub(p, a), e)
	if !(t > 0) {
		return a
	}
	if t >= l {
		return b
	}
	t /= l
	return r2.Vec{X: a.X + t*e.X, Y: a.Y + t*e.Y}
}

// Place says where p lies to a strictly convex ring as Hull returns it: +1
// inside, 0 on the boundary, -1 outside, decided exactly on the doubles as
// given. It also returns the point of the boundary nearest to p (p itself on
// it) and their distance, metres, which is rounded and may be 0 off the
// boundary too. One or two vertices have no inside. No vertices, or a p with a
// NaN or an infinity, give -1, p and +Inf.
func Place(hull []r2.Vec, p r2.Vec) (side int, near r2.Vec, dist float64) {
	if len(hull) == 0 || p.X-p.X != 0 || p.Y-p.Y != 0 {
		return -1, p, math.Inf(1)
	}
	if len(hull) < 3 {
		return placeFlat(hull, p)
	}
	side, at, best := 1, 0, math.Inf(1)
	a := hull[len(hull)-1]
	for i, b := range hull {
		det, bound := filter(a, b, p)
		if !(det > bound) {
			if -det > bound {
				return placeOutside(hull, p)
			}
			switch orientExact(a, b, p) {
			case -1:
				return placeOutside(hull, p)
			case 0:
				side = 0
			}
		}
		// Inside, the nearest line is the nearest edge.
		e := r2.Vec{X: b.X - a.X, Y: b.Y - a.Y}
		c := e.X*(p.Y-a.Y) - e.Y*(p.X-a.X)
		if d := c * c / (e.X*e.X + e.Y*e.Y); d < best {
			best, at = d, i
		}
		a = b
	}
	if side == 0 {
		return 0, p, 0
	}
	a = hull[(at+len(hull)-1)%len(hull)]
	near = OnSegment(a, hull[at], p)
	if near == a || near == hull[at] || math.IsInf(best, 1) {
		// From inside, the nearest point is never a vertex: rounding chose the
		// wrong one of two edges that hardly turn, or squares are as small as
		// doubles get. Measure every edge.
		near, dist = Closest(hull, p)
		return 1, near, dist
	}
	return 1, near, math.Sqrt(best)
}

// placeOutside is Place for a point known to be outside: only edges that face
// it can be nearest.
func placeOutside(hull []r2.Vec, p r2.Vec) (side int, near r2.Vec, dist float64) {
	near, best := hull[0], math.Inf(1)
	a := hull[len(hull)-1]
	for _, b := range hull {
		if det, bound := filter(a, b, p); !(det > bound) {
			q := OnSegment(a, b, p)
			x, y := q.X-p.X, q.Y-p.Y
			if d := x*x + y*y; d < best {
				near, best = q, d
			}
		}
		a = b
	}
	return -1, near, math.Sqrt(best)
}

// placeFlat is Place for a point or a segment.
func placeFlat(hull []r2.Vec, p r2.Vec) (side int, near r2.Vec, dist float64) {
	a, b := hull[0], hull[len(hull)-1]
	if Orient(a, b, p) == 0 &&
		p.X >= min(a.X, b.X) && p.X <= max(a.X, b.X) &&
		p.Y >= min(a.Y, b.Y) && p.Y <= max(a.Y, b.Y) {
		return 0, p, 0
	}
	near = OnSegment(a, b, p)
	return -1, near, math.Sqrt(r2.Norm2(r2.Sub(near, p)))
}

// Parity reports whether p is inside a ring by the even-odd rule, for any ring:
// convex or not, either direction, crossing itself. A ray from p towards -x
// counts the edges with one end at or below p and the other above, so that a
// vertex counts once; the side of each edge is decided exactly. For p on the
// boundary either answer may come. Turning the ring's start or direction does
// not change the answer.
func Parity(ring []r2.Vec, p r2.Vec) bool {
	if len(ring) == 0 {
		return false
	}
	odd := false
	a := ring[len(ring)-1]
	for _, b := range ring {
		if a.Y <= p.Y && b.Y > p.Y {
			// An upward edge crosses left of p when p is to its right.
			odd = odd != (Orient(a, b, p) < 0)
		} else if b.Y <= p.Y && a.Y > p.Y {
			odd = odd != (Orient(b, a, p) < 0)
		}
		a = b
	}
	return odd
}
