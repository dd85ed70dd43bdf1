package blend_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"legctl/blend"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

func drawnStep(rng *rand.Rand) blend.RootMotion {
	return blend.RootMotion{Move: r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}, Yaw: 3 * rng.NormFloat64()}
}

func closePlaces(t *testing.T, what string, a, b blend.Place) {
	t.Helper()
	if r3.Norm(r3.Sub(a.At, b.At)) > 1e-9 || math.Abs(a.Yaw-b.Yaw) > 1e-9 {
		t.Errorf("%s: %+v, want %+v", what, a, b)
	}
}

func TestRootMotionsCompose(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 300 {
		p := blend.Place{At: r3.Vec{X: 1, Y: 2}, Yaw: rng.NormFloat64()}
		a, b := drawnStep(rng), drawnStep(rng)
		closePlaces(t, "then", p.After(a.Then(b)), p.After(a).After(b))
		closePlaces(t, "inverse", p.After(a).After(a.Inverse()), p)
		for _, n := range []int{-3, 0, 1, 7} {
			want := p
			for range n {
				want = want.After(a)
			}
			for range -n {
				want = want.After(a.Inverse())
			}
			closePlaces(t, "times", p.After(a.Times(n)), want)
		}
	}
	for _, yaw := range []float64{0, 1e-13, 2 * math.Pi, -2 * math.Pi, 4 * math.Pi} {
		a, p := blend.RootMotion{Move: r3.Vec{X: 1}, Yaw: yaw}, blend.Place{}
		closePlaces(t, "whole turns", p.After(a.Times(4)), p.After(a).After(a).After(a).After(a))
	}
}

// Complaint 8: translation not turned by the present yaw; a cross-fade of a
// turning start and a walk drifts diagonally.
func TestComplaint8StepsAreTurnedByTheHeading(t *testing.T) {
	poses := blend.NewPoses(blend.Shape{}, 2)
	poses[0].Root = blend.RootMotion{Move: r3.Vec{X: .01}, Yaw: .01}
	poses[1].Root = blend.RootMotion{Move: r3.Vec{X: .01}}
	p := blend.Place{}
	for i := range 1000 { // fade from the turn to the walk
		w := float64(i) / 1000
		before := p
		p = p.After(mixed(t, poses, []float64{1 - w, w}).Root)
		move := r3.Sub(p.At, before.At)
		if off := geom.WrapAngle(math.Atan2(move.Y, move.X) - (p.Yaw+before.Yaw)/2); math.Abs(off) > 1e-9 || math.Abs(r3.Norm(move)-.01) > 1e-9 {
			t.Fatalf("step %d goes %v off the heading by %v", i, off, r3.Norm(move))
		}
	}
	if got := p.Pose().Apply(r3.Vec{X: 1}); r3.Norm(r3.Sub(got, r3.Add(p.At, r3.Vec{X: math.Cos(p.Yaw), Y: math.Sin(p.Yaw)}))) > 1e-12 {
		t.Errorf("the pose of %+v puts ahead at %v", p, got)
	}
}
