package blend_test

import (
	"math"
	"testing"

	"legctl/blend"

	"gonum.org/v1/gonum/spatial/r2"
)

type wayJSON struct{ Angle, Speed num }

// directionalCase is one case of directional.json; its angles are degrees.
type directionalCase struct {
	ID, Rule          string
	Forward, Backward []wayJSON
	Hysteresis        num
	StartSet          string `json:"start_set"`
	Steps             []struct{ Direction, Speed num }
	Expect            []any
}

func rad(deg float64) float64 { return deg * math.Pi / 180 }

func ways(in []wayJSON) []blend.Way {
	var out []blend.Way
	for _, w := range in {
		out = append(out, blend.Way{Angle: rad(float64(w.Angle)), Speed: float64(w.Speed)})
	}
	return out
}

func TestDirectionalVectors(t *testing.T) {
	var f struct{ Cases []directionalCase }
	readVectors(t, "directional", &f)
	if len(f.Cases) < 200 {
		t.Fatalf("%d cases, want at least 200", len(f.Cases))
	}
	for _, c := range f.Cases {
		t.Run(c.ID+"/"+c.Rule, func(t *testing.T) {
			d, err := blend.NewDirectional(ways(c.Forward), ways(c.Backward), rad(float64(c.Hysteresis)))
			if err != nil {
				t.Fatal(err)
			}
			h := blend.Heading{Behind: c.StartSet == "backward"}
			w := make([]float64, max(len(c.Forward), len(c.Backward)))
			for i, s := range c.Steps {
				before := h
				err := d.Step(w, &h, rad(float64(s.Direction)), float64(s.Speed))
				checkStep(t, i, c.Expect[i], d, w, h, err)
				if err != nil && h != before {
					t.Errorf("step %d: an error changed %+v to %+v", i, before, h)
				}
			}
		})
	}
}

func checkStep(t *testing.T, i int, expect any, d *blend.Directional, w []float64, h blend.Heading, err error) {
	t.Helper()
	e, ok := expect.(map[string]any)
	if !ok || e["error"] != nil {
		if err == nil {
			t.Errorf("step %d: got %+v, want an error (%v)", i, h, expect)
		}
		return
	}
	if err != nil {
		t.Fatalf("step %d: %v, want %v", i, err, expect)
	}
	if h.Held != e["held"].(bool) {
		t.Errorf("step %d: held %v, want %v", i, h.Held, e["held"])
	}
	want, _ := e["weights"].([]any)
	if h.Known != (want != nil) {
		t.Fatalf("step %d: known %v, want weights %v", i, h.Known, want)
	}
	if want == nil {
		return
	}
	for k, x := range want {
		if len(want) != d.Len(h.Behind) || !near(w[k], x.(float64)) {
			t.Fatalf("step %d: weights %v, want %v", i, w[:d.Len(h.Behind)], want)
		}
	}
	v := e["velocity"].([]any)
	if h.Behind != (e["set"] == "backward") || h.Covered != e["covered"].(bool) ||
		!near(h.Velocity.X, v[0].(float64)) || !near(h.Velocity.Y, v[1].(float64)) {
		t.Errorf("step %d: got %+v, want %v", i, h, e)
	}
}

// semicircles are a forward and a backward set with three clips each.
func semicircles(t testing.TB) *blend.Directional {
	t.Helper()
	ahead := []blend.Way{{Angle: 0, Speed: 1}, {Angle: math.Pi / 2, Speed: 1}, {Angle: -math.Pi / 2, Speed: 1}}
	behind := []blend.Way{{Angle: math.Pi, Speed: 1}, {Angle: math.Pi / 2, Speed: 1}, {Angle: -math.Pi / 2, Speed: 1}}
	d, err := blend.NewDirectional(ahead, behind, rad(10))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Complaint 16: backward diagonals bend the wrong way, flicker at 180 degrees.
func TestComplaint16BackwardSetAndNoFlickerBehind(t *testing.T) {
	d, h, w := semicircles(t), blend.Heading{}, make([]float64, 3)
	last := make([]float64, 3)
	for i := range 200 {
		wobble := rad(0.5 * float64(1-2*(i%2)))
		if err := d.Step(w, &h, math.Pi+wobble, 1); err != nil {
			t.Fatal(err)
		}
		if !h.Behind || !h.Covered || h.Velocity.X > -0.9 {
			t.Fatalf("straight back: got %+v", h)
		}
		if i > 0 && math.Abs(w[0]-last[0])+math.Abs(w[1]-last[1])+math.Abs(w[2]-last[2]) > 0.05 {
			t.Fatalf("weights jump from %v to %v across 180 degrees", last, w)
		}
		copy(last, w)
	}
	switches := 0
	for i := range 200 { // noise about 90 degrees, inside the hysteresis
		was := h.Behind
		if err := d.Step(w, &h, rad(90+9*float64(1-2*(i%2))), 1); err != nil {
			t.Fatal(err)
		}
		if h.Behind != was {
			switches++
		}
	}
	if switches != 0 {
		t.Errorf("%d switches inside the hysteresis", switches)
	}
}

func TestDirectionalRefuses(t *testing.T) {
	one := []blend.Way{{Speed: 1}}
	for name, c := range map[string]struct {
		ahead, behind []blend.Way
		hysteresis    float64
	}{
		"nothing ahead":  {nil, one, 0},
		"hysteresis":     {one, nil, math.NaN()},
		"negative speed": {[]blend.Way{{Speed: -1}}, nil, 0},
		"same angle":     {[]blend.Way{{Angle: 1}, {Angle: 1 + 2*math.Pi}}, nil, 0},
		"no number":      {one, []blend.Way{{Angle: math.Inf(1)}}, 0},
	} {
		if _, err := blend.NewDirectional(c.ahead, c.behind, c.hysteresis); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := semicircles(t).Step(make([]float64, 2), &blend.Heading{}, 0, 1); err == nil {
		t.Error("a short buffer is taken")
	}
}

func TestPlayRateMakesUpForTheChord(t *testing.T) {
	for _, c := range []struct{ wanted, got, want float64 }{
		{1, math.Sqrt(.5), math.Sqrt2}, {1, 1, 1}, {3, 1, 1.4}, {.1, 1, .7}, {1, 0, 1}, {math.NaN(), 1, 1},
	} {
		if r := blend.PlayRate(c.wanted, r2.Vec{X: c.got}); !near(r, min(c.want, 1.4)) {
			t.Errorf("PlayRate(%v, %v) = %v, want %v", c.wanted, c.got, r, c.want)
		}
	}
}
