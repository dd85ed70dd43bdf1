package calibrate_test

import (
	"strings"
	"testing"

	"legctl/drivers/calibrate"

	"gonum.org/v1/gonum/spatial/r3"
)

// TestCarefulHandsAreBelieved: marks hit to within 2 mm along each axis, as by
// hand, are not refused; one mark that is 20 mm beside its place is, and named.
func TestCarefulHandsAreBelieved(t *testing.T) {
	const legs, hand = 100, 0.002
	tried, refused, missed, named := 0, 0, 0, 0
	for seed := uint64(0); tried < legs; seed++ {
		b := build(t, robots[seed%uint64(len(robots))], seed, 15, true)
		ms := b.touches(t, 4)
		for i := range ms {
			ms[i].Foot = shift(ms[i].Foot, r3.Vec{X: hand * b.rng.NormFloat64(), Y: hand * b.rng.NormFloat64(), Z: hand * b.rng.NormFloat64()})
		}
		tried += len(b.r.Legs)
		if _, err := calibrate.Solve(b.r, b.c, ms, b.signs()); err != nil {
			refused += strings.Count(err.Error(), "contradict each other")
		}
		wrong := &ms[b.rng.IntN(len(ms))]
		wrong.Foot = shift(wrong.Foot, r3.Vec{X: 0.012, Y: 0.016})
		_, err := calibrate.Solve(b.r, b.c, ms, b.signs())
		switch {
		case err == nil:
			missed++
		case strings.Contains(err.Error(), wrong.Name):
			named++
		}
	}
	t.Logf("%d legs by careful hands, %d refused; of wrong marks %d named, %d missed", tried, refused, named, missed)
	if refused > 0 || missed > 1 {
		t.Errorf("%d of %d legs were refused, %d wrong marks missed, %d named", refused, tried, missed, named)
	}
}

func shift(p *r3.Vec, by r3.Vec) *r3.Vec {
	q := r3.Add(*p, by)
	return &q
}
