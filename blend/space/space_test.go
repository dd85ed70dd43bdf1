package space_test

import (
	"math"
	"testing"

	"legctl/blend/space"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// turning is a table of arcs: b turns by at most one radian either way over two
// metres, whatever the start.
func turning(finals int) *space.Fans {
	f := &space.Fans{Starts: []float64{0, 1}, Places: make([][]r2.Vec, 2)}
	for z := range finals {
		b := float64(z) / float64(finals-1)
		f.Finals = append(f.Finals, b)
		s, c := math.Sincos(2*b - 1)
		for y := range f.Places {
			f.Places[y] = append(f.Places[y], r2.Vec{X: 2 * c, Y: 2 * s})
		}
	}
	return f
}

func TestSteeringIsContinuousInsideTheFanAndFullBeyond(t *testing.T) {
	f := turning(9)
	fan := make([]r2.Vec, 9)
	last := math.NaN()
	for k := range 2001 {
		bearing := -3 + 6*float64(k)/2000
		s, c := math.Sincos(bearing)
		got, err := f.Choose(fan, .5, r2.Vec{X: 9 * c, Y: 9 * s}, space.ByAngle, space.Bracket)
		if err != nil {
			t.Fatal(err)
		}
		want := max(0, min((bearing+1)/2, 1))
		if math.Abs(got.Final-want) > 1e-9 || math.Abs(got.Final-last) > .01 {
			t.Fatalf("bearing %v: %v after %v, want %v", bearing, got.Final, last, want)
		}
		last = got.Final
	}
	if n := testing.AllocsPerRun(20, func() {
		if _, err := f.Choose(fan, .5, r2.Vec{X: 1}, space.ByAngle, space.Bracket); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestFansRefuse(t *testing.T) {
	nan := math.NaN()
	for name, f := range map[string]space.Fans{
		"empty":      {},
		"descending": {Starts: []float64{1, 0}, Finals: []float64{0}, Places: [][]r2.Vec{{{}}, {{}}}},
		"ragged":     {Starts: []float64{0}, Finals: []float64{0, 1}, Places: [][]r2.Vec{{{}}}},
		"few fans":   {Starts: []float64{0, 1}, Finals: []float64{0}, Places: [][]r2.Vec{{{}}}},
		"NaN":        {Starts: []float64{0}, Finals: []float64{0}, Places: [][]r2.Vec{{{X: nan}}}},
		"NaN final":  {Starts: []float64{0}, Finals: []float64{nan}, Places: [][]r2.Vec{{{}}}},
	} {
		if f.Check() == nil {
			t.Errorf("%s passes", name)
		}
	}
	f := turning(3)
	if _, err := f.Choose(make([]r2.Vec, 2), 0, r2.Vec{X: 1}, space.ByAngle, space.Bracket); err == nil {
		t.Error("a short scratch is taken")
	}
	if _, err := f.Choose(make([]r2.Vec, 3), nan, r2.Vec{X: 1}, space.ByAngle, space.Bracket); err == nil {
		t.Error("blend NaN is taken")
	}
	if got := space.Follow(.5, nan, 1, 1); got != .5 {
		t.Errorf("follows NaN to %v", got)
	}
}

func TestFollowDoesNotDependOnTheStep(t *testing.T) {
	for _, dt := range []float64{1. / 30, 1. / 300} {
		b := 0.0
		for range int(math.Round(.2 / dt)) {
			b = space.Follow(b, 1, 3, dt)
		}
		if math.Abs(b-.6) > 1e-12 {
			t.Errorf("dt %v: %v after 0.2 s, want 0.6", dt, b)
		}
	}
}

func TestRegistrationRefuses(t *testing.T) {
	nan := math.NaN()
	for name, cost := range map[string][][]float64{"empty": nil, "no columns": {{}}, "ragged": {{1, 2}, {1}}, "NaN": {{nan}}} {
		if _, _, err := space.Register(cost, 2); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, _, err := space.Register([][]float64{{1}}, -1); err == nil {
		t.Error("limit -1 is taken")
	}
	if c := space.Curve(space.Path{}); c != nil {
		t.Errorf("the curve of no path is %v", c)
	}
	v := []r3.Vec{{X: 1}}
	for name, err := range map[string]error{
		"empty":   second(space.Align(nil, nil, nil)),
		"lengths": second(space.Align(v, v, nil)),
		"weights": second(space.Align(v, v, []float64{0})),
		"NaN":     second(space.Align(v, []r3.Vec{{Z: nan}}, []float64{1})),
	} {
		if err == nil {
			t.Errorf("align %s: no error", name)
		}
	}
	for name, c := range map[string]struct {
		signal  [][]float64
		overlap int
	}{"ragged": {[][]float64{{1}, {1, 2}}, 1}, "NaN": {[][]float64{{nan}}, 1}, "overlap": {nil, 0}} {
		if _, err := space.Lags(c.signal, 1, c.overlap); err == nil {
			t.Errorf("lags %s: no error", name)
		}
	}
}

func second(_ space.Alignment, _ float64, err error) error { return err }
