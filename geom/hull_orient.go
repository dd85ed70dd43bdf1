package geom

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/spatial/r2"
)

// Bounds of the floating-point filter of Orient, after Shewchuk (1997): the
// rounding error of the determinant is at most filterRel times the sum of the
// sizes of its two products, as long as neither product underflows. Whatever is
// smaller than filterAbs is left to the exact path.
const (
	filterRel = (3 + 16*0x1p-53) * 0x1p-53
	filterAbs = 0x1p-960
)

// Coordinates within these sizes (or zero) have products whose rounding error
// is a float64, which the expansion needs.
const (
	exactMin = 0x1p-480
	exactMax = 0x1p+500
)

// Orient says on which side of the directed line a -> b the point c lies: +1
// left, -1 right, 0 exactly on it, decided on the doubles as given, without
// rounding. It is +1 for a counter-clockwise triangle a, b, c. Points with a
// NaN or an infinity give 0. It does not allocate unless a coordinate is
// non-zero and smaller than 2^-480 or larger than 2^500.
//
// Source: Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast
// Robust Geometric Predicates" (1997).
func Orient(a, b, c r2.Vec) int {
	det, bound := filter(a, b, c)
	if det > bound {
		return 1
	}
	if -det > bound {
		return -1
	}
	return orientExact(a, b, c)
}

// filter returns the determinant and how far it may be wrong. Its sign is
// certain only beyond the bound; a NaN never is. Short, so that it is inlined.
func filter(a, b, c r2.Vec) (det, bound float64) {
	// The conversions forbid fused multiply-adds, for which the bound was not
	// made.
	l := float64((a.X - c.X) * (b.Y - c.Y))
	r := float64((a.Y - c.Y) * (b.X - c.X))
	return l - r, float64(filterRel*(math.Abs(l)+math.Abs(r))) + filterAbs
}

// cross is the determinant alone, for a bound that is known already.
func cross(a, b, c r2.Vec) float64 {
	return float64((a.X-c.X)*(b.Y-c.Y)) - float64((a.Y-c.Y)*(b.X-c.X))
}

// orientExact decides what the filter could not.
func orientExact(a, b, c r2.Vec) int {
	if a == b || b == c || a == c {
		return 0
	}
	if (a.X == c.X && b.X == c.X) || (a.Y == c.Y && b.Y == c.Y) {
		return 0
	}
	switch sizes(a, b, c) {
	case sizeOdd:
		return 0
	case sizeWide:
		return orientBig(a, b, c)
	}
	// a x b + b x c + c x a: six products, each an exact pair.
	var e [12]float64
	n := 0
	n = growProduct(&e, n, a.X, b.Y)
	n = growProduct(&e, n, -a.Y, b.X)
	n = growProduct(&e, n, b.X, c.Y)
	n = growProduct(&e, n, -b.Y, c.X)
	n = growProduct(&e, n, c.X, a.Y)
	n = growProduct(&e, n, -c.Y, a.X)
	if n == 0 {
		return 0
	}
	// Components do not overlap: the largest one decides.
	if e[n-1] > 0 {
		return 1
	}
	return -1
}

// growProduct adds x*y, as an exact pair, to the expansion e of n components.
func growProduct(e *[12]float64, n int, x, y float64) int {
	hi := float64(x * y)
	lo := math.FMA(x, y, -hi)
	return grow(e, grow(e, n, lo), hi)
}

// grow adds b to the expansion e of n components, drops zeros and returns the
// new number of components (Shewchuk's GROW-EXPANSION, in place).
func grow(e *[12]float64, n int, b float64) int {
	m := 0
	for i := 0; i < n; i++ {
		s := b + e[i]
		bb := s - b
		low := (b - (s - bb)) + (e[i] - bb)
		b = s
		if low != 0 {
			e[m] = low
			m++
		}
	}
	if b != 0 {
		e[m] = b
		m++
	}
	return m
}

// What sizes finds.
const (
	sizeFine = iota // the expansion is exact
	sizeWide        // only big numbers are exact
	sizeOdd         // a NaN or an infinity
)

func sizes(p ...r2.Vec) int {
	worst := sizeFine
	for _, v := range p {
		worst = max(worst, sizeOf(v.X), sizeOf(v.Y))
	}
	return worst
}

func sizeOf(x float64) int {
	x = math.Abs(x)
	switch {
	case x == 0, x >= exactMin && x <= exactMax:
		return sizeFine
	case x <= math.MaxFloat64:
		return sizeWide
	}
	return sizeOdd
}

// orientBig is orientExact for numbers of any size. It allocates.
func orientBig(a, b, c r2.Vec) int {
	diff := func(x, y float64) *big.Rat {
		p, q := new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y)
		return p.Sub(p, q)
	}
	l := diff(a.X, c.X)
	l.Mul(l, diff(b.Y, c.Y))
	r := diff(a.Y, c.Y)
	r.Mul(r, diff(b.X, c.X))
	return l.Cmp(r)
}
