package clip

import (
	"encoding/base64"
	"fmt"
	"math"
	"testing"

	"legctl/geom"

	"github.com/qmuntal/gltf"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

func near(t *testing.T, what string, got, want r3.Vec) {
	t.Helper()
	if r3.Norm(r3.Sub(got, want)) > 1e-9 {
		t.Errorf("%s at %v, want %v", what, got, want)
	}
}

func framesAt(c *Clip, at float64) []Frame {
	f := make([]Frame, len(c.Bones))
	c.Frames(f, make([]Local, len(c.Bones)), at)
	return f
}

func TestBVHKeepsItsNamesOrdersAndOffsets(t *testing.T) {
	clips, err := Load("dir/walk.bvh", []byte(tinyBVH), Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := clips[0]
	if c.Name != "walk" || c.Bones[0].Name != "my: root.a b" || c.Bones[1].Name != "End" || c.Bones[2].Name != "End_End" {
		t.Errorf("clip %q with bones %q, %q, %q", c.Name, c.Bones[0].Name, c.Bones[1].Name, c.Bones[2].Name)
	}
	// y up: place (1, 2.1, 3), then Z, X, Y; the child one above, then Y, X, Z.
	turn := func(axis r3.Vec, deg float64) quat.Number { return geom.AxisAngle(axis, deg*math.Pi/180) }
	x, y, z := r3.Vec{X: 1}, r3.Vec{Y: 1}, r3.Vec{Z: 1}
	q := quat.Mul(quat.Mul(turn(z, 10), turn(x, 20)), turn(y, 30))
	p := r3.Add(r3.Vec{X: 1, Y: 2.1, Z: 3}, geom.Rotate(q, y))
	q2 := quat.Mul(q, quat.Mul(quat.Mul(turn(y, 40), turn(x, 50)), turn(z, 60)))
	end := r3.Add(p, geom.Rotate(q2, r3.Scale(.5, y)))
	f := framesAt(c, .1)
	near(t, "child", f[1].P, fromYUp([3]float64{p.X, p.Y, p.Z}))
	near(t, "end", f[2].P, fromYUp([3]float64{end.X, end.Y, end.Z}))
	near(t, "root between frames", framesAt(c, .05)[0].P, fromYUp([3]float64{.5, 1.1, 1.5}))
}

func TestBVHOptions(t *testing.T) {
	clips, err := Load("x", []byte(tinyBVH), Options{FrameTime: .5, Skip: 1, Scale: .01})
	if err != nil {
		t.Fatal(err)
	}
	c := clips[0]
	if c.Keys != 2 || c.Length != .5 || c.Rate != 2 {
		t.Errorf("%d frames in %v s at %v, want 2 in 0.5 at 2", c.Keys, c.Length, c.Rate)
	}
	near(t, "root", framesAt(c, 0)[0].P, r3.Vec{X: .03, Y: .01, Z: .021})
}

func TestGLTFInterpolation(t *testing.T) {
	// One node under one that is turned and scaled; keys at 0 and 2 s.
	read := func(how string, values []float64, extra string) *Clip {
		var b []byte
		b = appendF32(b, 0, 2)
		b = appendF32(b, values...)
		file := fmt.Sprintf(`{"asset": {"version": "2.0"}, "nodes": [{"children": [1], "rotation": [0, 0, 0.70710678118, 0.70710678118], "scale": [2, 2, 2], "translation": [0, 5, 0]}, {"name": "end"}],
"buffers": [{"byteLength": %d, "uri": "data:application/octet-stream;base64,%s"}], %s
"bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": %d}],
"animations": [{"channels": [{"sampler": 0, "target": {"node": 1, "path": "translation"}}], "samplers": [{"input": 0, "output": 1, "interpolation": "%s"}]}]}`,
			len(b), base64.StdEncoding.EncodeToString(b), extra, len(b)-8, how)
		clips, err := Load("x", []byte(file), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return clips[0]
	}
	accessors := func(n int) string {
		return fmt.Sprintf(`"accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"}, {"bufferView": 1, "componentType": 5126, "count": %d, "type": "VEC3"}],`, n)
	}
	// The parent turns x into y and doubles: x = 1 is y = 7.
	rows := []struct {
		name   string
		how    string
		values []float64
		n      int
		want   float64 // y of the end after 0.5 s
	}{
		{"linear", "LINEAR", []float64{0, 0, 0, 4, 0, 0}, 2, 5 + 2*1},
		{"step", "STEP", []float64{0, 0, 0, 4, 0, 0}, 2, 5},
		// s = 1/4, tangents 1 out and 0 in, over 2 s: 2 (s - 2 s2 + s3) + 4 (3 s2 - 2 s3).
		{"cubic", "CUBICSPLINE", []float64{9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 9, 9, 9}, 6, 5 + 2*(2*(.25-.125+.015625)+4*(.1875-.03125))},
	}
	for _, r := range rows {
		c := read(r.how, r.values, accessors(r.n))
		end, _ := c.Find("end")
		if got := framesAt(c, .5)[end].P; math.Abs(got.Z-r.want) > 1e-6 || math.Abs(got.Y) > 1e-6 {
			t.Errorf("%s: end at %v, want z %v", r.name, got, r.want)
		}
	}
}

func TestNormalisedIntegersAreWhatTheyStandFor(t *testing.T) {
	for _, r := range []struct {
		name  string
		bytes []byte
		kind  int
		want  float64
	}{
		{"byte", []byte{0x81}, 5120, -1}, {"lowest byte", []byte{0x80}, 5120, -1}, {"unsigned byte", []byte{51}, 5121, .2},
		{"short", []byte{0xff, 0x7f}, 5122, 1}, {"unsigned short", []byte{0xff, 0xff}, 5123, 1},
	} {
		for c := range sizes {
			if componentCode(c) == r.kind {
				if got := number(r.bytes, c, true); math.Abs(got-r.want) > 1e-12 {
					t.Errorf("%s: %v, want %v", r.name, got, r.want)
				}
			}
		}
	}
}

func TestKeyPosesBecomeAClip(t *testing.T) {
	level := geom.Identity()
	at := func(x, z float64) geom.Pose { return geom.Pose{P: r3.Vec{X: x, Z: z}, Q: level.Q} }
	k := Keys{
		Name: "nod", Legs: []string{"l", "r"}, Hips: []r3.Vec{{Y: .1}, {Y: -.1}}, Length: 2,
		Poses: []KeyPose{
			{At: 0, Root: level, Body: at(0, .5), Feet: []r3.Vec{{Y: .1}, {Y: -.1}}, Ground: []bool{true, true}},
			{At: 1, Root: at(.3, 0), Body: at(0, .4), Feet: []r3.Vec{{Y: .1}, {Y: -.1, Z: .05}}, Ground: []bool{true, false}},
		},
	}
	c, err := FromKeys(k)
	if err != nil {
		t.Fatal(err)
	}
	if c.Length != 2 || len(c.Bones) != 6 || len(c.Contacts) != 2 {
		t.Fatalf("%v s, %d bones, %d contacts, want 2, 6, 2", c.Length, len(c.Bones), len(c.Contacts))
	}
	near(t, "body", framesAt(c, 1)[1].P, r3.Vec{X: .3, Z: .4})
	near(t, "root at the end", framesAt(c, 2)[0].P, r3.Vec{X: .6})
	near(t, "left hip", framesAt(c, 0)[2].P, r3.Vec{Y: .1, Z: .5})
	if d := c.Contacts[1].Down; len(d) != 1 || d[0] != [2]float64{0, 1} {
		t.Errorf("right foot down %v, want 0 to 1", d)
	}
	if d := c.Contacts[0].Down; len(d) != 1 || d[0] != [2]float64{0, 2} {
		t.Errorf("left foot down %v, want 0 to 2", d)
	}
	k.Length = .5
	if _, err := FromKeys(k); err == nil {
		t.Error("a loop shorter than its poses was taken")
	}
}

func TestMismatchedSkeletonsAreNotWrittenTogether(t *testing.T) {
	a, _ := Load("a", []byte(tinyBVH), Options{})
	b, _ := Load("b", []byte(tinyRobot("-1")), Options{})
	if _, err := WriteGLB(a[0], b[0]); err == nil {
		t.Error("two skeletons were written into one file")
	}
	if _, err := WriteGLB(); err == nil {
		t.Error("no clips were written")
	}
}

// componentCode is the number glTF gives a component type.
func componentCode(c gltf.ComponentType) int {
	return map[gltf.ComponentType]int{
		gltf.ComponentByte: 5120, gltf.ComponentUbyte: 5121, gltf.ComponentShort: 5122, gltf.ComponentUshort: 5123, gltf.ComponentUint: 5125, gltf.ComponentFloat: 5126,
	}[c]
}
