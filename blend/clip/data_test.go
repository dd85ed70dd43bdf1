package clip

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// clipFacts is what an independent reader found in the real files.
type clipFacts struct {
	Robot map[string]struct {
		Frames        int
		FrameDuration float64 `json:"frame_duration"`
		Duration      float64
		Root          []float64    `json:"root_displacement"`
		Height        []float64    `json:"root_height_range"`
		Ranges        [][2]float64 `json:"joint_ranges"`
	}
	BVH map[string]struct {
		Frames    int      `json:"frames_present"`
		FrameTime float64  `json:"frame_time"`
		Names     []string `json:"joint_names"`
		Ends      int      `json:"end_sites"`
		Checks    []struct {
			Frame     int
			Positions map[string][3]float64
		} `json:"position_checks"`
	}
	GLTF map[string]struct {
		Nodes      int
		Animations []struct {
			Name string
			Last float64 `json:"last_key"`
		}
		Checks []struct {
			Animation string
			T         float64
			Positions map[string][3]float64
		} `json:"position_checks"`
	}
}

// readFacts returns the folder of real clips and its facts.
func readFacts(t *testing.T) (string, *clipFacts) {
	t.Helper()
	dir := os.Getenv("LEGCTL_DATA")
	if dir == "" {
		t.Skip("LEGCTL_DATA is not set")
	}
	data, err := os.ReadFile(filepath.Join(dir, "clips", "facts.json"))
	if err != nil {
		t.Fatal(err)
	}
	f := new(clipFacts)
	if err := json.Unmarshal(data, f); err != nil {
		t.Fatal(err)
	}
	return dir, f
}

func loadFile(t *testing.T, dir, name string) []*Clip {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	clips, err := Load(name, data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return clips
}

// offBy returns how far bones are from where they should be at time t, and
// how many were looked at. Of several bones of one name the nearest counts.
func offBy(c *Clip, t float64, want map[string][3]float64) (worst float64, looked int) {
	frames, locals := make([]Frame, len(c.Bones)), make([]Local, len(c.Bones))
	c.Frames(frames, locals, t)
	for name, p := range want {
		best := math.Inf(1)
		for i := range c.Bones {
			if c.Bones[i].Name == name {
				best = min(best, r3.Norm(r3.Sub(frames[i].P, fromYUp(p))))
			}
		}
		worst, looked = max(worst, best), looked+1
	}
	return worst, looked
}

func size(c *Clip) float64 {
	frames, locals := make([]Frame, len(c.Bones)), make([]Local, len(c.Bones))
	c.Frames(frames, locals, c.Begin)
	return reach(frames)
}

func TestBVHFilesMatchAnIndependentReader(t *testing.T) {
	dir, facts := readFacts(t)
	if len(facts.BVH) < 5 {
		t.Fatalf("%d files in facts.json", len(facts.BVH))
	}
	for name, f := range facts.BVH {
		c := loadFile(t, dir, name)[0]
		if c.Keys != f.Frames || len(c.Bones) != len(f.Names)+f.Ends {
			t.Errorf("%s: %d frames, %d bones, want %d and %d", name, c.Keys, len(c.Bones), f.Frames, len(f.Names)+f.Ends)
		}
		looked := 0
		for _, k := range f.Checks {
			off, n := offBy(c, float64(k.Frame)*f.FrameTime, k.Positions)
			if looked += n; off > 1e-6*size(c) {
				t.Errorf("%s frame %d: off by %g of a size of %g", name, k.Frame, off, size(c))
			}
		}
		if looked == 0 {
			t.Errorf("%s: no position was looked at", name)
		}
	}
}

func TestGLTFFilesMatchAnIndependentReader(t *testing.T) {
	dir, facts := readFacts(t)
	if len(facts.GLTF) < 12 {
		t.Fatalf("%d files in facts.json", len(facts.GLTF))
	}
	for name, f := range facts.GLTF {
		clips := loadFile(t, dir, name)
		if len(clips) != len(f.Animations) || len(clips[0].Bones) != f.Nodes {
			t.Fatalf("%s: %d clips of %d bones, want %d of %d", name, len(clips), len(clips[0].Bones), len(f.Animations), f.Nodes)
		}
		byName := map[string]*Clip{}
		for i, c := range clips {
			byName[c.Name] = c
			if a := f.Animations[i]; c.Name != a.Name || math.Abs(c.End()-a.Last) > 1e-5 {
				t.Errorf("%s: clip %q ends at %v, want %q at %v", name, c.Name, c.End(), a.Name, a.Last)
			}
		}
		for _, k := range f.Checks {
			if off, _ := offBy(byName[k.Animation], k.T, k.Positions); off > 1e-6*size(clips[0])+1e-7 {
				t.Errorf("%s %q at %v s: off by %g of a size of %g", name, k.Animation, k.T, off, size(clips[0]))
			}
		}
	}
}

func TestRobotFilesMatchAnIndependentReader(t *testing.T) {
	dir, facts := readFacts(t)
	for name, f := range facts.Robot {
		c := loadFile(t, dir, name)[0]
		if c.Keys != f.Frames || math.Abs(c.Length-f.Duration) > 1e-9 || math.Abs(c.Rate*f.FrameDuration-1) > 1e-9 {
			t.Errorf("%s: %d frames in %v s at %v, want %d in %v", name, c.Keys, c.Length, c.Rate, f.Frames, f.Duration)
		}
		first, last := c.Tracks[0].Vecs[0], c.Tracks[0].Vecs[c.Keys-1]
		if d := r3.Sub(r3.Sub(last, first), r3.Vec{X: f.Root[0], Y: f.Root[1], Z: f.Root[2]}); r3.Norm(d) > 1e-9 {
			t.Errorf("%s: the root moves %v off %v", name, d, f.Root)
		}
		for j, want := range f.Ranges {
			low, high := math.Inf(1), math.Inf(-1)
			for _, q := range c.Tracks[2+j].Turns {
				a := 2 * math.Atan2(q.Imag+q.Jmag, q.Real)
				low, high = min(low, a), max(high, a)
			}
			if math.Abs(low-want[0])+math.Abs(high-want[1]) > 1e-9 {
				t.Errorf("%s: joint %d moves from %v to %v, want %v", name, j, low, high, want)
			}
		}
	}
}

func TestEveryRealFileSurvivesExport(t *testing.T) {
	dir, facts := readFacts(t)
	for name := range facts.GLTF {
		exportAndBack(t, name, loadFile(t, dir, name))
	}
	for name := range facts.BVH {
		exportAndBack(t, name, loadFile(t, dir, name))
	}
	for name := range facts.Robot {
		exportAndBack(t, name, loadFile(t, dir, name))
	}
}

func exportAndBack(t *testing.T, name string, clips []*Clip) {
	t.Helper()
	glb, err := WriteGLB(clips...)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	back, err := Load(name, glb, Options{})
	if err != nil {
		t.Fatalf("%s, read back: %v", name, err)
	}
	for i, c := range clips {
		n := len(c.Bones)
		if len(back[i].Bones) != n+1 || math.Abs(back[i].Length-c.Length) > 1e-5*(1+c.Length) {
			t.Fatalf("%s %q: %d bones in %v s, want %d and the mesh in %v s", name, c.Name, len(back[i].Bones), back[i].Length, n, c.Length)
		}
		was, is := make([]Frame, n), make([]Frame, n+1)
		c.Frames(was, make([]Local, n), c.Begin+c.Length/3)
		back[i].Frames(is, make([]Local, n+1), c.Length/3)
		where := map[string][]r3.Vec{}
		for b := range is {
			where[back[i].Bones[b].Name] = append(where[back[i].Bones[b].Name], is[b].P)
		}
		for b := range was {
			off := math.Inf(1)
			for _, p := range where[c.Bones[b].Name] {
				off = min(off, r3.Norm(r3.Sub(p, was[b].P)))
			}
			if off > 1e-4*(reach(was)+r3.Norm(was[b].P)) && !strings.Contains(c.Bones[b].Name, "_End") {
				t.Fatalf("%s %q: bone %q is off by %g of a size of %g", name, c.Name, c.Bones[b].Name, off, reach(was))
			}
		}
	}
}
