package control_test

import (
	"math"
	mathbits "math/bits"
	"testing"

	"legctl/gait"
)

// The numbers of the reference tests are those of the step-rule notes, section
// 10; lengths in U, times in k. Where a row of a test deviates from the notes,
// docs/gait-rules.md says why.

// walking are the body plans the walking figures are given for.
var walking = []string{"quadruped", "hexapod", "octopod"}

// upright is the leeway of the simulator for a walking quadruped: its figures
// come from a planar model whose body does not tip over two feet.
func upright(name string) float64 {
	if len(name) >= 4 && name[:4] == "quad" {
		return 1
	}
	return 0
}

// places are the worlds in which the figures that know no tick length are
// tested: the reference, and two sizes under real gravity in their own units.
var places = []struct {
	name, size string
	dt         float64
}{
	{"reference", "", 0.05},
	{"reference fine", "", 0.01},
	{"6 cm at 100 Hz", "@0.06", 0.01},
	{"6 cm at 50 Hz", "@0.06", 0.02},
	{"3 m at 100 Hz", "@3", 0.01},
	{"3 m at 50 Hz", "@3", 0.02},
}

// everywhere runs a test for every rig that walks in the reference world, and
// for the octopod at its sizes (of the quadruped one is enough).
func everywhere(t *testing.T, test func(t *testing.T, o setting)) {
	for _, p := range places {
		for _, name := range walking {
			if p.size != "" && name != "octopod" && (name != "quadruped" || p.name != "3 m at 50 Hz") {
				continue
			}
			t.Run(name+" "+p.name, func(t *testing.T) {
				test(t, setting{
					rig: name + p.size, rules: gait.ReferenceWalk(), dt: p.dt,
					own: p.size != "", leeway: upright(name),
				})
			})
		}
	}
}

// TestProperty12Periods is the acid test: rules, controller and simulator
// together step as the original did.
func TestProperty12Periods(t *testing.T) {
	rows := []struct {
		rig         string
		dt, cross   float64
		least, most float64 // period, k
	}{
		{"quadruped", 0.05, 0, 12, 14},
		{"hexapod", 0.05, 0, 14, 16},
		{"octopod", 0.05, 0, 14, 16},
		{"quadruped", 0.01, 0, 12.5, 13.1},
		{"hexapod", 0.01, 0, 12.5, 13.1},
		{"octopod", 0.01, 0, 12.5, 13.1},
		{"quadruped", 0.05, 1, 14, 16},
		{"hexapod", 0.05, 1, 14, 14}, // the notes: 19, from fault 14
		{"octopod", 0.05, 1, 9, 19},
	}
	for _, r := range rows {
		rules := gait.ReferenceWalk()
		rules.CrossPair = r.cross
		w := build(t, setting{rig: r.rig, rules: rules, dt: r.dt, leeway: upright(r.rig)})
		w.twist(0.15, 0, 0)
		w.run(w.inK(300))
		st := w.strides(w.inK(60))
		tick := w.dt / w.size.K
		if p := st.period * tick; p < r.least || p > r.most {
			t.Errorf("%s, dt %g, cross-pair %g: period %.2f k, want %g to %g", r.rig, r.dt, r.cross, p, r.least, r.most)
		}
		if a, b := float64(st.swingLeast)*tick, float64(st.swingMost)*tick; a < 4 || b > 6 {
			t.Errorf("%s, dt %g: swings of %g to %g k, want 4 to 6", r.rig, r.dt, a, b)
		}
		if st.duty < 0.66 || st.duty > 0.70 {
			t.Errorf("%s, dt %g: duty %.3f, want 0.66 to 0.70", r.rig, r.dt, st.duty)
		}
		if math.Abs(st.speed-0.15) > 1e-3 {
			t.Errorf("%s, dt %g: speed %.4f U/k, want 0.15", r.rig, r.dt, st.speed)
		}
		if w.sim.Falls() > 0 || w.any(func(l *tickLog) uint64 { return l.clamped }) != 0 {
			t.Errorf("%s, dt %g: %d falls, clamped legs %b", r.rig, r.dt, w.sim.Falls(), w.any(func(l *tickLog) uint64 { return l.clamped }))
		}
	}
}

// TestProperty2NeighboursDoNotSwing walks, turns and stops.
func TestProperty2NeighboursDoNotSwing(t *testing.T) {
	everywhere(t, func(t *testing.T, o setting) {
		w := build(t, o)
		w.twist(0.15, 0, 0)
		w.run(w.inK(80))
		w.twist(0.05, 0.1, 0.04)
		w.run(w.inK(80))
		w.twist(0, 0, -0.1)
		w.run(w.inK(80))
		w.stop()
		w.run(w.inK(30))
		legs := len(w.rig.Legs)
		least := legs
		for k := range w.ticks {
			l := &w.ticks[k]
			least = min(least, mathbits.OnesCount64(l.grounded))
			for i := range legs {
				both := w.rig.Groups.Adjacent[i] & l.moving & l.eligible
				if l.moving&l.eligible>>i&1 == 1 && both != 0 {
					t.Fatalf("tick %d: leg %d and its neighbours %b swing", k, i, both)
				}
			}
		}
		if least != legs/2 {
			t.Errorf("fewest feet on the ground %d of %d, want half", least, legs)
		}
	})
}

// TestProperty13Acceleration: the commanded velocity changes by at most its
// acceleration.
func TestProperty13Acceleration(t *testing.T) {
	rows := []struct {
		name  string
		rules gait.Rules
		ticks int
	}{{"walk", gait.ReferenceWalk(), 4}, {"gallop", gait.ReferenceGallop(), 11}}
	for _, r := range rows {
		r.rules.Uncomfortable = 1       // the command alone: no leg holds the body back
		for _, n := range []int{1, 5} { // ticks a k
			w := build(t, setting{rig: "octopod", rules: r.rules, dt: 0.05 / float64(n), leeway: 10})
			at := 0
			was := 0.0
			w.twist(r.rules.Speed, 0, 0)
			for k := 1; k < 60*n; k++ {
				v := math.Hypot(w.out.Twist[0], w.out.Twist[1]) * 0.05
				if v-was > 0.0375/float64(n)+1e-12 {
					t.Fatalf("%s: speed grew by %g U/k in a tick", r.name, v-was)
				}
				if was = v; at == 0 && v > r.rules.Speed-1e-9 {
					at = k
				}
				w.step(nil)
			}
			if want := int(math.Ceil(r.rules.Speed / 0.0375 * float64(n))); at != want || n == 1 && want != r.ticks {
				t.Errorf("%s, %d ticks a k: full speed in tick %d, want %d", r.name, n, at, want)
			}
		}
	}
}
