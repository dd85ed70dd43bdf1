package ik_test

import (
	"math"
	"testing"

	"legctl/configs"
	"legctl/ik"

	"gonum.org/v1/gonum/spatial/r3"
)

// TestExtent: just inside the extent a foot is reached, just outside it is not
// on the same branch, and no bearing has less than the comfort radius.
func TestExtent(t *testing.T) {
	for _, name := range []string{"phantomx", "a1", "golem"} {
		r, err := configs.LoadRig(name)
		if err != nil {
			t.Fatal(err)
		}
		s := ik.NewSolver(r, ik.DefaultParams())
		q := r.RestPose(nil)
		for leg := range r.Legs {
			n := r.Legs[leg].Neutral
			comfort := ik.Comfort(s, leg, n)
			for b := range 24 {
				sn, cs := math.Sincos(2 * math.Pi * float64(b) / 24)
				d := r3.Vec{X: cs, Y: sn}
				e := ik.Extent(s, leg, n, d, 10)
				if e < comfort-1e-6 {
					t.Errorf("%s leg %d bearing %d: extent %v, comfort %v", name, leg, b, e, comfort)
				}
				res := s.SolveCold(q, leg, ik.Target{Foot: r3.Add(n, r3.Scale(0.999*e, d))})
				if res.Status != ik.Reached {
					t.Errorf("%s leg %d bearing %d: %v just inside the extent", name, leg, b, res.Status)
				}
			}
		}
		if e := ik.Extent(s, 0, r.Legs[0].Neutral, r3.Vec{X: 1}, 0.001); e != 0.001 {
			t.Errorf("%s: extent %v, want at most 0.001", name, e)
		}
		for _, bad := range []float64{ik.Extent(s, 99, r3.Vec{}, r3.Vec{X: 1}, 1), ik.Extent(s, 0, r3.Vec{X: 9}, r3.Vec{X: 1}, 1), ik.Extent(s, 0, r3.Vec{X: math.NaN()}, r3.Vec{X: 1}, 1)} {
			if bad != 0 {
				t.Errorf("%s: extent %v of nothing", name, bad)
			}
		}
	}
}
