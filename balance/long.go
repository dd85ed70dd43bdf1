package balance

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// LongMargin returns the longitudinal stability margin, metres: the smaller of
// the two distances from comG to the boundary of the support polygon along the
// line of travel dir (G, any length but zero). When the line meets the polygon
// only before or only behind comG, it is minus the distance to it; -Inf when
// the line misses it, with no feet, and for a dir or comG that is not finite.
//
// Source: McGhee and Frank (1968).
func LongMargin(support []r2.Vec, comG, dir r2.Vec) float64 {
	l := math.Sqrt(r2.Norm2(dir))
	if !(l > 0) || math.IsInf(l, 0) || comG.X-comG.X != 0 || comG.Y-comG.Y != 0 {
		return math.Inf(-1)
	}
	d := r2.Scale(1/l, dir)
	from, to := math.Inf(1), math.Inf(-1)
	switch len(support) {
	case 0:
	case 1:
		from, to = crossSegment(support[0], support[0], comG, d)
	case 2:
		from, to = crossSegment(support[0], support[1], comG, d)
	default:
		from, to = crossPolygon(support, comG, d)
	}
	if !(from <= to) {
		return math.Inf(-1)
	}
	return min(to, -from)
}

// crossPolygon returns the part of the line p + t d inside a convex polygon.
func crossPolygon(support []r2.Vec, p, d r2.Vec) (from, to float64) {
	from, to = math.Inf(-1), math.Inf(1)
	a := support[len(support)-1]
	for _, b := range support {
		e := r2.Sub(b, a)
		in, rate := r2.Cross(e, r2.Sub(p, a)), r2.Cross(e, d)
		switch t := -in / rate; {
		case rate > 0:
			from = max(from, t)
		case rate < 0:
			to = min(to, t)
		case in < 0:
			return math.Inf(1), math.Inf(-1)
		}
		a = b
	}
	return from, to
}

// crossSegment is crossPolygon for the segment a b.
func crossSegment(a, b, p, d r2.Vec) (from, to float64) {
	pa, pb := r2.Sub(a, p), r2.Sub(b, p)
	// Signed distances of the ends from the line of travel.
	sa, sb := r2.Cross(d, pa), r2.Cross(d, pb)
	ta, tb := r2.Dot(d, pa), r2.Dot(d, pb)
	if sa == 0 && sb == 0 {
		return min(ta, tb), max(ta, tb)
	}
	if sa > 0 && sb > 0 || sa < 0 && sb < 0 || sa == sb {
		return math.Inf(1), math.Inf(-1)
	}
	t := ta + (tb-ta)*sa/(sa-sb)
	return t, t
}
