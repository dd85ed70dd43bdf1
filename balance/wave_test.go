package balance_test

import (
	"fmt"
	"math"
	"testing"

	"legctl/balance"
	"legctl/gait"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// rigAt makes a rig of bare legs with neutral feet at x, +-y of each row.
func rigAt(ring bool, feet ...r3.Vec) *rig.Rig {
	r := &rig.Rig{Name: "test"}
	for i, f := range feet {
		r.Legs = append(r.Legs, rig.Leg{Name: fmt.Sprintf("leg%d", i), Neutral: f, Length: .2})
	}
	r.Groups = rig.NewGroups(r, ring)
	return r
}

func pairs(xy ...float64) []r3.Vec {
	var feet []r3.Vec
	for i := 0; i < len(xy); i += 2 {
		feet = append(feet, r3.Vec{X: xy[i], Y: xy[i+1]}, r3.Vec{X: xy[i], Y: -xy[i+1]})
	}
	return feet
}

// leastOver returns the least of measure over a cycle of gait g with the feet
// sweeping stroke metres backward about their neutral feet. A margin changes
// linearly between lift-offs and touchdowns, so both sides of those suffice.
func leastOver(r *rig.Rig, g *gait.Gait, stroke float64, measure func([]r2.Vec) float64) float64 {
	const near = 1e-9
	least := math.Inf(1)
	feet, stance := make([]r3.Vec, len(r.Legs)), make([]bool, len(r.Legs))
	for leg := range r.Legs {
		for _, phase := range []float64{g.Offset[leg] - near, g.Offset[leg] + near, g.LiftOff(leg) - near, g.LiftOff(leg) + near} {
			for i := range r.Legs {
				down, f := g.At(phase, i)
				feet[i] = r3.Add(r.Legs[i].Neutral, r3.Vec{X: stroke * (.5 - f)})
				stance[i] = down
			}
			least = min(least, measure(balance.Support(nil, feet, stance)))
		}
	}
	return least
}

// TestWaveMargin compares the longitudinal margin of wave gaits with the closed
// form S = (n/2 - 1) P + (1 - 3/(4 beta)) R (Song and Waldron, 1989).
func TestWaveMargin(t *testing.T) {
	const p = 1.0
	along := func(h []r2.Vec) float64 { return balance.LongMargin(h, r2.Vec{}, r2.Vec{X: 1}) }
	for n := 2; n <= 5; n++ {
		var rows []float64
		for m := range n {
			rows = append(rows, p*(float64(n-1)/2-float64(m)), .8)
		}
		r := rigAt(false, pairs(rows...)...)
		for _, beta := range []float64{.5, .55, .6, .65, .7, .75, .8, .85, .9} {
			if beta < 3/(2*float64(n)) {
				continue
			}
			g, err := gait.Wave(r, beta)
			if err != nil {
				t.Fatal(err)
			}
			for _, stroke := range []float64{.2, .4, .6, .8, 1} {
				want := (float64(n)/2-1)*p + (1-3/(4*beta))*stroke
				if got := leastOver(r, g, stroke, along); math.Abs(got-want) > 1e-6 {
					t.Errorf("n %d, beta %v, stroke %v: %.4f, want %.4f", n, beta, stroke, got, want)
				}
			}
		}
	}
}

// TestTableB1 compares static margins with figures computed elsewhere for a
// six-legged robot (feet at x +-0.130 and 0, y 0.075 and 0.150 m).
func TestTableB1(t *testing.T) {
	r := rigAt(false, pairs(.130, .075, 0, .150, -.130, .075)...)
	ssm := func(h []r2.Vec) float64 { return balance.Margin(h, r2.Vec{}) }
	strides := []float64{0, .04, .08, .12}
	tripod, err := gait.Tripod(r)
	if err != nil {
		t.Fatal(err)
	}
	wave := func(beta float64) *gait.Gait {
		g, err := gait.Wave(r, beta)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, c := range []struct {
		name string
		g    *gait.Gait
		want []float64
	}{
		{"wave 5/6", wave(5. / 6), []float64{.0750, .0750, .0750, .0750}},
		{"tripod", tripod, []float64{.0750, .0578, .0405, .0232}},
		{"ripple, rear to front", wave(2. / 3), []float64{.0750, .0706, .0659, .0610}},
	} {
		for i, s := range strides {
			if got := leastOver(r, c.g, s, ssm); math.Abs(got-c.want[i]) > 2e-4 {
				t.Errorf("%s at stride %v: %.4f, want %.4f", c.name, s, got, c.want[i])
			}
		}
	}
}
