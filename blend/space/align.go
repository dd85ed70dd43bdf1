package space

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// Alignment lays one cloud of points over another: turned by Yaw about the
// vertical, then moved by Shift on the ground.
type Alignment struct {
	Yaw   float64 // radians, in (-pi, pi]
	Shift r2.Vec  // metres
}

// Apply returns the point of the second cloud as it lies over the first.
func (a Alignment) Apply(p r3.Vec) r3.Vec {
	s, c := math.Sincos(a.Yaw)
	return r3.Vec{X: c*p.X - s*p.Y + a.Shift.X, Y: s*p.X + c*p.Y + a.Shift.Y, Z: p.Z}
}

// Align returns the alignment of b over a that makes the weighted sum of
// squared distances least, and that sum, m2. Weights are >= 0, need not sum to
// one, and not all be zero; where no turn is better than another (all points on
// one vertical) Yaw is 0. Empty or unequal clouds and numbers that are not
// finite are errors. Closed form; nothing is allocated.
func Align(a, b []r3.Vec, w []float64) (Alignment, float64, error) {
	if len(a) == 0 || len(a) != len(b) || len(a) != len(w) {
		return Alignment{}, 0, fmt.Errorf("space: clouds of %d and %d points with %d weights, want the same number, at least 1", len(a), len(b), len(w))
	}
	var sum float64
	var ma, mb r2.Vec
	for i := range a {
		if !(w[i] >= 0 && w[i] < largest) || !(r3.Norm2(a[i]) < largest) || !(r3.Norm2(b[i]) < largest) {
			return Alignment{}, 0, fmt.Errorf("space: point %d at %v and %v with weight %v, want finite numbers and a weight >= 0", i, a[i], b[i], w[i])
		}
		sum += w[i]
		ma = r2.Add(ma, r2.Scale(w[i], r2.Vec{X: a[i].X, Y: a[i].Y}))
		mb = r2.Add(mb, r2.Scale(w[i], r2.Vec{X: b[i].X, Y: b[i].Y}))
	}
	if sum == 0 {
		return Alignment{}, 0, fmt.Errorf("space: clouds of %d points with weights that are all 0", len(a))
	}
	ma, mb = r2.Scale(1/sum, ma), r2.Scale(1/sum, mb)
	s, c := 0.0, 0.0
	for i := range a {
		p := r2.Vec{X: a[i].X - ma.X, Y: a[i].Y - ma.Y}
		q := r2.Vec{X: b[i].X - mb.X, Y: b[i].Y - mb.Y}
		s += w[i] * r2.Cross(q, p)
		c += w[i] * r2.Dot(q, p)
	}
	out := Alignment{}
	if math.Abs(s) > flat || math.Abs(c) > flat {
		out.Yaw = math.Atan2(s, c)
	}
	sin, cos := math.Sincos(out.Yaw)
	out.Shift = r2.Vec{X: ma.X - cos*mb.X + sin*mb.Y, Y: ma.Y - sin*mb.X - cos*mb.Y}
	d := 0.0
	for i := range a {
		d += w[i] * r3.Norm2(r3.Sub(a[i], out.Apply(b[i])))
	}
	return out, d, nil
}

// flat is what the sums of sine and cosine are below when no turn is better
// than another.
const flat = 1e-12

// Lags returns the repetitions within a clip: the numbers of frames after which
// it is most like itself again. signal holds the features of each frame; the
// profile of lag k is the mean of |signal[i+k] - signal[i]|^2, for k from 1 to
// the number of frames less overlap; a lag counts if its profile is at most tau
// and strictly below both its neighbours', the ends never. Frames of unequal
// length, numbers that are not finite or an overlap below 1 are errors. It
// allocates; it is for building spaces.
func Lags(signal [][]float64, tau float64, overlap int) ([]int, error) {
	if overlap < 1 || !(tau >= 0) {
		return nil, fmt.Errorf("space: cycles with overlap %d and tau %v, want at least 1 and at least 0", overlap, tau)
	}
	for i, f := range signal {
		if len(f) != len(signal[0]) {
			return nil, fmt.Errorf("space: frame %d has %d features, want %d", i, len(f), len(signal[0]))
		}
		for j, x := range f {
			if !(math.Abs(x) < largest) {
				return nil, fmt.Errorf("space: feature %d of frame %d is %v, want a finite number", j, i, x)
			}
		}
	}
	var profile []float64
	for k := 1; k <= len(signal)-overlap; k++ {
		sum := 0.0
		for i := range len(signal) - k {
			for j, x := range signal[i+k] {
				d := x - signal[i][j]
				sum += d * d
			}
		}
		profile = append(profile, sum/float64(len(signal)-k))
	}
	var lags []int
	for i := 1; i < len(profile)-1; i++ {
		if profile[i] <= tau && profile[i] < profile[i-1] && profile[i] < profile[i+1] {
			lags = append(lags, i+1)
		}
	}
	return lags, nil
}
