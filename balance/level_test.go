package balance_test

import (
	"math"
	"strings"
	"testing"

	"legctl/balance"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

func level(t testing.TB, r *rig.Rig) *balance.Level {
	t.Helper()
	l, err := balance.NewLevel(r)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// shapes are rigs of every kind of leg group.
func shapes() map[string]*rig.Rig {
	star := make([]r3.Vec, 5)
	for i := range star {
		s, c := math.Sincos(2 * math.Pi * float64(i) / 5)
		star[i] = r3.Vec{X: .2 * c, Y: .2 * s}
	}
	return map[string]*rig.Rig{
		"quadruped":   rigAt(false, pairs(.2, .1, -.2, .1)...),
		"hexapod":     rigAt(false, pairs(.13, .075, 0, .15, -.13, .075)...),
		"uneven rows": rigAt(false, pairs(.3, .05, .1, .2, -.2, .12, -.3, .2)...),
		"five radial": rigAt(true, star...),
		"centre leg":  rigAt(false, append(pairs(.2, .1), r3.Vec{X: -.2})...),
	}
}

func onPlane(r *rig.Rig, a, b float64) []r3.Vec {
	g := make([]r3.Vec, len(r.Legs))
	for i := range g {
		n := r.Legs[i].Neutral
		g[i] = r3.Vec{X: n.X, Y: n.Y, Z: a*n.X + b*n.Y - .1}
	}
	return g
}

// TestLevelMeetsPlane: on any plane the body asked for is parallel to it.
func TestLevelMeetsPlane(t *testing.T) {
	for name, r := range shapes() {
		l := level(t, r)
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a, b := rapid.Float64Range(-1, 1).Draw(t, "a"), rapid.Float64Range(-1, 1).Draw(t, "b")
				roll, pitch := l.Ask(onPlane(r, a, b))
				up := geom.Rotate(geom.FromRPY(roll, pitch, 0), r3.Vec{Z: 1})
				if d := r3.Norm(r3.Cross(up, r3.Unit(r3.Vec{X: -a, Y: -b, Z: 1}))); d > 1e-9 {
					t.Fatalf("slopes %v %v: roll %v pitch %v is off the plane by %v", a, b, roll, pitch, d)
				}
			})
		})
	}
}

// TestLevelUphill is property 32 of the gait rules: facing uphill on a slope of
// at most 30 degrees the pitch tends to minus the slope, within 1 % in 3 ticks
// of the reference world, whatever the dt.
func TestLevelUphill(t *testing.T) {
	const k = 0.05
	for _, dt := range []float64{.05, .02, .01} {
		keep := balance.Residual(dt, k)
		for _, deg := range []float64{5, 15, 30, -20} {
			slope := deg * math.Pi / 180
			for name, r := range shapes() {
				l := level(t, r)
				roll, pitch := 0.0, 0.0
				for range int(math.Round(3 * k / dt)) {
					wantRoll, wantPitch := l.Ask(onPlane(r, math.Tan(slope), 0))
					roll, pitch = balance.Ease(roll, wantRoll, keep), balance.Ease(pitch, wantPitch, keep)
				}
				if math.Abs(pitch+slope) > .01*math.Abs(slope) || math.Abs(roll) > 1e-12 {
					t.Errorf("%s, dt %v, %v degrees: pitch %v roll %v", name, dt, deg, pitch, roll)
				}
			}
		}
	}
	if one := balance.Residual(k, k); math.Abs(one-.09) > 1e-15 {
		t.Errorf("residual of one reference tick %v, want 0.09", one)
	}
	if two := balance.Residual(k/2, k); math.Abs(two*two-.09) > 1e-15 {
		t.Errorf("two half ticks leave %v, want 0.09", two*two)
	}
}

func TestLevelSigns(t *testing.T) {
	r := shapes()["hexapod"]
	l := level(t, r)
	if roll, pitch := l.Ask(onPlane(r, 0, .2)); roll <= 0 || math.Abs(pitch) > 1e-12 {
		t.Errorf("left side high: roll %v pitch %v, want roll > 0 alone", roll, pitch)
	}
	// Only first and last rows set the pitch: a bump under the middle pair does not.
	g := onPlane(r, .1, 0)
	for i := range g {
		if r.Groups.Row[i] == 1 {
			g[i].Z += .05
		}
	}
	if _, pitch := l.Ask(g); math.Abs(pitch+math.Atan(.1)) > 1e-12 {
		t.Errorf("a bump under the middle row turns the pitch to %v", pitch)
	}
}

func TestLevelLeavesOpen(t *testing.T) {
	biped := rigAt(false, pairs(0, .1)...)
	roll, pitch := level(t, biped).Ask([]r3.Vec{{Y: .1, Z: .02}, {Y: -.1}})
	if math.Abs(roll-math.Atan(.1)) > 1e-12 || pitch != 0 {
		t.Errorf("biped: roll %v pitch %v", roll, pitch)
	}
	for name, g := range map[string][]r3.Vec{
		"too few":   {{X: 1}},
		"NaN":       {{X: math.NaN()}, {}},
		"infinite":  {{Z: math.Inf(1)}, {Y: 1}},
		"one place": {{X: 1, Y: 1, Z: 1}, {X: 1, Y: 1}},
	} {
		if roll, pitch := level(t, biped).Ask(g); roll != 0 || pitch != 0 {
			t.Errorf("%s: roll %v pitch %v, want 0", name, roll, pitch)
		}
	}
	if _, err := balance.NewLevel(&rig.Rig{Name: "raw", Legs: make([]rig.Leg, 3)}); err == nil || !strings.Contains(err.Error(), "Validate") {
		t.Errorf("a rig without groups: %v", err)
	}
	for _, c := range []struct{ dt, k, want float64 }{{0, 1, 1}, {-1, 1, 1}, {math.NaN(), 1, 1}, {1, 0, 0}, {1, math.NaN(), 0}} {
		if got := balance.Residual(c.dt, c.k); got != c.want {
			t.Errorf("Residual(%v, %v) = %v, want %v", c.dt, c.k, got, c.want)
		}
	}
}

func TestLevelDoesNotAllocate(t *testing.T) {
	for name, r := range shapes() {
		l, g := level(t, r), onPlane(r, .1, .2)
		if n := testing.AllocsPerRun(50, func() { l.Ask(g) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
