package control_test

import (
	"context"
	"math"
	"testing"

	"legctl/control"
	"legctl/geom"
	"legctl/rig"
	"legctl/sim"
)

// realWorld is a shipped rig with its own rules, servo speeds and gravity on
// level ground, as the product runs it.
func realWorld(t testing.TB, name, gait string, dt float64) *world {
	t.Helper()
	w := &world{t: t, rig: shippedRig(t, name), ground: geom.Level(0), dt: dt}
	p := control.DefaultParams(w.rig)
	p.Dt, p.TTL = dt, 1e3
	var err error
	if w.c, err = control.New(w.rig, p); err != nil {
		t.Fatal(err)
	}
	g, ok := w.c.Params().Index(gait)
	if fine, why := w.c.Offers(g); !ok || !fine {
		t.Fatalf("%s does not offer %s: %s", name, gait, why)
	}
	w.size, w.rules = w.c.Sizing(g), p.Gaits[g].Rules
	sp := sim.Default()
	sp.Servo.Limited, sp.Leeway = true, w.rules.Leeway
	w.sim, err = sim.New(w.rig, w.ground, sp, sim.Scale{U: w.size.U, K: w.size.K, Gravity: w.rig.G()}, dt, 1)
	if err != nil {
		t.Fatal(err)
	}
	w.s = &control.NewStates(w.rig, 1)[0]
	w.out = &control.NewOutputs(w.rig, 1)[0]
	w.obs = rig.NewObservation(w.rig)
	if err := w.sim.Enable(context.Background(), 1<<len(w.rig.Legs)-1); err != nil {
		t.Fatal(err)
	}
	w.place(0, 0, 0)
	w.step(&control.Command{Kind: control.KindGait, Gait: uint16(g)})
	return w
}

// TestLostLeg switches off each leg of a hexapod in turn: it goes on walking,
// slower, in the direction asked, and does not fall.
func TestLostLeg(t *testing.T) {
	for leg := range 6 {
		w := realWorld(t, "phantomx", "walk", 0.02)
		allowed := w.c.Allowed(int(w.s.Gait)).Linear[0]
		w.leg(leg, false)
		w.step(&control.Command{Kind: control.KindTwist, Vx: allowed, TTL: 1e3})
		w.run(w.inK(60))
		a := w.sim.Pose()
		const span = 200
		w.run(w.inK(span))
		b := w.sim.Pose()
		v := (b.P.X - a.P.X) / (span * w.size.K) / allowed
		turn := geom.WrapAngle(geom.Yaw(b.Q) - geom.Yaw(a.Q))
		foot := w.sim.Foot(leg).Z / w.size.U
		t.Logf("leg %s off: %.2f of the allowed speed, %.3f U aside, turned %.3f rad, foot at %.2f U", w.rig.Legs[leg].Name, v, (b.P.Y-a.P.Y)/w.size.U, turn, foot)
		if v < 0.45 || w.sim.Falls() > 0 {
			t.Errorf("leg %s off: %.2f of the allowed speed, %d falls", w.rig.Legs[leg].Name, v, w.sim.Falls())
		}
		if math.Abs(turn) > 0.35 {
			t.Errorf("leg %s off: turned %.2f rad in %d k", w.rig.Legs[leg].Name, turn, span)
		}
		if foot < 0.1 {
			t.Errorf("leg %s is off, its foot %.2f U over the ground", w.rig.Legs[leg].Name, foot)
		}
		if limits := w.any(func(l *tickLog) uint64 { return l.clamped }); limits != 0 {
			t.Errorf("leg %s off: limits of legs %b", w.rig.Legs[leg].Name, limits)
		}
	}
}
