package control_test

import (
	"math"
	"testing"

	"legctl/control"
	"legctl/control/mode"
	"legctl/geom"
)

// TestRefused holds every way a command is refused, and that nothing else
// changes by it.
func TestRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	tests := []struct {
		name string
		mode mode.Mode
		cmd  control.Command
		want control.Reason
	}{
		{"twist of NaN", mode.Stand, control.Command{Kind: control.KindTwist, Vx: nan}, control.NotFinite},
		{"twist of Inf", mode.Stand, control.Command{Kind: control.KindTwist, Wz: inf}, control.NotFinite},
		{"twist in mm/s", mode.Stand, control.Command{Kind: control.KindTwist, Vx: 150}, control.OutOfRange},
		{"ttl of a year", mode.Stand, control.Command{Kind: control.KindTwist, Vx: 0.1, TTL: 3e7}, control.OutOfRange},
		{"twist while limp", mode.Limp, control.Command{Kind: control.KindTwist, Vx: 0.1}, control.IllegalMode},
		{"twist on hold", mode.Hold, control.Command{Kind: control.KindTwist, Vx: 0.1}, control.IllegalMode},
		{"goto in a fault", mode.Fault, control.Command{Kind: control.KindGoto, X: 1}, control.IllegalMode},
		{"goto NaN", mode.Stand, control.Command{Kind: control.KindGoto, Y: nan}, control.NotFinite},
		{"goto the moon", mode.Stand, control.Command{Kind: control.KindGoto, X: 3.8e8}, control.OutOfRange},
		{"pose in degrees", mode.Stand, control.Command{Kind: control.KindPose, RPY: vec(0, 5, 0)}, control.OutOfRange},
		{"pose in mm", mode.Stand, control.Command{Kind: control.KindPose, Offset: vec(10, 0, 0)}, control.OutOfRange},
		{"height of NaN", mode.Stand, control.Command{Kind: control.KindHeight, Height: nan}, control.NotFinite},
		{"height below the floor", mode.Stand, control.Command{Kind: control.KindHeight, Height: 0.01}, control.OutOfRange},
		{"height above the legs", mode.Stand, control.Command{Kind: control.KindHeight, Height: 0.3}, control.OutOfRange},
		{"gait 999", mode.Stand, control.Command{Kind: control.KindGait, Gait: 999}, control.Unknown},
		{"gallop with slow joints", mode.Stand, control.Command{Kind: control.KindGait, Gait: 1}, control.NotSuited},
		{"leg 6 of 6", mode.Stand, control.Command{Kind: control.KindLeg, Leg: 6}, control.Unknown},
		{"leg -1", mode.Stand, control.Command{Kind: control.KindLeg, Leg: -1}, control.Unknown},
		{"kind 200", mode.Stand, control.Command{Kind: 200}, control.Unknown},
		{"a fact as a command", mode.Stand, control.Command{Kind: control.KindMode, Mode: mode.Settled}, control.Unknown},
		{"rise while limp", mode.Limp, control.Command{Kind: control.KindMode, Mode: mode.Rise}, control.IllegalMode},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newBench(t, "phantomx", "walk", true)
			x.c.Start(x.s, nil, x.g, true)
			x.s.Mode = tt.mode
			twin := newBench(t, "phantomx", "walk", true)
			control.Copy(twin.s, x.s)
			tt.cmd.ID = 7
			x.c.Step(x.out, x.s, &tt.cmd, nil, x.g)
			twin.c.Step(twin.out, twin.s, nil, nil, twin.g)
			r := x.out.Reply
			if r.Reason != tt.want || r.ID != 7 || r.Kind != tt.cmd.Kind {
				t.Errorf("reply %+v, want reason %v", r, tt.want)
			}
			a, _ := x.s.AppendBinary(nil)
			b, _ := twin.s.AppendBinary(nil)
			if string(a) != string(b) {
				t.Error("a refused command changed the state")
			}
		})
	}
}

// TestLastLegs keeps legs on that can stand: not the three of one side.
func TestLastLegs(t *testing.T) {
	x := newBench(t, "phantomx", "walk", true)
	x.c.Start(x.s, nil, x.g, true)
	for leg, want := range []control.Reason{0, 0, control.LastLegs} {
		x.c.Step(x.out, x.s, &control.Command{Kind: control.KindLeg, Leg: int16(leg)}, nil, x.g)
		if got := x.out.Reply.Reason; got != want {
			t.Fatalf("leg %d off: %v, want %v", leg, got, want)
		}
	}
	if x.s.Off != 0b11 {
		t.Errorf("off is %b, want 11", x.s.Off)
	}
}

// TestStale lets a twist die: the rig stops and stands.
func TestStale(t *testing.T) {
	x := newBench(t, "phantomx", "walk", true)
	x.c.Start(x.s, nil, x.g, true)
	x.c.Step(x.out, x.s, &control.Command{Kind: control.KindTwist, Vx: 0.05, TTL: 0.5}, nil, x.g)
	stale, tick := false, 0
	for ; tick < 1500 && x.s.Mode == mode.Walk; tick++ {
		x.c.Step(x.out, x.s, nil, nil, x.g)
		if x.out.Events&control.EventCommandStale != 0 {
			stale = true
			if tick < 48 || tick > 50 {
				t.Errorf("stale after %d ticks of 10 ms, want 0.5 s", tick)
			}
		}
	}
	if !stale || x.s.Mode != mode.Stand {
		t.Fatalf("stale %v, mode %v after %d ticks", stale, x.s.Mode, tick)
	}
	cycle := 20 * x.c.Sizing(0).K / x.c.Params().Dt
	if float64(tick) > 50+cycle {
		t.Errorf("stood still after %d ticks, want within a cycle (%.0f) of the end of the twist", tick, cycle)
	}
}

// TestModes walks a rig from limp to walking and back, by command only.
func TestModes(t *testing.T) {
	x := newBench(t, "a1", "crawl", true)
	x.c.Start(x.s, nil, x.g, false)
	q0 := append([]float64(nil), x.s.Q...)
	steps := []struct {
		cmd  control.Command
		want mode.Mode
	}{
		{control.Command{Kind: control.KindMode, Mode: mode.Arm}, mode.Hold},
		{control.Command{Kind: control.KindMode, Mode: mode.Rise}, mode.Rising},
		{control.Command{}, mode.Stand},
		{control.Command{Kind: control.KindTwist, Vx: 0.02, TTL: 100}, mode.Walk},
		{control.Command{Kind: control.KindMode, Mode: mode.Disarm}, mode.Limp},
	}
	for _, st := range steps {
		if x.s.Mode == mode.Limp || x.s.Mode == mode.Hold {
			for range 50 {
				x.c.Step(x.out, x.s, nil, nil, x.g)
			}
			for i, q := range x.out.Set.Q {
				if q != q0[i] {
					t.Fatalf("joint %d moved in mode %v", i, x.s.Mode)
				}
			}
		}
		if limp := x.s.Mode == mode.Limp; x.out.Set.Limp != limp {
			t.Errorf("limp is %v in mode %v", x.out.Set.Limp, x.s.Mode)
		}
		x.c.Step(x.out, x.s, &st.cmd, nil, x.g)
		for n := 0; st.cmd.Kind == control.KindNone && x.s.Mode != st.want && n < 1000; n++ {
			x.c.Step(x.out, x.s, nil, nil, x.g)
		}
		if x.s.Mode != st.want || x.out.Events&control.EventModeChanged == 0 {
			t.Fatalf("%+v: mode %v, want %v", st.cmd, x.s.Mode, st.want)
		}
	}
	if !x.out.Set.Limp {
		t.Error("disarmed, yet the plant is not told to go limp")
	}
}

// TestPoseGivesWay asks for more body than the legs can give, and comes to it
// without a joint moving faster than it may.
func TestPoseGivesWay(t *testing.T) {
	x := newBench(t, "phantomx", "walk", false)
	x.c.Start(x.s, nil, x.g, true)
	pitch := func(want float64) (got, kept float64) {
		x.c.Step(x.out, x.s, &control.Command{Kind: control.KindPose, RPY: vec(0, want, 0)}, nil, x.g)
		for range 1200 {
			x.c.Step(x.out, x.s, nil, nil, x.g)
			if x.out.Unreached|x.out.SpeedLimit|x.out.AngleLimit != 0 {
				t.Fatalf("pitch %.2f: unreached %b, speed %b, angle %b", want, x.out.Unreached, x.out.SpeedLimit, x.out.AngleLimit)
			}
		}
		_, p, _ := geom.RPY(x.s.PoseWB.Q)
		return p, x.out.Kept
	}
	if p, kept := pitch(0.05); kept != 1 || math.Abs(p-0.05) > 1e-9 {
		t.Errorf("a small pitch: %.4f kept at %.2f, want 0.05 and all of it", p, kept)
	}
	if p, kept := pitch(1.2); kept <= 0 || kept >= 1 || p < 0.1 {
		t.Errorf("a pitch of 69 degrees: %.3f kept at %.2f, want a part of it", p, kept)
	}
}
