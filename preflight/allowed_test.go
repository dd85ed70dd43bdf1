package preflight

import (
	"math"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/gait"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// controllerOf makes a controller of one gait of a shipped rig.
func controllerOf(t *testing.T, rigName, gaitName string) *control.Controller {
	t.Helper()
	r, err := configs.LoadRig(rigName)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := configs.LoadGait(gaitName, r)
	if err != nil {
		t.Fatal(err)
	}
	p := control.DefaultParams(r)
	p.Gaits = []control.Plan{plan}
	c, err := control.New(r, p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestGeometryIsWalked: what geometry allows a clocked gait, the controller
// keeps up, at headings and mixes that were not used to prove it.
func TestGeometryIsWalked(t *testing.T) {
	for _, row := range []struct{ rig, gait string }{
		{"phantomx", "tripod"}, {"phantomx", "wave"}, {"phantomx", "ripple"}, {"a1", "trot"}, {"a1", "walking_trot"}, {"phantomx_octopod", "tetrapod"},
	} {
		c := controllerOf(t, row.rig, row.gait)
		a, err := Allowed(c, 0)
		if err != nil {
			t.Fatal(err)
		}
		w, err := newRunner(c, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range [][2]int{{1, 4}, {3, 4}, {6, 4}, {11, 4}, {2, 5}, {5, 7}, {9, 6}, {14, 3}} {
			f := a.Mix[p[0]][p[1]]
			// The edge itself may be missed by a tick's rounding.
			twist := point(&a, p[0], p[1], 0.97*f)
			if res := w.run(twist, true); !res.Steady || !res.Walks {
				t.Errorf("%s %s at heading %d, mix %d (%.3f): steady %v, walks %v (speed %.4f), bound by %v", row.rig, row.gait, p[0], p[1], f, res.Steady, res.Walks, res.Speed, res.Bind)
			}
		}
	}
}

// TestSpeedLaw: where reach binds, wave gaits of a rig obey the speed law
// v ~ (1 - beta)/beta for one swing time: 0.50, 0.20 of the tripod's at duty
// 2/3 and 5/6.
func TestSpeedLaw(t *testing.T) {
	speed := map[string]float64{}
	for _, g := range []string{"tripod", "ripple", "wave"} {
		c := controllerOf(t, "phantomx", g)
		a := c.Allowed(0)
		newCycle(c, 0).open(&a)
		speed[g] = a.Linear[0]
	}
	for g, want := range map[string]float64{"ripple": 0.5, "wave": 0.2} {
		if got := speed[g] / speed["tripod"]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s has %.3f of the tripod's speed, want %.3f", g, got, want)
		}
	}
}

// TestGeometryFindsTheLimits: slower joints, a shorter reach and a lower floor
// of margin each set the limit they should.
func TestGeometryFindsTheLimits(t *testing.T) {
	c := controllerOf(t, "phantomx", "tripod")
	k := newCycle(c, 0)
	ahead := [3]float64{0.1, 0, 0}
	if ok, b := k.sustains(ahead); !ok {
		t.Fatalf("0.1 m/s refused by %v", b)
	}
	k.reach /= 10
	if ok, b := k.sustains(ahead); ok || b != control.BindReach {
		t.Errorf("with a tenth of the reach: %v, %v", ok, b)
	}
	k.reach *= 10
	k.floor = 0.1
	if ok, b := k.sustains(ahead); ok || b != control.BindMargin {
		t.Errorf("with a floor of 100 mm: %v, %v", ok, b)
	}
	k.floor = 0
	for j := range k.r.Legs[2].Joints {
		k.r.Legs[2].Joints[j].Speed /= 10
	}
	if ok, b := k.sustains(ahead); ok || b != control.BindJointSpeed {
		t.Errorf("with slow joints: %v, %v", ok, b)
	}
}

// TestCycleFeet: a standing foot stands still in the world, a swing ends where
// the next stance begins, and its speed there is the ground's, for any twist.
func TestCycleFeet(t *testing.T) {
	c := controllerOf(t, "phantomx", "ripple")
	k := newCycle(c, 0)
	for _, twist := range [][3]float64{{0.08, 0, 0}, {0, -0.05, 0.1}, {0.03, 0.02, -0.3}, {0, 0, 0.4}} {
		g := k.table(twist)
		for leg := range k.r.Legs {
			down := g.Duty[leg] * k.period
			inWorld := func(share float64) r3.Vec { return body(twist, share*down).Apply(k.foot(g, twist, leg, true, share)) }
			for _, s := range []float64{0.25, 0.6, 1} {
				if d := r3.Norm(r3.Sub(inWorld(s), inWorld(0))); d > 1e-12 {
					t.Fatalf("twist %v, leg %d: the standing foot moved %g m", twist, leg, d)
				}
			}
			if d := r3.Norm(r3.Sub(k.foot(g, twist, leg, false, 1), k.foot(g, twist, leg, true, 0))); d > 1e-12 {
				t.Fatalf("twist %v, leg %d: swing ends %g m from the next stance", twist, leg, d)
			}
			if d := r3.Norm(r3.Sub(k.foot(g, twist, leg, false, 0), k.foot(g, twist, leg, true, 1))); d > 1e-12 {
				t.Fatalf("twist %v, leg %d: swing begins %g m from the stance", twist, leg, d)
			}
		}
	}
}

// TestComplaint01_FeetAreWhereTheirAnglesPutThem: over the whole cycle of every
// gait the angles found for a foot put it there again, counted.
func TestComplaint01_FeetAreWhereTheirAnglesPutThem(t *testing.T) {
	for _, row := range []struct{ rig, gait string }{{"phantomx", "tripod"}, {"a1", "trot"}, {"octopod", "wave"}, {"bullet", "ripple"}} {
		c := controllerOf(t, row.rig, row.gait)
		k := newCycle(c, 0)
		twist := heading(1, 0.9*c.Allowed(0).Linear[1], 0)
		g, n := k.table(twist), 0
		for leg := range k.r.Legs {
			for s := range 20 {
				for _, stance := range [2]bool{true, false} {
					want := k.foot(g, twist, leg, stance, float64(s)/20)
					k.solve(leg, want)
					if d := r3.Norm(r3.Sub(rig.Foot(k.r, leg, k.q), want)); d > 1e-5*k.size.L {
						t.Fatalf("%s %s: foot of leg %d is %g m off", row.rig, row.gait, leg, d)
					}
					n++
				}
			}
		}
		if n != 40*len(k.r.Legs) {
			t.Errorf("%d feet looked at", n)
		}
	}
}

// TestMirrored: the table of a mirrored rig and gait is mirrored, the gallop's,
// whose sides differ, is not taken to be.
func TestMirrored(t *testing.T) {
	c := controllerOf(t, "phantomx", "tripod")
	a, err := Allowed(c, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Linear {
		m := (control.Headings - i) % control.Headings
		if a.Linear[i] != a.Linear[m] {
			t.Errorf("%v at heading %d, %v at %d", a.Linear[i], i, a.Linear[m], m)
		}
		for j := range a.Mix[i] {
			if a.Mix[i][j] != a.Mix[m][control.Mixes-1-j] {
				t.Errorf("heading %d mix %d: %v, its image %v", i, j, a.Mix[i][j], a.Mix[m][control.Mixes-1-j])
			}
		}
	}
	r, err := configs.LoadRig("a1")
	if err != nil {
		t.Fatal(err)
	}
	g, err := gait.Named(r, "rotary_gallop")
	if err != nil {
		t.Fatal(err)
	}
	if mirrored(r, g.Duty) || !mirrored(r, nil) {
		t.Error("a1: mirrored with unequal duties, or not without")
	}
}

// TestSpread: the mixes between a middle one and a single part lie on the chord.
func TestSpread(t *testing.T) {
	for _, f := range []float64{0.5, 1, 1.4, 2} {
		a := control.AllowedTwist{Turn: 1}
		a.Linear[0] = 1
		spread(&a, 0, 1, mixed{f, control.BindReach})
		mid, near := point(&a, 0, 6, f), point(&a, 0, 5, a.Mix[0][5])
		// (1, 0), near and mid are on one line.
		if cross := (mid[0]-1)*near[2] - (near[0]-1)*mid[2]; math.Abs(cross) > 1e-12 {
			t.Errorf("factor %v: %v is not between (1, 0) and %v", f, near, mid)
		}
		if a.Mix[0][5] != a.Mix[0][7] || a.Mix[0][6] != f {
			t.Errorf("factor %v: %v", f, a.Mix[0])
		}
	}
}
