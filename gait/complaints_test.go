package gait_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"legctl/gait"
	"legctl/rig"
)

// TestComplaint05_LegsAreTreatedAlike: a gait is keyed by row and side, so a rig
// whose legs are listed in another order gets the same gait, leg by leg, in
// every way.
func TestComplaint05_LegsAreTreatedAlike(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for rows := 2; rows <= 4; rows++ {
		r := spread(rows)
		order := random.Perm(len(r.Legs))
		other := &rig.Rig{Name: "other", Legs: make([]rig.Leg, len(r.Legs))}
		for i, k := range order {
			other.Legs[i] = r.Legs[k]
		}
		other.Groups = rig.NewGroups(other, false)
		for _, c := range gait.Catalogue() {
			g, err := c.For(r)
			h, err2 := c.For(other)
			if (err == nil) != (err2 == nil) {
				t.Fatalf("%s: %v and %v", c.Name, err, err2)
			}
			if err != nil {
				continue
			}
			// Which colour begins may depend on the order: compare differences.
			shift := h.Offset[0] - g.Offset[order[0]]
			for i, k := range order {
				if d := gait.Frac(h.Offset[i] - g.Offset[k] - shift + 0.5); math.Abs(d-0.5) > 1e-9 || h.Duty[i] != g.Duty[k] {
					t.Errorf("%s on %d rows: leg %s has offset %v duty %v, in another order %v %v", c.Name, rows, r.Legs[k].Name, g.Offset[k], g.Duty[k], h.Offset[i], h.Duty[i])
				}
			}
		}
	}
}

// TestComplaint52_PhaseGoesOnAfterAStop: a walk that stops and goes on, or gets
// another frequency, has no jump of phase in any leg: the clock may have stood or
// been set anew, the legs go on from where they are at no more than their
// fastest rate.
func TestComplaint52_PhaseGoesOnAfterAStop(t *testing.T) {
	r := spread(3)
	g, err := gait.Wave(r, 5./6)
	if err != nil {
		t.Fatal(err)
	}
	f := gait.DefaultFlow()
	legs := make([]gait.LegPhase, len(r.Legs))
	clock := 0.2
	for i := range legs {
		f.Enter(&legs[i], g, i, clock)
	}
	step := 0.004
	for k := range 4000 {
		switch k {
		case 700:
			clock = 0.9 // somebody reset it
		case 1500:
			step = 0.01 // and made it faster
		case 2500:
			clock, step = 0, 0.002
		}
		clock = gait.Frac(clock + step)
		for i := range legs {
			was := legs[i]
			f.Tick(&legs[i], g, i, clock, step, true)
			by := gait.Frac(legs[i].Phase - was.Phase)
			if by > f.Fast*step+1e-12 || by < f.Slow*step-1e-12 {
				t.Fatalf("tick %d: leg %d went from phase %v to %v in a step of %v", k, i, was.Phase, legs[i].Phase, step)
			}
		}
	}
}
