package clip

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"legctl/geom"

	"github.com/qmuntal/gltf"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// gltfReader turns one document into clips.
type gltfReader struct {
	doc   *gltf.Document
	scale float64
	bone  []int // of each node
	bones []Bone
	spent int // keys read so far, of all animations
}

// readGLTF reads every animation of a glTF or GLB file. All nodes become
// bones, those above the skeleton's root included.
func readGLTF(data []byte, o Options) ([]*Clip, error) {
	if err := checkGLB(data); err != nil {
		return nil, err
	}
	doc := new(gltf.Document)
	d := gltf.NewDecoder(bytes.NewReader(data))
	if o.Dir != nil {
		d = gltf.NewDecoderFS(bytes.NewReader(data), o.Dir)
	}
	if err := d.Decode(doc); err != nil {
		return nil, fmt.Errorf("glTF: %w", err)
	}
	if v := doc.Asset.Version; v != "" && v[0] != '2' {
		return nil, fmt.Errorf("glTF version %q, want 2", v)
	}
	if len(doc.Animations) == 0 {
		return nil, fmt.Errorf("glTF: no animations")
	}
	r := &gltfReader{doc: doc, scale: o.Scale}
	if err := r.skeleton(); err != nil {
		return nil, fmt.Errorf("glTF: %w", err)
	}
	if err := r.skins(); err != nil {
		return nil, fmt.Errorf("glTF: %w", err)
	}
	var clips []*Clip
	for i, a := range doc.Animations {
		c, err := r.animation(a)
		if err != nil {
			return nil, fmt.Errorf("glTF: animation %d (%q): %w", i, a.Name, err)
		}
		clips = append(clips, c)
	}
	return clips, nil
}

// checkGLB reads the headers of a GLB before anything is made for what they
// claim.
func checkGLB(data []byte) error {
	if !bytes.HasPrefix(data, []byte("glTF")) {
		return nil
	}
	if len(data) < 20 {
		return fmt.Errorf("GLB of %d bytes, want a header of 12 and a chunk", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		return fmt.Errorf("GLB version %d, want 2", v)
	}
	if n := binary.LittleEndian.Uint32(data[8:]); int64(n) > int64(len(data)) {
		return fmt.Errorf("GLB of %d bytes claims %d: cut short", len(data), n)
	}
	for at := int64(12); at < int64(len(data)); {
		if int64(len(data))-at < 8 {
			return nil // padding after the last chunk
		}
		n := int64(binary.LittleEndian.Uint32(data[at:]))
		if at+8+n > int64(len(data)) {
			return fmt.Errorf("GLB chunk at byte %d claims %d bytes of %d: cut short", at, n, len(data))
		}
		at += 8 + n
	}
	return nil
}

// skeleton orders the nodes so that parents come before children.
func (r *gltfReader) skeleton() error {
	nodes := r.doc.Nodes
	if len(nodes) > MaxBones {
		return fmt.Errorf("%d nodes, want at most %d", len(nodes), MaxBones)
	}
	parent := make([]int, len(nodes))
	for i := range parent {
		parent[i] = -1
	}
	for i, n := range nodes {
		if n == nil {
			return fmt.Errorf("node %d is null", i)
		}
		for _, c := range n.Children {
			if c < 0 || c >= len(nodes) || c == i || parent[c] >= 0 {
				return fmt.Errorf("child %d of node %d (%q), want a node that exists and has one parent", c, i, n.Name)
			}
			parent[c] = i
		}
	}
	r.bone = make([]int, len(nodes))
	var walk []int
	for i := len(nodes) - 1; i >= 0; i-- {
		if parent[i] < 0 {
			walk = append(walk, i)
		}
	}
	for len(walk) > 0 {
		i := walk[len(walk)-1]
		walk = walk[:len(walk)-1]
		up := -1
		if parent[i] >= 0 {
			up = r.bone[parent[i]]
		}
		r.bone[i] = len(r.bones)
		rest, err := r.rest(nodes[i])
		if err != nil {
			return fmt.Errorf("node %d (%q): %w", i, nodes[i].Name, err)
		}
		r.bones = append(r.bones, Bone{Name: nodes[i].Name, Parent: up, Rest: rest})
		for k := len(nodes[i].Children) - 1; k >= 0; k-- {
			walk = append(walk, nodes[i].Children[k])
		}
	}
	if len(r.bones) != len(nodes) {
		return fmt.Errorf("%d of %d nodes hang in a circle", len(nodes)-len(r.bones), len(nodes))
	}
	return nil
}

// rest returns the transform of a node.
func (r *gltfReader) rest(n *gltf.Node) (Local, error) {
	l := Still()
	if m := n.MatrixOrDefault(); m != gltf.DefaultMatrix {
		col := func(i int) r3.Vec { return fromYUp([3]float64{m[i], m[i+1], m[i+2]}) }
		// Axes permute along with the components.
		x, y, z := col(8), col(0), col(4)
		l.Move = r3.Scale(r.scale, col(12))
		l.Stretch = r3.Vec{X: r3.Norm(x), Y: r3.Norm(y), Z: r3.Norm(z)}
		if r3.Dot(r3.Cross(x, y), z) < 0 {
			l.Stretch.X = -l.Stretch.X
		}
		if !bounded(l.Stretch) || l.Stretch.X == 0 || l.Stretch.Y == 0 || l.Stretch.Z == 0 {
			return l, fmt.Errorf("matrix %v, want one that can be inverted", m)
		}
		l.Turn = fromAxes(r3.Scale(1/l.Stretch.X, x), r3.Scale(1/l.Stretch.Y, y), r3.Scale(1/l.Stretch.Z, z))
		return l, nil
	}
	t, q, s := n.TranslationOrDefault(), n.RotationOrDefault(), n.ScaleOrDefault()
	l.Move, l.Stretch = r3.Scale(r.scale, fromYUp(t)), fromYUp(s)
	l.Turn = geom.Unit(turnYUp(q[0], q[1], q[2], q[3]))
	return l, nil
}

// turnYUp turns a rotation of a file with y up.
func turnYUp(x, y, z, w float64) quat.Number {
	return quat.Number{Real: w, Imag: z, Jmag: x, Kmag: y}
}

// animation reads one animation.
func (r *gltfReader) animation(a *gltf.Animation) (*Clip, error) {
	c := &Clip{Name: a.Name, Format: "gltf", Bones: r.bones}
	for i, ch := range a.Channels {
		if ch == nil || ch.Target.Node == nil || ch.Target.Path == gltf.TRSWeights {
			continue // morph targets have no bones
		}
		t, err := r.channel(a, ch)
		if err != nil {
			return nil, fmt.Errorf("channel %d: %w", i, err)
		}
		c.Tracks = append(c.Tracks, t)
	}
	if len(c.Tracks) == 0 {
		return nil, fmt.Errorf("no channel that moves a node")
	}
	return c, nil
}

func (r *gltfReader) channel(a *gltf.Animation, ch *gltf.AnimationChannel) (Track, error) {
	n := *ch.Target.Node
	if n < 0 || n >= len(r.bone) || ch.Sampler < 0 || ch.Sampler >= len(a.Samplers) || a.Samplers[ch.Sampler] == nil {
		return Track{}, fmt.Errorf("node %d with sampler %d, want ones that exist", n, ch.Sampler)
	}
	s := a.Samplers[ch.Sampler]
	t := Track{Bone: r.bone[n], How: Linear}
	switch s.Interpolation {
	case gltf.InterpolationStep:
		t.How = Step
	case gltf.InterpolationCubicSpline:
		t.How = Cubic
	}
	times, err := r.accessor(s.Input, 1)
	if err != nil {
		return t, fmt.Errorf("times: %w", err)
	}
	t.Times = times
	width := 3
	if ch.Target.Path == gltf.TRSRotation {
		width = 4
	}
	v, err := r.accessor(s.Output, width)
	if err != nil {
		return t, fmt.Errorf("values: %w", err)
	}
	r.fill(&t, ch.Target.Path, v)
	return t, nil
}

// fill writes the values of a track, z up.
func (r *gltfReader) fill(t *Track, path gltf.TRSProperty, v []float64) {
	scale := 1.0
	switch path {
	case gltf.TRSRotation:
		t.Part = Turn
		for i := 0; i+4 <= len(v); i += 4 {
			t.Turns = append(t.Turns, turnYUp(v[i], v[i+1], v[i+2], v[i+3]))
		}
		return
	case gltf.TRSScale:
		t.Part = Stretch
	default:
		t.Part, scale = Move, r.scale
	}
	for i := 0; i+3 <= len(v); i += 3 {
		t.Vecs = append(t.Vecs, r3.Scale(scale, fromYUp([3]float64{v[i], v[i+1], v[i+2]})))
	}
}

// number reads one component as the number it stands for.
func number(b []byte, t gltf.ComponentType, normalized bool) float64 {
	var v, most float64
	switch t {
	case gltf.ComponentFloat:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case gltf.ComponentByte:
		v, most = float64(int8(b[0])), 127
	case gltf.ComponentUbyte:
		v, most = float64(b[0]), 255
	case gltf.ComponentShort:
		v, most = float64(int16(binary.LittleEndian.Uint16(b))), 32767
	case gltf.ComponentUshort:
		v, most = float64(binary.LittleEndian.Uint16(b)), 65535
	default:
		v, most = float64(binary.LittleEndian.Uint32(b)), math.MaxUint32
	}
	if normalized {
		return max(v/most, -1)
	}
	return v
}
