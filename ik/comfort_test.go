package ik

import (
	"math"
	"testing"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Every point inside the cylinder is reached on the branch; on its surface
// some point is about to fail.
func TestComfortIsTheLargestCylinder(t *testing.T) {
	for _, r := range testRigs() {
		s := NewSolver(r, DefaultParams())
		d := draw(20)
		for i := range r.Legs {
			l := &r.Legs[i]
			radius := Comfort(s, i, l.Neutral)
			if !(radius > 0.05*l.Length) || radius != Comfort(s, i, l.Neutral) {
				t.Fatalf("%s leg %d: comfort radius %g", r.Name, i, radius)
			}
			q := r.RestPose(nil)
			misses := func(scale float64, count int) (missed int) {
				for range count {
					if res := s.Solve(q, i, Target{Foot: r3.Add(l.Neutral, cylinder(d, r, s, i, scale*radius))}); res.Status != Reached {
						missed++
					}
				}
				return missed
			}
			if n := misses(0.999, 300); n > 0 {
				t.Errorf("%s leg %d: %d of 300 points within %g are missed", r.Name, i, n, radius)
			}
		}
	}
}

// cylinder draws a point of the surface of the comfort cylinder of radius c.
func cylinder(d drawer, r *rig.Rig, s *Solver, i int, c float64) r3.Vec {
	m := &s.legs[i]
	a, z := 2*math.Pi*d.Float64(), (2*d.Float64()-1)*tallShare*unitShare*c
	if m.planar() {
		return r3.Add(r3.Scale((2*d.Float64()-1)*c, m.level()), r3.Vec{Z: z})
	}
	sin, cos := math.Sincos(a)
	return r3.Vec{X: c * cos, Y: c * sin, Z: z}
}

func TestComfortOfBadInput(t *testing.T) {
	s := NewSolver(hexapod(), Params{})
	for _, c := range []struct {
		name string
		leg  int
		foot r3.Vec
	}{
		{"leg beyond", 6, r3.Vec{}},
		{"leg below", -1, r3.Vec{}},
		{"NaN", 0, r3.Vec{X: math.NaN()}},
		{"out of reach", 0, r3.Vec{X: 5}},
	} {
		if got := Comfort(s, c.leg, c.foot); got != 0 {
			t.Errorf("%s: %g, want 0", c.name, got)
		}
	}
}

// The neutral foot lies at its height, in the middle of the yaw range, and no
// neighbour on the leg's line is more comfortable.
func TestNeutralIsTheMostComfortable(t *testing.T) {
	for _, r := range testRigs() {
		s := NewSolver(r, DefaultParams())
		height := -r.Legs[0].Neutral.Z
		if height == 0 {
			height = 0.3 * r.Legs[0].Length
		}
		foot, q, ok := Neutral(s, 0, height)
		if !ok {
			t.Errorf("%s: no neutral foot at %g", r.Name, height)
			continue
		}
		if math.Abs(foot.Z+height) > 1e-9*r.L() {
			t.Errorf("%s: foot at %v, want height %g", r.Name, foot, -height)
		}
		if d := r3.Norm(r3.Sub(rig.LegFoot(&r.Legs[0], q), foot)); d > 1e-6*r.L() {
			t.Errorf("%s: its angles end %g off", r.Name, d)
		}
		m := &s.legs[0]
		_, along, _ := m.line(height)
		best := s.comfort(m, foot, coarse, 0)
		for _, x := range []float64{-0.05, -0.01, 0.01, 0.05} {
			if math.Abs(m.axis[0].Z) > 0.5 && r3.Dot(r3.Sub(foot, m.at[0]), along)+x*m.length < 0 {
				continue
			}
			if v := s.comfort(m, r3.Add(foot, r3.Scale(x*m.length, along)), coarse, 0); v > best*1.02 {
				t.Errorf("%s: %g L along the line the radius is %g, at the foot %g", r.Name, x, v, best)
			}
		}
	}
	s := NewSolver(hexapod(), Params{})
	if _, _, ok := Neutral(s, 0, 10); ok {
		t.Error("a foot 10 m below is neutral")
	}
	if _, _, ok := Neutral(s, 9, 0.1); ok {
		t.Error("leg 9 of 6 has a neutral foot")
	}
	if _, _, ok := Neutral(s, 0, math.NaN()); ok {
		t.Error("height NaN has a neutral foot")
	}
}
