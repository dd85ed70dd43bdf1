package blend_test

import (
	"math"
	"testing"

	"legctl/blend"
)

func TestTent(t *testing.T) {
	for _, c := range []struct {
		name   string
		points []float64
		at     float64
		want   []float64
	}{
		{"between", []float64{0, 1, 3}, 2, []float64{0, .5, .5}},
		{"any order", []float64{3, 0, 1}, 2, []float64{.5, 0, .5}},
		{"on a point", []float64{0, 1, 3}, 1, []float64{0, 1, 0}},
		{"below", []float64{0, 1, 3}, -9, []float64{1, 0, 0}},
		{"above", []float64{0, 1, 3}, 9, []float64{0, 0, 1}},
		{"doubles share", []float64{0, 1, 1}, .5, []float64{.5, .25, .25}},
		{"one", []float64{7}, 0, []float64{1}},
		{"all at one value", []float64{1, 1}, 5, []float64{.5, .5}},
	} {
		got := make([]float64, len(c.points))
		if err := blend.Tent(got, c.points, c.at); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		sameWeights(t, c.name, got, c.want, 1e-15)
	}
	w := []float64{5}
	for name, err := range map[string]error{
		"none": blend.Tent(nil, nil, 0), "query": blend.Tent(w, []float64{1}, math.NaN()),
		"point": blend.Tent(w, []float64{math.Inf(1)}, 0), "length": blend.Tent(w, []float64{1, 2}, 0),
	} {
		if err == nil || w[0] != 5 {
			t.Errorf("%s: %v, weight %v", name, err, w[0])
		}
	}
}

func TestApproachVectors(t *testing.T) {
	var f struct {
		Cases []struct {
			ID, Kind, Rule string
			Start, Target  []num
			Rate           num
			Expect         any
		}
	}
	readVectors(t, "steer", &f)
	n := 0
	for _, c := range f.Cases {
		rows, ok := c.Expect.([]any)
		if c.Kind != "weights_rate" || !ok {
			continue
		}
		n++
		w := floats(c.Start)
		for k, row := range rows {
			// 30 frames a second: the file counts in frames.
			if _, err := blend.Approach(w, floats(c.Target), float64(c.Rate)*30, 1./30); err != nil {
				t.Fatal(c.ID, err)
			}
			for i, x := range row.([]any) {
				if !near(w[i], x.(float64)) {
					t.Errorf("%s: step %d: weights %v, want %v", c.ID, k+1, w, row)
				}
			}
		}
	}
	if n < 15 {
		t.Errorf("%d cases, want at least 15", n)
	}
}

func TestSixStepsOfATenth(t *testing.T) {
	for _, c := range []struct {
		dt    float64
		steps int
	}{{1. / 30, 6}, {1. / 60, 12}, {1. / 300, 60}} {
		w, target := []float64{0, 0, .5, .5}, []float64{.4, .6, 0, 0}
		for k := 1; ; k++ {
			last := append([]float64(nil), w...)
			reached, err := blend.Approach(w, target, blend.SomeRate, c.dt)
			if err != nil || math.Abs(w[0]+w[1]+w[2]+w[3]-1) > 1e-12 {
				t.Fatal(err, w)
			}
			for i := range w {
				if math.Abs(w[i]-last[i]) > blend.SomeRate*c.dt+1e-12 {
					t.Fatalf("weight %d went from %v to %v", i, last[i], w[i])
				}
			}
			if reached {
				if k != c.steps {
					t.Errorf("dt %v: %d steps, want %d", c.dt, k, c.steps)
				}
				break
			}
		}
	}
	w := []float64{1}
	for name, target := range map[string][]float64{"length": {1, 2}, "no number": {math.NaN()}} {
		if _, err := blend.Approach(w, target, 1, 1); err == nil || w[0] != 1 {
			t.Errorf("%s: %v, %v", name, err, w)
		}
	}
}

func TestPivot(t *testing.T) {
	p := blend.Pivot{Rate: 2}
	s := blend.Turning{Yaw: 3}
	for range 10 { // the short way, over the seam
		if err := p.Step(&s, -3, .01); err != nil || s.Turn != 1 {
			t.Fatal(err, s)
		}
	}
	if math.Abs(s.Yaw-(3.2-2*math.Pi)) > 1e-12 {
		t.Errorf("yaw %v after 0.2 rad to the left of 3", s.Yaw)
	}
	s = blend.Turning{}
	for i := range 100 { // behind with noise: on by the side it began with
		if err := p.Step(&s, math.Pi+.1*float64(1-2*(i%2)), .01); err != nil || s.Turn != -1 {
			t.Fatal(err, s)
		}
	}
	for range 200 {
		if err := p.Step(&s, 1, .1); err != nil {
			t.Fatal(err)
		}
	}
	if s.Yaw != 1 || s.Turn != 0 || s.Side != 0 {
		t.Errorf("arrived as %+v, want yaw 1 without turn", s)
	}
	if p.Step(&s, math.NaN(), .1) == nil || (blend.Pivot{}).Step(&s, 0, .1) == nil || s.Yaw != 1 {
		t.Errorf("bad input is taken: %+v", s)
	}
}

func TestAim(t *testing.T) {
	a := blend.Aim{Yaw: []float64{-1, 0, 1}, Pitch: []float64{-.5, .5}}
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name       string
		yaw, pitch float64
		covered    bool
		want       []float64
	}{
		{"on a pose", 0, .5, true, []float64{0, 0, 0, 1, 0, 0}},
		{"between four", .5, 0, true, []float64{0, 0, .25, .25, .25, .25}},
		{"past the left", 2, -.5, false, []float64{0, 0, 0, 0, 1, 0}},
		{"past the right, above", -2, 1, false, []float64{0, 1, 0, 0, 0, 0}},
		{"a turn more", 2*math.Pi + .5, 0, true, []float64{0, 0, .25, .25, .25, .25}},
	} {
		var side int8
		got := make([]float64, a.Len())
		covered, err := a.Weights(got, &side, c.yaw, c.pitch)
		if err != nil || covered != c.covered {
			t.Errorf("%s: covered %v, %v", c.name, covered, err)
		}
		sameWeights(t, c.name, got, c.want, 1e-12)
	}
	var side int8
	got := make([]float64, a.Len())
	for i := range 10 { // behind: keeps looking over the same shoulder
		if _, err := a.Weights(got, &side, math.Pi+.1*float64(2*(i%2)-1), 0); err != nil || got[4] != .5 {
			t.Fatal(got, err)
		}
	}
	if _, err := a.Weights(got, &side, math.NaN(), 0); err == nil {
		t.Error("yaw NaN is taken")
	}
	for _, bad := range []blend.Aim{{}, {Yaw: []float64{0}}, {Yaw: []float64{1, 0}, Pitch: []float64{0}}, {Yaw: []float64{9}, Pitch: []float64{0}}} {
		if bad.Check() == nil {
			t.Errorf("%+v passes", bad)
		}
	}
}
