package blend_test

import (
	"math/rand/v2"
	"testing"

	"legctl/blend"
)

func TestPosesAllocateNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	poses := []blend.Pose{drawnPose(rng), drawnPose(rng), drawnPose(rng), drawnPose(rng)}
	dst, in, m := drawnPose(rng), blend.NewInertia(poses[0].Shape()), blend.FullMask(poses[0].Shape())
	w, target, contact := []float64{.1, .2, .3, .4}, []float64{.25, .25, .25, .25}, make([]bool, 2)
	var lock blend.FootLock
	at := blend.Moment{Now: &poses[0], Before: &poses[1]}
	for name, run := range map[string]func() error{
		"mix":      func() error { return blend.Mix(&dst, poses, w) },
		"delta":    func() error { return blend.Delta(&dst, &poses[0], &poses[1]) },
		"add":      func() error { return blend.Add(&dst, &poses[0], &poses[1], .5, m) },
		"override": func() error { return blend.Override(&dst, &poses[0], &poses[1], .5, m) },
		"switch":   func() error { return in.Switch(at, at, .01, .3) },
		"apply":    func() error { return in.Apply(&dst, .01) },
		"vote":     func() error { return blend.Vote(contact, dst.Ground, .05) },
		"approach": func() error { _, err := blend.Approach(w, target, 3, .001); return err },
		"lock": func() error {
			_, err := lock.Step(dst.Feet[0], true, 0, blend.LockParams{Pull: 1, Over: .1}, .01)
			return err
		},
	} {
		if n := testing.AllocsPerRun(20, func() {
			if err := run(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestDirectionalAllocatesNothing(t *testing.T) {
	d, h, w := semicircles(t), blend.Heading{}, make([]float64, 3)
	p, s := blend.Pivot{Rate: 1}, blend.Turning{}
	a, side := blend.Aim{Yaw: []float64{-1, 1}, Pitch: []float64{0}}, int8(0)
	if n := testing.AllocsPerRun(20, func() {
		_, err := a.Weights(w[:2], &side, 3, 0)
		if err != nil || d.Step(w, &h, 3, 1) != nil || p.Step(&s, 3, .1) != nil || blend.Tent(w[:2], a.Yaw, .2) != nil {
			t.Error("an error")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
