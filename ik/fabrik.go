package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Options tune a bare-chain solve. The zero value is the default.
type Options struct {
	Tolerance float64 // metres at which a chain counts as arrived; <= 0 or NaN means 1e-6
	MaxSweeps int     // plain sweeps before the exact pass, for a natural pose; <= 0 means 1
}

const (
	defaultTolerance = 1e-6
	defaultSweeps    = 1
	// Lengths beyond these bounds would over- or underflow when squared.
	shortest, longest = 1e-100, 1e100
	smallChain        = 16
)

// Fabrik moves the points of a ball-joint chain, in place, so that the last
// one meets target. joints holds one point more than lengths; joints[0] is the
// root and never moves; metres, any one frame. The other points are the warm
// start and may be anything finite, coincident or collinear included.
//
// Every length is exact afterwards and every target between the inner and the
// outer reach is met: plain sweeps (Aristidou and Lasenby 2011) shape the
// chain, then one backward and one exact forward pass finish it. A target
// beyond reach gets the straight chain, one inside the inner radius the folded
// one, without a sweep; Status is then OutOfReach unless Residual is within
// Tolerance. NaN, infinities, lengths outside [1e-100, 1e100] and mismatched
// slices give Invalid and leave joints as they were. Chains of more than 16
// links allocate their scratch, shorter ones do not.
func Fabrik(joints []r3.Vec, lengths []float64, target r3.Vec, o Options) Result {
	n := len(lengths)
	if n == 0 || len(joints) != n+1 || !finite(target) {
		return Result{Status: Invalid}
	}
	if n <= smallChain {
		var hi, lo [smallChain]float64
		return fabrik(joints, lengths, hi[:n], lo[:n], target, o)
	}
	return fabrik(joints, lengths, make([]float64, n), make([]float64, n), target, o)
}

// fabrik is Fabrik with scratch for the reach of every suffix.
func fabrik(joints []r3.Vec, lengths, hi, lo []float64, target r3.Vec, o Options) Result {
	if !suffixes(lengths, hi, lo) || !finiteAll(joints) {
		return Result{Status: Invalid}
	}
	if !(o.Tolerance > 0) {
		o.Tolerance = defaultTolerance
	}
	if o.MaxSweeps <= 0 {
		o.MaxSweeps = defaultSweeps
	}
	r := r3.Sub(target, joints[0])
	d := norm(r)
	if d > hi[0] || d < lo[0] {
		return stretch(joints, lengths, r, d, d > hi[0], o)
	}
	if res, ok := follow(joints, lengths, target, hi[0], o); ok {
		return res
	}
	sweeps := 0
	for ; sweeps < o.MaxSweeps; sweeps++ {
		backward(joints, lengths, target)
		forward(joints, lengths)
		// A chain that has arrived still gets its last gap closed exactly.
		if r3.Norm2(r3.Sub(target, joints[len(lengths)])) <= o.Tolerance*o.Tolerance {
			break
		}
	}
	backward(joints, lengths, target)
	exact(joints, lengths, hi, lo, target)
	return Result{Iterations: sweeps + 1}
}

// suffixes fills hi and lo with the outer and inner reach of the chain from
// link i on, and reports whether every length is usable.
func suffixes(lengths, hi, lo []float64) bool {
	sum, top := 0.0, 0.0
	ok := true
	hi, lo = hi[:len(lengths)], lo[:len(lengths)]
	for i := len(lengths) - 1; i >= 0; i-- {
		l := lengths[i]
		ok = ok && l >= shortest && l <= longest // false for NaN
		sum += l
		if l > top {
			top = l
		}
		hi[i], lo[i] = sum, max(0, 2*top-sum)
	}
	return ok
}

// stretch lays the chain straight towards r, or folded: the longest link (the
// first of equals) along r and every other one against it. r is the target
// from the root and d its length; with d = 0 the first link's own direction
// is kept.
func stretch(joints []r3.Vec, lengths []float64, r r3.Vec, d float64, far bool, o Options) Result {
	u := along(r, d)
	if d == 0 {
		u = unit(r3.Sub(joints[1], joints[0]))
	}
	turn := -1
	if !far {
		turn = longestLink(lengths)
	}
	at, s := joints[0], 0.0
	for i, l := range lengths {
		if far || i == turn {
			s += l
		} else {
			s -= l
		}
		joints[i+1] = r3.Vec{X: at.X + s*u.X, Y: at.Y + s*u.Y, Z: at.Z + s*u.Z}
	}
	res := Result{Status: OutOfReach, Residual: math.Abs(d - s)}
	if res.Residual <= o.Tolerance {
		res.Status = Reached
	}
	return res
}

func longestLink(lengths []float64) int {
	k := 0
	for i, l := range lengths {
		if l > lengths[k] {
			k = i
		}
	}
	return k
}

// backward puts the last point on target and pulls every other one but the
// root to its length, from the foot inward.
func backward(joints []r3.Vec, lengths []float64, target r3.Vec) {
	n := len(lengths)
	joints = joints[:n+1]
	at := target
	joints[n] = at
	for i := n - 1; i > 0; i-- {
		at = reach(at, joints[i], lengths[i])
		joints[i] = at
	}
}

// forward pulls every point to its length from the root outward.
func forward(joints []r3.Vec, lengths []float64) {
	at := joints[0]
	rest := joints[1 : len(lengths)+1]
	for i, l := range lengths {
		at = reach(at, rest[i], l)
		rest[i] = at
	}
}

// reach returns the point at distance l from anchor towards p.
func reach(anchor, p r3.Vec, l float64) r3.Vec {
	x, y, z := p.X-anchor.X, p.Y-anchor.Y, p.Z-anchor.Z
	d2 := x*x + y*y + z*z
	if !(d2 > tiny2 && d2 < huge2) {
		u := unit(r3.Vec{X: x, Y: y, Z: z})
		return r3.Vec{X: anchor.X + l*u.X, Y: anchor.Y + l*u.Y, Z: anchor.Z + l*u.Z}
	}
	f := l / math.Sqrt(d2)
	return r3.Vec{X: anchor.X + f*x, Y: anchor.Y + f*y, Z: anchor.Z + f*z}
}
