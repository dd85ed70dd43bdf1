package retarget_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"legctl/blend"
	"legctl/blend/clip"
	"legctl/blend/retarget"
	"legctl/configs"

	"gonum.org/v1/gonum/spatial/r3"
)

// TestThreePlaysAnExportedClip: three.js, a reader that is not ours, opens the
// file and has every foot where the clip has it.
func TestThreePlaysAnExportedClip(t *testing.T) {
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
	r := loadRig(t, "a1")
	style, err := configs.LoadStyle("walk")
	if err != nil {
		t.Fatal(err)
	}
	l, _, err := retarget.Bake(r, style, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	c, err := retarget.AsClip(l, r)
	if err != nil {
		t.Fatal(err)
	}
	data, err := clip.WriteGLB(c)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "walk.glb")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	n := l.Intervals()
	frames := []int{0, n / 4, n / 2, n - 1}
	times := ""
	for _, k := range frames {
		times += fmt.Sprintf(",%v", l.Period*float64(k)/float64(n))
	}
	args := []string{"../../tools/recording/animate.mjs", file, times[1:]}
	for i := range r.Legs { // the loader takes points out of names
		args = append(args, r.Legs[i].Name+"foot")
	}
	raw, err := exec.Command("node", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var played struct {
		Seconds float64
		Places  []map[string][3]float64
	}
	if err := json.Unmarshal(raw, &played); err != nil || len(played.Places) != len(frames) || math.Abs(played.Seconds-l.Period) > 1e-5 {
		t.Fatalf("%v: %.3f s and %d moments, want %.3f and %d", err, played.Seconds, len(played.Places), l.Period, len(frames))
	}
	for j, k := range frames {
		at := blend.Place{}
		for f := 1; f <= k; f++ {
			at = at.After(l.Frames[f].Root)
		}
		for i := range r.Legs {
			want, v := at.Pose().Apply(l.Frames[k].Feet[i]), played.Places[j][r.Legs[i].Name+"foot"]
			got := r3.Vec{X: v[2], Y: v[0], Z: v[1]} // y is up in the file
			if d := r3.Norm(r3.Sub(want, got)); !(d < 1e-4) {
				t.Errorf("frame %d, foot of %s: three.js has it at %v, the clip at %v", k, r.Legs[i].Name, got, want)
			}
		}
	}
}
