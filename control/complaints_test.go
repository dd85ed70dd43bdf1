package control_test

import (
	"testing"

	"legctl/control"
	"legctl/control/mode"

	"gonum.org/v1/gonum/spatial/r3"
)

// The tests of this file are named after rows of our list of public complaints
// about other controllers: each would fail if legctl had that fault.

// TestComplaint39_NoMarchingOnTheSpot: a robot that is told no speed stands,
// whatever its gait.
func TestComplaint39_NoMarchingOnTheSpot(t *testing.T) {
	for _, name := range []string{"phantomx", "a1"} {
		x := newBench(t, name, "walk", true)
		for g := range x.c.Params().Gaits {
			if ok, _ := x.c.Offers(g); !ok {
				continue
			}
			x.c.Start(x.s, nil, x.g, true)
			x.accepted(t, &control.Command{Kind: control.KindGait, Gait: uint16(g)})
			x.accepted(t, &control.Command{Kind: control.KindTwist, TTL: 10})
			for n := range 500 {
				if x.ticks(1); x.out.LiftOff != 0 {
					t.Fatalf("%s %s: legs %b lift in tick %d though no speed is asked for", name, x.c.Params().Gaits[g].Name, x.out.LiftOff, n)
				}
			}
		}
	}
}

// TestComplaint43_DeadMan: an operator who falls silent in a walk leaves a rig
// that stops by itself and stands.
func TestComplaint43_DeadMan(t *testing.T) {
	for _, gait := range []string{"walk", "tripod", "wave"} {
		x := newBench(t, "phantomx", gait, true)
		g := x.s.Gait
		x.c.Start(x.s, nil, x.g, true)
		x.s.Gait = g
		for range 200 {
			x.accepted(t, &control.Command{Kind: control.KindTwist, Vx: 0.03, TTL: 0.5})
			x.ticks(1)
		}
		stale := false
		for n := 0; n < 1500 && x.s.Mode == mode.Walk; n++ {
			x.ticks(1)
			stale = stale || x.out.Events&control.EventCommandStale != 0
		}
		if !stale || x.s.Mode != mode.Stand || x.s.VelW != (r3.Vec{}) {
			t.Errorf("%s: stale %v, mode %v, velocity %v", gait, stale, x.s.Mode, x.s.VelW)
		}
	}
}

// TestComplaint45_RefusedAndAlive: orders that cannot be carried out are refused
// or kept within reach, and the next good one works.
func TestComplaint45_RefusedAndAlive(t *testing.T) {
	x := newBench(t, "phantomx", "walk", true)
	x.c.Start(x.s, nil, x.g, true)
	l := x.c.Rig().L()
	for _, bad := range []control.Command{
		{Kind: control.KindPose, Offset: r3.Vec{Z: 5 * l}}, {Kind: control.KindHeight, Height: 9 * l}, {Kind: control.KindFoot, Leg: 99},
		{Kind: control.KindGait, Gait: 999}, {Kind: control.KindJoint, Leg: 0, Joint: 40}, {Kind: control.Kinds}, {Kind: control.KindHeight, Width: 3},
	} {
		if x.c.Step(x.out, x.s, &bad, nil, x.g); x.out.Reply.Reason == control.Accepted {
			t.Errorf("%+v was accepted", bad)
		}
	}
	x.accepted(t, &control.Command{Kind: control.KindPose, Offset: r3.Vec{X: 0.9 * l}})
	for range 200 {
		if x.ticks(1); x.out.Unreached|x.out.AngleLimit != 0 {
			t.Fatalf("an offset beyond reach is not kept within it: legs %b", x.out.Unreached)
		}
	}
	x.accepted(t, &control.Command{Kind: control.KindPose})
	x.accepted(t, &control.Command{Kind: control.KindTwist, Vx: 0.04, TTL: 5})
	if x.ticks(200); x.s.VelW.X < 0.03 {
		t.Errorf("walks at %.3g m/s after the refusals", x.s.VelW.X)
	}
}

// TestComplaint51_ObeysWhileStopping: a command given before a stop has come to
// its end is carried out, for every gait and moment.
func TestComplaint51_ObeysWhileStopping(t *testing.T) {
	x := newBench(t, "phantomx", "walk", true)
	for g := range x.c.Params().Gaits {
		if ok, _ := x.c.Offers(g); !ok {
			continue
		}
		for delay := 1; delay < 120; delay += 17 {
			x.c.Start(x.s, nil, x.g, true)
			v := x.c.Allowed(g).Linear[0]
			again := &control.Command{Kind: control.KindTwist, Vx: v, TTL: 1e3}
			x.accepted(t, &control.Command{Kind: control.KindGait, Gait: uint16(g)})
			x.accepted(t, again)
			x.ticks(300)
			x.accepted(t, &control.Command{Kind: control.KindStop})
			x.ticks(delay)
			x.accepted(t, again)
			if x.ticks(900); x.s.Mode != mode.Walk || x.s.VelW.X < 0.8*v {
				t.Fatalf("%s: %v at %.3g m/s of %.3g, after a command %d ticks into a stop", x.c.Params().Gaits[g].Name, x.s.Mode, x.s.VelW.X, v, delay)
			}
		}
	}
}

// TestComplaint53_StartSequence: a walk command to a rig that lies is refused
// and says what to do; done so, the rig walks.
func TestComplaint53_StartSequence(t *testing.T) {
	x := newBench(t, "phantomx", "walk", true)
	x.c.Start(x.s, nil, x.g, false)
	walk := &control.Command{Kind: control.KindTwist, Vx: 0.04, TTL: 1e3}
	for _, do := range []mode.Input{mode.Arm, mode.Rise} {
		x.c.Step(x.out, x.s, walk, nil, x.g)
		if x.out.Reply.Reason != control.IllegalMode || mode.Legal(x.s.Mode)>>do&1 == 0 {
			t.Fatalf("in %v: %v, and %v is legal: %v", x.s.Mode, x.out.Reply.Reason, do, mode.Legal(x.s.Mode)>>do&1 == 1)
		}
		x.accepted(t, order(do))
	}
	x.until(t, mode.Stand)
	x.accepted(t, walk)
	if x.ticks(300); x.s.VelW.X < 0.03 {
		t.Errorf("walks at %.3g m/s", x.s.VelW.X)
	}
}
