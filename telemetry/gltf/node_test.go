package gltf_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"legctl/control"
	"legctl/record"
	"legctl/rig"
	"legctl/rollout"
	"legctl/telemetry/gltf"

	"gonum.org/v1/gonum/spatial/r3"
)

// TestThreePlaysIt: three.js loads the file, finds the last joint of every leg by
// its name and has it where forward kinematics does.
func TestThreePlaysIt(t *testing.T) {
	missing := t.Skip
	if os.Getenv("CI") != "" {
		missing = t.Fatal
	}
	if _, err := exec.LookPath("node"); err != nil {
		missing("node is not installed (make test installs it)")
	}
	if out, err := exec.Command("../../scripts/npm.sh", "../../tools/recording").CombinedOutput(); err != nil {
		missing("npm: " + string(out))
	}
	r, b := recorded(t, "phantomx", "blocks")
	from, err := record.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	ground, err := rollout.NewScenery(from.Header())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "run.glb")
	var out bytes.Buffer
	if _, err := gltf.Export(&out, from, gltf.Options{Rig: r, Ground: ground, Rate: 25}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"../../tools/recording/animate.mjs", file, "0,0.4,1.2"}
	for i := range r.Legs {
		args = append(args, r.Legs[i].Joints[len(r.Legs[i].Joints)-1].Name)
	}
	var bad bytes.Buffer
	c := exec.Command("node", args...)
	c.Stderr = &bad
	raw, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &bad)
	}
	var played struct {
		Triangles int
		Places    []map[string][3]float64
	}
	if err := json.Unmarshal(raw, &played); err != nil || played.Triangles < 1000 {
		t.Fatalf("%v: %s", err, raw)
	}
	for k, tick := range []uint64{0, 40, 120} {
		f := frameOf(t, r, b, tick)
		for i := range r.Legs {
			l := &r.Legs[i]
			frames := make([]rig.Frame, len(l.Joints))
			rig.Frames(frames, l, r.Slice(f.Obs.Q, i))
			last := len(l.Joints) - 1
			want, got := f.Obs.PoseWB.Apply(frames[last].P), zUp(played.Places[k][l.Joints[last].Name])
			if d := r3.Norm(r3.Sub(want, got)); !(d < 1e-4) {
				t.Errorf("tick %d, %s: three.js has it at %v, kinematics at %v", tick, l.Joints[last].Name, got, want)
			}
		}
	}
}

// frameOf returns the frame of a tick.
func frameOf(t testing.TB, r *rig.Rig, b []byte, tick uint64) *control.Frame {
	t.Helper()
	from, err := record.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := from.Next(); err == nil; rec, err = from.Next() {
		if rec.Tag == control.TagFrame && rec.Tick == tick {
			f := control.NewFrame(r)
			if err := f.UnmarshalBinary(rec.Data); err != nil {
				t.Fatal(err)
			}
			return f
		}
	}
	t.Fatalf("no tick %d", tick)
	return nil
}
