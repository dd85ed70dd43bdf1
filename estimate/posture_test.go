package estimate_test

import (
	"math"
	"testing"

	"legctl/estimate"
	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// posed is an attitude at a tilt with a share of gravity felt.
func posed(tilt, weight float64) *estimate.Attitude {
	q := geom.FromRPY(tilt, 0, 1)
	a := &estimate.Attitude{Q: q, Set: true, Force: geom.Rotate(quat.Conj(q), r3.Vec{Z: weight * 9.81})}
	a.Watch.Known = true
	return a
}

func TestPosture(t *testing.T) {
	p := estimate.DefaultPosture()
	rows := []struct {
		name          string
		tilt, weight  float64
		seconds       float64
		tipped, falls bool
	}{
		{"level", 0, 1, 1, false, false},
		{"on a slope", 0.6, 1, 1, false, false},
		{"tipped", 1.1, 1, 0.06, true, false},
		{"tipped for a moment", 1.1, 1, 0.03, false, false},
		{"upside down", math.Pi, 1, 1, true, false},
		{"flight of a gallop", 0, 0.05, 0.12, false, false},
		{"falls off a table", 0, 0.05, 0.16, false, true},
	}
	for _, w := range rows {
		var s estimate.Posture
		for range int(w.seconds*1000 + 0.5) {
			s.Update(&p, posed(w.tilt, w.weight), 0.001)
		}
		if s.Tipped != w.tipped || s.Falling != w.falls {
			t.Errorf("%s: %+v", w.name, s)
		}
		if math.Abs(s.Tilt-w.tilt) > 1e-9 {
			t.Errorf("%s: tilt %v, want %v", w.name, s.Tilt, w.tilt)
		}
	}
}

func TestPostureComesBack(t *testing.T) {
	p := estimate.DefaultPosture()
	var s estimate.Posture
	changes := 0
	step := func(tilt, weight float64, ticks int) {
		for range ticks {
			if s.Update(&p, posed(tilt, weight), 0.01) {
				changes++
			}
		}
	}
	step(1.2, 0, 20) // tips over and falls
	if !s.Tipped || !s.Falling || changes != 2 {
		t.Fatalf("%+v after %d changes", s, changes)
	}
	step(0.9, 1, 20) // lands, still too far over
	if !s.Tipped || s.Falling {
		t.Fatalf("%+v", s)
	}
	if s.Update(&p, new(estimate.Attitude), 0.01) || !s.Tipped {
		t.Error("a sensor that is not there changed the facts")
	}
	step(0.5, 1, 20)
	if s.Tipped || changes != 4 {
		t.Errorf("%+v after %d changes", s, changes)
	}
}
