package geom

import "gonum.org/v1/gonum/spatial/r2"

// The numbers of points for which Hull sorts on the stack.
const (
	hullFew  = 16
	hullMany = 64
)

// Hull appends the strict convex hull of pts to dst[:0] and returns it: the
// vertices counter-clockwise from the lowest x, then lowest y; duplicates and
// points on an edge are no vertices. No points give no vertex, equal points
// one, collinear points two. Points with a NaN or an infinity are left out.
//
// dst and pts must not overlap. Hull does not allocate when dst has room for
// len(pts) vertices and there are at most 64 points of ordinary size (Orient).
//
// Source: Andrew's monotone chain (1979) with an exact predicate.
func Hull(dst, pts []r2.Vec) []r2.Vec {
	if len(pts) <= hullFew {
		var s [hullFew]r2.Vec
		return chain(dst[:0], sorted(s[:0], pts))
	}
	if len(pts) <= hullMany {
		var s [hullMany]r2.Vec
		return chain(dst[:0], sorted(s[:0], pts))
	}
	return chain(dst[:0], sorted(make([]r2.Vec, 0, len(pts)), pts))
}

// sorted appends the finite points of pts to s in order of x, then y, each
// once. Insertion is the fastest way for a handful of feet.
func sorted(s, pts []r2.Vec) []r2.Vec {
	for _, p := range pts {
		if p.X-p.X != 0 || p.Y-p.Y != 0 {
			continue
		}
		i := len(s)
		for i > 0 && before(p, s[i-1]) {
			i--
		}
		if i > 0 && s[i-1] == p {
			continue
		}
		s = append(s, p)
		copy(s[i+1:], s[i:])
		s[i] = p
	}
	return s
}

func before(a, b r2.Vec) bool { return a.X < b.X || a.X == b.X && a.Y < b.Y }

// chain builds the hull of sorted, distinct points: the lower side from left to
// right, then the upper side back.
func chain(h, s []r2.Vec) []r2.Vec {
	if len(s) < 3 {
		return append(h, s...)
	}
	for _, p := range s {
		h = push(h, 0, p)
	}
	base := len(h) - 1
	// Vertices of the lower side are met again in reverse; passing them over
	// also keeps h within len(s).
	low := base - 1
	for i := len(s) - 2; i > 0; i-- {
		if s[i] == h[low] {
			low--
			continue
		}
		h = push(h, base, s[i])
	}
	// The first vertex closes the upper side but is there already.
	return h[:turns(h, base, s[0])]
}

// push appends p after dropping the vertices beyond base that would then not
// be a left turn.
func push(h []r2.Vec, base int, p r2.Vec) []r2.Vec {
	return append(h[:turns(h, base, p)], p)
}

// turns returns how many vertices are left after that.
func turns(h []r2.Vec, base int, p r2.Vec) int {
	n := len(h)
	for n-base >= 2 && Orient(h[n-2], h[n-1], p) <= 0 {
		n--
	}
	return n
}

// SignedArea returns the area inside a ring, square metres: positive when it
// runs counter-clockwise, negative when clockwise, 0 for fewer than three
// points. The ring closes by itself; where it crosses itself, parts count by
// their winding. Points are taken relative to the first, so that a small ring
// far from the origin keeps its digits.
func SignedArea(ring []r2.Vec) float64 {
	sum := 0.0
	for i := 2; i < len(ring); i++ {
		a, b := r2.Sub(ring[i-1], ring[0]), r2.Sub(ring[i], ring[0])
		sum += a.X*b.Y - a.Y*b.X
	}
	return sum / 2
}
