package control_test

import (
	"math"
	"testing"

	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

func (x *bench) ticks(n int) {
	for range n {
		x.c.Step(x.out, x.s, nil, nil, x.g)
	}
}

func (x *bench) accepted(t *testing.T, cmd *control.Command) {
	t.Helper()
	if x.c.Step(x.out, x.s, cmd, nil, x.g); x.out.Reply.Reason != control.Accepted {
		t.Fatalf("%+v: %v", *cmd, x.out.Reply.Reason)
	}
}

// TestCruise holds a velocity without a stream, for as long as it was told, and
// takes over what is being done.
func TestCruise(t *testing.T) {
	x := newBench(t, "phantomx", "walk", true)
	x.c.Start(x.s, nil, x.g, true)
	v := x.c.Allowed(0).Linear[0]
	x.accepted(t, &control.Command{Kind: control.KindTwist, Vx: v, TTL: 0.5})
	x.ticks(20)
	x.accepted(t, &control.Command{Kind: control.KindCruise, TTL: 4})
	x.ticks(350)
	if x.s.VelW.X < 0.9*v {
		t.Errorf("cruises at %.3g m/s, want %.3g", x.s.VelW.X, v)
	}
	x.ticks(300)
	if x.s.Mode != mode.Stand {
		t.Errorf("still %v after the time of the cruise", x.s.Mode)
	}
}

// TestAuto raises the speed and lowers it again: the gait follows, each switch
// once, and back at a lower speed than up.
func TestAuto(t *testing.T) {
	x := newBench(t, "a1", "crawl", true)
	x.c.Start(x.s, nil, x.g, true)
	x.accepted(t, &control.Command{Kind: control.KindGait, Gait: control.GaitAuto})
	x.accepted(t, &control.Command{Kind: control.KindTwist, Vx: 0.005, TTL: 10})
	x.ticks(200) // it has chosen
	top := 1.2
	seen, changes := map[string]bool{}, 0
	var up, down float64
	last := x.s.Gait
	for n := range 2 * 120 {
		v := top * float64(n) / 120
		if n >= 120 {
			v = top * float64(240-n) / 120
		}
		x.accepted(t, &control.Command{Kind: control.KindTwist, Vx: max(0.005, v), TTL: 10})
		x.ticks(30)
		if x.s.Gait != last {
			changes++
			if last = x.s.Gait; n < 120 {
				up = v
			} else if down == 0 {
				down = v
			}
		}
		seen[x.c.Params().Gaits[x.s.Gait].Name] = true
	}
	if !seen["trot"] || !seen["gallop"] || len(seen) < 3 {
		t.Errorf("gaits seen: %v, want a crawl, a trot and a gallop", seen)
	}
	if changes > 2*(len(seen)-1) {
		t.Errorf("%d changes between %d gaits in one rise and fall", changes, len(seen))
	}
	if down >= up {
		t.Errorf("back to the slower gait at %.3g m/s, up at %.3g: no hysteresis", down, up)
	}
}

// TestManual moves a leg by hand while the others stand: foot and joint come to
// where they are told, the margin holds, and a stop sets the leg down
// (complaint 56: move one leg).
func TestManual(t *testing.T) {
	for _, name := range []string{"phantomx", "a1"} {
		x := newBench(t, name, "walk", true)
		r := x.c.Rig()
		x.c.Start(x.s, nil, x.g, true)
		d := r3.Vec{X: 0.1 * r.L(), Z: 0.1 * r.L()}
		x.accepted(t, &control.Command{Kind: control.KindFoot, Leg: 1, Offset: d})
		least := math.Inf(1)
		for range 600 {
			x.ticks(1)
			least = min(least, x.out.Margin)
		}
		want := r3.Add(r.Legs[1].Neutral, d)
		if got := rig.Foot(r, 1, x.s.Q); r3.Norm(r3.Sub(got, want)) > 0.01*r.L() {
			t.Errorf("%s: foot at %v, want %v", name, got, want)
		}
		if least < 0 {
			t.Errorf("%s: margin %.4f m while a leg is moved", name, least)
		}
		j := &r.Legs[1].Joints[1]
		angle := j.Rest + 0.2*(j.Max-j.Rest)
		x.accepted(t, &control.Command{Kind: control.KindJoint, Leg: 1, Joint: 1, Angle: angle})
		x.ticks(400)
		if got := r.Slice(x.s.Q, 1)[1]; math.Abs(got-angle) > 1e-6 {
			t.Errorf("%s: joint at %.4f, want %.4f", name, got, angle)
		}
		if x.c.Step(x.out, x.s, &control.Command{Kind: control.KindJoint, Leg: 1, Joint: 1, Angle: j.Max + 1}, nil, x.g); x.out.Reply.Reason != control.OutOfRange {
			t.Errorf("%s: a joint beyond its limit: %v", name, x.out.Reply.Reason)
		}
		x.accepted(t, &control.Command{Kind: control.KindStop})
		x.ticks(900)
		if !x.s.Legs[1].Planted() || x.s.Mode != mode.Stand {
			t.Errorf("%s: %v, leg down %v after the stop", name, x.s.Mode, x.s.Legs[1].Planted())
		}
	}
}

// TestWidth widens the stance live: the feet step out and stay there.
func TestWidth(t *testing.T) {
	x := newBench(t, "phantomx", "walk", true)
	x.c.Start(x.s, nil, x.g, true)
	x.accepted(t, &control.Command{Kind: control.KindHeight, Width: 1.15})
	x.accepted(t, &control.Command{Kind: control.KindTwist, Vx: 0.04, TTL: 4})
	x.ticks(1200)
	for i := range x.s.Legs {
		f, n := x.s.Legs[i].Foot, x.c.Rig().Legs[i].Neutral
		got := math.Hypot(f.X-x.s.BaseW.X, f.Y-x.s.BaseW.Y) / math.Hypot(n.X, n.Y)
		if math.Abs(got-1.15) > 0.12 {
			t.Errorf("leg %d stands %.3f of its neutral distance out, want 1.15", i, got)
		}
	}
}

// TestEStop stops at once from a walk: no joint moves any more until cleared.
func TestEStop(t *testing.T) {
	x := newBench(t, "phantomx", "tripod", true)
	x.ticks(333)
	x.accepted(t, order(mode.EStop))
	q := append([]float64(nil), x.out.Set.Q...)
	x.ticks(100)
	for i := range q {
		if x.out.Set.Q[i] != q[i] {
			t.Fatalf("joint %d moved in an emergency stop", i)
		}
	}
	x.c.Step(x.out, x.s, order(mode.Rise), nil, x.g)
	if x.out.Reply.Reason != control.IllegalMode {
		t.Errorf("rise in an emergency stop: %v", x.out.Reply.Reason)
	}
	x.accepted(t, order(mode.Clear))
	x.accepted(t, order(mode.Rise))
	x.until(t, mode.Stand)
}
