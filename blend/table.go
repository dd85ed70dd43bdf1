package blend

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Band is a gradient band whose pairs are worked out beforehand: Weights gives
// what GradientBand gives, within rounding, at a few operations a pair. Points
// may be moved at any time. Not safe for two goroutines while points move.
type Band struct {
	o      BandOptions
	points []r2.Vec
	norm   []float64 // 0 for a zero vector
	angle  []float64 // direction of a point, radians
	copies []float64 // mark of a double, else 0
	pairs  []pair    // n rows of n: row i is what the others take from i
	origin bool      // a motion is at the origin
}

// pair is what motion j takes from motion i: Cartesian, (x - p_i).(a, b);
// Polar, a times the excess magnitude, plus b times the query's signed angle,
// plus c times its size. Pairs that take nothing are zero.
type pair struct{ a, b, c float64 }

// NewBand returns a band over copies of points, at least one; the errors are
// those of GradientBand.
func NewBand(points []r2.Vec, o BandOptions) (*Band, error) {
	n := len(points)
	b := &Band{
		o: o, points: make([]r2.Vec, n), norm: make([]float64, n),
		angle: make([]float64, n), copies: make([]float64, n), pairs: make([]pair, n*n),
	}
	if err := b.Set(points); err != nil {
		return nil, err
	}
	return b, nil
}

// Len returns the number of motions.
func (b *Band) Len() int { return len(b.points) }

// Point returns where motion i is. It panics, as a slice does, outside Len.
func (b *Band) Point(i int) r2.Vec { return b.points[i] }

// Set moves all motions and works the pairs out again: O(n^2), nothing is
// allocated. On an error (see GradientBand) nothing is changed.
func (b *Band) Set(points []r2.Vec) error {
	if err := b.o.check(); err != nil {
		return err
	}
	if len(points) == 0 || len(points) != len(b.points) {
		return fmt.Errorf("blend: band of %d points set to %d, want the same number, at least 1", len(b.points), len(points))
	}
	for i, p := range points {
		if !inRange(p) {
			return fmt.Errorf("blend: band point %d at (%v, %v), want finite numbers below %g", i, p.X, p.Y, largest)
		}
	}
	copy(b.points, points)
	for i := range points {
		b.note(i)
	}
	b.double()
	for i := range points {
		for j := range i {
			b.join(i, j)
		}
		b.pairs[i*len(points)+i] = pair{}
	}
	return nil
}

// Move puts motion i at a point: O(n) pairs are worked out again, nothing is
// allocated. On an error (not finite, beyond 1e100, no such motion) nothing is
// changed.
func (b *Band) Move(i int, to r2.Vec) error {
	if i < 0 || i >= len(b.points) || !inRange(to) {
		return fmt.Errorf("blend: motion %d moved to (%v, %v), want 0 to %d and finite numbers below %g", i, to.X, to.Y, len(b.points)-1, largest)
	}
	b.points[i] = to
	b.note(i)
	b.double()
	for j := range b.points {
		if j != i {
			b.join(i, j)
		}
	}
	return nil
}

// note keeps the polar form of a point.
func (b *Band) note(i int) {
	p := b.points[i]
	b.norm[i], b.angle[i] = size(p), 0
	if b.norm[i] > 0 {
		b.angle[i] = math.Atan2(p.Y, p.X)
	}
}

// double marks points that sit on an earlier one, and looks for the origin.
func (b *Band) double() {
	b.origin = false
	for i := range b.points {
		b.origin = b.origin || b.norm[i] == 0
		b.copies[i] = 0
		for j := range i {
			if b.copies[j] == 0 && same(b.points[j], b.points[i]) {
				b.copies[i] = copyOf(j)
				break
			}
		}
	}
}

// join works out what two motions take from each other.
func (b *Band) join(i, j int) {
	n := len(b.points)
	ij, ji := &b.pairs[i*n+j], &b.pairs[j*n+i]
	*ij, *ji = pair{}, pair{}
	switch {
	case same(b.points[i], b.points[j]):
	case b.o.Mode == Cartesian:
		d := r2.Sub(b.points[j], b.points[i])
		d = r2.Scale(1/r2.Norm2(d), d)
		*ij, *ji = pair{a: d.X, b: d.Y}, pair{a: -d.X, b: -d.Y}
	case b.norm[i] > 0 && b.norm[j] > 0:
		*ij, *ji = b.polar(i, j)
	}
}

// polar is join for two motions with a direction. With the origin a pair
// depends on the query; weights do those themselves.
func (b *Band) polar(i, j int) (ij, ji pair) {
	turn := between(b.points[i], b.points[j])
	m, mean := b.o.alpha(), (b.norm[i]+b.norm[j])/2
	u := r2.Vec{X: (b.norm[j] - b.norm[i]) / mean, Y: m * turn}
	scale := 1 / r2.Norm2(u)
	a, side := u.X/mean*scale, m*u.Y*scale
	if sideless(turn) {
		side = math.Abs(side)
		return pair{a: a, c: side}, pair{a: -a, c: side}
	}
	return pair{a: a, b: side}, pair{a: -a, b: -side}
}

// Warnings says what about the points an author should know, in a stable
// order: Polar sets want exactly one motion at the origin and no gap above 180
// degrees between neighbouring directions. It allocates: for load time.
func (b *Band) Warnings() []string {
	if b.o.Mode != Polar {
		return nil
	}
	var out, still = []string(nil), 0
	var around []float64
	for i, n := range b.norm {
		if n == 0 {
			still++
		} else {
			around = append(around, b.angle[i])
		}
	}
	switch {
	case still == 0:
		out = append(out, "directional set without a motion at the origin")
	case still > 1:
		out = append(out, fmt.Sprintf("directional set with %d motions at the origin, want one", still))
	}
	if gap := widest(around); gap > math.Pi+zeroLength {
		out = append(out, fmt.Sprintf("gap of %.0f degrees between adjacent directions, want at most 180", gap*180/math.Pi))
	}
	return out
}

// widest returns the widest gap between directions, radians; 0 without any.
func widest(around []float64) float64 {
	if len(around) == 0 {
		return 0
	}
	slices.Sort(around)
	gap := around[0] + 2*math.Pi - around[len(around)-1]
	for i := 1; i < len(around); i++ {
		gap = max(gap, around[i]-around[i-1])
	}
	return gap
}
