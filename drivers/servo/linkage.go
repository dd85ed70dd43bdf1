package servo

import (
	"fmt"
	"math"
)

// Linkage turns joint angles into servo positions and back. Make it with
// NewLinkage; it belongs to one goroutine.
type Linkage struct {
	servos []Servo
	joints int
	back   []float64 // joints x servos: q = back (angle - offset)
	driven []bool    // joints that some servo moves
	angles []float64
}

// NewLinkage checks that the servos determine the joints and prepares the way
// back. joints is the number of joints of the rig; a joint no servo moves stays
// whatever it is. Servos fewer or more than the joints they move, or that are
// not independent, are refused by name.
func NewLinkage(servos []Servo, joints int) (*Linkage, error) {
	l := &Linkage{servos: servos, joints: joints, driven: make([]bool, joints), angles: make([]float64, len(servos))}
	for i := range servos {
		s := &servos[i]
		if s.PerRad == 0 || s.PerRad != s.PerRad {
			return nil, fmt.Errorf("servo: %s: %v native units for a radian, want a number that is not zero", s.Name, s.PerRad)
		}
		for _, t := range s.Terms {
			if t.Joint < 0 || t.Joint >= joints {
				return nil, fmt.Errorf("servo: %s: joint %d, want 0 to %d", s.Name, t.Joint, joints-1)
			}
			l.driven[t.Joint] = l.driven[t.Joint] || t.Factor != 0
		}
	}
	return l, l.invert()
}

// invert solves the servos' sums for the joints they move (Gauss-Jordan with
// row pivots).
func (l *Linkage) invert() error {
	var cols []int
	for j, d := range l.driven {
		if d {
			cols = append(cols, j)
		}
	}
	n := len(l.servos)
	if len(cols) != n {
		return fmt.Errorf("servo: %d servos move %d joints, want as many servos as joints", n, len(cols))
	}
	a := make([][]float64, n) // [terms | identity]
	for i := range a {
		a[i] = make([]float64, 2*n)
		a[i][n+i] = 1
		for _, t := range l.servos[i].Terms {
			for c, j := range cols {
				if j == t.Joint {
					a[i][c] += t.Factor
				}
			}
		}
	}
	for c := range n {
		p := c
		for r := c; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[p][c]) {
				p = r
			}
		}
		if math.Abs(a[p][c]) < 1e-9 {
			return fmt.Errorf("servo: %s: its sum of joints follows from those of other servos, so joint %d has no servo of its own", l.servos[c].Name, cols[c])
		}
		a[p], a[c] = a[c], a[p]
		eliminate(a, c)
	}
	l.back = make([]float64, l.joints*n)
	for c, j := range cols {
		copy(l.back[j*n:(j+1)*n], a[c][n:])
	}
	return nil
}

// eliminate makes column c of the square part a unit vector.
func eliminate(a [][]float64, c int) {
	pivot := a[c][c]
	for k := range a[c] {
		a[c][k] /= pivot
	}
	for r := range a {
		f := a[r][c]
		if r == c || f == 0 {
			continue
		}
		for k := range a[r] {
			a[r][k] -= f * a[c][k]
		}
	}
}

// Native writes the positions of all servos for joint angles q, unrounded and
// unclamped. dst has one entry a servo.
func (l *Linkage) Native(dst, q []float64) {
	for i := range l.servos {
		s := &l.servos[i]
		dst[i] = s.Zero + s.PerRad*s.Angle(q)
	}
}

// Angle is the angle of the servo for joint angles q, rad.
func (s *Servo) Angle(q []float64) float64 {
	a := s.Offset
	for _, t := range s.Terms {
		a += t.Factor * q[t.Joint]
	}
	return a
}

// Joints writes the angles of the joints that servos move from the positions of
// all servos, and leaves the others as they are.
func (l *Linkage) Joints(q, native []float64) {
	n := len(l.servos)
	for i := range l.servos {
		s := &l.servos[i]
		l.angles[i] = (native[i]-s.Zero)/s.PerRad - s.Offset
	}
	for j, d := range l.driven {
		if !d {
			continue
		}
		sum := 0.0
		for i, f := range l.back[j*n : (j+1)*n] {
			if f != 0 {
				sum += f * l.angles[i]
			}
		}
		q[j] = sum
	}
}

// Clamp returns a position within the servo's limits and whether it had to be
// changed. NaN becomes the centre and counts as changed.
func (s *Servo) Clamp(native float64) (float64, bool) {
	switch {
	case native != native:
		return s.Center, true
	case native < s.Min:
		return s.Min, true
	case native > s.Max:
		return s.Max, true
	}
	return native, false
}
