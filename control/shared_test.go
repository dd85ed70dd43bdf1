package control_test

import (
	"slices"
	"testing"

	"legctl/control"
)

// TestRigsShareAController walks two rigs in turn with one controller, and each
// with its own: what a controller has worked out for one is never taken for the
// other.
func TestRigsShareAController(t *testing.T) {
	for _, w := range walks {
		one, two, alone := newBench(t, w.rig, w.gait, w.closed), newBench(t, w.rig, w.gait, w.closed), newBench(t, w.rig, w.gait, w.closed)
		two.c, alone.c = one.c, newBench(t, w.rig, w.gait, w.closed).c
		twists := []*control.Command{
			{Kind: control.KindTwist, Vx: 0.02, Wz: 0.05, TTL: 100}, {Kind: control.KindTwist, Vx: -0.02, TTL: 100},
		}
		for n := range 1500 {
			for i, x := range []*bench{one, two} {
				if n > 0 {
					x.c.Step(x.out, x.s, nil, nil, x.g)
				} else {
					x.c.Step(x.out, x.s, twists[i], nil, x.g)
				}
			}
			if n > 0 {
				alone.step()
			} else {
				alone.c.Step(alone.out, alone.s, twists[0], nil, alone.g)
			}
			if one.s.PoseWB != alone.s.PoseWB || !slices.Equal(one.s.Q, alone.s.Q) || one.out.Margin != alone.out.Margin {
				t.Fatalf("%s: tick %d: %v beside another rig, %v alone", w.name, n, one.s.PoseWB, alone.s.PoseWB)
			}
		}
	}
}
