package control_test

import (
	"fmt"
	"math"
	"testing"

	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"
)

// TestEveryLostLeg takes away every leg, and every pair of legs, of walking
// rigs at several ticks of their stride, as a servo that dies does: what is left
// goes on with the centre of mass inside its feet, from one cycle later on, or,
// where no stable set is left, lies down.
func TestEveryLostLeg(t *testing.T) {
	for _, tt := range []struct{ rig, gait string }{
		{"phantomx", "walk"}, {"phantomx", "tripod"}, {"phantomx_octopod", "tetrapod"}, {"a1", "crawl"}, {"octopod", "walk"},
	} {
		t.Run(tt.rig+"/"+tt.gait, func(t *testing.T) {
			x := newBench(t, tt.rig, tt.gait, true)
			n := len(x.c.Rig().Legs)
			g, _ := x.c.Params().Index(tt.gait)
			worst, moving, down := math.Inf(1), 0, 0
			for a := range n {
				for b := a; b < n; b++ {
					for phase := range 3 {
						set := uint64(1)<<a | uint64(1)<<b
						if x.lose(t, g, set, 40+37*phase, fmt.Sprintf("legs %d and %d at %d", a, b, phase), &worst, &moving) {
							down++
						}
					}
				}
			}
			t.Logf("least margin a cycle after the loss %.3f L; %d of %d go on walking, %d lie down", worst/x.c.Rig().L(), moving, 3*n*(n+1)/2, down)
			if moving == 0 && n > 4 {
				t.Error("none goes on")
			}
		})
	}
}

// lose walks, loses the legs of a set, and watches. It reports whether the rig
// lay down.
func (x *bench) lose(t *testing.T, g int, set uint64, at int, name string, worst *float64, moving *int) bool {
	t.Helper()
	x.c.Start(x.s, nil, x.g, true)
	v := x.c.Allowed(g).Linear[0]
	x.c.Step(x.out, x.s, &control.Command{Kind: control.KindGait, Gait: uint16(g)}, nil, x.g)
	x.c.Step(x.out, x.s, &control.Command{Kind: control.KindTwist, Vx: v, TTL: 1e3}, nil, x.g)
	for range at {
		x.c.Step(x.out, x.s, nil, nil, x.g)
	}
	obs := rig.NewObservation(x.c.Rig())
	obs.Faults = set
	dt, k := x.c.Params().Dt, x.c.Sizing(g).K
	cycle := int(20 * k / dt)
	lost, from := false, 0.0
	for n := range 6 * cycle {
		x.c.Step(x.out, x.s, nil, obs, x.g)
		lost = lost || x.out.Events&control.EventLegLost != 0
		if x.s.Mode == mode.Lowering || x.s.Mode == mode.Sitting {
			if n > 4*cycle && x.s.Mode != mode.Sitting {
				t.Fatalf("%s: no stable set, and still %v after %d ticks", name, x.s.Mode, n)
			}
			continue
		}
		if n == cycle {
			from = x.s.BaseW.X
		}
		if n >= cycle {
			*worst = min(*worst, x.out.Margin)
			if x.out.Margin < 0 {
				t.Fatalf("%s: margin %.4f m in tick %d", name, x.out.Margin, n)
			}
		}
	}
	if !lost || x.s.Off&set != set {
		t.Fatalf("%s: the loss was not noticed", name)
	}
	if x.s.Mode == mode.Sitting {
		return true
	}
	if x.s.BaseW.X-from > 0.02*v*float64(5*cycle)*dt {
		*moving++
	}
	return false
}
