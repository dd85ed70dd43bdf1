package gltf_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/loop"
	"legctl/record"
	"legctl/rig"
	"legctl/rollout"
	"legctl/sim"
	"legctl/sim/terrain"
	"legctl/telemetry/gltf"

	format "github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// recorded is a rig that walks on a ground; blocks may go.
func recorded(t testing.TB, name, ground string) (*rig.Rig, []byte) {
	t.Helper()
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	spec, ok := terrain.Default(ground, 0.1)
	if !ok {
		t.Fatal(ground)
	}
	c := rollout.Config{Rig: r, Terrain: spec, Seed: 3, Ticks: 200}
	c.Commands = []rollout.Order{{At: 0.1, Command: control.Command{Kind: control.KindTwist, Vx: 0.05, Wz: 0.3, TTL: 3600}}}
	if ground == "blocks" {
		for i := range int32(3) {
			c.Events = append(c.Events, rollout.Happening{At: 0.5 + 0.5*float64(i), Event: sim.Event{Kind: sim.EventRemove, Block: 70 + i}})
		}
	}
	run, err := rollout.New(c)
	if err != nil {
		t.Fatal(err)
	}
	h, err := run.Header()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := record.NewWriter(&b, h)
	if err != nil {
		t.Fatal(err)
	}
	run.Config.Sinks = []loop.Sink{w}
	if _, err := run.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r, b.Bytes()
}

// exported makes an animation and reads it with the format's library.
func exported(t testing.TB, r *rig.Rig, b []byte, text bool) (*format.Document, gltf.Exported) {
	t.Helper()
	from, err := record.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	ground, err := rollout.NewScenery(from.Header())
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	done, err := gltf.Export(&out, from, gltf.Options{Rig: r, Ground: ground, Rate: 25, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	if binary := bytes.HasPrefix(out.Bytes(), []byte("glTF")); binary == text {
		t.Errorf("text %v: it begins with %q", text, out.Bytes()[:4])
	}
	doc := new(format.Document)
	if err := format.NewDecoder(&out).Decode(doc); err != nil {
		t.Fatal(err)
	}
	return doc, done
}

// track is a channel of an animation, read.
type track struct {
	times []float32
	vec3  [][3]float32
	vec4  [][4]float32
}

// tracks reads the animation of a document: by node and path.
func tracks(t testing.TB, doc *format.Document) map[int]map[format.TRSProperty]track {
	t.Helper()
	all := map[int]map[format.TRSProperty]track{}
	for _, c := range doc.Animations[0].Channels {
		s := doc.Animations[0].Samplers[c.Sampler]
		in, err := modeler.ReadAccessor(doc, doc.Accessors[s.Input], nil)
		if err != nil {
			t.Fatal(err)
		}
		out, err := modeler.ReadAccessor(doc, doc.Accessors[s.Output], nil)
		if err != nil {
			t.Fatal(err)
		}
		x := track{times: in.([]float32)}
		switch v := out.(type) {
		case [][3]float32:
			x.vec3 = v
		case [][4]float32:
			x.vec4 = v
		}
		if n := len(x.vec3) + len(x.vec4); n != len(x.times) {
			t.Fatalf("%d keyframes, %d values", len(x.times), n)
		}
		node := *c.Target.Node
		if all[node] == nil {
			all[node] = map[format.TRSProperty]track{}
		}
		all[node][c.Target.Path] = x
	}
	return all
}

// zUp turns a vector of the format back.
func zUp(v [3]float64) r3.Vec { return r3.Vec{X: v[2], Y: v[0], Z: v[1]} }

// TestKeyframesAreKinematics: at every keyframe the chain of nodes ends where
// forward kinematics has the foot.
func TestKeyframesAreKinematics(t *testing.T) {
	for _, name := range []string{"phantomx", "a1"} {
		r, b := recorded(t, name, "rough")
		for _, text := range []bool{false, true} {
			doc, done := exported(t, r, b, text)
			if done.Keys != 50 || math.Abs(done.Seconds-1.96) > 1e-6 {
				t.Fatalf("%s: %+v", name, done)
			}
			moves := tracks(t, doc)
			nodes, parent := map[string]int{}, map[int]int{}
			for i, n := range doc.Nodes {
				nodes[n.Name] = i
				for _, c := range n.Children {
					parent[c] = i
				}
			}
			from, _ := record.NewReader(bytes.NewReader(b))
			f, key := control.NewFrame(r), 0
			for rec, err := from.Next(); err == nil; rec, err = from.Next() {
				if rec.Tag != control.TagFrame || rec.Tick%4 != 0 {
					continue
				}
				if err := f.UnmarshalBinary(rec.Data); err != nil {
					t.Fatal(err)
				}
				for i := range r.Legs {
					l := &r.Legs[i]
					p := l.Foot
					for n, ok := nodes[l.Joints[len(l.Joints)-1].Name], true; ok; n, ok = parent[n] {
						p = place(doc.Nodes[n], moves[n], key, p)
					}
					want := f.Obs.PoseWB.Apply(rig.Foot(r, i, f.Obs.Q))
					if d := r3.Norm(r3.Sub(p, want)); !(d < 1e-5) {
						t.Fatalf("%s, keyframe %d, foot %s: %v, kinematics say %v", name, key, l.Name, p, want)
					}
				}
				key++
			}
			if key != done.Keys {
				t.Errorf("%d keyframes, want %d", done.Keys, key)
			}
		}
	}
}

// place brings a point from a node into its parent at a keyframe.
func place(n *format.Node, m map[format.TRSProperty]track, key int, p r3.Vec) r3.Vec {
	at, turn := n.Translation, n.Rotation
	if x, ok := m[format.TRSTranslation]; ok {
		at = [3]float64{float64(x.vec3[key][0]), float64(x.vec3[key][1]), float64(x.vec3[key][2])}
	}
	if x, ok := m[format.TRSRotation]; ok {
		v := x.vec4[key]
		turn = [4]float64{float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3])}
	}
	axis := zUp([3]float64{turn[0], turn[1], turn[2]})
	q := quat.Number{Real: turn[3], Imag: axis.X, Jmag: axis.Y, Kmag: axis.Z}
	v := quat.Mul(quat.Mul(q, quat.Number{Imag: p.X, Jmag: p.Y, Kmag: p.Z}), quat.Conj(q))
	return r3.Add(zUp(at), r3.Vec{X: v.Imag, Y: v.Jmag, Z: v.Kmag})
}

func TestTurnsDoNotFlip(t *testing.T) {
	r, b := recorded(t, "phantomx", "flat")
	doc, _ := exported(t, r, b, false)
	for node, m := range tracks(t, doc) {
		for _, x := range m {
			for k := 1; k < len(x.vec4); k++ {
				dot := float32(0)
				for i := range x.vec4[k] {
					dot += x.vec4[k][i] * x.vec4[k-1][i]
				}
				if dot < 0.9 {
					t.Fatalf("node %d turns by more than is likely at keyframe %d: %g", node, k, dot)
				}
			}
		}
	}
}

// TestMeshesAreSound: every index is in range, normals are unit and point out of
// the convex meshes.
func TestMeshesAreSound(t *testing.T) {
	r, b := recorded(t, "phantomx", "blocks")
	doc, _ := exported(t, r, b, false)
	grounds := 0
	for _, n := range doc.Nodes {
		if n.Name == "ground" {
			grounds++
		}
		if n.Mesh == nil {
			continue
		}
		for _, p := range doc.Meshes[*n.Mesh].Primitives {
			points, err1 := modeler.ReadPosition(doc, doc.Accessors[p.Attributes[format.POSITION]], nil)
			normals, err2 := modeler.ReadNormal(doc, doc.Accessors[p.Attributes[format.NORMAL]], nil)
			index, err3 := modeler.ReadIndices(doc, doc.Accessors[*p.Indices], nil)
			if err := errors.Join(err1, err2, err3); err != nil {
				t.Fatal(err)
			}
			var mid r3.Vec
			for _, v := range points {
				mid = r3.Add(mid, r3.Scale(1/float64(len(points)), vec(v)))
			}
			for i := 0; i < len(index); i += 3 {
				a, b, c := vec(points[index[i]]), vec(points[index[i+1]]), vec(points[index[i+2]])
				face := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
				out := vec(normals[index[i]])
				if math.Abs(r3.Norm(out)-1) > 1e-3 {
					t.Fatalf("%s: a normal of length %g", n.Name, r3.Norm(out))
				}
				if r3.Norm(face) > 1e-9 && r3.Dot(face, out) < 0 || n.Name != "ground" && r3.Norm(face) > 1e-9 && r3.Dot(face, r3.Sub(a, mid)) < -1e-9 {
					t.Fatalf("%s: triangle %d is seen from inside", n.Name, i/3)
				}
			}
		}
	}
	if grounds != 4 {
		t.Errorf("%d grounds for three blocks taken away", grounds)
	}
	for node, m := range tracks(t, doc) {
		if x, ok := m[format.TRSScale]; ok {
			on := 0
			for _, v := range x.vec3 {
				on += int(v[0])
			}
			if on != 1 || doc.Nodes[node].Name != "ground" {
				t.Errorf("node %s is visible %d times", doc.Nodes[node].Name, on)
			}
		}
	}
}

func vec(v [3]float32) r3.Vec { return r3.Vec{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])} }

func TestNothingToShow(t *testing.T) {
	r, b := recorded(t, "phantomx", "flat")
	from, _ := record.NewReader(bytes.NewReader(b))
	h := *from.Header()
	var empty bytes.Buffer
	w, err := record.NewWriter(&empty, &h)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	from, _ = record.NewReader(&empty)
	if _, err := gltf.Export(new(bytes.Buffer), from, gltf.Options{Rig: r}); err == nil || !strings.Contains(err.Error(), "no tick that can be drawn") {
		t.Errorf("%v", err)
	}
}
