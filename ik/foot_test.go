package ik

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// SolveFoot is Solve to the last bit, for feet near and far, none and no leg.
func TestSolveFoot(t *testing.T) {
	for _, r := range testRigs() {
		for _, p := range []Params{DefaultParams(), {Closed: true}} {
			a, b := NewSolver(r, p), NewSolver(r, p)
			qa, qb := r.RestPose(nil), r.RestPose(nil)
			d := draw(9)
			for n := range 300 {
				leg := n % (len(r.Legs) + 1)
				foot := r3.Vec{X: d.Float64() - 0.5, Y: d.Float64() - 0.5, Z: d.Float64() - 0.5}
				switch n % 20 {
				case 7:
					foot.X *= 1e9
				case 13:
					foot.Y = math.NaN()
				}
				x, y := a.Solve(qa, leg, Target{Foot: foot}), b.SolveFoot(qb, leg, foot)
				if x != y || !slices.Equal(qa, qb) {
					t.Fatalf("%s leg %d at %v: %+v %v, Solve says %+v %v", r.Name, leg, foot, y, qb, x, qa)
				}
			}
		}
	}
}
