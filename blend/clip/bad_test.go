package clip

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// tinyBVH is a chain of two joints and an end, three frames.
const tinyBVH = `HIERARCHY
ROOT my: root.a b
{
  OFFSET 0 1e-1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT End
  {
    OFFSET 0 1 0
    CHANNELS 3 Yrotation Xrotation Zrotation
    End Site
    {
      OFFSET 0 0.5 0
    }
  }
}
MOTION
Frames: 3
Frame Time: .1
0 0 0 0 0 0 0 0 0
1 2 3 10 20 30 40 50 60
1 2 3 1.0e1 2E1 30 40 50 60
`

// tinyRobot is a joint clip of two frames.
func tinyRobot(values string) string {
	row := "[0, 0, 0.4, 0.5, 0.5, 0.5, 0.5, 0, 0.4, -1.1, 0, 0.4, -1.1, 0, 0.6, -1, 0, 0.6, " + values + "]"
	return `{"LoopMode": "Wrap", "FrameDuration": 0.02, "EnableCycleOffsetPosition": true, "Frames": [` + row + ",\n" + row + "]}"
}

func TestBadFilesAreRefused(t *testing.T) {
	bvh := func(old, with string) string { return strings.Replace(tinyBVH, old, with, 1) }
	rows := []struct{ name, file, want string }{
		{"empty", "", "empty file"},
		{"something else", "P6 3 3", "begins with"},
		{"BVH cut in its hierarchy", tinyBVH[:150], "line"},
		{"BVH cut in its frames", tinyBVH[:len(tinyBVH)-20], "within frame 3 of 3"},
		{"BVH without a blank", bvh("10 20 30 40", "10 20-30 40"), `line 20, column 10: "20-30" is no number: a blank is missing`},
		{"BVH with two points", bvh("10 20", "1.0.20"), "a blank is missing"},
		{"BVH with NaN", bvh("1 2 3 10", "1 NaN 3 10"), "no finite number"},
		{"BVH with infinity", bvh("1 2 3 10", "1 1e999 3 10"), "no finite number"},
		{"BVH with no frames", bvh("Frames: 3", "Frames: 0"), "0 frames"},
		{"BVH that claims a billion frames", bvh("Frames: 3", "Frames: 1000000000"), "1000000000 frames"},
		{"BVH with too few frames claimed", bvh("Frames: 3", "Frames: 2"), "more numbers than 2 frames"},
		{"BVH without time", bvh("Frame Time: .1", "Frame Time: 0"), "frame time 0"},
		{"BVH with an odd channel", bvh("Zrotation Xrotation", "Wrotation Xrotation"), "Wrotation"},
		{"BVH with the wrong number of channels", bvh("CHANNELS 3", "CHANNELS 4"), "CHANNELS 4"},
		{"BVH with a brace too many", bvh("MOTION", "}\nMOTION"), "never opened"},
		{"BVH with a joint outside", bvh("ROOT my", "JOINT my"), "JOINT"},
		{"joint clip cut short", tinyRobot("-1")[:80], "unexpected EOF"},
		{"joint clip with a short frame", strings.Replace(tinyRobot("-1"), "0, 0, 0.4, ", "0, 0.4, ", 1), "18 numbers, want 19"},
		{"joint clip with NaN", tinyRobot("NaN"), "invalid character"},
		{"joint clip with a huge number", tinyRobot("1e300"), "finite"},
		{"joint clip without frames", `{"FrameDuration": 0.1, "Frames": []}`, "0 frames"},
		{"joint clip without a turn", strings.ReplaceAll(tinyRobot("-1"), "0.5, 0.5, 0.5, 0.5", "0, 0, 0, 0"), "finite rotation"},
		{"GLB cut in its header", "glTF\x02\x00\x00\x00", "header of 12"},
		{"GLB of version 1", string(glb(1, 0, "{}", nil)), "version 1, want 2"},
		{"GLB that claims 1 GB", string(glb(2, 1<<30, "{}", nil)), "claims 1073741824: cut short"},
		{"GLB whose chunk claims 1 GB", claim(glb(2, 0, "{}", nil), 12, 1<<30), "claims 1073741824 bytes"},
		{"glTF without animations", `{"asset": {"version": "2.0"}}`, "no animations"},
		{"glTF of version 1", `{"asset": {"version": "1.0"}, "animations": []}`, `version "1.0"`},
		{"glTF whose nodes hang in a circle", doc(`{"children": [1]}, {"children": [0]}`, 2, 4), "circle"},
		{"glTF with 300 million keys", doc(`{}`, 300e6, 4), "300000000 entries"},
		{"glTF with a million keys in no bytes", doc(`{}`, 1e6, 4), "cut short"},
		{"glTF with NaN", strings.Replace(doc(`{}`, 2, 4), "AAAAAAAAgD8", "AAAAAAAAwH8", 1), "finite"},
		{"glTF with times that stand still", strings.Replace(doc(`{}`, 2, 4), "AAAAAAAAgD8", "AAAAAAAAAAA", 1), "ascending"},
		{"glTF with rotations of three numbers", doc(`{}`, 2, 3), "want 4 numbers"},
	}
	for _, r := range rows {
		clips, err := Load("x.bin", []byte(r.file), Options{})
		if err == nil || !strings.Contains(err.Error(), r.want) {
			t.Errorf("%s: %d clips, error %v, want %q", r.name, len(clips), err, r.want)
		}
	}
}

// glb returns a container of that version; length 0 is the true one.
func glb(version, length uint32, json string, bin []byte) []byte {
	b := []byte("glTF")
	if length == 0 {
		length = uint32(20 + len(json)) //nolint:gosec // short
	}
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, length)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(json))) //nolint:gosec // short
	b = append(append(b, "JSON"...), json...)
	return append(b, bin...)
}

func claim(b []byte, at int, n uint32) string {
	binary.LittleEndian.PutUint32(b[at:], n)
	return string(b)
}

// doc is a glTF with nodes and one rotation channel whose accessors claim
// count keys; its buffer holds two, at 0 and 1 s.
func doc(nodes string, count float64, width int) string {
	var b []byte
	b = appendF32(b, 0, 1)
	b = appendF32(b, 0, 0, 0, 1, 0, 0, 1, 0)
	uri := "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(b)
	return fmt.Sprintf(`{"asset": {"version": "2.0"}, "nodes": [%s],
"buffers": [{"byteLength": %d, "uri": "%s"}],
"bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 32}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": %.0f, "type": "SCALAR"}, {"bufferView": 1, "componentType": 5126, "count": %.0f, "type": "VEC%d"}],
"animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}], "samplers": [{"input": 0, "output": 1}]}]}`,
		nodes, len(b), uri, count, count, width)
}

func TestGoodFilesAreTaken(t *testing.T) {
	for _, file := range []string{tinyBVH, tinyRobot("-1"), doc(`{}`, 2, 4), strings.ReplaceAll(tinyBVH, "\n", "\r\n")} {
		if _, err := Load("x", []byte(file), Options{}); err != nil {
			t.Errorf("%.40q: %v", file, err)
		}
	}
}

func TestOptionsOutOfRangeAreRefused(t *testing.T) {
	for _, o := range []Options{{Scale: -1}, {Scale: math.NaN()}, {FrameTime: -1}, {Skip: -1}, {Skip: 3}} {
		if _, err := Load("x", []byte(tinyBVH), o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{tinyBVH, tinyRobot("-1"), doc(`{}`, 2, 4), string(glb(2, 0, `{"asset":{"version":"2.0"}}`, nil)), string(glb(2, 1<<30, "{}", nil))} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		clips, err := Load("fuzz", data, Options{})
		if err != nil {
			return
		}
		for _, c := range clips {
			if err := c.Validate(); err != nil {
				t.Fatalf("loaded, but: %v", err)
			}
			frames, locals := make([]Frame, len(c.Bones)), make([]Local, len(c.Bones))
			c.Frames(frames, locals, c.Begin+c.Length/2)
		}
	})
}
