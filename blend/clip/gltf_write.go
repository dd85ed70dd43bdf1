package clip

import (
	"bytes"
	"fmt"

	"github.com/qmuntal/gltf"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// gltfWriter gathers a document: all numbers in one buffer.
type gltfWriter struct {
	doc  *gltf.Document
	data []byte
}

// WriteGLB returns clips of one skeleton as a GLB file, y up: the bones as the
// joints of a skin with a small octahedron on each, so that something is seen,
// and one animation a clip. Blender, three.js and Load read it. Numbers are
// kept as 32-bit floats, as the format has it. No clips, or clips whose bones
// differ, are errors.
func WriteGLB(clips ...*Clip) ([]byte, error) {
	if len(clips) == 0 {
		return nil, fmt.Errorf("clip: no clips to write")
	}
	w := &gltfWriter{doc: gltf.NewDocument()}
	w.doc.Asset.Generator = "legctl"
	bones := clips[0].Bones
	w.nodes(bones)
	w.body(clips[0])
	for _, c := range clips {
		if err := c.Validate(); err != nil {
			return nil, err
		}
		if !sameBones(c.Bones, bones) {
			return nil, fmt.Errorf("clip: %q and %q have different skeletons, want one in a file", c.Name, clips[0].Name)
		}
		w.animation(c)
	}
	w.doc.Buffers = []*gltf.Buffer{{ByteLength: len(w.data), Data: w.data}}
	var out bytes.Buffer
	e := gltf.NewEncoder(&out)
	e.AsBinary = true
	if err := e.Encode(w.doc); err != nil {
		return nil, fmt.Errorf("clip: %w", err)
	}
	return out.Bytes(), nil
}

func sameBones(a, b []Bone) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Parent != b[i].Parent {
			return false
		}
	}
	return true
}

// yUp turns a vector back to y up.
func yUp(v r3.Vec) [3]float64 { return [3]float64{v.Y, v.Z, v.X} }

func turnToYUp(q quat.Number) [4]float64 { return [4]float64{q.Jmag, q.Kmag, q.Imag, q.Real} }

func (w *gltfWriter) nodes(bones []Bone) {
	scene := w.doc.Scenes[0]
	for i, b := range bones {
		n := &gltf.Node{Name: b.Name, Translation: yUp(b.Rest.Move), Rotation: turnToYUp(b.Rest.Turn), Scale: yUp(b.Rest.Stretch)}
		w.doc.Nodes = append(w.doc.Nodes, n)
		if b.Parent < 0 {
			scene.Nodes = append(scene.Nodes, i)
		} else {
			up := w.doc.Nodes[b.Parent]
			up.Children = append(up.Children, i)
		}
	}
}

// add puts bytes into the buffer and returns an accessor on them.
func (w *gltfWriter) add(data []byte, count int, t gltf.AccessorType, c gltf.ComponentType) int {
	for len(w.data)%4 != 0 {
		w.data = append(w.data, 0)
	}
	view := len(w.doc.BufferViews)
	w.doc.BufferViews = append(w.doc.BufferViews, &gltf.BufferView{ByteOffset: len(w.data), ByteLength: len(data)})
	w.data = append(w.data, data...)
	w.doc.Accessors = append(w.doc.Accessors, &gltf.Accessor{BufferView: gltf.Index(view), Count: count, Type: t, ComponentType: c})
	return len(w.doc.Accessors) - 1
}

// animation writes the tracks of a clip, from time 0.
func (w *gltfWriter) animation(c *Clip) {
	a := &gltf.Animation{Name: c.Name}
	for i := range c.Tracks {
		t := &c.Tracks[i]
		var times, values []byte
		for _, x := range t.Times {
			times = appendF32(times, x-c.Begin)
		}
		kind, n := gltf.AccessorVec3, len(t.Vecs)
		for _, v := range t.Vecs {
			y := yUp(v)
			values = appendF32(values, y[:]...)
		}
		path := gltf.TRSTranslation
		switch t.Part {
		case Stretch:
			path = gltf.TRSScale
		case Turn:
			path, kind, n = gltf.TRSRotation, gltf.AccessorVec4, len(t.Turns)
			for _, q := range t.Turns {
				y := turnToYUp(q)
				values = appendF32(values, y[:]...)
			}
		}
		in := w.add(times, len(t.Times), gltf.AccessorScalar, gltf.ComponentFloat)
		w.doc.Accessors[in].Min, w.doc.Accessors[in].Max = []float64{f32(t.Times[0] - c.Begin)}, []float64{f32(t.Times[len(t.Times)-1] - c.Begin)}
		out := w.add(values, n, kind, gltf.ComponentFloat)
		how := [...]gltf.Interpolation{gltf.InterpolationLinear, gltf.InterpolationStep, gltf.InterpolationCubicSpline}[t.How]
		a.Samplers = append(a.Samplers, &gltf.AnimationSampler{Input: in, Output: out, Interpolation: how})
		a.Channels = append(a.Channels, &gltf.AnimationChannel{
			Sampler: len(a.Samplers) - 1, Target: gltf.AnimationChannelTarget{Node: gltf.Index(t.Bone), Path: path},
		})
	}
	w.doc.Animations = append(w.doc.Animations, a)
}

func f32(x float64) float64 { return float64(float32(x)) }

// octahedron is what is drawn on a bone: corners, and faces of them.
var (
	corners = [6]r3.Vec{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}
	faces   = [8][3]byte{{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}
)

// body writes a mesh of one octahedron a bone and the skin that hangs it on
// them. The mesh is given at rest.
func (w *gltfWriter) body(c *Clip) {
	rest := c.RestFrames()
	size := reach(rest) / 60
	var place, joints, weights, index, binds []byte
	low, high := [3]float64{1e30, 1e30, 1e30}, [3]float64{-1e30, -1e30, -1e30}
	skin := &gltf.Skin{}
	for b := range rest {
		skin.Joints = append(skin.Joints, b)
		for _, k := range corners {
			p := yUp(r3.Add(rest[b].P, r3.Scale(size, k)))
			place = appendF32(place, p[:]...)
			for i := range p {
				low[i], high[i] = min(low[i], f32(p[i])), max(high[i], f32(p[i]))
			}
			joints = append(joints, byte(b), byte(b>>8), 0, 0, 0, 0, 0, 0)
			weights = appendF32(weights, 1, 0, 0, 0)
		}
		for _, f := range faces {
			for _, k := range f {
				v := b*len(corners) + int(k)
				index = append(index, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
			}
		}
		binds = append(binds, inverse(&rest[b])...)
	}
	n := len(rest)
	at := w.add(place, n*len(corners), gltf.AccessorVec3, gltf.ComponentFloat)
	w.doc.Accessors[at].Min, w.doc.Accessors[at].Max = low[:], high[:]
	mesh := &gltf.Primitive{
		Attributes: gltf.PrimitiveAttributes{
			"POSITION":  at,
			"JOINTS_0":  w.add(joints, n*len(corners), gltf.AccessorVec4, gltf.ComponentUshort),
			"WEIGHTS_0": w.add(weights, n*len(corners), gltf.AccessorVec4, gltf.ComponentFloat),
		},
		Indices: gltf.Index(w.add(index, n*len(faces)*3, gltf.AccessorScalar, gltf.ComponentUint)),
	}
	skin.InverseBindMatrices = gltf.Index(w.add(binds, n, gltf.AccessorMat4, gltf.ComponentFloat))
	w.doc.Meshes = []*gltf.Mesh{{Name: "bones", Primitives: []*gltf.Primitive{mesh}}}
	w.doc.Skins = []*gltf.Skin{skin}
	w.doc.Nodes = append(w.doc.Nodes, &gltf.Node{Name: "bones", Mesh: gltf.Index(0), Skin: gltf.Index(0)})
	w.doc.Scenes[0].Nodes = append(w.doc.Scenes[0].Nodes, len(w.doc.Nodes)-1)
}

// reach returns the size of a skeleton: the diagonal of the box about it.
func reach(frames []Frame) float64 {
	low, high := frames[0].P, frames[0].P
	for i := range frames {
		p := frames[i].P
		low = r3.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
		high = r3.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
	}
	return max(r3.Norm(r3.Sub(high, low)), 1e-6)
}

// inverse returns the bytes of the matrix, y up and column by column, that
// takes points of W into a bone's frame; identity for a flat bone.
func inverse(f *Frame) []byte {
	x, y, z := f.M.X, f.M.Y, f.M.Z
	det := r3.Dot(x, r3.Cross(y, z))
	if det == 0 || det != det {
		return appendF32(nil, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
	}
	// The rows of the inverse are the cross products of the columns.
	rx, ry, rz := r3.Scale(1/det, r3.Cross(y, z)), r3.Scale(1/det, r3.Cross(z, x)), r3.Scale(1/det, r3.Cross(x, y))
	col := func(a, b, c float64) [3]float64 { return yUp(r3.Vec{X: a, Y: b, Z: c}) }
	cx, cy, cz := col(rx.X, ry.X, rz.X), col(rx.Y, ry.Y, rz.Y), col(rx.Z, ry.Z, rz.Z)
	p := col(-r3.Dot(rx, f.P), -r3.Dot(ry, f.P), -r3.Dot(rz, f.P))
	return appendF32(nil, cy[0], cy[1], cy[2], 0, cz[0], cz[1], cz[2], 0, cx[0], cx[1], cx[2], 0, p[0], p[1], p[2], 1)
}
