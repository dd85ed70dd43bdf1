package terrain

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// field is an endless height field over square cells, each of two triangles
// that share the diagonal from its lower corner to its upper one.
type field struct {
	cell   float64 // side, metres
	per    float64 // cells a metre
	lo, hi float64 // no height is beyond these
	level  float64 // square of the radius, in cells, that is level
	fade   float64 // 1 over the square range in which heights grow to full

	seed      uint64 // rough
	amplitude float64

	pixels []float64 // image: heights by row; nil = rough
	nx, ny int
	ox, oy int // the pixel at the origin
}

// maxMarch bounds the cells one ray passes; a longer ray meets nothing beyond.
const maxMarch = 1 << 16

// corner returns the height of a grid point.
func (f *field) corner(i, j int) float64 {
	m := 1.0
	if f.fade > 0 {
		m = (float64(i*i+j*j) - f.level) * f.fade
		if m <= 0 {
			return 0
		}
		m = min(m, 1)
	}
	if f.pixels == nil {
		return m * f.amplitude * noise(f.seed, i, j)
	}
	x := min(max(i+f.ox, 0), f.nx-1)
	y := min(max(j+f.oy, 0), f.ny-1)
	return m * f.pixels[y*f.nx+x]
}

// noise is a hash of the grid point, uniform in [-1, 1).
func noise(seed uint64, i, j int) float64 {
	z := seed + uint64(int64(i))*0x9e3779b97f4a7c15 + uint64(int64(j))*0xd1b54a32d192ed03
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return float64(int64(z)) * (1.0 / (1 << 63))
}

// patch is one cell: its four heights, h10 being at +x.
type patch struct{ h00, h10, h01, h11 float64 }

func (f *field) patch(i, j int) patch {
	return patch{f.corner(i, j), f.corner(i+1, j), f.corner(i, j+1), f.corner(i+1, j+1)}
}

// facet returns the triangle on one side of the diagonal as h = h00 + ax u +
// ay v, u and v in cells from the lower corner.
func (p *patch) facet(lower bool) (ax, ay float64) {
	if lower { // u >= v
		return p.h10 - p.h00, p.h11 - p.h10
	}
	return p.h11 - p.h01, p.h01 - p.h00
}

// normal of a facet with slopes ax, ay a cell.
func (f *field) normal(ax, ay float64) r3.Vec {
	x, y := -ax*f.per, -ay*f.per
	s := 1 / math.Sqrt(1+x*x+y*y)
	return r3.Vec{X: x * s, Y: y * s, Z: s}
}

// split returns the cell of a coordinate in cells and the place within it.
func split(u float64) (int, float64) {
	fl := math.Floor(u)
	fl = min(max(fl, -1e15), 1e15) // the hash wraps; the conversion must not
	return int(fl), u - fl
}

// at returns height and normal at x, y.
func (f *field) at(x, y float64) (float64, r3.Vec) {
	i, u := split(x * f.per)
	j, v := split(y * f.per)
	p := f.patch(i, j)
	ax, ay := p.facet(u >= v)
	return p.h00 + ax*u + ay*v, f.normal(ax, ay)
}

// cast returns the distance at which the ray goes under the field, at most
// limit, and the normal there: 0 and -dir for a start below.
func (f *field) cast(from, dir r3.Vec, limit float64) (float64, r3.Vec, bool) {
	if h, _ := f.at(from.X, from.Y); from.Z <= h {
		return 0, r3.Scale(-1, dir), true
	}
	t, end := f.slab(from, dir, limit)
	if t > end {
		return 0, r3.Vec{}, false
	}
	m := newMarch(f, from, dir, t)
	for range maxMarch {
		if d, n, ok := m.cell(end); ok {
			return d, n, true
		}
		if m.t >= end {
			break
		}
	}
	return 0, r3.Vec{}, false
}

// slab returns the part of the ray below the highest height. A ray below the
// lowest is under the field, so the march ends by itself there.
func (f *field) slab(from, dir r3.Vec, limit float64) (float64, float64) {
	above := from.Z - f.hi
	switch {
	case dir.Z >= 0 && above > 0:
		return 1, 0
	case dir.Z > 0:
		return 0, min(limit, -above/dir.Z)
	case above > 0:
		return above / -dir.Z, limit
	}
	return 0, limit
}
