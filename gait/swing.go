package gait

import "gonum.org/v1/gonum/spatial/r3"

// Swing is the path of a foot from lift-off to touchdown: twice continuously
// differentiable, from standing still (or from any foot speed) to standing
// still, over a crest Lift above the higher of its two ends.
//
// In the plane it is one quintic that meets From and To with the velocities
// VelFrom and VelTo and no acceleration. In height it is two quintics that meet
// at mid-swing on the crest with neither speed nor acceleration. Seen from the
// ground a stance foot has no speed, so both velocities are zero there; seen
// from the body they are those of the ground under it. All is in one frame with
// z against gravity (W, or G).
//
// The zero value stays at the origin. Swing holds no pointers and may be copied.
type Swing struct {
	From, To       r3.Vec  // lift-off and touchdown, metres
	VelFrom, VelTo r3.Vec  // m/s; height uses the z of each in its own half
	Lift           float64 // crest above the higher end, metres, >= 0
	Time           float64 // duration, seconds, > 0; matters only with velocities
}

// At returns the foot after the fraction s of the swing; s is taken into
// [0, 1]. At 0 and 1 it is exactly From and To.
func (w *Swing) At(s float64) r3.Vec {
	if !(s > 0) {
		return w.From
	}
	if s >= 1 {
		return w.To
	}
	t := w.Time
	x := quinticOf(w.From.X, w.VelFrom.X*t, w.To.X, w.VelTo.X*t)
	y := quinticOf(w.From.Y, w.VelFrom.Y*t, w.To.Y, w.VelTo.Y*t)
	z, u := w.height(s)
	return r3.Vec{X: x.at(s), Y: y.at(s), Z: z.at(u)}
}

// Velocity returns the velocity of the foot after the fraction s, m/s; zero
// when Time is not positive.
func (w *Swing) Velocity(s float64) r3.Vec {
	t := w.Time
	if !(t > 0) {
		return r3.Vec{}
	}
	s = min(max(s, 0), 1)
	x := quinticOf(w.From.X, w.VelFrom.X*t, w.To.X, w.VelTo.X*t)
	y := quinticOf(w.From.Y, w.VelFrom.Y*t, w.To.Y, w.VelTo.Y*t)
	z, u := w.height(s)
	return r3.Vec{X: x.rate(s) / t, Y: y.rate(s) / t, Z: 2 * z.rate(u) / t}
}

// Crest returns the height of the crest, metres.
func (w *Swing) Crest() float64 { return max(w.From.Z, w.To.Z) + w.Lift }

// height returns the quintic of the half that s lies in, and where in it.
func (w *Swing) height(s float64) (quintic, float64) {
	top, half := w.Crest(), w.Time/2
	if s < 0.5 {
		return quinticOf(w.From.Z, w.VelFrom.Z*half, top, 0), 2 * s
	}
	return quinticOf(top, 0, w.To.Z, w.VelTo.Z*half), 2*s - 1
}

// quintic is p + v u + c3 u^3 + c4 u^4 + c5 u^5 on u in [0, 1].
type quintic struct{ p, v, c3, c4, c5 float64 }

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

func (c quintic) at(u float64) float64 {
	return c.p + u*(c.v+u*u*(c.c3+u*(c.c4+u*c.c5)))
}

func (c quintic) rate(u float64) float64 {
	return c.v + u*u*(3*c.c3+u*(4*c.c4+u*5*c.c5))
}
