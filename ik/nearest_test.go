package ik

import (
	"math"
	"testing"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// For targets a leg cannot meet, no pose on the bend's branch is nearer than
// the answer.
func TestNearestPose(t *testing.T) {
	for _, r := range testRigs() {
		d := draw(21)
		s := NewSolver(r, DefaultParams())
		l, m := &r.Legs[0], &s.legs[0]
		poses := make([]r3.Vec, 8000)
		for k := range poses {
			poses[k] = rig.LegFoot(l, onBranch(d, s, 0))
		}
		q := r.RestPose(nil)
		missed, worse := 0, 0
		for range 200 {
			target := r3.Add(m.at[0], r3.Scale(1.3*m.length*d.Float64(), d.dir()))
			res := s.Solve(q, 0, Target{Foot: target})
			checkLimits(t, r, q)
			if off := math.Abs(r3.Norm(r3.Sub(rig.Foot(r, 0, q), target)) - res.Residual); off > 1e-9*m.length {
				t.Errorf("%s: residual is %g off", r.Name, off)
			}
			beyond := r3.Norm(r3.Sub(target, m.at[0])) > m.length*(1+1e-9)
			if (res.Status == OutOfReach) != beyond && m.inner == 0 || res.Status == Stalled || res.Status == Invalid {
				t.Errorf("%s: %v for a target at %g of the length", r.Name, res.Status, r3.Norm(r3.Sub(target, m.at[0]))/m.length)
			}
			if res.Status == Reached {
				continue
			}
			missed++
			for _, p := range poses {
				if norm(r3.Sub(p, target)) < res.Residual-1e-6*m.length {
					worse++
					break
				}
			}
		}
		t.Logf("%s: %d of %d missed targets have a nearer pose", r.Name, worse, missed)
		if missed < 25 || worse > 1+missed/50 {
			t.Errorf("%s: %d of %d missed targets have a nearer pose", r.Name, worse, missed)
		}
	}
}
