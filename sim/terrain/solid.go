package terrain

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// solid is a box in W, edges possibly infinite, cut by one more plane: the
// points p of the box with plane . p <= offset. A zero plane cuts nothing.
type solid struct {
	min, max r3.Vec
	plane    r3.Vec // unit, or zero
	offset   float64
	material uint8
}

// over reports whether the column at x, y passes through the box.
func (s *solid) over(x, y float64) bool {
	return x >= s.min.X && x <= s.max.X && y >= s.min.Y && y <= s.max.Y
}

// top returns the height of the top at x, y, which over has approved, and its
// normal. A cut below the bottom of the box leaves no top: -Inf.
func (s *solid) top(x, y float64) (float64, r3.Vec) {
	if s.plane.Z > 0 {
		h := (s.offset - s.plane.X*x - s.plane.Y*y) / s.plane.Z
		if h < s.min.Z {
			return math.Inf(-1), r3.Vec{Z: 1}
		}
		if h < s.max.Z {
			return h, s.plane
		}
	}
	return s.max.Z, r3.Vec{Z: 1}
}

// span is the part of a ray inside a solid, and the normal where it enters.
type span struct {
	in, out float64
	normal  r3.Vec
}

// clip keeps the part of the ray where h + d t <= 0, h being the distance of
// the start above a face of that outward normal and d its rate.
func (p *span) clip(h, d float64, normal r3.Vec) {
	switch {
	case d == 0:
		if h > 0 {
			p.out = math.Inf(-1)
		}
	case d < 0:
		if t := -h / d; t > p.in {
			p.in, p.normal = t, normal
		}
	default:
		p.out = min(p.out, -h/d)
	}
}

// cast returns the distance at which the ray enters, at most limit, and the
// normal there: 0 and -dir for a start inside.
func (s *solid) cast(from, dir r3.Vec, limit float64) (float64, r3.Vec, bool) {
	p := span{in: math.Inf(-1), out: limit}
	p.clip(from.X-s.max.X, dir.X, r3.Vec{X: 1})
	p.clip(s.min.X-from.X, -dir.X, r3.Vec{X: -1})
	p.clip(from.Y-s.max.Y, dir.Y, r3.Vec{Y: 1})
	p.clip(s.min.Y-from.Y, -dir.Y, r3.Vec{Y: -1})
	p.clip(from.Z-s.max.Z, dir.Z, r3.Vec{Z: 1})
	p.clip(s.min.Z-from.Z, -dir.Z, r3.Vec{Z: -1})
	if s.plane != (r3.Vec{}) {
		p.clip(r3.Dot(s.plane, from)-s.offset, r3.Dot(s.plane, dir), s.plane)
	}
	if p.in > p.out || p.out < 0 {
		return 0, r3.Vec{}, false
	}
	if p.in <= 0 {
		return 0, r3.Scale(-1, dir), true
	}
	return p.in, p.normal, true
}
