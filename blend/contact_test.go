package blend_test

import (
	"math"
	"testing"

	"legctl/blend"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestVoteWithHysteresis(t *testing.T) {
	c := []bool{false}
	for i, s := range []struct {
		share float64
		want  bool
	}{{.5, false}, {.54, false}, {.55, true}, {.5, true}, {.46, true}, {.45, true}, {.449, false}, {.52, false}, {1, true}, {0, false}} {
		if err := blend.Vote(c, []float64{s.share}, blend.SomeHysteresis); err != nil || c[0] != s.want {
			t.Errorf("step %d: share %v gives %v (%v), want %v", i, s.share, c[0], err, s.want)
		}
	}
	for name, err := range map[string]error{
		"share":      blend.Vote(c, []float64{math.NaN()}, 0),
		"lengths":    blend.Vote(c, nil, 0),
		"hysteresis": blend.Vote(c, []float64{1}, .6),
	} {
		if err == nil || c[0] {
			t.Errorf("%s: %v, contact %v", name, err, c[0])
		}
	}
}

// stride is a foot that slides forward on the ground for half a second and
// swings for half: what a blend makes of planted feet.
func stride(t float64) (foot r3.Vec, down bool) {
	phase := t - math.Floor(t)
	z := max(0, .05*math.Sin(2*math.Pi*(phase-.5)))
	return r3.Vec{X: .3*t + .02*math.Sin(2*math.Pi*t), Y: .1, Z: z}, phase < .5
}

func TestALockedFootDoesNotSlide(t *testing.T) {
	var l blend.FootLock
	p := blend.LockParams{Pull: .5, Over: .2}
	var last, lastStep r3.Vec
	for i := range 2000 {
		foot, down := stride(float64(i) * tick)
		was := l.Locked
		got, err := l.Step(foot, down, 0, p, tick)
		if err != nil || l.Locked != down {
			t.Fatal(err, l)
		}
		step := r3.Sub(got, last)
		if was && l.Locked && (step.X != 0 || step.Y != 0) {
			t.Fatalf("tick %d: a locked foot slid by %v", i, step)
		}
		// A stance slides by 0.15 m, which the swing makes up within 0.2 s:
		// quick, but with no jump in place and none to speak of in speed.
		if i > 1 && (r3.Norm(step) > .02 || r3.Norm(r3.Sub(step, lastStep)) > .006) {
			t.Fatalf("tick %d: step %v after %v", i, step, lastStep)
		}
		last, lastStep = got, step
	}
}

func TestAFootPulledOffComesFreeOnce(t *testing.T) {
	var l blend.FootLock
	p := blend.LockParams{Pull: .1, Over: .2}
	changes := 0
	last := r3.Vec{}
	for i := range 400 {
		was := l.Locked
		got, err := l.Step(r3.Vec{X: float64(i) * .001}, i < 300, 0, p, tick)
		if err != nil {
			t.Fatal(err)
		}
		if was != l.Locked {
			changes++
		}
		if r3.Norm(r3.Sub(got, last)) > .01 {
			t.Fatalf("tick %d: a jump from %v to %v", i, last, got)
		}
		last = got
	}
	if changes != 2 || l.Locked || math.Abs(last.X-.399) > 1e-12 {
		t.Errorf("%d changes, %+v, foot at %v; want held, then free until the next contact", changes, l, last)
	}
	before := l
	for _, bad := range []struct {
		foot  r3.Vec
		floor float64
		p     blend.LockParams
		dt    float64
	}{{r3.Vec{X: math.NaN()}, 0, p, tick}, {r3.Vec{}, math.Inf(1), p, tick}, {r3.Vec{}, 0, blend.LockParams{}, tick}, {r3.Vec{}, 0, p, 0}} {
		if _, err := l.Step(bad.foot, true, bad.floor, bad.p, bad.dt); err == nil || l != before {
			t.Errorf("%+v is taken", bad)
		}
	}
}

// A released foot sets out at the speed it was shown with, none, and not at
// that of its motion, which comes back to the pin just then.
func TestAReleasedFootSetsOutSlowly(t *testing.T) {
	var l blend.FootLock
	p := blend.LockParams{Pull: .5, Over: .2}
	last := r3.Vec{}
	for i := range 27 {
		x := float64(min(i, 40-i)) * tick // out at 1 m/s for 20 ticks, then back
		got, err := l.Step(r3.Vec{X: x}, i < 25, 0, p, tick)
		if err != nil {
			t.Fatal(err)
		}
		if d := r3.Norm(r3.Sub(got, last)); i > 0 && d > .2*tick {
			t.Errorf("tick %d: the foot goes at %v m/s", i, d/tick)
		}
		last = got
	}
}
