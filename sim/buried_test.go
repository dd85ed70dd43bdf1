package sim

import (
	"context"
	"math"
	"math/rand"
	"testing"

	"legctl/geom"
	"legctl/sim/terrain"

	"gonum.org/v1/gonum/spatial/r3"
)

// sunken is how much of the half diagonal of a body (0.37 U) may be inside the ground
// for a tick: a corner that was freed sideways may meet a step from above.
const sunken = 0.2

// buried returns how deep the body is in something solid: infinite if its middle
// is, else the greatest length of a half diagonal that is.
func buried(s *Sim) float64 {
	mid := s.st.PoseWB.Apply(s.rig.Body.Mid)
	if s.solid(r3.Add(mid, r3.Vec{Z: 1e-3})) {
		return math.Inf(1)
	}
	deep := 0.0
	for _, c := range s.corner {
		p := s.st.PoseWB.Apply(c)
		if !s.solid(p) {
			continue
		}
		if h, ok := s.ground.Cast(mid, r3.Unit(r3.Sub(p, mid)), s.r.u); ok {
			deep = max(deep, math.Sqrt(r3.Norm2(r3.Sub(h.Point, p))))
		}
	}
	return deep
}

// thrash moves every joint by up to jump rad.
func thrash(t *testing.T, s *Sim, d *driver, jump float64, draw func() float64) {
	t.Helper()
	for i := range d.sp.Q {
		d.sp.Q[i] = max(-3, min(3, d.sp.Q[i]+jump*draw()))
	}
	if err := s.Apply(context.Background(), d.sp); err != nil {
		t.Fatal(err)
	}
}

// TestUpsideDownIntoSteps replays runs in which a body that had turned over
// once slid sideways into a step, for it lay in the floor as deep as its box is
// high, and then fell without end inside the solid.
func TestUpsideDownIntoSteps(t *testing.T) {
	rows := []struct {
		terrain string
		seed    int64
	}{
		{"world", 76}, {"world", 337}, {"world", 2231}, {"stairs", 461}, {"stairs", 2038}, {"wall", 11}, {"wall", 165},
	}
	for _, w := range rows {
		s, d := eventful(t, w.terrain)
		draw := rand.New(rand.NewSource(w.seed))
		for k := range 80 {
			thrash(t, s, d, 3, func() float64 { return 2*draw.Float64() - 1 })
			if deep := buried(s); deep > sunken {
				t.Fatalf("%s %d: in tick %d %.2f U of the body are inside the ground, at %v", w.terrain, w.seed, k, deep, s.Pose().P)
			}
		}
	}
}

// TestNeverBuried lets many random runs loose on every terrain. Gaps are left
// out of the limit for corners: a body may be wedged where it does not fit.
func TestNeverBuried(t *testing.T) {
	for _, kind := range terrain.Names() {
		for seed := range int64(100) {
			s, d := eventful(t, kind)
			draw := rand.New(rand.NewSource(seed))
			for k := range 80 {
				thrash(t, s, d, 3, func() float64 { return 2*draw.Float64() - 1 })
				if deep := buried(s); deep > sunken && (kind != "gaps" || math.IsInf(deep, 1)) {
					t.Fatalf("%s, seed %d, tick %d: %.2f U of the body inside the ground at %v", kind, seed, k, deep, s.Pose().P)
				}
			}
		}
	}
}

// TestPutIntoTheGround checks that a body that starts inside the ground comes
// out at the top of it.
func TestPutIntoTheGround(t *testing.T) {
	s, d := eventful(t, "stairs")
	if err := s.Reset(geom.Pose{P: r3.Vec{X: 30, Z: -2}, Q: geom.Identity().Q}); err != nil {
		t.Fatal(err)
	}
	thrash(t, s, d, 0, func() float64 { return 0 })
	if deep := buried(s); deep > 0 {
		t.Errorf("%v U are still inside at %v", deep, s.Pose().P)
	}
}
