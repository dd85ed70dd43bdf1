package blend_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

const tol = 1e-9

// num is a number of a vector file: those that are not finite come as strings.
type num float64

func (n *num) UnmarshalJSON(text []byte) error {
	s := string(text)
	if u, err := strconv.Unquote(s); err == nil {
		s = u
	}
	f, err := strconv.ParseFloat(s, 64)
	*n = num(f)
	return err
}

func floats(in []num) []float64 {
	out := make([]float64, len(in))
	for i, x := range in {
		out[i] = float64(x)
	}
	return out
}

func vec2(p [2]num) r2.Vec { return r2.Vec{X: float64(p[0]), Y: float64(p[1])} }

// readVectors reads a vector file; LEGCTL_VECTORS names another folder.
func readVectors(t testing.TB, name string, cases any) {
	t.Helper()
	dir := os.Getenv("LEGCTL_VECTORS")
	if dir == "" {
		dir = filepath.Join("..", "testdata", "vectors")
	}
	raw, err := os.ReadFile(filepath.Join(dir, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, cases); err != nil {
		t.Fatal(err)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= tol }

func sameWeights(t *testing.T, what string, got, want []float64, within float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: got %d weights, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= within) {
			t.Errorf("%s: weight %d is %v, want %v (all: %v, want %v)", what, i, got[i], want[i], got, want)
		}
	}
}
