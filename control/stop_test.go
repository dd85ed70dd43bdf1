package control_test

import (
	"math"
	"testing"

	"legctl/control"
	"legctl/control/mode"
)

// TestStop stops every gait at several ticks: the rig stands, its feet home,
// within one cycle and the time the body brakes and the last swing takes; a
// command given meanwhile is obeyed (complaint 51: an engine stuck in stopping).
func TestStop(t *testing.T) {
	for _, name := range []string{"phantomx", "a1", "phantomx_octopod"} {
		x := newBench(t, name, "walk", true)
		dt := x.c.Params().Dt
		for g := range x.c.Params().Gaits {
			if ok, _ := x.c.Offers(g); !ok {
				continue
			}
			plan := &x.c.Params().Gaits[g]
			worst := 0.0
			for phase := range 8 {
				x.c.Start(x.s, nil, x.g, true)
				x.c.Step(x.out, x.s, &control.Command{Kind: control.KindGait, Gait: uint16(g)}, nil, x.g)
				twist := &control.Command{Kind: control.KindTwist, Vx: x.c.Allowed(g).Linear[0], TTL: 1e3}
				x.c.Step(x.out, x.s, twist, nil, x.g)
				k := x.c.Sizing(g).K
				for range int(50*k/dt) + 13*phase {
					x.c.Step(x.out, x.s, nil, nil, x.g)
				}
				x.c.Step(x.out, x.s, &control.Command{Kind: control.KindStop}, nil, x.g)
				for range 5 {
					x.c.Step(x.out, x.s, nil, nil, x.g)
				}
				if x.s.Mode == mode.Walk { // obeyed while stopping
					x.c.Step(x.out, x.s, twist, nil, x.g)
					if x.out.Reply.Reason != control.Accepted {
						t.Fatalf("%s %s: a twist while stopping: %v", name, plan.Name, x.out.Reply.Reason)
					}
					x.c.Step(x.out, x.s, &control.Command{Kind: control.KindStop}, nil, x.g)
				}
				n := 0
				for ; x.s.Mode != mode.Stand && n < 4000; n++ {
					x.c.Step(x.out, x.s, nil, nil, x.g)
				}
				worst = math.Max(worst, float64(n)*dt)
			}
			cycle := x.c.Period(g)
			if cycle == 0 {
				cycle = 12 * x.c.Sizing(g).K
			}
			t.Logf("%-16s %-18s stands after %.2f s, a cycle is %.2f s", name, plan.Name, worst, cycle)
			if most := 1.5*cycle + 8*x.c.Sizing(g).K; worst > most {
				t.Errorf("%s %s: stands after %.2f s, a cycle is %.2f s", name, plan.Name, worst, cycle)
			}
		}
	}
}
