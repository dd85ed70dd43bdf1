package blend

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// size returns the length of v, exactly 0 for a zero vector.
func size(v r2.Vec) float64 {
	n := math.Sqrt(r2.Norm2(v))
	if n <= zeroLength {
		return 0
	}
	return n
}

// between returns the angle from a to b, radians in [-pi, pi]. The arc tangent
// keeps its digits near 0 and pi, where the arc cosine loses half of them.
func between(a, b r2.Vec) float64 { return math.Atan2(r2.Cross(a, b), r2.Dot(a, b)) }

// capOf returns the most influence that a motion at p can have.
func capOf(p, at r2.Vec, o *BandOptions) float64 {
	if o.Mode == Cartesian || o.Cap == CapOne || size(p) == 0 || size(at) == 0 {
		return 1
	}
	return 1 - math.Abs(between(p, at))/math.Pi
}

// influence returns what the pair (p, q) lets p have of the query at.
func influence(p, q, at r2.Vec, o *BandOptions) float64 {
	if o.Mode == Cartesian {
		d := r2.Sub(q, p)
		return 1 - r2.Dot(r2.Sub(at, p), d)/r2.Norm2(d)
	}
	np, nq, nx := size(p), size(q), size(at)
	turn, t, m := angles(p, q, at, o.alpha())
	mean := (np + nq) / 2
	u := r2.Vec{X: (nq - np) / mean, Y: m * turn}
	v := r2.Vec{X: (nx - np) / mean, Y: m * t}
	return 1 - r2.Dot(u, v)/r2.Norm2(u)
}

// angles returns the pair's angle, the query's on the side of q, and what a
// radian weighs.
func angles(p, q, at r2.Vec, alpha float64) (turn, t, m float64) {
	still := size(at) == 0
	switch {
	case size(p) == 0:
		if !still {
			turn = math.Abs(between(q, at))
		}
		return turn, 0, 1
	case size(q) == 0:
		if !still {
			turn = math.Abs(between(p, at))
		}
		return turn, turn, 1
	}
	turn = between(p, q)
	if still {
		return math.Abs(turn), math.Abs(turn), alpha
	}
	t = between(p, at)
	other := turn > 0 && t < 0 || turn < 0 && t > 0
	turn, t = math.Abs(turn), math.Abs(t)
	if other && !sideless(turn) && !sideless(t) {
		t = -t
	}
	return turn, t, alpha
}

// sideless reports whether an angle is so near to pi that left and right of it
// are a matter of rounding.
func sideless(angle float64) bool { return math.Abs(angle) >= math.Pi-opposed }
