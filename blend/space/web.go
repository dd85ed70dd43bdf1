package space

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Cloud is a clip as points: for each frame the same points in the same order,
// such as feet, knees and corners of the body, metres, in any root.
type Cloud struct {
	Points  [][]r3.Vec
	Weights []float64 // of each point, >= 0
	Ground  [][]bool  // which feet stand in each frame; nil: not known
}

// Check says what is wrong with a cloud: no frames, frames of unequal numbers
// of points, a number that is not finite, weights that are negative or all 0.
func (c *Cloud) Check() error {
	if len(c.Points) == 0 || len(c.Points) > MaxFrames || len(c.Weights) == 0 || c.Ground != nil && len(c.Ground) != len(c.Points) {
		return fmt.Errorf("space: cloud of %d frames, %d weights, %d contacts, want 1 to %d frames and a weight a point", len(c.Points), len(c.Weights), len(c.Ground), MaxFrames)
	}
	sum := 0.0
	for i, w := range c.Weights {
		if !(w >= 0 && w < largest) {
			return fmt.Errorf("space: weight %d is %v, want a finite one >= 0", i, w)
		}
		sum += w
	}
	for k, row := range c.Points {
		if len(row) != len(c.Weights) {
			return fmt.Errorf("space: frame %d has %d points, want %d", k, len(row), len(c.Weights))
		}
		for i, p := range row {
			if !(r3.Norm2(p) < largest) {
				return fmt.Errorf("space: point %d of frame %d is %v, want finite numbers", i, k, p)
			}
		}
	}
	if sum == 0 {
		return fmt.Errorf("space: weights that are all 0")
	}
	return nil
}

// WebOptions choose how alike two moments are.
type WebOptions struct {
	Half    int     // frames to either side that are looked at as well, tapering off; clamped at the ends
	Contact float64 // added for each foot that stands in one and not in the other, m2
	Loop    bool    // frames come round: the window wraps
}

// Web is a match web: Cost[i][j] is the distance of frame i of one clip and j
// of another, m2: the weighted mean square of their windows' points, one laid
// over the other on the ground as well as can be.
type Web struct {
	Cost [][]float64
}

// pairSums are the sums over the points of two frames that windows add up.
type pairSums struct{ dot, cross, high float64 }

// frameSums are the weighted sums over the points of one frame.
type frameSums struct{ w, x, y, sq float64 }

// NewWeb works out the match web of two clips with the same points. The sums a
// pair of frames contributes are found once and the windows, which run along
// diagonals, add them up: O(n m (points + window)).
func NewWeb(a, b *Cloud, o WebOptions) (*Web, error) {
	for _, c := range []*Cloud{a, b} {
		if err := c.Check(); err != nil {
			return nil, err
		}
	}
	if len(a.Weights) != len(b.Weights) || o.Half < 0 || o.Half > MaxFrames || !(o.Contact >= 0 && o.Contact < largest) {
		return nil, fmt.Errorf("space: web of %d and %d points, half window %d, contact %v, want the same points and none negative", len(a.Weights), len(b.Weights), o.Half, o.Contact)
	}
	n, m := len(a.Points), len(b.Points)
	if n*m > MaxFrames*MaxFrames/4 {
		return nil, fmt.Errorf("space: web of %d by %d frames, want at most %d cells", n, m, MaxFrames*MaxFrames/4)
	}
	pairs := pairsOf(a, b)
	sa, sb := sumsOf(a), sumsOf(b)
	w := &Web{Cost: make([][]float64, n)}
	cells := make([]float64, n*m)
	taper := taperOf(o.Half)
	for i := range n {
		row := cells[i*m : (i+1)*m]
		for j := range m {
			row[j] = window(pairs, sa, sb, i, j, taper, o.Loop)
			if o.Contact > 0 && a.Ground != nil && b.Ground != nil {
				row[j] += o.Contact * float64(differ(a.Ground[i], b.Ground[j]))
			}
		}
		w.Cost[i] = row
	}
	return w, nil
}

func differ(a, b []bool) int {
	n := 0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// taperOf returns the weights of a window: a triangle.
func taperOf(half int) []float64 {
	t := make([]float64, 2*half+1)
	for d := range t {
		t[d] = 1 - math.Abs(float64(d-half))/float64(half+1)
	}
	return t
}

func sumsOf(c *Cloud) []frameSums {
	out := make([]frameSums, len(c.Points))
	for k, row := range c.Points {
		s := &out[k]
		for i, p := range row {
			w := c.Weights[i]
			s.w, s.x, s.y, s.sq = s.w+w, s.x+w*p.X, s.y+w*p.Y, s.sq+w*(p.X*p.X+p.Y*p.Y+p.Z*p.Z)
		}
	}
	return out
}

func pairsOf(a, b *Cloud) [][]pairSums {
	n, m, np := len(a.Points), len(b.Points), len(a.Weights)
	flat := make([]pairSums, n*m)
	out := make([][]pairSums, n)
	wa := make([]r3.Vec, np)
	for i := range n {
		for p, v := range a.Points[i] {
			wa[p] = r3.Scale(a.Weights[p], v)
		}
		row := flat[i*m : (i+1)*m]
		for j := range row {
			var s pairSums
			bp := b.Points[j][:np]
			for p := range wa {
				u, v := &wa[p], &bp[p]
				s.dot += u.X*v.X + u.Y*v.Y
				s.cross += v.X*u.Y - v.Y*u.X
				s.high += u.Z * v.Z
			}
			row[j] = s
		}
		out[i] = row
	}
	return out
}

// window adds up the sums about a pair of frames and returns their distance.
func window(pairs [][]pairSums, sa, sb []frameSums, i, j int, taper []float64, loop bool) float64 {
	half := len(taper) / 2
	n, m := len(sa), len(sb)
	var dot, cross, high, w, xa, ya, xb, yb, sq float64
	inside := i >= half && i+half < n && j >= half && j+half < m
	for d := -half; d <= half; d++ {
		p, q := i+d, j+d
		switch {
		case inside:
		case loop:
			p, q = ((p%n)+n)%n, ((q%m)+m)%m
		default:
			p, q = max(0, min(p, n-1)), max(0, min(q, m-1))
		}
		t := taper[d+half]
		s, a, b := &pairs[p][q], &sa[p], &sb[q]
		dot, cross, high = dot+t*s.dot, cross+t*s.cross, high+t*s.high
		w, sq = w+t*a.w, sq+t*(a.sq+b.sq)
		xa, ya, xb, yb = xa+t*a.x, ya+t*a.y, xb+t*b.x, yb+t*b.y
	}
	c := dot - (xa*xb+ya*yb)/w
	s := cross - (xb*ya-yb*xa)/w
	rest := sq - 2*high - (xa*xa+ya*ya+xb*xb+yb*yb)/w
	return max(0, rest-2*math.Sqrt(c*c+s*s)) / w
}
