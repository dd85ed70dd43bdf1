package blend

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Weights writes the weights of the motions for the query to dst, which needs
// Len places and belongs to the caller; see GradientBand for the rules. On an
// error (a query that is not finite or beyond 1e100, a wrong length) dst is as
// it was. Nothing is allocated.
func (b *Band) Weights(dst []float64, at r2.Vec) error {
	if len(dst) != len(b.points) {
		return fmt.Errorf("blend: band of %d points into %d weights", len(b.points), len(dst))
	}
	if err := checkQuery(at); err != nil {
		return err
	}
	if b.o.Mode == Cartesian {
		sum, doubles := b.place(dst, at)
		finish(dst, b.points, at, sum, doubles)
		return nil
	}
	b.direct(dst, at)
	settle(dst, b.points, at)
	return nil
}

// place writes the influences of a Cartesian band and returns their sum and
// whether there are doubles. A motion that some other takes all from is done at
// once: most are.
func (b *Band) place(dst []float64, at r2.Vec) (sum float64, doubles bool) {
	n, copies := len(b.points), b.copies[:len(dst)]
	for i, p := range b.points[:len(dst)] {
		if copies[i] != 0 {
			dst[i], doubles = copies[i], true
			continue
		}
		x, y, most := at.X-p.X, at.Y-p.Y, 0.0
		row := b.pairs[i*n : i*n+n]
		for j := range row {
			q := &row[j]
			if s := x*q.a + y*q.b; s > most {
				if most = s; s >= 1 {
					most = 1
					break
				}
			}
		}
		dst[i] = 1 - most
		sum += dst[i]
	}
	return sum, doubles
}

// direct writes the influences of a Polar band.
func (b *Band) direct(dst []float64, at r2.Vec) {
	nx := size(at)
	if nx == 0 {
		for i := range b.points {
			if dst[i] = b.copies[i]; dst[i] == 0 {
				dst[i] = influenceOf(b.points, i, at, &b.o)
			}
		}
		return
	}
	heading := math.Atan2(at.Y, at.X)
	for i := range b.points {
		switch {
		case b.copies[i] != 0:
			dst[i] = b.copies[i]
		case b.norm[i] == 0:
			dst[i] = b.still(nx, heading)
		default:
			dst[i] = b.moving(i, nx, heading)
		}
	}
}

// still returns the influence of the motion at the origin.
func (b *Band) still(nx, heading float64) float64 {
	h := 1.0
	for j, n := range b.norm {
		if n == 0 {
			continue
		}
		t := wrap(b.angle[j] - heading)
		h = min(h, 1-4*nx/(n*(4+t*t)))
	}
	return max(h, 0)
}

// moving returns the influence of a motion with a direction.
func (b *Band) moving(i int, nx, heading float64) float64 {
	n := len(b.points)
	t, excess := wrap(heading-b.angle[i]), nx-b.norm[i]
	width, least := math.Abs(t), 0.0
	if b.o.Cap == CapAngle {
		least = width / math.Pi
	}
	most, blind := least, sideless(t)
	row := b.pairs[i*n : i*n+n]
	for j := range row {
		q := &row[j]
		s := excess*q.a + t*q.b + width*q.c
		if blind { // straight behind the motion: on no side of it
			s = excess*q.a + width*(math.Abs(q.b)+q.c)
		}
		if s > most {
			if most = s; s >= 1 {
				return 0
			}
		}
	}
	if b.origin {
		// Against the origin: u = (-2, t), v = (2 excess/n, t), unscaled.
		w := width * width
		most = max(most, (w-4*excess/b.norm[i])/(4+w))
	}
	return max(1-most, 0)
}

// wrap returns a difference of two angles in [-pi, pi] as one.
func wrap(a float64) float64 {
	if a > math.Pi {
		return a - 2*math.Pi
	}
	if a <= -math.Pi {
		return a + 2*math.Pi
	}
	return a
}
