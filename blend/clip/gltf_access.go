package clip

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/qmuntal/gltf"
	"gonum.org/v1/gonum/spatial/r3"
)

// widths are the components of the accessor types that are read here.
var widths = map[gltf.AccessorType]int{
	gltf.AccessorScalar: 1, gltf.AccessorVec2: 2, gltf.AccessorVec3: 3, gltf.AccessorVec4: 4, gltf.AccessorMat4: 16,
}

// sizes are the bytes of the component types.
var sizes = map[gltf.ComponentType]int{
	gltf.ComponentByte: 1, gltf.ComponentUbyte: 1, gltf.ComponentShort: 2, gltf.ComponentUshort: 2, gltf.ComponentUint: 4, gltf.ComponentFloat: 4,
}

// accessor returns the numbers of an accessor of a given width. Its claims are
// held against the bytes that are there before anything is made for them.
func (r *gltfReader) accessor(i, width int) ([]float64, error) {
	if i < 0 || i >= len(r.doc.Accessors) || r.doc.Accessors[i] == nil {
		return nil, fmt.Errorf("accessor %d, want one that exists", i)
	}
	a := r.doc.Accessors[i]
	if widths[a.Type] != width || sizes[a.ComponentType] == 0 {
		return nil, fmt.Errorf("accessor %d is of type %v, want %d numbers each", i, a.Type, width)
	}
	if r.spent += max(a.Count, 0); a.Count < 1 || a.Count > MaxKeys || r.spent > 8*MaxKeys {
		return nil, fmt.Errorf("accessor %d has %d entries, want 1 to %d", i, a.Count, MaxKeys)
	}
	var out []float64
	if a.BufferView != nil {
		v, err := r.dense(*a.BufferView, a.ByteOffset, a.Count, width, a.ComponentType, a.Normalized)
		if err != nil {
			return nil, fmt.Errorf("accessor %d: %w", i, err)
		}
		out = v
	} else {
		if a.Sparse == nil {
			return nil, fmt.Errorf("accessor %d has no data", i)
		}
		out = make([]float64, a.Count*width)
	}
	if a.Sparse != nil {
		if err := r.sparse(out, a, width); err != nil {
			return nil, fmt.Errorf("accessor %d: %w", i, err)
		}
	}
	for k, v := range out {
		if !(math.Abs(v) < largest) {
			return nil, fmt.Errorf("number %d of accessor %d is %v, want a finite one", k, i, v)
		}
	}
	return out, nil
}

// dense reads rows of numbers from a view.
func (r *gltfReader) dense(view, offset, count, width int, t gltf.ComponentType, normalized bool) ([]float64, error) {
	data, stride, err := r.view(view)
	if err != nil {
		return nil, err
	}
	size := sizes[t]
	if stride == 0 {
		stride = size * width
	}
	if offset < 0 || stride < size*width || offset > len(data) || count > (len(data)-offset+stride-size*width)/stride {
		return nil, fmt.Errorf("%d entries of %d bytes from byte %d of a view of %d: cut short", count, size*width, offset, len(data))
	}
	out := make([]float64, 0, count*width)
	for i := range count {
		for j := range width {
			out = append(out, number(data[offset+i*stride+j*size:], t, normalized))
		}
	}
	return out, nil
}

// view returns the bytes of a buffer view and its stride.
func (r *gltfReader) view(i int) ([]byte, int, error) {
	if i < 0 || i >= len(r.doc.BufferViews) || r.doc.BufferViews[i] == nil {
		return nil, 0, fmt.Errorf("buffer view %d, want one that exists", i)
	}
	v := r.doc.BufferViews[i]
	if v.Buffer < 0 || v.Buffer >= len(r.doc.Buffers) || r.doc.Buffers[v.Buffer] == nil {
		return nil, 0, fmt.Errorf("buffer %d, want one that exists", v.Buffer)
	}
	data := r.doc.Buffers[v.Buffer].Data
	if v.ByteOffset < 0 || v.ByteLength < 0 || v.ByteStride < 0 || v.ByteOffset > len(data) || v.ByteLength > len(data)-v.ByteOffset {
		return nil, 0, fmt.Errorf("buffer view %d of %d bytes from %d in a buffer of %d: cut short", i, v.ByteLength, v.ByteOffset, len(data))
	}
	return data[v.ByteOffset : v.ByteOffset+v.ByteLength], v.ByteStride, nil
}

// sparse overwrites single entries.
func (r *gltfReader) sparse(out []float64, a *gltf.Accessor, width int) error {
	s := a.Sparse
	if s.Count < 0 || s.Count > a.Count || sizes[s.Indices.ComponentType] == 0 || s.Indices.ComponentType == gltf.ComponentFloat {
		return fmt.Errorf("%d sparse entries of %d", s.Count, a.Count)
	}
	at, err := r.dense(s.Indices.BufferView, s.Indices.ByteOffset, s.Count, 1, s.Indices.ComponentType, false)
	if err != nil {
		return err
	}
	v, err := r.dense(s.Values.BufferView, s.Values.ByteOffset, s.Count, width, a.ComponentType, a.Normalized)
	if err != nil {
		return err
	}
	for k, i := range at {
		if i < 0 || int(i) >= a.Count {
			return fmt.Errorf("sparse entry %v of %d", i, a.Count)
		}
		copy(out[int(i)*width:], v[k*width:(k+1)*width])
	}
	return nil
}

// skins counts, for each bone, the vertices that hang on it most and finds the
// lowest of them: feet are told from that.
func (r *gltfReader) skins() error {
	rest := (&Clip{Bones: r.bones}).RestFrames()
	low := make([]float64, len(r.bones))
	for i, n := range r.doc.Nodes {
		if n.Skin == nil || n.Mesh == nil {
			continue
		}
		if *n.Skin < 0 || *n.Skin >= len(r.doc.Skins) || *n.Mesh < 0 || *n.Mesh >= len(r.doc.Meshes) {
			return fmt.Errorf("node %d has skin %d and mesh %d, want ones that exist", i, *n.Skin, *n.Mesh)
		}
		for _, p := range r.doc.Meshes[*n.Mesh].Primitives {
			if p != nil {
				r.skin(r.doc.Skins[*n.Skin], p, rest, low)
			}
		}
	}
	return nil
}

// skin looks at one piece of a mesh. A piece that cannot be read is not used:
// it is there to be seen, not to move.
func (r *gltfReader) skin(s *gltf.Skin, p *gltf.Primitive, rest []Frame, low []float64) {
	attr := func(name string, width int) []float64 {
		if i, ok := p.Attributes[name]; ok {
			if v, err := r.accessor(i, width); err == nil {
				return v
			}
		}
		return nil
	}
	place, joints, weights := attr("POSITION", 3), attr("JOINTS_0", 4), attr("WEIGHTS_0", 4)
	binds := r.binds(s)
	if len(joints) != len(weights) || len(place)/3 != len(joints)/4 {
		return
	}
	for v := range len(joints) / 4 {
		best := 0
		for k := range 4 {
			if weights[4*v+k] > weights[4*v+best] {
				best = k
			}
		}
		j := int(joints[4*v+best])
		if j < 0 || j >= len(s.Joints) || s.Joints[j] < 0 || s.Joints[j] >= len(r.bone) || j >= len(binds) || weights[4*v+best] <= 0 {
			continue
		}
		b := r.bone[s.Joints[j]]
		at := binds[j].Apply(fromYUp([3]float64{place[3*v], place[3*v+1], place[3*v+2]}))
		bone := &r.bones[b]
		if z := rest[b].Apply(r3.Scale(r.scale, at)).Z; bone.Skinned == 0 || z < low[b] {
			low[b], bone.Low = z, r3.Scale(r.scale, at)
		}
		bone.Skinned++
	}
}

// binds returns what takes a vertex of a mesh into the frame of each joint.
func (r *gltfReader) binds(s *gltf.Skin) []Frame {
	out := make([]Frame, len(s.Joints))
	for i := range out {
		l := Still()
		out[i] = l.frame()
	}
	if s.InverseBindMatrices == nil {
		return out
	}
	m, err := r.accessor(*s.InverseBindMatrices, 16)
	if err != nil {
		return nil
	}
	for i := range out {
		if 16*(i+1) > len(m) {
			return out[:i]
		}
		col := func(k int) r3.Vec { return fromYUp([3]float64{m[16*i+k], m[16*i+k+1], m[16*i+k+2]}) }
		out[i].M.X, out[i].M.Y, out[i].M.Z, out[i].P = col(8), col(0), col(4), col(12)
	}
	return out
}

// appendF32 appends numbers as a glTF buffer holds them.
func appendF32(b []byte, v ...float64) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
	}
	return b
}
