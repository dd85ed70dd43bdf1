package control_test

import (
	"math"
	"slices"
	"testing"

	"legctl/gait"
	"legctl/geom"
)

// gallopers runs a test of the reference gallop on every walker everywhere. The
// notes' figures come from a planar model: the body is held upright.
func gallopers(t *testing.T, test func(t *testing.T, o setting)) {
	everywhere(t, func(t *testing.T, o setting) {
		o.rules, o.leeway, o.ideal = gait.ReferenceGallop(), 10, true
		test(t, o)
	})
}

// runs returns the swings of a leg from tick from on: first and last tick in
// the air.
func (w *world) runs(leg, from int) [][2]int {
	var list [][2]int
	for _, k := range w.lifts(leg, from) {
		end := k
		for end+1 < len(w.ticks) && w.ticks[end].touch>>leg&1 == 0 {
			end++
		}
		list = append(list, [2]int{k, end})
	}
	return list
}

// TestProperty20Followers: a follower lifts exactly its cooldown after its
// leader, and never while it is planted.
func TestProperty20Followers(t *testing.T) {
	gallopers(t, func(t *testing.T, o setting) {
		for _, c := range []float64{0, 1, 2} {
			o.rules.SamePair = c
			o.rules.Comfort = 3 // a follower outside its zone lifts regardless: see below
			w := build(t, o)
			w.twist(0.4, 0, 0)
			w.run(w.inK(120))
			from := w.inK(30)
			followed := 0
			for i := range w.rig.Legs {
				if w.rig.Groups.Dominant[i] {
					continue
				}
				leader := w.runs(w.rig.Groups.Partner[i], 0)
				for _, k := range w.lifts(i, from) {
					j := slices.IndexFunc(leader, func(r [2]int) bool { return r[0] <= k && k <= r[1] })
					if j < 0 {
						t.Fatalf("cooldown %g: leg %d lifts in tick %d while its leader stands", c, i, k)
					}
					if d := k - leader[j][0]; d != w.ticksOf(c) {
						t.Errorf("cooldown %g: leg %d lifts %d ticks after its leader, want %d", c, i, d, w.ticksOf(c))
					}
					followed++
				}
			}
			if followed < 5*len(w.rig.Legs)/2 {
				t.Errorf("cooldown %g: %d lift-offs of followers", c, followed)
			}
		}
	})
}

// TestProperty20LeftBehind: a follower outside its comfort zone does not wait
// for its leader.
func TestProperty20LeftBehind(t *testing.T) {
	for _, d := range []float64{1.19, 1.21} {
		w := build(t, setting{rig: "octopod", rules: gait.ReferenceGallop(), leeway: 10})
		w.twist(0.03, 0, 0) // reached within the tick
		w.pin(2, 0)
		w.s.Legs[2].Foot.X -= d
		w.c.Step(w.out, w.s, nil, nil, w.ground)
		if got, want := w.out.LiftOff>>2&1 == 1, d > 1.2; got != want {
			t.Errorf("follower %g U behind, leader planted: lifts %v, want %v", d, got, want)
		}
	}
}

// TestProperty21PairsKeepApart: leaders of neighbouring pairs lift at least the
// cooldown, or a swing, apart.
func TestProperty21PairsKeepApart(t *testing.T) {
	gallopers(t, func(t *testing.T, o setting) {
		for _, c := range []float64{2, 3, 4} {
			o.rules.CrossPair = c
			w := build(t, o)
			w.twist(0.4, 0, 0)
			w.run(w.inK(120))
			for i := range w.rig.Legs {
				for j := range w.rig.Legs {
					if !w.rig.Groups.Dominant[i] || w.rig.Groups.Diagonal[i]>>j&1 == 0 {
						continue
					}
					other := w.runs(j, 0)
					for _, k := range w.lifts(i, w.inK(20)) {
						for _, r := range other {
							if want := min(w.ticksOf(c), r[1]-r[0]); k >= r[0] && k-r[0] < want {
								t.Fatalf("cooldown %g: leg %d lifts in tick %d, %d after leg %d, want %d", c, i, k, k-r[0], j, want)
							}
						}
					}
				}
			}
		}
	})
}

// phases returns in which tick of the period each leg lifts, leg 0 being 0,
// and whether every cycle is the same.
func (w *world) phases(from, period int) ([]int, bool) {
	var list []int
	same := true
	zero := w.lifts(0, from)[0]
	for i := range w.rig.Legs {
		lifts := w.lifts(i, from)
		for _, k := range lifts {
			same = same && (k-lifts[0])%period == 0
		}
		list = append(list, ((lifts[0]-zero)%period+period)%period)
	}
	return list, same
}

// TestReferenceGallop is the steady gallop of section 3: the older rule set
// (foot speed 0.6, followers after 1) and the present one, with the cooldown
// between pairs asking the neighbouring pair (fault 2 mended).
func TestReferenceGallop(t *testing.T) {
	rows := []struct {
		name        string
		foot        float64
		same, cross float64
		period      int
		phase       []int // of the four legs of a quadruped
		or          []int // the same gallop begun on the other pair
	}{
		{"older, pairs apart", 0.6, 1, 4, 7, []int{0, 1, 4, 3}, []int{0, 1, 5, 4}},
		{"older, together", 0.6, 1, 0, 7, []int{0, 1, 1, 0}, nil},
		{"present, together", 0.5, 2, 0, 8, []int{0, 2, 2, 0}, nil},
		{"present, pairs apart", 0.5, 2, 4, 8, []int{0, 2, 6, 4}, nil},
	}
	for _, r := range rows {
		for _, name := range walking {
			rules := gait.ReferenceGallop()
			rules.FootSpeed, rules.SamePair, rules.CrossPair = r.foot, r.same, r.cross
			w := build(t, setting{rig: name, rules: rules, leeway: 10})
			w.twist(0.4, 0, 0)
			w.run(200)
			st := w.strides(100)
			if math.Abs(st.period-float64(r.period)) > 0.01 {
				t.Errorf("%s, %s: period %.2f ticks, want %d", r.name, name, st.period, r.period)
				continue
			}
			if st.swingLeast < 3 || st.swingMost > 5 {
				t.Errorf("%s, %s: swings of %d to %d ticks, want 3 to 5", r.name, name, st.swingLeast, st.swingMost)
			}
			phase, same := w.phases(100, r.period)
			if !same || !slices.Equal(phase[:4], r.phase) && !slices.Equal(phase[:4], r.or) {
				t.Errorf("%s, %s: lift-off phases %v, steady %v, want %v", r.name, name, phase, same, r.phase)
			}
			if st.speed < 0.9*0.4 {
				t.Errorf("%s, %s: speed %.3f U/k", r.name, name, st.speed)
			}
			if yaw := geom.Yaw(w.sim.Pose().Q); math.Abs(yaw) > 0.2 || w.sim.Falls() > 0 {
				t.Errorf("%s, %s: heading %.3f rad after 200 k, %d falls", r.name, name, yaw, w.sim.Falls())
			}
		}
	}
}

// TestReferenceGallopFlight: with the pairs together the gallop flies in 2 of 8
// ticks, and the body rises and sinks between 1.30 and 1.53.
func TestReferenceGallopFlight(t *testing.T) {
	rules := gait.ReferenceGallop()
	rules.CrossPair = 0
	for _, name := range walking {
		w := build(t, setting{rig: name, rules: rules, leeway: 10})
		w.twist(0.4, 0, 0)
		w.run(260)
		flight, low, high := 0, math.Inf(1), math.Inf(-1)
		for _, l := range w.ticks[100:260] {
			if l.grounded == 0 {
				flight++
			}
			low, high = min(low, l.p.P.Z), max(high, l.p.P.Z)
		}
		if flight < 38 || flight > 42 {
			t.Errorf("%s: no foot on the ground in %d of 160 ticks, want 40", name, flight)
		}
		if math.Abs(low-1.30) > 0.05 || math.Abs(high-1.53) > 0.06 {
			t.Errorf("%s: body between %.3f and %.3f, want 1.30 and 1.53", name, low, high)
		}
	}
}

// TestReferenceGallopRocks gallops where the body tips over the feet that
// stand, with the leeway of the rules: it rocks, but holds its speed and its
// heading.
func TestReferenceGallopRocks(t *testing.T) {
	for _, name := range walking {
		w := build(t, setting{rig: name, rules: gait.ReferenceGallop(), dt: 0.01})
		w.twist(0.4, 0, 0)
		w.run(w.inK(200))
		st := w.strides(w.inK(60))
		yaw := geom.Yaw(w.sim.Pose().Q)
		if st.speed < 0.9*0.4 || math.Abs(yaw) > 0.05 || w.sim.Falls() > 0 {
			t.Errorf("%s: speed %.3f U/k, heading %.3f rad, %d falls", name, st.speed, yaw, w.sim.Falls())
		}
	}
}
