package gait_test

import (
	"math"
	"strings"
	"testing"

	"legctl/gait"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// TestCatalogue: every table has a sentence, is valid on a rig of its rows, and
// is refused with both numbers on another.
func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range gait.Catalogue() {
		if c.About == "" {
			t.Errorf("%s says nothing about itself", c.Name)
		}
		seen[c.Name] = true
		suits := 0
		for rows := 1; rows <= 6; rows++ {
			g, err := c.For(ladder(rows))
			if err != nil {
				if !strings.HasPrefix(err.Error(), "gait: ") {
					t.Errorf("%s on %d rows: %v", c.Name, rows, err)
				}
				continue
			}
			suits++
			if err := g.Validate(); err != nil {
				t.Error(err)
			}
			if g.Name != c.Name {
				t.Errorf("%s calls itself %s", c.Name, g.Name)
			}
		}
		if suits == 0 {
			t.Errorf("%s suits no rig of 2 to 12 legs", c.Name)
		}
	}
	for _, name := range []string{
		"wave", "tripod", "ripple", "amble", "bipod", "tetrapod", "creep", "lateral_walk", "diagonal_walk", "walking_trot",
		"trot", "running_trot", "flying_trot", "pace", "canter", "transverse_gallop", "rotary_gallop", "bound", "half_bound", "pronk",
	} {
		if !seen[name] {
			t.Errorf("the catalogue lacks %s", name)
		}
	}
}

// TestCatalogueLiftOffs compares tables that came as lift-offs with their
// source's lift-offs.
func TestCatalogueLiftOffs(t *testing.T) {
	r := ladder(3)
	for _, c := range []struct {
		name        string
		left, right []float64 // lift-off of rows A, B, C
	}{
		{"amble", []float64{1. / 3, 2. / 3, 0}, []float64{0, 2. / 3, 1. / 3}},
		{"bipod", []float64{3. / 6, 5. / 6, 1. / 6}, []float64{1. / 6, 5. / 6, 3. / 6}},
	} {
		g, err := gait.Named(r, c.name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Legs {
			want := c.left[r.Groups.Row[i]]
			if r.Groups.Side[i] < 0 {
				want = c.right[r.Groups.Row[i]]
			}
			if d := gait.Frac(g.LiftOff(i) - want + 0.5); math.Abs(d-0.5) > 1e-9 {
				t.Errorf("%s, row %d side %d: lift-off %.4f, want %.4f", c.name, r.Groups.Row[i], r.Groups.Side[i], g.LiftOff(i), want)
			}
		}
	}
}

// TestCatalogueFlown: the share of the cycle in the air, as the sources have it.
func TestCatalogueFlown(t *testing.T) {
	for name, want := range map[string]float64{
		"trot": 0, "walking_trot": 0, "pace": 0, "amble": 0, "lateral_walk": 0, "diagonal_walk": 0, "creep": 0, "canter": 0,
		"running_trot": 0.2, "flying_trot": 0.25, "pronk": 0.5, "bound": 0.46, "half_bound": 0.34,
		"transverse_gallop": 0.2, "rotary_gallop": 0.2,
	} {
		g, err := gait.Named(ladder(2), name)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Flown(); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s flies %.4f of its cycle, want %.4f", name, got, want)
		}
	}
}

// TestAmbleIsNeverAirborne: one or two feet down, and never a foot more.
func TestAmbleIsNeverAirborne(t *testing.T) {
	g, err := gait.Named(ladder(2), "amble")
	if err != nil {
		t.Fatal(err)
	}
	for k := range 1000 {
		n := 0
		for set := g.Stance((float64(k) + 0.5) / 1000); set != 0; set &= set - 1 {
			n++
		}
		if n < 1 || n > 2 {
			t.Fatalf("%d feet down at %d", n, k)
		}
	}
}

func TestNamedRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		rows int
		want string
	}{
		{"tripod", 2, "2 rows of legs, want 3"},
		{"trot", 3, "3 rows of legs, want 2"},
		{"amble", 4, "4 rows of legs, want 2"},
		{"tetrapod", 3, "3 rows of legs, want 4"},
		{"ripple", 2, "0.75 or more"},
		{"samba", 3, "no such gait"},
	} {
		if _, err := gait.Named(ladder(c.rows), c.name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s on %d rows: %v, want %q", c.name, c.rows, err, c.want)
		}
	}
}

func TestTableRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		t    gait.Table
		want string
	}{
		{"sides differ", gait.Table{Name: "x", Duty: .5, Left: []float64{0, .5}, Right: []float64{0}}, "2 rows left and 1 right"},
		{"duties differ", gait.Table{Name: "x", Left: []float64{0, .5}, Right: []float64{0, .5}, DutyLeft: []float64{.5}}, "1 duty factors"},
		{"duty", gait.Table{Name: "x", Left: []float64{0, .5}, Right: []float64{0, .5}}, "duty factor of leg 0 is 0"},
		{"offset", gait.Table{Name: "x", Duty: .5, Left: []float64{0, 1.5}, Right: []float64{0, .5}}, "is 1.5"},
		{"shape", gait.Table{Name: "x", Duty: .5, Left: []float64{0, .5}, Right: []float64{0, .5}, Shape: gait.Shape{Width: 9}}, "width is 9"},
		{"curve", gait.Table{Name: "x", Duty: .5, Left: []float64{0, .5}, Right: []float64{0, .5}, Shape: gait.Shape{Curve: 9}}, "curve is 9"},
		{"period", gait.Table{Name: "x", Duty: .5, Left: []float64{0, .5}, Right: []float64{0, .5}, Period: -1}, "period is -1"},
	} {
		if _, err := c.t.For(ladder(2)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestTime: every leg has its swing, however long it stands.
func TestTime(t *testing.T) {
	g := gait.Gait{Duty: []float64{.5, .75, 1}, Offset: []float64{0, 0, 0}}
	if got := g.Time(0.2, 0.1); math.Abs(got-0.8) > 1e-12 {
		t.Errorf("%v s, want 0.8", got)
	}
	if g.LeastDuty() != .5 || g.MostDuty() != 1 {
		t.Errorf("duties %v to %v", g.LeastDuty(), g.MostDuty())
	}
	g.Period = 20
	if got := g.Time(0.2, 0.1); math.Abs(got-2) > 1e-12 {
		t.Errorf("%v s, want its own 2", got)
	}
	still := gait.Gait{Duty: []float64{1, 1}, Offset: []float64{0, 0}}
	if !math.IsInf(still.Time(.2, .1), 1) {
		t.Error("a gait that never swings has a period")
	}
}

// TestClass: the words of the design on a plain quadruped and hexapod.
func TestClass(t *testing.T) {
	four := rigOf(false, r3.Vec{X: 1, Y: .5}, r3.Vec{X: 1, Y: -.5}, r3.Vec{X: -1, Y: .5}, r3.Vec{X: -1, Y: -.5})
	six := rigOf(false, r3.Vec{X: 1, Y: .5}, r3.Vec{X: 1, Y: -.5}, r3.Vec{Y: .7}, r3.Vec{Y: -.7}, r3.Vec{X: -1, Y: .5}, r3.Vec{X: -1, Y: -.5})
	for _, c := range []struct {
		name string
		legs int
		want int
	}{
		{"tripod", 6, 0}, {"wave", 6, 0}, {"bipod", 6, 1}, {"trot", 4, 1}, {"running_trot", 4, 2}, {"pronk", 4, 2}, {"pace", 4, 2},
	} {
		r := four
		if c.legs == 6 {
			r = six
		}
		g, err := gait.Named(r, c.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Class(r, r2.Vec{}); int(got) != c.want {
			t.Errorf("%s is of class %d, want %d", c.name, got, c.want)
		}
	}
}
