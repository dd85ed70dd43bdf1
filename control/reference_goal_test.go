package control_test

import (
	"math"
	"testing"

	"legctl/control"
	"legctl/gait"
)

func walkOrGallop(gallop bool) gait.Rules {
	if gallop {
		return gait.ReferenceGallop()
	}
	return gait.ReferenceWalk()
}

// TestProperty34Goal: from 10 U and more the rig stops where it should, and
// begins to brake in time.
func TestProperty34Goal(t *testing.T) {
	rows := []struct {
		name   string
		size   string
		dt     float64
		gallop bool
		x, y   float64 // U
		near   float64 // U; 0 = the default 2.2
		brakes float64 // way of braking from full speed, U; 0 = it may come turning
	}{
		{"ahead", "", 0.05, false, 12, 0, 0, 0},
		{"ahead in fine ticks", "", 0.01, false, 12, 0, 0, 0.3},
		{"aslant", "", 0.05, false, 9, -7, 0, 0},
		{"behind", "", 0.05, false, -10, 3, 0, 0},
		{"near", "", 0.05, false, 14, 2, 1, 0},
		{"6 cm", "@0.06", 0.01, false, 12, 0, 0, 0},
		{"3 m", "@3", 0.02, false, 12, 3, 0, 0},
		{"gallop", "", 0.05, true, 25, 0, 0, 0},
		{"gallop in fine ticks", "", 0.01, true, 25, 0, 0, 2.13},
	}
	for _, r := range rows {
		w := build(t, setting{rig: "octopod" + r.size, rules: walkOrGallop(r.gallop), dt: r.dt, own: r.size != "", leeway: 10})
		u := w.size.U
		w.step(&control.Command{Kind: control.KindGoto, X: r.x * u, Y: r.y * u, Near: r.near * u})
		distance := func() float64 {
			p := w.sim.Pose().P
			return math.Hypot(p.X/u-r.x, p.Y/u-r.y)
		}
		near := r.near
		if near == 0 {
			near = 2.2
		}
		braked, speed := 0.0, 0.0
		for range w.inK(400) {
			before, v := distance(), w.out.Twist[0]
			if w.step(nil); braked == 0 && v > 0.5*w.rules.Speed*u/w.size.K && w.out.Wish[0] == 0 {
				braked, speed = before, v*w.size.K/u
			}
		}
		least, most := near-0.2, near+0.3
		tick := speed * w.dt / w.size.K
		if r.gallop {
			least -= tick // a whole tick's way is longer than the ring
		}
		if d := distance(); d < least || d > most {
			t.Errorf("%s: stops %.3f U from its goal, want %g to %g", r.name, d, least, most)
		}
		way := speed * speed / (2 * w.rules.Brake)
		if e := braked - near - way; e > 1e-6 || e < -tick-1e-6 {
			t.Errorf("%s: brakes from %.3f U/k %.3f U before the ring, want %.3f less at most %.3f", r.name, speed, braked-near, way, tick)
		}
		if r.brakes > 0 && math.Abs(way-r.brakes) > 0.01 {
			t.Errorf("%s: braking from full speed takes %.3f U, want %g", r.name, way, r.brakes)
		}
		if w.s.HasGoal {
			t.Errorf("%s: the goal is not reached", r.name)
		}
	}
}
