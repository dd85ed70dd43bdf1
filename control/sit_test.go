package control_test

import (
	"fmt"
	"math"
	"testing"

	"legctl/control"
	"legctl/control/mode"
)

// TestSitsInMidStride: a quadruped that leans for each step sits down within 4 s
// at whatever moment of its walk it is told to, its feet where they stand and its
// margin kept, and gets up and walks on from there.
func TestSitsInMidStride(t *testing.T) {
	for _, tt := range []struct{ rig, gait string }{
		{"a1", "crawl"}, {"a1", "creep"}, {"spotmicro", "crawl"}, {"sts3215_quadruped", "crawl"}, {"maestro_quadruped", "crawl"}, {"bittle", "crawl"},
	} {
		t.Run(tt.rig+"/"+tt.gait, func(t *testing.T) {
			x := newBench(t, tt.rig, tt.gait, true)
			g, ok := x.c.Params().Index(tt.gait)
			if fine, why := x.c.Offers(g); !ok || !fine {
				t.Fatalf("not offered: %s", why)
			}
			dt, v := x.c.Params().Dt, x.c.Allowed(g).Linear[0]
			floor := 0.5 * x.c.Params().Gaits[g].Rules.Floor * x.c.Sizing(g).L
			worst, longest := math.Inf(1), 0.0
			for phase := range 10 {
				x.c.Start(x.s, nil, x.g, true)
				x.do(&control.Command{Kind: control.KindGait, Gait: uint16(g)}, 1)
				x.do(&control.Command{Kind: control.KindTwist, Vx: v, TTL: 1e3}, int((4+0.7*float64(phase))/dt))
				x.do(&control.Command{Kind: control.KindMode, Mode: mode.Sit}, 1)
				n := 0
				for ; x.s.Mode == mode.Lowering && float64(n)*dt < 10; n++ {
					x.do(nil, 1)
					worst = min(worst, x.out.Margin)
				}
				longest = max(longest, float64(n)*dt)
				if x.s.Mode != mode.Sitting {
					t.Fatalf("moment %d: %v after %.1f s", phase, x.s.Mode, float64(n)*dt)
				}
				x.do(&control.Command{Kind: control.KindMode, Mode: mode.Rise}, int(10/dt))
				from := x.s.BaseW.X
				x.do(&control.Command{Kind: control.KindTwist, Vx: v, TTL: 1e3}, int(8/dt))
				if x.s.Mode != mode.Walk || x.s.BaseW.X-from < 0.2*v*8 {
					t.Errorf("moment %d: then %v, %.3f m in 8 s", phase, x.s.Mode, x.s.BaseW.X-from)
				}
			}
			msg := fmt.Sprintf("down in %.1f s at most, margin %.4f m at least", longest, worst)
			if t.Log(msg); longest > 4 || worst < floor {
				t.Errorf("%s, want 4 s and %.4f m", msg, floor)
			}
		})
	}
}

// do steps the bench with a command in the first of n ticks.
func (x *bench) do(cmd *control.Command, n int) {
	for range n {
		x.c.Step(x.out, x.s, cmd, nil, x.g)
		cmd = nil
	}
}
