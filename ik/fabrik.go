package ik

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Options tune a bare-chain solve. The zero value is the default.
type Options struct {
	Tolerance float64 // metres at which a chain counts as arrived; <= 0 or NaN means 1e-6
	MaxSweeps int     // plain sweeps before the exact one, for a natural pose; 0 means 1, negative none
}

const (
	defaultTolerance = 1e-6
	defaultSweeps    = 1
	nearShare        = 0.05 // of the outer reach: a target this near is a small move
	// Lengths beyond these bounds would over- or underflow when squared.
	shortest, longest = 1e-100, 1e100
	smallChain        = 16
	tinyChain         = 4
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
	if n == 0 || len(joints) != n+1 {
		return Result{Status: Invalid}
	}
	sum, top, ok := 0.0, 0.0, true
	for _, l := range lengths {
		ok = ok && l >= shortest && l <= longest // false for NaN
		sum += l
		if l > top {
			top = l
		}
	}
	if !ok || !finite(target) || !finiteAll(joints) {
		return Result{Status: Invalid}
	}
	if !(o.Tolerance > 0) {
		o.Tolerance = defaultTolerance
	}
	root := joints[0]
	r := r3.Vec{X: target.X - root.X, Y: target.Y - root.Y, Z: target.Z - root.Z}
	d2, inner := r.X*r.X+r.Y*r.Y+r.Z*r.Z, 2*top-sum
	if !(d2 > tiny2 && d2 < huge2) || d2 > sum*sum || (inner > 0 && d2 < inner*inner) {
		d := math.Sqrt(d2)
		if !(d2 > tiny2 && d2 < huge2) {
			d = norm(r)
		}
		if d > sum || d < inner {
			return stretch(joints, lengths, r, d, d > sum, o.Tolerance)
		}
	}
	if n <= tinyChain {
		return fabrikTiny(joints, lengths, target, d2, o)
	}
	if n <= smallChain {
		return fabrikSmall(joints, lengths, target, d2, o)
	}
	return fabrik(joints, lengths, make([]float64, n), make([]float64, n), target, d2, o)
}

// fabrikTiny is fabrikSmall for chains so short that clearing more shows.
func fabrikTiny(joints []r3.Vec, lengths []float64, target r3.Vec, d2 float64, o Options) Result {
	var hi, lo [tinyChain]float64
	n := len(lengths)
	return fabrik(joints, lengths, hi[:n], lo[:n], target, d2, o)
}

// fabrikSmall is fabrik with its scratch on the stack.
func fabrikSmall(joints []r3.Vec, lengths []float64, target r3.Vec, d2 float64, o Options) Result {
	var hi, lo [smallChain]float64
	n := len(lengths)
	return fabrik(joints, lengths, hi[:n], lo[:n], target, d2, o)
}

// fabrik solves a target within reach, sqrt(d2) from the root. hi and lo are scratch
// for the reach of every suffix.
func fabrik(joints []r3.Vec, lengths, hi, lo []float64, target r3.Vec, d2 float64, o Options) Result {
	n := len(lengths)
	suffixes(lengths, hi, lo)
	sweeps := max(o.MaxSweeps, 0)
	if o.MaxSweeps == 0 {
		sweeps = defaultSweeps
	}
	gap := r3.Norm2(r3.Sub(target, joints[n]))
	if near := nearShare * hi[0]; gap < near*near {
		// A small move from a warm start keeps the shape it has.
		if n >= followLinks && n <= smallChain && d2 < 0.96*hi[0]*hi[0] {
			if res, ok := follow(joints, lengths, target, o.Tolerance); ok {
				return res
			}
		}
		sweeps = 0
	}
	for range sweeps {
		backward(joints, lengths, target)
		forward(joints, lengths)
	}
	backward(joints, lengths, target)
	exact(joints, lengths, hi, lo, target)
	return Result{Iterations: sweeps + 1}
}

// suffixes fills hi and lo with the outer and inner reach of the chain from
// link i on.
func suffixes(lengths, hi, lo []float64) {
	sum, top := 0.0, 0.0
	hi, lo = hi[:len(lengths)], lo[:len(lengths)]
	for i := len(lengths) - 1; i >= 0; i-- {
		l := lengths[i]
		sum += l
		if l > top {
			top = l
		}
		hi[i] = sum
		if inner := 2*top - sum; inner > 0 {
			lo[i] = inner
		}
	}
}

// stretch lays the chain straight towards r, or folded: the longest link (the
// first of equals) along r and every other one against it. r is the target
// from the root and d its length; with d = 0 the first link's own direction
// is kept.
func stretch(joints []r3.Vec, lengths []float64, r r3.Vec, d float64, far bool, tolerance float64) Result {
	f := 1 / d
	u := r3.Vec{X: f * r.X, Y: f * r.Y, Z: f * r.Z}
	if !(d > 1e-100 && d < 1e100) {
		u = along(r, d)
		if d == 0 {
			u = unit(r3.Sub(joints[1], joints[0]))
		}
	}
	at, s := joints[0], 0.0
	rest := joints[1 : len(lengths)+1]
	if far {
		for i, l := range lengths {
			s += l
			rest[i] = r3.Vec{X: at.X + s*u.X, Y: at.Y + s*u.Y, Z: at.Z + s*u.Z}
		}
	} else {
		turn := longestLink(lengths)
		for i, l := range lengths {
			if i != turn {
				l = -l
			}
			s += l
			rest[i] = r3.Vec{X: at.X + s*u.X, Y: at.Y + s*u.Y, Z: at.Z + s*u.Z}
		}
	}
	res := Result{Status: OutOfReach, Residual: math.Abs(d - s)}
	if res.Residual <= tolerance {
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
		p, l := &joints[i], lengths[i]
		x, y, z := p.X-at.X, p.Y-at.Y, p.Z-at.Z
		d2 := x*x + y*y + z*z
		if d2 > tiny2 && d2 < huge2 {
			f := l / math.Sqrt(d2)
			at.X, at.Y, at.Z = at.X+f*x, at.Y+f*y, at.Z+f*z
		} else {
			at = reach(at, *p, l)
		}
		*p = at
	}
}

// forward pulls every point but the last to its length from the root outward.
// The last is where the target holds it: backward begins there anyway.
func forward(joints []r3.Vec, lengths []float64) {
	at := joints[0]
	rest := joints[1:len(lengths)]
	for i := range rest {
		p, l := &rest[i], lengths[i]
		x, y, z := p.X-at.X, p.Y-at.Y, p.Z-at.Z
		d2 := x*x + y*y + z*z
		if d2 > tiny2 && d2 < huge2 {
			f := l / math.Sqrt(d2)
			at.X, at.Y, at.Z = at.X+f*x, at.Y+f*y, at.Z+f*z
		} else {
			at = reach(at, *p, l)
		}
		*p = at
	}
}

// reach returns the point at distance l from anchor towards p, whatever their
// distance; for p on anchor, along x.
func reach(anchor, p r3.Vec, l float64) r3.Vec {
	u := unit(r3.Sub(p, anchor))
	return r3.Vec{X: anchor.X + l*u.X, Y: anchor.Y + l*u.Y, Z: anchor.Z + l*u.Z}
}
