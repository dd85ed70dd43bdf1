package control_test

import (
	"fmt"
	"testing"

	"legctl/control"
	"legctl/control/mode"
	"legctl/ik"
)

// order is a command of the mode topic.
func order(in mode.Input) *control.Command {
	return &control.Command{Kind: control.KindMode, Mode: in}
}

// until steps the bench until a mode is reached, at most ten seconds, and
// fails the test when a joint moves faster than it may or beyond its limits.
func (x *bench) until(t *testing.T, want mode.Mode) {
	t.Helper()
	dt := x.c.Params().Dt
	before := append([]float64(nil), x.s.Q...)
	for n := 0; x.s.Mode != want; n++ {
		if float64(n)*dt > 30 {
			t.Fatalf("still %v after 30 s, want %v", x.s.Mode, want)
		}
		x.c.Step(x.out, x.s, nil, nil, x.g)
		for i := range x.c.Rig().Legs {
			l := &x.c.Rig().Legs[i]
			for j := range l.Joints {
				k, q := &l.Joints[j], x.out.Set.Q[l.First+j]
				if v := (q - before[l.First+j]) / dt; v > k.Speed*1.001 || v < -k.Speed*1.001 {
					t.Fatalf("%s: %s moves at %.3g rad/s in %v, may do %.3g", x.c.Rig().Name, k.Name, v, x.s.Mode, k.Speed)
				}
				if q < k.Min-1e-6 || q > k.Max+1e-6 {
					t.Fatalf("%s: %s is at %.4g in %v, limits %.4g to %.4g", x.c.Rig().Name, k.Name, q, x.s.Mode, k.Min, k.Max)
				}
			}
		}
		copy(before, x.out.Set.Q)
		if x.out.Unreached != 0 {
			t.Fatalf("%s: feet %b out of reach in %v", x.c.Rig().Name, x.out.Unreached, x.s.Mode)
		}
	}
}

// TestLifeCycle takes rigs through their whole day: packed, sitting, standing,
// walking and back, with no joint too fast and no foot out of reach.
func TestLifeCycle(t *testing.T) {
	for _, tt := range []struct{ rig, gait string }{
		{"phantomx", "walk"}, {"a1", "crawl"}, {"octopod", "walk"}, {"spotmicro", "crawl"}, {"bullet", "walk"}, {"freenove", "tripod"}, {"starfish", "walk"},
	} {
		t.Run(tt.rig, func(t *testing.T) {
			x := newBench(t, tt.rig, tt.gait, true)
			x.c.Start(x.s, nil, x.g, false)
			x.order(t, mode.Arm, mode.Hold)
			for _, st := range []struct {
				in   mode.Input
				want mode.Mode
			}{
				{mode.Pack, mode.Packed}, {mode.Sit, mode.Sitting}, {mode.Rise, mode.Stand}, {mode.Sit, mode.Sitting},
				{mode.Rise, mode.Stand}, {mode.Pack, mode.Packed}, {mode.Rise, mode.Stand},
			} {
				x.c.Step(x.out, x.s, order(st.in), nil, x.g)
				if x.out.Reply.Reason != control.Accepted {
					t.Fatalf("%v refused in %v: %+v", st.in, x.s.Mode, x.out.Reply)
				}
				x.until(t, st.want)
			}
			x.c.Step(x.out, x.s, &control.Command{Kind: control.KindTwist, Vx: 0.01, TTL: 1}, nil, x.g)
			x.c.Step(x.out, x.s, order(mode.Pack), nil, x.g)
			x.until(t, mode.Packed)
			for i := range x.c.Rig().Legs {
				if x.out.Legs[i].Status != ik.Reached {
					t.Errorf("leg %d ends %v", i, x.out.Legs[i].Status)
				}
			}
		})
	}
}

// order gives an order and wants the mode it leads to at once.
func (x *bench) order(t *testing.T, in mode.Input, want mode.Mode) {
	t.Helper()
	x.c.Step(x.out, x.s, order(in), nil, x.g)
	if x.s.Mode != want {
		t.Fatalf("%v: mode %v, reply %+v, want %v", in, x.s.Mode, x.out.Reply, want)
	}
}

// TestEveryCommandInEveryMode gives every command in every mode at several
// moments of it: none is stuck, what is refused changes nothing, and from
// everywhere a rig can be brought to a stand again.
func TestEveryCommandInEveryMode(t *testing.T) {
	x := newBench(t, "phantomx", "walk", true)
	commands := []control.Command{
		{Kind: control.KindTwist, Vx: 0.04, TTL: 1}, {Kind: control.KindGoto, X: 1}, {Kind: control.KindStop}, {Kind: control.KindGait},
		{Kind: control.KindPose}, {Kind: control.KindHeight}, {Kind: control.KindLeg, Leg: 1}, {Kind: control.KindCruise, Vx: 0.03, TTL: 2},
		{Kind: control.KindFoot, Leg: 2}, {Kind: control.KindJoint, Leg: 2},
	}
	for _, in := range mode.Orders {
		commands = append(commands, *order(in))
	}
	for m := mode.Limp; m < mode.Count; m++ {
		for phase := range 5 {
			for _, cmd := range commands {
				name := fmt.Sprintf("%v at %d, kind %d %v", m, phase, cmd.Kind, cmd.Mode)
				if !x.reach(m, phase) {
					t.Fatalf("%s: cannot be reached, is %v", name, x.s.Mode)
				}
				legal := mode.Legal(x.s.Mode)
				was := x.s.Mode
				x.c.Step(x.out, x.s, &cmd, nil, x.g)
				in := cmd.Input()
				if ok := legal>>in&1 == 1; ok != (x.out.Reply.Reason != control.IllegalMode) {
					t.Fatalf("%s: table says %v, reply %v", name, ok, x.out.Reply.Reason)
				}
				if x.out.Reply.Reason != control.Accepted && x.s.Mode != was && x.s.Mode != mode.Stand && x.s.Mode != mode.Sitting && x.s.Mode != mode.Packed {
					t.Fatalf("%s: refused, yet %v became %v", name, was, x.s.Mode)
				}
				x.recover(t, name)
			}
		}
	}
}

// reach brings the bench into a mode, phase tenths of a second into it.
func (x *bench) reach(m mode.Mode, phase int) bool {
	x.c.Start(x.s, nil, x.g, true)
	script := map[mode.Mode][]*control.Command{
		mode.Limp: {order(mode.Disarm)}, mode.Hold: {order(mode.Disarm), order(mode.Arm)}, mode.Packed: {order(mode.Pack), nil},
		mode.Unpacking: {order(mode.Pack), nil, order(mode.Sit)}, mode.Sitting: {order(mode.Sit), nil}, mode.Rising: {order(mode.Sit), nil, order(mode.Rise)},
		mode.Walk: {{Kind: control.KindTwist, Vx: 0.04, TTL: 5}}, mode.Manual: {{Kind: control.KindFoot, Leg: 2}}, mode.Lowering: {order(mode.Sit)},
		mode.Packing: {order(mode.Sit), nil, order(mode.Pack)}, mode.Stopped: {order(mode.EStop)}, mode.Stand: {},
		mode.Fault: {}, // by fact only
	}
	for _, cmd := range script[m] {
		x.c.Step(x.out, x.s, cmd, nil, x.g)
		for n := 0; cmd == nil && n < 3000 && x.s.Mode != mode.Packed && x.s.Mode != mode.Sitting; n++ {
			x.c.Step(x.out, x.s, nil, nil, x.g)
		}
	}
	if m == mode.Fault {
		x.s.Mode = mode.Fault
	}
	ok := x.s.Mode == m
	for range 10 * phase {
		x.c.Step(x.out, x.s, nil, nil, x.g)
	}
	return ok
}

// recover brings the bench to a stand from wherever it is, by commands that are
// legal there.
func (x *bench) recover(t *testing.T, name string) {
	t.Helper()
	for n := 0; n < 6000 && (x.s.Mode != mode.Stand || n == 0); n++ {
		legal := mode.Legal(x.s.Mode)
		var cmd *control.Command
		for _, in := range []mode.Input{mode.Rise, mode.Clear, mode.Arm} {
			if legal>>in&1 == 1 && n%50 == 0 {
				cmd = order(in)
				break
			}
		}
		if x.s.Mode == mode.Walk && n%50 == 0 {
			cmd = &control.Command{Kind: control.KindStop}
		}
		x.c.Step(x.out, x.s, cmd, nil, x.g)
	}
	if x.s.Mode != mode.Stand {
		t.Fatalf("%s: never stands again, is %v", name, x.s.Mode)
	}
}
