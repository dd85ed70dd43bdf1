package terrain

import (
	"image/color"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Mesh is a piece of a terrain as triangles, for files and viewers that cannot
// cast rays. Points are in W, metres.
type Mesh struct {
	Points    []r3.Vec
	Tints     []color.RGBA // one a point
	Triangles []uint32     // three indices a triangle, counter-clockwise from outside
}

// meshCells is how many cells of a height field a mesh has along a side at most;
// a finer field is sampled.
const meshCells = 96

// Mesh returns the terrain within half, metres, of centre along x and y. What is
// endless ends there; removed blocks are left out.
func (t *Terrain) Mesh(centre r3.Vec, half float64) Mesh {
	m := &mesher{lo: r3.Vec{X: centre.X - half, Y: centre.Y - half}, hi: r3.Vec{X: centre.X + half, Y: centre.Y + half}}
	tint := materials[t.spec.Material].Tint
	if t.field != nil {
		m.field(t.field, tint)
	}
	if z, ok := t.Floor(); ok {
		a, b := m.lo, m.hi
		m.polygon([]r3.Vec{{X: a.X, Y: a.Y, Z: z}, {X: b.X, Y: a.Y, Z: z}, {X: b.X, Y: b.Y, Z: z}, {X: a.X, Y: b.Y, Z: z}}, tint)
	}
	m.lo.Z = t.bottom() - half/10
	m.hi.Z = math.Inf(1)
	for i := range t.solids {
		if !t.gone[i] {
			m.solid(&t.solids[i])
		}
	}
	return m.Mesh
}

// bottom returns a height below which nothing of interest is.
func (t *Terrain) bottom() float64 {
	low := 0.0
	if z, ok := t.Floor(); ok {
		low = min(low, z)
	}
	if t.field != nil {
		low = min(low, t.field.lo)
	}
	for i := range t.solids {
		for _, z := range [2]float64{t.solids[i].min.Z, t.solids[i].max.Z} {
			if z-z == 0 {
				low = min(low, z)
			}
		}
	}
	return low
}

// mesher builds a mesh inside a window.
type mesher struct {
	Mesh
	lo, hi r3.Vec
}

// polygon adds a convex polygon, counter-clockwise from outside.
func (m *mesher) polygon(p []r3.Vec, tint color.RGBA) {
	first := uint32(len(m.Points))
	for i := range p {
		m.Points = append(m.Points, p[i])
		m.Tints = append(m.Tints, tint)
		if i >= 2 {
			m.Triangles = append(m.Triangles, first, first+uint32(i)-1, first+uint32(i))
		}
	}
}

// field adds the cells of a height field, or of a coarser one.
func (m *mesher) field(f *field, tint color.RGBA) {
	first := [2]int{int(math.Floor(m.lo.X * f.per)), int(math.Floor(m.lo.Y * f.per))}
	count := [2]int{int(math.Ceil(m.hi.X*f.per)) - first[0], int(math.Ceil(m.hi.Y*f.per)) - first[1]}
	step := max(1, (max(count[0], count[1])+meshCells-1)/meshCells)
	nx, ny := count[0]/step+1, count[1]/step+1
	base := uint32(len(m.Points))
	for j := range ny {
		for i := range nx {
			x, y := first[0]+i*step, first[1]+j*step
			m.Points = append(m.Points, r3.Vec{X: float64(x) * f.cell, Y: float64(y) * f.cell, Z: f.corner(x, y)})
			m.Tints = append(m.Tints, tint)
			if i == 0 || j == 0 {
				continue
			}
			d := base + uint32(j*nx+i)
			a, b, c := d-uint32(nx)-1, d-uint32(nx), d-1
			m.Triangles = append(m.Triangles, a, b, d, a, d, c)
		}
	}
}

// half is the half-space n . p <= d.
type half struct {
	n r3.Vec
	d float64
}

// solid adds the faces of a solid inside the window, but for its bottom.
func (m *mesher) solid(s *solid) {
	lo, hi := s.min, s.max
	lo.X, lo.Y, lo.Z = max(lo.X, m.lo.X), max(lo.Y, m.lo.Y), max(lo.Z, m.lo.Z)
	hi.X, hi.Y, hi.Z = min(hi.X, m.hi.X), min(hi.Y, m.hi.Y), min(hi.Z, m.hi.Z)
	if lo.X >= hi.X || lo.Y >= hi.Y || lo.Z >= hi.Z {
		return
	}
	sides := []half{
		{r3.Vec{Z: -1}, -lo.Z}, {r3.Vec{X: 1}, hi.X}, {r3.Vec{X: -1}, -lo.X}, {r3.Vec{Y: 1}, hi.Y}, {r3.Vec{Y: -1}, -lo.Y},
	}
	if hi.Z-hi.Z == 0 {
		sides = append(sides, half{r3.Vec{Z: 1}, hi.Z})
	}
	if s.plane != (r3.Vec{}) {
		sides = append(sides, half{s.plane, s.offset})
	}
	reach := 10 * (hi.X - lo.X + hi.Y - lo.Y + math.Abs(lo.Z) + math.Abs(finiteOr(hi.Z, lo.Z)))
	for i := 1; i < len(sides); i++ {
		face := sides[i].quad(r3.Scale(0.5, r3.Add(lo, r3.Vec{X: hi.X, Y: hi.Y, Z: lo.Z})), reach)
		for k := range sides {
			if k != i {
				face = sides[k].clip(face)
			}
		}
		if len(face) >= 3 {
			m.polygon(face, materials[s.material].Tint)
		}
	}
}

func finiteOr(v, other float64) float64 {
	if v-v == 0 {
		return v
	}
	return other
}

// quad returns a square in the face of h, near a point, of that reach.
func (h half) quad(near r3.Vec, reach float64) []r3.Vec {
	on := r3.Sub(near, r3.Scale(r3.Dot(h.n, near)-h.d, h.n))
	u := r3.Cross(h.n, r3.Vec{X: 1})
	if r3.Norm2(u) < 0.1 {
		u = r3.Cross(h.n, r3.Vec{Y: 1})
	}
	u = r3.Scale(reach/math.Sqrt(r3.Norm2(u)), u)
	v := r3.Cross(h.n, u)
	return []r3.Vec{
		r3.Sub(r3.Sub(on, u), v), r3.Sub(r3.Add(on, u), v), r3.Add(r3.Add(on, u), v), r3.Add(r3.Sub(on, u), v),
	}
}

// clip returns the part of a convex polygon inside h (Sutherland and Hodgman).
func (h half) clip(p []r3.Vec) []r3.Vec {
	var out []r3.Vec
	for i := range p {
		a, b := p[i], p[(i+1)%len(p)]
		da, db := r3.Dot(h.n, a)-h.d, r3.Dot(h.n, b)-h.d
		if da <= 0 {
			out = append(out, a)
		}
		if da < 0 && db > 0 || da > 0 && db < 0 {
			out = append(out, r3.Add(a, r3.Scale(da/(da-db), r3.Sub(b, a))))
		}
	}
	return out
}
