package blend

import (
	"fmt"
	"math"
)

// Tent writes to dst the weights of motions along one value: the two that
// bracket at share by distance, outside the end alone plays, motions at one
// value share its weight. points may come in any order; dst needs their length,
// belongs to the caller, and is written only when the error is nil (no points,
// unequal lengths, a number that is not finite or beyond 1e100).
func Tent(dst, points []float64, at float64) error {
	if len(points) == 0 || len(dst) != len(points) {
		return fmt.Errorf("blend: tent of %d points into %d weights, want the same number, at least 1", len(points), len(dst))
	}
	if !(math.Abs(at) < largest) {
		return fmt.Errorf("blend: tent query %v, want a finite number below %g", at, largest)
	}
	below, above := math.Inf(-1), math.Inf(1)
	for i, p := range points {
		if !(math.Abs(p) < largest) {
			return fmt.Errorf("blend: tent point %d at %v, want a finite number below %g", i, p, largest)
		}
		if p <= at {
			below = max(below, p)
		}
		if p >= at {
			above = min(above, p)
		}
	}
	part := 0.0
	switch {
	case math.IsInf(below, -1):
		below = above
	case math.IsInf(above, 1):
		above = below
	case above > below:
		part = (at - below) / (above - below)
	}
	spread(dst, points, below, above, part)
	return nil
}

// spread gives the motions at above the part, those at below the rest.
func spread(dst, points []float64, below, above, part float64) {
	low, high := 0.0, 0.0
	for _, p := range points {
		if p == below {
			low++
		}
		if p == above {
			high++
		}
	}
	for i, p := range points {
		dst[i] = 0
		if p == below {
			dst[i] += (1 - part) / low
		}
		if p == above {
			dst[i] += part / high
		}
	}
}
