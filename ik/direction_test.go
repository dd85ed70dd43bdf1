package ik

import (
	"math"
	"testing"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// lastDir is the direction of the last link of leg 0, B.
func lastDir(r *rig.Rig, q []float64) r3.Vec {
	var frames [maxJoints]rig.Frame
	l := &r.Legs[0]
	rig.Frames(frames[:len(l.Joints)], l, q)
	return unit(r3.Sub(rig.LegFoot(l, r.Slice(q, 0)), frames[len(l.Joints)-1].P))
}

// From four joints up the last link follows a wanted direction: the more
// weight, the closer, with the foot always at its target.
func TestSolveKeepsDirection(t *testing.T) {
	for _, r := range []*rig.Rig{spiderRig(3, true), spiderRig(6, true), fiveRig()} {
		s := NewSolver(r, Params{})
		q := r.RestPose(nil)
		var wished [maxJoints]float64 // a pose near rest that has the wanted direction
		copy(wished[:], r.Slice(q, 0))
		n := len(r.Legs[0].Joints)
		wished[n-1] += 0.3
		wished[n-2] -= 0.2
		want := lastDir(r, append(append([]float64(nil), wished[:n]...), q[n:]...))
		foot := rig.LegFoot(&r.Legs[0], wished[:n])
		before := math.Inf(1)
		for _, weight := range []float64{0, 0.1, 10, 1e4} {
			res := s.Solve(q, 0, Target{Foot: foot, Dir: r3.Scale(3, want), DirWeight: weight})
			if res.Status != Reached || r3.Norm(r3.Sub(rig.Foot(r, 0, q), foot)) > 1e-9*r.L() {
				t.Fatalf("%s weight %g: %+v", r.Name, weight, res)
			}
			off := math.Acos(math.Min(1, r3.Dot(lastDir(r, q), want)))
			if off > before+1e-9 {
				t.Errorf("%s: weight %g is %g rad off, less weight %g", r.Name, weight, off, before)
			}
			before = off
		}
		if before > 1e-3 {
			t.Errorf("%s: full weight is still %g rad off", r.Name, before)
		}
	}
}

// Where a direction does not apply it changes nothing.
func TestSolveIgnoresDirection(t *testing.T) {
	nan := math.NaN()
	for _, r := range []*rig.Rig{hexapod(), quadruped(), planarRig(), spiderRig(3, true)} {
		s := NewSolver(r, Params{})
		plain, q := r.RestPose(nil), r.RestPose(nil)
		foot := r3.Add(r.Legs[0].Neutral, r3.Vec{Z: 0.05 * r.L()})
		s.Solve(plain, 0, Target{Foot: foot})
		for _, bad := range []Target{
			{Foot: foot, Dir: r3.Vec{Z: -1}},
			{Foot: foot, DirWeight: 5},
			{Foot: foot, Dir: r3.Vec{X: nan}, DirWeight: 5},
			{Foot: foot, Dir: r3.Vec{Z: -1}, DirWeight: nan},
			{Foot: foot, Dir: r3.Vec{Z: -1}, DirWeight: -1},
		} {
			copy(q, r.RestPose(nil))
			s.Solve(q, 0, bad)
			for j := range q {
				if q[j] != plain[j] {
					t.Errorf("%s: %+v moves joint %d from %g to %g", r.Name, bad, j, plain[j], q[j])
				}
			}
		}
	}
}
