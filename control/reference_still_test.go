package control_test

import (
	"math"
	"strings"
	"testing"

	"legctl/control"
	"legctl/control/mode"
	"legctl/gait"
)

// TestProperty7ComesToRest: after a stop the feet come home and stay.
func TestProperty7ComesToRest(t *testing.T) {
	everywhere(t, func(t *testing.T, o setting) {
		for _, cross := range []float64{0, 1} {
			for _, walked := range []float64{41, 47, 53} { // stops in three phases of the cycle
				o.rules.CrossPair = cross
				w := build(t, o)
				w.twist(0.15, 0, 0)
				w.run(w.inK(walked))
				w.stop()
				from := len(w.ticks) - 1
				w.run(w.inK(24))
				w.home()
				last := 0
				for i := range w.rig.Legs {
					for _, k := range w.lifts(i, from) {
						last = max(last, k-from)
					}
				}
				most := map[float64]float64{0: 8, 1: 11}[cross]
				if k := float64(last) * w.dt / w.size.K; k > most {
					t.Errorf("cross-pair %g, stop after %g k: last lift-off %.2f k later, most %g", cross, walked, k, most)
				}
				if cross == 0 && walked == 41 {
					quiet := len(w.ticks)
					w.run(w.inK(200))
					for i := range w.rig.Legs {
						if late := w.lifts(i, quiet); len(late) > 0 {
							t.Errorf("leg %d lifts at rest, ticks %v", i, late)
						}
					}
				}
				if w.s.Mode != mode.Stand {
					t.Errorf("mode %v, want stand", w.s.Mode)
				}
			}
		}
	})
}

// home checks that every foot is within the trigger radius at rest.
func (w *world) home() {
	w.t.Helper()
	for i := range w.rig.Legs {
		n := w.s.PoseWB.Apply(w.rig.Legs[i].Neutral)
		f := w.s.Legs[i].Foot
		if d := math.Hypot(f.X-n.X, f.Y-n.Y) / w.size.U; d > 0.25+1e-6 {
			w.t.Errorf("leg %d rests %.3f U from its rest point, most 0.25", i, d)
		}
	}
}

// TestProperty6DisabledLegs: a leg that is off never steps, hangs, and blocks
// nobody.
func TestProperty6DisabledLegs(t *testing.T) {
	everywhere(t, func(t *testing.T, o setting) {
		o.leeway = 10 // three feet of a quadruped do not always hold it
		for off := range 2 {
			w := build(t, o)
			w.leg(off, false)
			w.twist(0.15, 0, 0)
			w.run(w.inK(60))
			from := len(w.ticks)
			w.run(w.inK(120))
			for i := range w.rig.Legs {
				n := len(w.lifts(i, from))
				if i == off && (n > 0 || w.s.Legs[i].Planted()) {
					t.Errorf("leg %d off: it stepped %d times, planted %v", i, n, w.s.Legs[i].Planted())
				}
				if i != off && n < 5 {
					t.Errorf("leg %d off: leg %d stepped %d times in 120 k, want at least 5", off, i, n)
				}
			}
			w.leg(off, true)
			w.run(w.inK(60))
			if len(w.lifts(off, len(w.ticks)-w.inK(40))) == 0 {
				t.Errorf("leg %d on again does not step", off)
			}
		}
	})
}

// TestProperty18Uncomfortable holds one planted foot at a distance from its
// rest point, all others at home, and looks where the velocity goes.
func TestProperty18Uncomfortable(t *testing.T) {
	rows := []struct {
		name       string
		gallop     bool
		d          float64
		speed, yaw float64 // what they go to, U/k and rad/k
	}{
		{"walk, 1.19 from rest", false, 1.19, 0.15, 0},
		{"walk, 1.21 from rest", false, 1.21, 0, 0},
		{"walk turning, 1.19 from rest", false, 1.19, 0, 0.15},
		{"walk turning, 1.3 from rest", false, 1.3, 0, 0},
		{"gallop, 1.19 from rest", true, 1.19, 0.40, 0},
		{"gallop, 1.21 from rest", true, 1.21, 0.24, 0},
		{"gallop turning, 1.3 from rest", true, 1.3, 0, 0},
	}
	for _, r := range rows {
		turns := strings.Contains(r.name, "turning")
		w := build(t, setting{rig: "octopod", rules: walkOrGallop(r.gallop)})
		if turns {
			w.twist(0, 0, 0.15)
		} else {
			w.twist(w.rules.Speed, 0, 0)
		}
		for range 40 {
			w.pin(3, r.d)
			w.c.Step(w.out, w.s, nil, nil, w.ground)
		}
		v := math.Hypot(w.out.Twist[0], w.out.Twist[1]) * w.size.K / w.size.U
		if math.Abs(v-r.speed) > 1e-9 || math.Abs(w.s.YawRate*w.size.K-r.yaw) > 1e-9 && (r.yaw == 0 || w.s.YawRate == 0) {
			t.Errorf("%s: goes at %.3f U/k, turns at %.3f rad/k, want %g and %g", r.name, v, w.s.YawRate*w.size.K, r.speed, r.yaw)
		}
		if bound, want := w.out.Binding == control.BindComfort, r.d > 1.2; bound != want {
			t.Errorf("%s: binding %d, leg %d", r.name, w.out.Binding, w.out.BindLeg)
		}
	}
}

// pin plants all feet where they will rest in the next tick, but one that is d
// U further out.
func (w *world) pin(leg int, d float64) {
	yaw := w.s.Yaw + w.s.YawRate*w.dt
	sn, cs := math.Sincos(yaw)
	for i := range w.s.Legs {
		n := w.rig.Legs[i].Neutral
		if i == leg {
			n.Y -= d * w.size.U
		}
		l := &w.s.Legs[i]
		l.Foot.X = w.s.BaseW.X + w.s.VelW.X*w.dt + cs*n.X - sn*n.Y
		l.Foot.Y = w.s.BaseW.Y + w.s.VelW.Y*w.dt + sn*n.X + cs*n.Y
		l.Foot.Z = 0
		l.Moving, l.Touching, l.Grounded, l.Target = false, true, true, l.Foot
	}
}

// TestProperty32NoFeetNoTurn: a turn needs feet on the ground to push from.
func TestProperty32NoFeetNoTurn(t *testing.T) {
	for _, stands := range []bool{true, false} {
		w := build(t, setting{rig: "octopod", rules: gait.ReferenceWalk()})
		for i := range w.s.Legs {
			w.s.Legs[i].Touching = stands
		}
		w.c.Step(w.out, w.s, &control.Command{Kind: control.KindTwist, Wz: 1, TTL: 1}, nil, w.ground)
		if turns := w.s.YawRate != 0; turns != stands {
			t.Errorf("feet on the ground %v: turns %v", stands, turns)
		}
	}
}
