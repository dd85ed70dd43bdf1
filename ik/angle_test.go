package ik

import (
	"math"
	"testing"
)

func TestAngleOf(t *testing.T) {
	const n = 200000
	worst := 0.0
	for k := -n; k <= n; k++ {
		a := math.Pi * float64(k) / n
		s, c := math.Sincos(a)
		worst = math.Max(worst, math.Abs(angleOf(c, s)-math.Atan2(s, c)))
	}
	if worst > 1e-15 {
		t.Errorf("differs from atan2 by %g rad, want <= 1e-15", worst)
	}
	for _, c := range []struct{ x, y, want float64 }{{1, 0, 0}, {-1, 0, math.Pi}, {0, 1, math.Pi / 2}, {0, -1, -math.Pi / 2}} {
		if got := angleOf(c.x, c.y); math.Abs(got-c.want) > 1e-16 {
			t.Errorf("angleOf(%g, %g) = %g, want %g", c.x, c.y, got, c.want)
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), 1e300} {
		angleOf(bad, bad) // must not panic
	}
}
