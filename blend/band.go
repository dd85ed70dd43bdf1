package blend

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Mode is the measure in which a gradient band compares motions.
type Mode uint8

// Modes of a gradient band.
const (
	Cartesian Mode = iota // by place: any two quantities of one scale
	Polar                 // by direction and magnitude: velocities
)

// Cap is the bound on one motion's influence in Polar; Cartesian
// needs none.
type Cap uint8

// Caps of influence.
const (
	CapAngle Cap = iota // 1 - angle/pi: nothing straight against the query
	CapOne              // 1
)

// BandOptions choose a gradient band. The zero value is Cartesian.
type BandOptions struct {
	Mode  Mode
	Alpha float64 // Polar: what a radian weighs against one mean magnitude, > 0; 0 means 2
	Cap   Cap     // Polar
}

// The tolerances of the rules; vectors have the unit of the points.
const (
	zeroLength = 1e-9  // at most: the zero vector; two points so near are one
	opposed    = 1e-6  // rad: so near to pi an angle has no side
	noSum      = 1e-12 // at most: no influence at all
	largest    = 1e100 // beyond it squares of lengths leave the range
	someAlpha  = 2.0
)

// alpha returns the weight of a radian.
func (o *BandOptions) alpha() float64 {
	if o.Alpha == 0 {
		return someAlpha
	}
	return o.Alpha
}

func (o *BandOptions) check() error {
	if o.Mode > Polar || o.Cap > CapOne {
		return fmt.Errorf("blend: band mode %d with cap %d, known are modes 0 to 1 and caps 0 to 1", o.Mode, o.Cap)
	}
	if !(o.Alpha >= 0 && o.Alpha < largest) {
		return fmt.Errorf("blend: band alpha %v, want a finite number > 0 (0 means %v)", o.Alpha, someAlpha)
	}
	return nil
}

// GradientBand writes to dst the weights of motions at points for the query at:
// none is negative and they sum to one.
//
// The influence of motion i is the least over j of 1 - (u.v)/(u.u), not below 0
// and not above its cap; weights are influences over their sum. Cartesian: u
// runs from i to j, v from i to the query. Polar: u and v hold the
// difference of magnitudes over the pair's mean and Alpha times the angle. With
// a motion at the origin angles are the other motion's to the query, unscaled,
// so that standing takes over in directions nobody covers. An angle within
// 1e-6 of pi has no side and counts as positive.
//
// Points within 1e-9 are one point and share its weight. Where nobody has
// influence, the nearest share. Outside the points the weights stay on those
// that face the query.
//
// dst needs the length of points and belongs to the caller; it is written only
// when the error is nil: no points, a number that is not finite or beyond
// 1e100, unequal lengths, or options that are out of range. It costs O(n^2)
// and allocates nothing; for a fixed set Band does the same faster.
func GradientBand(dst []float64, points []r2.Vec, at r2.Vec, o BandOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	if len(points) == 0 || len(dst) != len(points) {
		return fmt.Errorf("blend: band of %d points into %d weights, want the same number, at least 1", len(points), len(dst))
	}
	for i, p := range points {
		if !inRange(p) {
			return fmt.Errorf("blend: band point %d at (%v, %v), want finite numbers below %g", i, p.X, p.Y, largest)
		}
	}
	if err := checkQuery(at); err != nil {
		return err
	}
	for i := range points {
		dst[i] = influenceOf(points, i, at, &o)
	}
	settle(dst, points, at)
	return nil
}

// inRange reports whether squares of v's length are finite.
func inRange(v r2.Vec) bool { return math.Abs(v.X) < largest && math.Abs(v.Y) < largest }

func checkQuery(at r2.Vec) error {
	if !inRange(at) {
		return fmt.Errorf("blend: band query (%v, %v), want finite numbers below %g", at.X, at.Y, largest)
	}
	return nil
}

// same reports whether two points count as one.
func same(a, b r2.Vec) bool { return r2.Norm2(r2.Sub(a, b)) <= zeroLength*zeroLength }

// first returns the index of the first point that is the same as point i and
// is not itself the double of an earlier one.
func first(points []r2.Vec, i int) int {
	for j := range i {
		if same(points[j], points[i]) && first(points, j) == j {
			return j
		}
	}
	return i
}

// copyOf marks a double of point k among influences; no influence is negative.
func copyOf(k int) float64 { return float64(-1 - k) }

// influenceOf returns the influence of a point, or the mark of a double.
func influenceOf(points []r2.Vec, i int, at r2.Vec, o *BandOptions) float64 {
	if k := first(points, i); k != i {
		return copyOf(k)
	}
	h := capOf(points[i], at, o)
	for j := range points {
		if h <= 0 {
			return 0
		}
		if same(points[i], points[j]) {
			continue
		}
		if f := influence(points[i], points[j], at, o); f < h {
			h = f
		}
	}
	return max(h, 0)
}

// settle turns influences and marks of doubles into weights.
func settle(dst []float64, points []r2.Vec, at r2.Vec) {
	sum, doubles := 0.0, false
	for _, h := range dst {
		if h > 0 {
			sum += h
		}
		doubles = doubles || h < 0
	}
	finish(dst, points, at, sum, doubles)
}

// finish is settle for influences whose sum is known.
func finish(dst []float64, points []r2.Vec, at r2.Vec, sum float64, doubles bool) {
	if sum <= noSum {
		sum = nearest(dst, points, at)
	}
	part := 1 / sum
	for i, h := range dst {
		if h > 0 {
			dst[i] = h * part
		}
	}
	if doubles {
		share(dst)
	}
}

// nearest gives the distinct points at the least distance an influence of one,
// the others none, and returns the sum.
func nearest(dst []float64, points []r2.Vec, at r2.Vec) float64 {
	least := math.Inf(1)
	for _, p := range points {
		least = min(least, math.Sqrt(r2.Norm2(r2.Sub(p, at))))
	}
	sum := 0.0
	for i, p := range points {
		if dst[i] < 0 {
			continue
		}
		dst[i] = 0
		if math.Sqrt(r2.Norm2(r2.Sub(p, at))) <= least+zeroLength {
			dst[i] = 1
			sum++
		}
	}
	return sum
}

// share splits the weight of a point among all that sit on it.
func share(dst []float64) {
	for i := range dst {
		if dst[i] < 0 {
			continue
		}
		mark, n := copyOf(i), 1.0
		for j := i + 1; j < len(dst); j++ {
			if dst[j] == mark {
				n++
			}
		}
		if n == 1 {
			continue
		}
		dst[i] /= n
		for j := i + 1; j < len(dst); j++ {
			if dst[j] == mark {
				dst[j] = dst[i]
			}
		}
	}
}
