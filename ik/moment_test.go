package ik

import (
	"testing"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// The moment kept from the solve is the one of the angles it wrote, for
// targets within reach, at limits and far outside.
func TestMomentAgrees(t *testing.T) {
	for _, r := range testRigs() {
		for _, p := range []Params{{}, {Closed: true}} {
			d := draw(6)
			s := NewSolver(r, p)
			if mass, sum := s.Moment(0); mass != 0 && sum != (r3.Vec{}) {
				t.Errorf("%s: moment %v before any solve", r.Name, sum)
			}
			q := r.RestPose(nil)
			for range 40 {
				for i := range r.Legs {
					l := &r.Legs[i]
					foot := r3.Add(l.Joints[0].Origin.P, r3.Scale(1.2*l.Length*d.Float64(), d.dir()))
					res := s.Solve(q, i, Target{Foot: foot})
					mass, sum := s.Moment(i)
					wantMass, want := rig.LegMoment(l, r.Slice(q, i))
					if off := r3.Norm(r3.Sub(sum, want)); !(off <= 1e-12*max(1, l.Length)) || mass-wantMass > 1e-15 || wantMass-mass > 1e-15 {
						t.Fatalf("%s leg %d: %g kg, off by %g kg m, %+v", r.Name, i, mass-wantMass, off, res)
					}
				}
			}
		}
	}
}
