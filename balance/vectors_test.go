package balance_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"legctl/balance"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// vectorCase is one case of support_polygon.json.
type vectorCase struct {
	ID     string       `json:"id"`
	Kind   string       `json:"kind"`
	Feet   [][2]float64 `json:"feet"`
	Com    [2]float64   `json:"com"`
	Height float64      `json:"height"`
	Expect struct {
		Hull    [][2]float64 `json:"hull"`
		Area    float64      `json:"area"`
		Where   string       `json:"where"`
		Closest *[2]float64  `json:"closest"`
		Ties    [][2]float64 `json:"closest_ties"`
		Margin  *float64     `json:"margin"`
		Stable  bool         `json:"stable"`
		Force   [3]float64   `json:"force"`
		Tilt    *float64     `json:"tilt"`
	} `json:"expect"`
}

const tol = 1e-9 // metres, m2, m/s2 and rad, from the file

func loadVectors(t testing.TB) []vectorCase {
	t.Helper()
	dir := os.Getenv("LEGCTL_VECTORS")
	if dir == "" {
		dir = filepath.Join("..", "testdata", "vectors")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "support_polygon.json"))
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		G     float64      `json:"g"`
		Cases []vectorCase `json:"cases"`
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Cases) < 200 || f.G != 9.81 {
		t.Fatalf("%d cases, g %v: want at least 200 and 9.81", len(f.Cases), f.G)
	}
	return f.Cases
}

func TestVectors(t *testing.T) {
	for _, c := range loadVectors(t) {
		t.Run(c.ID+"/"+c.Kind, func(t *testing.T) {
			feet, stance := feetOf(c.Feet)
			hull := balance.Support(nil, feet, stance)
			checkHull(t, hull, c)
			checkPlace(t, hull, c)
			checkForce(t, hull, c)
		})
	}
}

// feetOf adds a swinging foot far away, which must not count.
func feetOf(xy [][2]float64) ([]r3.Vec, []bool) {
	feet := []r3.Vec{{X: 7e3, Y: -9e3}}
	stance := []bool{false}
	for _, p := range xy {
		feet = append(feet, r3.Vec{X: p[0], Y: p[1], Z: -0.3})
		stance = append(stance, true)
	}
	return feet, stance
}

func checkHull(t *testing.T, hull []r2.Vec, c vectorCase) {
	t.Helper()
	if len(hull) != len(c.Expect.Hull) {
		t.Fatalf("hull %v, want %v", hull, c.Expect.Hull)
	}
	for i, p := range hull {
		if w := c.Expect.Hull[i]; !near(p.X, w[0]) || !near(p.Y, w[1]) {
			t.Errorf("vertex %d is %v, want %v", i, p, w)
		}
	}
	if a := geom.SignedArea(hull); !near(a, c.Expect.Area) || a < 0 {
		t.Errorf("area %v, want %v", a, c.Expect.Area)
	}
}

func checkPlace(t *testing.T, hull []r2.Vec, c vectorCase) {
	t.Helper()
	com := r2.Vec{X: c.Com[0], Y: c.Com[1]}
	where, q := balance.Locate(hull, com)
	if where.String() != c.Expect.Where {
		t.Errorf("where %v, want %v", where, c.Expect.Where)
	}
	m := balance.Margin(hull, com)
	if (m > 0) != c.Expect.Stable {
		t.Errorf("margin %v, want stable %v", m, c.Expect.Stable)
	}
	if c.Expect.Closest == nil {
		if !math.IsInf(m, -1) {
			t.Errorf("margin %v with no feet", m)
		}
		return
	}
	ok := false
	for _, w := range append(c.Expect.Ties, *c.Expect.Closest) {
		ok = ok || near(q.X, w[0]) && near(q.Y, w[1])
	}
	if !ok {
		t.Errorf("closest %v, want %v or one of %v", q, *c.Expect.Closest, c.Expect.Ties)
	}
	if !near(m, *c.Expect.Margin) {
		t.Errorf("margin %v, want %v", m, *c.Expect.Margin)
	}
}

func checkForce(t *testing.T, hull []r2.Vec, c vectorCase) {
	t.Helper()
	f := balance.Force(hull, r3.Vec{X: c.Com[0], Y: c.Com[1], Z: c.Height}, 9.81)
	w := c.Expect.Force
	if !near(f.X, w[0]) || !near(f.Y, w[1]) || !near(f.Z, w[2]) {
		t.Errorf("force %v, want %v", f, w)
	}
	if c.Expect.Tilt == nil {
		return
	}
	tilt := math.Atan2(math.Sqrt(f.X*f.X+f.Y*f.Y), f.Z)
	if !near(tilt, *c.Expect.Tilt) {
		t.Errorf("tilt %v, want %v", tilt, *c.Expect.Tilt)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= tol }
