package ik

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// vectorCase is one case of ik_fabrik.json; the rules stand in its "about".
type vectorCase struct {
	ID          string       `json:"id"`
	Base        [3]float64   `json:"base"`
	Lengths     []float64    `json:"lengths"`
	Start       [][3]float64 `json:"start"`
	Target      [3]float64   `json:"target"`
	Reachable   bool         `json:"reachable"`
	MaxDistance float64      `json:"max_distance"`
	Joints      [][3]float64 `json:"joints"`
	Distance    float64      `json:"distance"`
}

func vec(a [3]float64) r3.Vec { return r3.Vec{X: a[0], Y: a[1], Z: a[2]} }

func vecs(a [][3]float64) []r3.Vec {
	out := make([]r3.Vec, len(a))
	for i := range a {
		out[i] = vec(a[i])
	}
	return out
}

func readVectors(t *testing.T) []vectorCase {
	t.Helper()
	dir := os.Getenv("LEGCTL_VECTORS")
	if dir == "" {
		dir = filepath.Join("..", "testdata", "vectors")
	}
	b, err := os.ReadFile(filepath.Join(dir, "ik_fabrik.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []vectorCase `json:"cases"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 200 {
		t.Fatalf("%d cases, want at least 200", len(file.Cases))
	}
	return file.Cases
}

func TestFabrikVectors(t *testing.T) {
	for _, c := range readVectors(t) {
		joints, base, target := vecs(c.Start), vec(c.Base), vec(c.Target)
		joints[0] = base
		res := Fabrik(joints, c.Lengths, target, Options{})
		checkChain(t, c.ID, joints, c.Lengths, base)
		miss := r3.Norm(r3.Sub(joints[len(joints)-1], target))
		if c.Reachable {
			if !(miss <= c.MaxDistance) || res.Status != Reached {
				t.Errorf("%s: misses by %g, status %v", c.ID, miss, res.Status)
			}
			continue
		}
		if res.Status != OutOfReach || math.Abs(miss-c.Distance) > 1e-9 || math.Abs(res.Residual-c.Distance) > 1e-9 {
			t.Errorf("%s: status %v, distance %g, residual %g, want %g", c.ID, res.Status, miss, res.Residual, c.Distance)
		}
		for i, want := range vecs(c.Joints) {
			if d := r3.Norm(r3.Sub(joints[i], want)); !(d <= 1e-9) {
				t.Errorf("%s: joint %d is %g off", c.ID, i, d)
			}
		}
	}
}

// checkChain holds what must be true after every solve.
func checkChain(t *testing.T, name string, joints []r3.Vec, lengths []float64, base r3.Vec) {
	t.Helper()
	if joints[0] != base {
		t.Errorf("%s: the root moved to %v", name, joints[0])
	}
	for i, l := range lengths {
		if d := math.Abs(r3.Norm(r3.Sub(joints[i+1], joints[i])) - l); !(d <= 1e-9) {
			t.Errorf("%s: link %d is %g off its length", name, i, d)
		}
	}
}
