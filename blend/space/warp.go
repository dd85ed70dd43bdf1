package space

import (
	"fmt"
	"math"
	"sort"
)

// Warp is the registration curve of two loops: which phase of one corresponds
// to which of the other. It rises strictly and comes round: At(u+1) is At(u)+1.
// X and Y are its knots over one pass, X[0] to X[0]+1 and Y[0] to Y[0]+1,
// joined by straight lines. The zero value is the identity.
type Warp struct {
	X, Y []float64
}

// Shifted returns the curve that only moves phases by shift.
func Shifted(shift float64) Warp { return Warp{X: []float64{0, 1}, Y: []float64{shift, 1 + shift}} }

// Check says what is wrong with a curve: knots that do not rise strictly, or do
// not span exactly one pass.
func (w *Warp) Check() error {
	n := len(w.X)
	if n == 0 && len(w.Y) == 0 {
		return nil
	}
	if n < 2 || n != len(w.Y) || n > MaxFrames+1 {
		return fmt.Errorf("space: registration curve of %d and %d knots, want the same number, 2 to %d", n, len(w.Y), MaxFrames+1)
	}
	for i := range n {
		if !(math.Abs(w.X[i]) < 1e6) || !(math.Abs(w.Y[i]) < 1e6) || i > 0 && (w.X[i] <= w.X[i-1] || w.Y[i] <= w.Y[i-1]) {
			return fmt.Errorf("space: knot %d of a registration curve at %v, %v, want both to rise", i, w.X[i], w.Y[i])
		}
	}
	if math.Abs(w.X[n-1]-w.X[0]-1) > 1e-9 || math.Abs(w.Y[n-1]-w.Y[0]-1) > 1e-9 {
		return fmt.Errorf("space: registration curve spans %v and %v of a pass, want 1", w.X[n-1]-w.X[0], w.Y[n-1]-w.Y[0])
	}
	return nil
}

// At returns the phase that corresponds to u, not wrapped.
func (w *Warp) At(u float64) float64 {
	if len(w.X) == 0 {
		return u
	}
	return through(w.X, w.Y, u)
}

// Inverse returns the phase that corresponds to v of the other loop:
// At(Inverse(v)) is v within rounding.
func (w *Warp) Inverse(v float64) float64 {
	if len(w.X) == 0 {
		return v
	}
	return through(w.Y, w.X, v)
}

// through reads the curve from xs to ys at u of any pass.
func through(xs, ys []float64, u float64) float64 {
	turn := math.Floor(u - xs[0])
	x := u - turn
	n := len(xs)
	k := sort.SearchFloat64s(xs, x)
	k = max(1, min(k, n-1))
	return turn + ys[k-1] + (x-xs[k-1])*(ys[k]-ys[k-1])/(xs[k]-xs[k-1])
}

// Then returns the curve that goes through w and then through v. Both keep
// their knots.
func (w Warp) Then(v Warp) Warp {
	if len(w.X) == 0 {
		return v
	}
	if len(v.X) == 0 {
		return w
	}
	knots := append([]float64(nil), w.X...)
	for _, x := range v.X {
		u := w.Inverse(x)
		knots = append(knots, u-math.Floor(u-w.X[0]))
	}
	sort.Float64s(knots)
	first, last := w.X[0], w.X[len(w.X)-1]
	out := Warp{}
	for _, u := range knots {
		y := v.At(w.At(u))
		if n := len(out.X); u < first || u >= last-1e-9 || n > 0 && (u <= out.X[n-1]+1e-9 || y <= out.Y[n-1]) {
			continue
		}
		out.X, out.Y = append(out.X, u), append(out.Y, y)
	}
	out.X, out.Y = append(out.X, out.X[0]+1), append(out.Y, out.Y[0]+1)
	return out
}
