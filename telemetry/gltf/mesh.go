package gltf

import (
	"image/color"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

// up turns a vector to y up.
func up(v r3.Vec) [3]float32 { return [3]float32{float32(v.Y), float32(v.Z), float32(v.X)} }

// turnUp is up for a turn: x, y, z, w.
func turnUp(q quat.Number) [4]float32 {
	return [4]float32{float32(q.Jmag), float32(q.Kmag), float32(q.Imag), float32(q.Real)}
}

// wide is a small vector as nodes have it.
func wide3(v [3]float32) [3]float64 { return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])} }
func wide4(v [4]float32) [4]float64 {
	return [4]float64{float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])}
}

// shape is a mesh under construction, in the frame of its node, z up.
type shape struct {
	points, normals []r3.Vec
	index           []uint32
}

// sides is how many sides round things have.
const sides = 12

// turned adds a surface of revolution about the axis from a along dir (unit):
// rings at heights z with radii r; slope is the share of the normal along dir.
func (s *shape) turned(a, dir r3.Vec, z, r, slope []float64) {
	u := r3.Cross(dir, r3.Vec{X: 1})
	if r3.Norm2(u) < 0.1 {
		u = r3.Cross(dir, r3.Vec{Y: 1})
	}
	u = r3.Unit(u)
	v := r3.Cross(dir, u)
	base := uint32(len(s.points))
	for k := range z {
		for i := range sides + 1 {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
			out := r3.Add(r3.Scale(cos, u), r3.Scale(sin, v))
			s.points = append(s.points, r3.Add(a, r3.Add(r3.Scale(z[k], dir), r3.Scale(r[k], out))))
			flat := math.Sqrt(max(0, 1-slope[k]*slope[k]))
			s.normals = append(s.normals, r3.Add(r3.Scale(slope[k], dir), r3.Scale(flat, out)))
			if k == 0 || i == 0 {
				continue
			}
			d := base + uint32(k*(sides+1)+i)
			b, c, e := d-sides-1, d-1, d-sides-2
			s.index = append(s.index, e, b, d, e, d, c)
		}
	}
}

// capsule adds a rounded bar from a to b.
func (s *shape) capsule(a, b r3.Vec, radius float64) {
	dir, length := r3.Vec{Z: 1}, r3.Norm(r3.Sub(b, a))
	if length > 0 {
		dir = r3.Scale(1/length, r3.Sub(b, a))
	}
	var z, r, slope []float64
	const half = sides / 2
	for i := range half + 1 {
		angle := -math.Pi/2 + math.Pi*float64(i)/half
		sin, cos := math.Sincos(angle)
		at := 0.0
		if i > half/2 {
			at = length
		}
		z, r, slope = append(z, at+radius*sin), append(r, radius*cos), append(slope, sin)
		if i == half/2 { // the middle ring, once more at the other end
			z, r, slope = append(z, length), append(r, radius), append(slope, 0)
		}
	}
	s.turned(a, dir, z, r, slope)
}

// box adds a box about mid.
func (s *shape) box(mid, half r3.Vec) {
	axes := [3]r3.Vec{{X: half.X}, {Y: half.Y}, {Z: half.Z}}
	for i := range axes {
		for _, sign := range [2]float64{1, -1} {
			n := r3.Scale(sign, axes[i])
			u, v := r3.Scale(sign, axes[(i+1)%3]), axes[(i+2)%3]
			c := r3.Add(mid, n)
			s.face(n, r3.Sub(r3.Sub(c, u), v), r3.Sub(r3.Add(c, u), v), r3.Add(r3.Add(c, u), v), r3.Add(r3.Sub(c, u), v))
		}
	}
}

// face adds a flat quad, counter-clockwise from where n points to.
func (s *shape) face(n r3.Vec, corners ...r3.Vec) {
	if l := r3.Norm(n); l > 0 {
		n = r3.Scale(1/l, n)
	} else {
		n = r3.Vec{Z: 1}
	}
	base := uint32(len(s.points))
	for _, c := range corners {
		s.points, s.normals = append(s.points, c), append(s.normals, n)
	}
	s.index = append(s.index, base, base+1, base+2, base, base+2, base+3)
}

// builder makes a document.
type builder struct {
	doc   *gltf.Document
	tints map[color.RGBA]int
}

// material returns the material of a colour.
func (b *builder) material(c color.RGBA) int {
	if i, ok := b.tints[c]; ok {
		return i
	}
	linear := func(v uint8) float64 { return math.Pow(float64(v)/255, 2.2) } // of the screen's curve
	m := &gltf.Material{PBRMetallicRoughness: &gltf.PBRMetallicRoughness{
		BaseColorFactor: &[4]float64{linear(c.R), linear(c.G), linear(c.B), 1},
		MetallicFactor:  gltf.Float(0), RoughnessFactor: gltf.Float(0.8),
	}, DoubleSided: true}
	b.doc.Materials = append(b.doc.Materials, m)
	b.tints[c] = len(b.doc.Materials) - 1
	return b.tints[c]
}

// primitive writes a shape.
func (b *builder) primitive(s *shape, c color.RGBA) *gltf.Primitive {
	points, normals := make([][3]float32, len(s.points)), make([][3]float32, len(s.normals))
	for i := range s.points {
		points[i] = up(s.points[i])
	}
	for i := range s.normals {
		normals[i] = up(s.normals[i])
	}
	p := &gltf.Primitive{
		Attributes: gltf.PrimitiveAttributes{gltf.POSITION: modeler.WritePosition(b.doc, points)},
		Indices:    gltf.Index(modeler.WriteIndices(b.doc, s.index)), Material: gltf.Index(b.material(c)),
	}
	if len(normals) > 0 {
		p.Attributes[gltf.NORMAL] = modeler.WriteNormal(b.doc, normals)
	}
	return p
}

// mesh adds a mesh and returns its index.
func (b *builder) mesh(name string, p ...*gltf.Primitive) *int {
	b.doc.Meshes = append(b.doc.Meshes, &gltf.Mesh{Name: name, Primitives: p})
	return gltf.Index(len(b.doc.Meshes) - 1)
}

// node adds a node under another; under nothing with up < 0.
func (b *builder) node(n *gltf.Node, parent int) int {
	b.doc.Nodes = append(b.doc.Nodes, n)
	i := len(b.doc.Nodes) - 1
	if parent < 0 {
		b.doc.Scenes[0].Nodes = append(b.doc.Scenes[0].Nodes, i)
	} else {
		b.doc.Nodes[parent].Children = append(b.doc.Nodes[parent].Children, i)
	}
	return i
}
