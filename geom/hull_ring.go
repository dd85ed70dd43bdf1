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
