package gait

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Curve is the kind of path a foot swings along.
type Curve uint8

// The curves. The zero value is CurveQuintic.
const (
	CurveQuintic Curve = iota // C2: no jump of acceleration, not even at its ends
	CurveBezier               // cubic Bezier: C1, lower peak speed (3/2 of the mean, not 15/8)
	Curves
)

// String returns the word for c, as gait files write it.
func (c Curve) String() string {
	if c == CurveBezier {
		return "bezier"
	}
	return "quintic"
}

// Swing is the path of a foot from lift-off to touchdown over a crest Lift
// above the higher of its two ends, from any foot speed to any.
//
// CurveQuintic is twice continuously differentiable: in the plane one quintic
// that meets From and To with the velocities VelFrom and VelTo and no
// acceleration, in height two quintics that meet at mid-swing on the crest with
// neither speed nor acceleration. CurveBezier has cubic Bezier curves in their
// place: control points From, From + VelFrom T/3, To - VelTo T/3, To in the
// plane, and in height one up to the crest and one down, level there.
//
// Seen from the ground a stance foot has no speed, so both velocities are zero
// there; seen from the body they are those of the ground under it. All is in
// one frame with z against gravity (W, or G).
//
// The zero value stays at the origin. Swing holds no pointers and may be copied.
type Swing struct {
	From, To       r3.Vec  // lift-off and touchdown, metres
	VelFrom, VelTo r3.Vec  // m/s; height uses the z of each in its own half
	Lift           float64 // crest above the higher end, metres, >= 0
	Time           float64 // duration, seconds, > 0; matters only with velocities
	Curve          Curve
	Bow            r3.Vec  // added at mid-swing and eased to nothing at both ends, metres
	Depth          float64 // how far below To a foot that finds nothing goes, metres, >= 0
}

// SearchShare is how long, in swings, a foot takes to go down by Depth.
const SearchShare = 0.5

// At returns the foot after the fraction s of the swing. At 0 and 1 it is
// exactly From and To; below 0 counts as 0. Beyond 1 the foot searches: it goes
// straight down by Depth until s is 1 + SearchShare, and stays there.
func (w *Swing) At(s float64) r3.Vec {
	if !(s > 0) {
		return w.From
	}
	if s >= 1 {
		to := w.To
		to.Z -= w.Depth * eased(min((s-1)/SearchShare, 1))
		return to
	}
	t := w.Time
	x := w.point(w.From.X, w.VelFrom.X*t, w.To.X, w.VelTo.X*t, s)
	y := w.point(w.From.Y, w.VelFrom.Y*t, w.To.Y, w.VelTo.Y*t, s)
	z := 0.0
	if top, half := w.Crest(), t/2; s < 0.5 {
		z = w.point(w.From.Z, w.VelFrom.Z*half, top, 0, 2*s)
	} else {
		z = w.point(top, 0, w.To.Z, w.VelTo.Z*half, 2*s-1)
	}
	b := bump(s)
	return r3.Vec{X: x + b*w.Bow.X, Y: y + b*w.Bow.Y, Z: z + b*w.Bow.Z}
}

// point is the point at u of one stretch of the curve: piece and at in one, which
// spares a tick the copies of six coefficients.
func (w *Swing) point(p, v, q, rate, u float64) float64 {
	if w.Curve == CurveBezier {
		c := bezierOf(p, v, q, rate)
		return c.at(u)
	}
	d := q - p
	c3, c4, c5 := 10*d-6*v-4*rate, -15*d+8*v+7*rate, 6*d-3*v-3*rate
	return p + u*(v+u*u*(c3+u*(c4+u*c5)))
}

// Velocity returns the velocity of the foot after the fraction s, m/s; zero
// when Time is not positive, and that of the search beyond 1.
func (w *Swing) Velocity(s float64) r3.Vec {
	t := w.Time
	if !(t > 0) {
		return r3.Vec{}
	}
	s = max(s, 0)
	if s > 1 && w.Depth > 0 {
		return r3.Vec{Z: -w.Depth * easedRate(min((s-1)/SearchShare, 1)) / (SearchShare * t)}
	}
	s = min(s, 1)
	x := w.piece(w.From.X, w.VelFrom.X*t, w.To.X, w.VelTo.X*t)
	y := w.piece(w.From.Y, w.VelFrom.Y*t, w.To.Y, w.VelTo.Y*t)
	z, u := w.height(s)
	b := bumpRate(s)
	return r3.Vec{
		X: (x.rate(s) + b*w.Bow.X) / t,
		Y: (y.rate(s) + b*w.Bow.Y) / t,
		Z: (2*z.rate(u) + b*w.Bow.Z) / t,
	}
}

// Crest returns the height of the crest, metres, without the bow.
func (w *Swing) Crest() float64 { return max(w.From.Z, w.To.Z) + w.Lift }

// Clear raises Lift until the path passes gap metres over the ground at the
// given shares, (0, 1), of its way over the plane, and by no more than most
// metres. It returns how much of gap is left at the tightest place, metres;
// below 0 the foot would touch. ground has one height a share; velocities are
// taken to be zero, as they are over standing ground.
func (w *Swing) Clear(shares, ground []float64, gap, most float64) (left float64) {
	left = gap
	limit := w.Lift + most
	for i, share := range shares[:min(len(shares), len(ground))] {
		s := w.reaches(share)
		from := w.From.Z
		if s > 0.5 {
			from = w.To.Z
		}
		// The height at s is from + e (crest - from).
		e := w.rise(s)
		if need := from + (ground[i]+gap-from)/e - max(w.From.Z, w.To.Z); need > w.Lift {
			w.Lift = min(need, limit)
		}
	}
	for i, share := range shares[:min(len(shares), len(ground))] {
		left = min(left, w.At(w.reaches(share)).Z-ground[i])
	}
	return left
}

// rise is the share of the way to the crest that is made at s, (0, 1].
func (w *Swing) rise(s float64) float64 {
	u := 2 * s
	if s > 0.5 {
		u = 2 - 2*s
	}
	p := w.piece(0, 0, 1, 0)
	return p.at(u)
}

// reaches returns the fraction of the swing at which a share of the way over
// the plane is made, by halving; for velocities of zero.
func (w *Swing) reaches(share float64) float64 {
	p := w.piece(0, 0, 1, 0)
	lo, hi := 0.0, 1.0
	for range 40 {
		mid := (lo + hi) / 2
		if p.at(mid) < share {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// height returns the piece of the half that s lies in, and where in it.
func (w *Swing) height(s float64) (quintic, float64) {
	top, half := w.Crest(), w.Time/2
	if s < 0.5 {
		return w.piece(w.From.Z, w.VelFrom.Z*half, top, 0), 2 * s
	}
	return w.piece(top, 0, w.To.Z, w.VelTo.Z*half), 2*s - 1
}

// piece is one stretch of the curve from p to q with end rates v and w.
func (w *Swing) piece(p, v, q, rate float64) quintic {
	if w.Curve == CurveBezier {
		return bezierOf(p, v, q, rate)
	}
	return quinticOf(p, v, q, rate)
}

// quintic is p + v u + c2 u^2 + c3 u^3 + c4 u^4 + c5 u^5 on u in [0, 1].
type quintic struct{ p, v, c2, c3, c4, c5 float64 }

// quinticOf returns the quintic from p to q with end rates v and w and no
// second derivative at either end.
func quinticOf(p, v, q, w float64) quintic {
	d := q - p
	return quintic{
		p: p, v: v,
		c3: 10*d - 6*v - 4*w,
		c4: -15*d + 8*v + 7*w,
		c5: 6*d - 3*v - 3*w,
	}
}

// bezierOf returns the cubic Bezier curve of the control points p, p + v/3,
// q - w/3, q as a polynomial: it leaves p at the rate v and meets q at w.
func bezierOf(p, v, q, w float64) quintic {
	d := q - p
	return quintic{p: p, v: v, c2: 3*d - 2*v - w, c3: -2*d + v + w}
}

func (c *quintic) at(u float64) float64 {
	return c.p + u*(c.v+u*c.c2+u*u*(c.c3+u*(c.c4+u*c.c5)))
}

func (c *quintic) rate(u float64) float64 {
	return c.v + 2*u*c.c2 + u*u*(3*c.c3+u*(4*c.c4+u*5*c.c5))
}

// bump is 1 at mid-swing and 0 at both ends, with two derivatives 0 there.
func bump(s float64) float64 {
	b := s * (1 - s)
	return 64 * b * b * b
}

func bumpRate(s float64) float64 {
	b := s * (1 - s)
	return 192 * b * b * (1 - 2*s)
}

// eased goes from 0 to 1 on [0, 1] with two derivatives 0 at both ends.
func eased(u float64) float64 { return u * u * u * (10 + u*(-15+6*u)) }

func easedRate(u float64) float64 {
	b := u * (1 - u)
	return 30 * b * b
}

// Bow returns the sideways bow of a leg's swing: width metres away from the
// middle of the body, level, for a neutral foot at n (same frame as the swing,
// seen from the body's origin). Zero for a foot under the origin.
func Bow(n r3.Vec, width float64) r3.Vec {
	l := math.Sqrt(n.X*n.X + n.Y*n.Y)
	if l == 0 {
		return r3.Vec{}
	}
	return r3.Vec{X: n.X / l * width, Y: n.Y / l * width}
}
