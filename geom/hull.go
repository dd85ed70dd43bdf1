package geom

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

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
// dst and pts may be the same buffer, but not shifted ones. Hull does not
// allocate when dst has room for len(pts) vertices and there are at most 64
// points of ordinary size (Orient).
//
// Source: Andrew's monotone chain (1979) with an exact predicate.
func Hull(dst, pts []r2.Vec) []r2.Vec {
	if len(pts) <= hullFew {
		var s [hullFew]r2.Vec
		return chain(dst[:0], s[:ranked(&s, pts)])
	}
	if len(pts) <= hullMany {
		var s [hullMany]r2.Vec
		return chain(dst[:0], sorted(s[:0], pts))
	}
	return chain(dst[:0], sorted(make([]r2.Vec, 0, len(pts)), pts))
}

// ranked sorts as sorted does and returns how many points are left. It counts,
// for every point, those of smaller x: more comparisons than insertion, but
// none that a processor has to guess, which is what costs time on a few feet.
func ranked(s *[hullFew]r2.Vec, pts []r2.Vec) int {
	var rank [hullFew]uint8
	odd := 0.0
	for i, p := range pts {
		odd += 0 * (p.X + p.Y)
		n := uint8(i)
		for j, q := range pts[:i] {
			c := one(p.X < q.X)
			rank[j&(hullFew-1)] += c
			n -= c
		}
		rank[i&(hullFew-1)] = n
	}
	if odd != 0 {
		// A NaN or an infinity (or a sum that is one).
		return len(sorted(s[:0], pts))
	}
	for i, p := range pts {
		s[rank[i&(hullFew-1)]&(hullFew-1)] = p
	}
	for i := 1; i < len(pts); i++ {
		if s[(i-1)&(hullFew-1)].X == s[i&(hullFew-1)].X {
			// Points of one x are still in the order they came in.
			t := *s
			return len(sorted(s[:0], t[:len(pts)]))
		}
	}
	return len(pts)
}

// one is 1 for true.
func one(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// sorted appends the finite points of pts to s in order of x, then y, each
// once.
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

// chain writes the hull of sorted, distinct points to h and uses s up. Points
// are first dealt out to the two sides of the line from first to last, again
// without a branch to guess, so that each chain sees only its own.
func chain(h, s []r2.Vec) []r2.Vec {
	if len(s) < 3 {
		return append(h, s...)
	}
	if cap(h) < len(s) {
		h = make([]r2.Vec, len(s))
	}
	h = h[:len(s)]
	first, last := s[0], s[len(s)-1]
	bound := spanBound(s)
	low, high := 1, 0
	h[0] = first
	for _, p := range s[1 : len(s)-1] {
		det := cross(first, last, p)
		right := int(one(det < 0))
		if !(math.Abs(det) > bound) {
			o := orientExact(first, last, p)
			if o == 0 {
				continue
			}
			right = int(one(o < 0))
		}
		h[low], s[high] = p, p
		low, high = low+right, high+1-right
	}
	n := 1
	for _, p := range h[1:low] {
		n = turns(h, n, 0, p, bound)
		h[n] = p
		n++
	}
	n = turns(h, n, 0, last, bound)
	h[n] = last
	base := n
	n++
	for i := high - 1; i >= 0; i-- {
		n = turns(h, n, base, s[i], bound)
		h[n] = s[i]
		n++
	}
	return h[:turns(h, n, base, first, bound)]
}

// spanBound returns one bound for the error of cross on any three of the sorted
// points: that of filter with the extent in x and, for y, the sum of distances
// from the first, which is no less than the extent. Worked out once, it keeps
// the bound out of the wait for every turn.
func spanBound(s []r2.Vec) float64 {
	high := 0.0
	for _, p := range s {
		high += math.Abs(p.Y - s[0].Y)
	}
	return 3*filterRel*((s[len(s)-1].X-s[0].X)*high) + filterAbs
}

// turns returns how many of the n vertices are left after dropping those
// beyond base that would not be a left turn on the way to p.
func turns(h []r2.Vec, n, base int, p r2.Vec, bound float64) int {
	for n-base >= 2 {
		det := cross(h[n-2], h[n-1], p)
		if det > bound {
			break
		}
		if !(-det > bound) && orientExact(h[n-2], h[n-1], p) > 0 {
			break
		}
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
