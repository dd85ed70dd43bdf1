package space_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"legctl/blend/space"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
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

func near(a, b float64) bool { return math.Abs(a-b) <= tol }

// readVectors reads a vector file; LEGCTL_VECTORS names another folder.
func readVectors(t testing.TB, name string, cases any) {
	t.Helper()
	dir := os.Getenv("LEGCTL_VECTORS")
	if dir == "" {
		dir = filepath.Join("..", "..", "testdata", "vectors")
	}
	raw, err := os.ReadFile(filepath.Join(dir, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, cases); err != nil {
		t.Fatal(err)
	}
}

// steerCase is one case of steer.json, kind steer.
type steerCase struct {
	ID, Kind, Rule, Metric, Select string
	Starts, Finals                 []num
	Fans                           [][][2]num
	Blend, Rate                    num
	Goal                           [2]num
	Expect                         json.RawMessage
}

func (c *steerCase) fans() *space.Fans {
	f := &space.Fans{Starts: floats(c.Starts), Finals: floats(c.Finals)}
	for _, fan := range c.Fans {
		places := make([]r2.Vec, len(fan))
		for z, p := range fan {
			places[z] = vec2(p)
		}
		f.Places = append(f.Places, places)
	}
	return f
}

func (c *steerCase) choose(f *space.Fans) (space.Choice, error) {
	m, s := space.ByAngle, space.Bracket
	if c.Metric == "point" {
		m = space.ByPoint
	}
	switch c.Select {
	case "knn":
		s = space.Nearest2
	case "one":
		s = space.Nearest1
	}
	return f.Choose(make([]r2.Vec, len(f.Finals)), float64(c.Blend), vec2(c.Goal), m, s)
}

func TestSteerVectors(t *testing.T) {
	var f struct{ Cases []steerCase }
	readVectors(t, "steer", &f)
	n := 0
	for _, c := range f.Cases {
		if c.Kind != "steer" {
			continue
		}
		n++
		t.Run(c.ID+"/"+c.Rule, func(t *testing.T) {
			fans := c.fans()
			if err := fans.Check(); err != nil {
				t.Fatal(err)
			}
			got, err := c.choose(fans)
			if string(c.Expect) == `"error"` {
				if err == nil {
					t.Errorf("got %+v, want an error", got)
				}
				return
			}
			var want struct {
				Final, Next float64
				Picked      []int
				Arrived     bool
			}
			if err := json.Unmarshal(c.Expect, &want); err != nil {
				t.Fatal(err)
			}
			next := space.Follow(float64(c.Blend), got.Final, float64(c.Rate), 1)
			if err != nil || got.Arrived != want.Arrived || !near(got.Final, want.Final) || !near(next, want.Next) ||
				!slices.Equal(got.Picked[:got.N], want.Picked) {
				t.Errorf("got %+v, next %v (%v), want %+v", got, next, err, want)
			}
		})
	}
	if n < 180 {
		t.Errorf("%d cases, want at least 180", n)
	}
}

// registrationCase is one case of registration.json.
type registrationCase struct {
	ID, Kind, Rule string
	Limit, Overlap int
	Cost, Signal   [][]float64
	Feasible, Ties bool
	Total          float64
	Path           [][2]int
	Curve          []float64
	A, B           [][3]float64
	Weights        []float64
	Theta, X0, Z0  float64
	Distance, Tau  float64
	Lags           []int
	Count          int
}

func TestRegistrationVectors(t *testing.T) {
	var f struct{ Cases []registrationCase }
	readVectors(t, "registration", &f)
	if len(f.Cases) < 180 {
		t.Fatalf("%d cases, want at least 180", len(f.Cases))
	}
	for _, c := range f.Cases {
		t.Run(c.ID+"/"+c.Rule, func(t *testing.T) {
			switch c.Kind {
			case "dtw":
				checkWarp(t, &c)
			case "align2d":
				checkAlign(t, &c)
			case "cycles":
				lags, err := space.Lags(c.Signal, c.Tau, c.Overlap)
				if err != nil || len(lags) != c.Count || !slices.Equal(lags, c.Lags) {
					t.Errorf("lags %v (%v), want %v", lags, err, c.Lags)
				}
			default:
				t.Errorf("no such kind %q", c.Kind)
			}
		})
	}
}

func checkWarp(t *testing.T, c *registrationCase) {
	t.Helper()
	p, ok, err := space.Register(c.Cost, c.Limit)
	if err != nil || ok != c.Feasible {
		t.Fatalf("feasible %v (%v), want %v", ok, err, c.Feasible)
	}
	if !ok {
		return
	}
	if !near(p.Total, c.Total) {
		t.Errorf("total %v, want %v", p.Total, c.Total)
	}
	checkPath(t, c.Cost, p, c.Limit)
	curve := space.Curve(p)
	for i := 1; i < len(curve); i++ {
		if !(curve[i] > curve[i-1]) && len(c.Cost[0]) > 1 {
			t.Errorf("curve %v does not rise at %d", curve, i)
		}
	}
	if c.Ties || c.Path == nil {
		return
	}
	if !slices.Equal(p.Cells, c.Path) {
		t.Errorf("path %v, want %v", p.Cells, c.Path)
	}
	if !slices.EqualFunc(curve, c.Curve, near) {
		t.Errorf("curve %v, want %v", curve, c.Curve)
	}
}

// checkPath asks of any path, a tie or not, that it is legal and costs what it
// says.
func checkPath(t *testing.T, cost [][]float64, p space.Path, limit int) {
	t.Helper()
	sum, runs := 0.0, [2]int{}
	for k, c := range p.Cells {
		sum += cost[c[0]][c[1]]
		if k == 0 {
			continue
		}
		step := [2]int{c[0] - p.Cells[k-1][0], c[1] - p.Cells[k-1][1]}
		switch step {
		case [2]int{1, 1}:
			runs = [2]int{}
		case [2]int{1, 0}:
			runs = [2]int{runs[0] + 1, 0}
		case [2]int{0, 1}:
			runs = [2]int{0, runs[1] + 1}
		default:
			t.Fatalf("step %v in %v", step, p.Cells)
		}
		if max(runs[0], runs[1]) > limit {
			t.Fatalf("more than %d steps in a row in %v", limit, p.Cells)
		}
	}
	if last := p.Cells[len(p.Cells)-1]; p.Cells[0] != [2]int{} || last != [2]int{len(cost) - 1, len(cost[0]) - 1} || !near(sum, p.Total) {
		t.Errorf("path %v costs %v, says %v", p.Cells, sum, p.Total)
	}
}

// cloud turns points that are y-up into ours.
func cloud(in [][3]float64) []r3.Vec {
	out := make([]r3.Vec, len(in))
	for i, p := range in {
		out[i] = r3.Vec{X: p[2], Y: p[0], Z: p[1]}
	}
	return out
}

func checkAlign(t *testing.T, c *registrationCase) {
	t.Helper()
	got, d, err := space.Align(cloud(c.A), cloud(c.B), c.Weights)
	if err != nil || math.Abs(got.Yaw-c.Theta) > 1e-7 || math.Abs(got.Shift.Y-c.X0) > 1e-7 || math.Abs(got.Shift.X-c.Z0) > 1e-7 || !near(d, c.Distance) {
		t.Errorf("got %+v with %v (%v), want theta %v, x0 %v, z0 %v with %v", got, d, err, c.Theta, c.X0, c.Z0, c.Distance)
	}
}
