package gait_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"legctl/gait"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// rigOf makes a rig of bare legs at the given neutral feet: enough for groups.
func rigOf(ring bool, feet ...r3.Vec) *rig.Rig {
	r := &rig.Rig{Name: "test"}
	for i, f := range feet {
		r.Legs = append(r.Legs, rig.Leg{Name: fmt.Sprintf("leg%d", i), Neutral: f, Length: 1})
	}
	r.Groups = rig.NewGroups(r, ring)
	return r
}

// ladder makes a rig of n rows of pairs, in an order of legs that no code may
// rely on: right legs first, rear to front.
func ladder(n int) *rig.Rig {
	var feet []r3.Vec
	for m := n - 1; m >= 0; m-- {
		feet = append(feet, r3.Vec{X: -float64(m), Y: -.5})
	}
	for m := n - 1; m >= 0; m-- {
		feet = append(feet, r3.Vec{X: -float64(m), Y: .5})
	}
	return rigOf(false, feet...)
}

// at returns the touchdown offset of the leg in a row and on a side.
func at(t *testing.T, r *rig.Rig, g *gait.Gait, row int, side int8) float64 {
	t.Helper()
	for i := range r.Legs {
		if r.Groups.Row[i] == row && r.Groups.Side[i] == side {
			return g.Offset[i]
		}
	}
	t.Fatalf("no leg in row %d on side %d", row, side)
	return 0
}

func TestWaveOffsets(t *testing.T) {
	for _, c := range []struct {
		rows        int
		beta        float64
		left, right []float64
	}{
		{2, .75, []float64{0, .75}, []float64{.5, .25}},
		{2, .8, []float64{0, .8}, []float64{.5, .3}},
		{3, .5, []float64{0, .5, 0}, []float64{.5, 0, .5}},
		{3, 5. / 6, []float64{0, 5. / 6, 2. / 3}, []float64{.5, 1. / 3, 1. / 6}},
		{4, .375, []float64{0, .375, .75, .125}, []float64{.5, .875, .25, .625}},
	} {
		r := ladder(c.rows)
		g, err := gait.Wave(r, c.beta)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Validate(); err != nil {
			t.Error(err)
		}
		for m := range c.rows {
			l, rt := at(t, r, g, m, 1), at(t, r, g, m, -1)
			if math.Abs(l-c.left[m]) > 1e-12 || math.Abs(rt-c.right[m]) > 1e-12 {
				t.Errorf("%d rows, beta %v, row %d: %v %v, want %v %v", c.rows, c.beta, m, l, rt, c.left[m], c.right[m])
			}
		}
	}
}

func TestAlternatingGaits(t *testing.T) {
	trot, err := gait.Trot(ladder(2))
	if err != nil {
		t.Fatal(err)
	}
	// Ladder order: RR RF LR LF. Diagonals go together.
	if o := trot.Offset; o[0] != o[3] || o[1] != o[2] || o[0] == o[1] {
		t.Errorf("trot offsets %v", o)
	}
	tripod, err := gait.Tripod(ladder(3))
	if err != nil {
		t.Fatal(err)
	}
	// Ladder order: RR RM RF LR LM LF. Tripods are LF RM LR and RF LM RR.
	if o := tripod.Offset; o[5] != o[1] || o[5] != o[3] || o[2] != o[4] || o[2] != o[0] || o[5] == o[2] {
		t.Errorf("tripod offsets %v", o)
	}
	wave, err := gait.Wave(ladder(3), .5)
	if err != nil {
		t.Fatal(err)
	}
	for i := range tripod.Offset {
		if d := gait.Frac(tripod.Offset[i] - wave.Offset[i] - tripod.Offset[0] + wave.Offset[0]); math.Min(d, 1-d) > 1e-12 {
			t.Errorf("leg %d: the tripod is not the wave of duty 1/2", i)
		}
	}
	tetrapod, err := gait.Alternating(ladder(4), "tetrapod", .6)
	if err != nil {
		t.Fatal(err)
	}
	if tetrapod.Name != "tetrapod" || tetrapod.Duty[3] != .6 || tetrapod.Validate() != nil {
		t.Errorf("tetrapod %+v", tetrapod)
	}
}

func TestGaitsRefused(t *testing.T) {
	ring := rigOf(true, r3.Vec{X: 1}, r3.Vec{Y: 1}, r3.Vec{X: -1, Y: .5}, r3.Vec{X: -1, Y: -.5}, r3.Vec{Y: -1})
	centre := rigOf(false, r3.Vec{X: 1, Y: .5}, r3.Vec{X: 1, Y: -.5}, r3.Vec{X: -1})
	bare := &rig.Rig{Name: "bare", Legs: make([]rig.Leg, 4)}
	wave := func(b float64) func(*rig.Rig) (*gait.Gait, error) {
		return func(r *rig.Rig) (*gait.Gait, error) { return gait.Wave(r, b) }
	}
	for _, c := range []struct {
		name string
		make func(*rig.Rig) (*gait.Gait, error)
		rig  *rig.Rig
		want string
	}{
		{"wave, biped", wave(.8), ladder(1), "1 row"},
		{"wave, duty too small", wave(.7), ladder(2), "0.75 or more"},
		{"wave, duty 1", wave(1), ladder(2), "less than 1"},
		{"wave, NaN", wave(math.NaN()), ladder(3), "NaN"},
		{"wave, ring", wave(.8), ring, "ring"},
		{"wave, centre leg", wave(.8), centre, "leg2"},
		{"wave, not validated", wave(.8), bare, "Validate"},
		{"tripod, four legs", gait.Tripod, ladder(2), "2 rows of legs, want 3"},
		{"tripod, eight legs", gait.Tripod, ladder(4), "4 rows of legs, want 3"},
		{"trot, six legs", gait.Trot, ladder(3), "3 rows of legs, want 2"},
		{"trot, ring", gait.Trot, ring, "ring"},
		{"trot, not validated", gait.Trot, bare, "Validate"},
		{"three colours", func(r *rig.Rig) (*gait.Gait, error) { return gait.Alternating(r, "two", .5) }, ring, "colour 2"},
		{"duty below a half", func(r *rig.Rig) (*gait.Gait, error) { return gait.Alternating(r, "two", .4) }, ladder(2), "0.5 or more"},
	} {
		g, err := c.make(c.rig)
		if err == nil || g != nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "gait: ") {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func TestValidate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name         string
		duty, offset []float64
		want         []string
	}{
		{"good", []float64{.5, 1}, []float64{0, .99}, nil},
		{"zero value", nil, nil, []string{"0 legs"}},
		{"one leg", []float64{.5}, []float64{0}, []string{"1 legs"}},
		{"65 legs", slices.Repeat([]float64{.5}, 65), make([]float64, 65), []string{"65 legs"}},
		{"lengths", []float64{.5, .5}, []float64{0}, []string{"1 offsets for 2"}},
		{"duty", []float64{0, 1.1, nan}, []float64{0, 0, 0}, []string{"leg 0 is 0", "leg 1 is 1.1", "leg 2 is NaN"}},
		{"offset", []float64{1, 1, 1}, []float64{-.1, 1, nan}, []string{"leg 0 is -0.1", "leg 1 is 1", "leg 2 is NaN"}},
	} {
		g := gait.Gait{Name: c.name, Duty: c.duty, Offset: c.offset}
		err := g.Validate()
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, w := range c.want {
			if err != nil && !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", c.name, err, w)
			}
		}
	}
}

func TestAt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := gait.Gait{Duty: []float64{rapid.Float64Range(.01, 1).Draw(t, "duty"), .5}, Offset: []float64{rapid.Float64Range(0, .999).Draw(t, "offset"), .25}}
		phase := rapid.Float64Range(-1e6, 1e6).Draw(t, "phase")
		stance, f := g.At(phase, 0)
		if !(f >= 0 && f < 1) {
			t.Fatalf("fraction %v", f)
		}
		back := g.Offset[0] + f*g.Duty[0]
		if !stance {
			back = g.Offset[0] + g.Duty[0] + f*(1-g.Duty[0])
		}
		if d := math.Abs(math.Remainder(back-phase, 1)); d > 1e-9 {
			t.Fatalf("stance %v fraction %v are phase %v, want %v", stance, f, back, phase)
		}
		if set := g.Stance(phase); set&1 == 1 != stance {
			t.Fatalf("bit set %b, stance %v", set, stance)
		}
	})
	g := gait.Gait{Duty: []float64{.5, .5}, Offset: []float64{.25, .75}}
	if stance, f := g.At(.25, 0); !stance || f != 0 {
		t.Errorf("at its touchdown a leg is in stance %v, %v", stance, f)
	}
	if stance, f := g.At(g.LiftOff(0), 0); stance || f != 0 {
		t.Errorf("at its lift-off a leg is in stance %v, %v", stance, f)
	}
	if f := gait.Frac(-1e-20); f != 0 {
		t.Errorf("Frac(-1e-20) = %v, want 0", f)
	}
}

func TestPhaseDoesNotAllocate(t *testing.T) {
	g, err := gait.Wave(ladder(3), .6)
	if err != nil {
		t.Fatal(err)
	}
	w := gait.Swing{To: r3.Vec{X: .1}, Lift: .05, Time: .3}
	n := testing.AllocsPerRun(100, func() {
		g.At(.3, 2)
		g.Stance(.4)
		w.At(.3)
		w.Velocity(.3)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
