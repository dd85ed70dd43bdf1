package gait

import (
	"math"
	"math/bits"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

func trailing(set uint64) int { return bits.TrailingZeros64(set) }

// reached is how near a foot must come to its target to land, U.
const reached = 1e-4

// Begin lifts a leg: it is in swing from the next Advance on. g is asked for
// the ground between here and the target, so that the swing clears it.
func (s *Sized) Begin(l *LegState, g geom.Ground) {
	l.Moving, l.SinceLift, l.Swing, l.Lift = true, 0, 0, l.Foot
	if !s.Rules.Smooth {
		return
	}
	l.Apex = s.apex(l, g)
	d := math.Sqrt(sq(l.Target.X-l.Foot.X) + sq(l.Target.Y-l.Foot.Y))
	rise := max(l.Apex-l.Foot.Z, l.Apex-l.Target.Z)
	// In ticks: along the ground at foot speed; up and down half the swing
	// each, at a peak of 1.5 times the mean.
	ticks := max(d, 3*rise) / s.FootStep
	l.Rate = 1 / max(1, math.Ceil(ticks))
}

func sq(x float64) float64 { return x * x }

// apexSamples are the shares of the way at which the ground under a swing is
// looked at.
var apexSamples = [3]float64{0.25, 0.5, 0.75}

// apex returns the height, W, a swing must pass through: the lift above the
// higher end, or above the ground between.
func (s *Sized) apex(l *LegState, g geom.Ground) float64 {
	top := max(l.Foot.Z, l.Target.Z)
	if s.Stage >= StageScan {
		up := 2 * s.Scale.U
		for _, f := range apexSamples {
			p := r3.Add(l.Foot, r3.Scale(f, r3.Sub(l.Target, l.Foot)))
			p.Z = top + up
			if p, ok := geom.Down(g, p, up); ok {
				top = max(top, p.Z)
			}
		}
	}
	return top + s.Lift
}

// Advance moves a foot that is not planted by one tick: carried along with the
// body, then along its swing. It reports whether the foot landed. Timers count
// up for every leg.
func (s *Sized) Advance(l *LegState, b *Body) (landed bool) {
	l.SinceLift++
	l.SinceLand++
	if l.Planted() || s.Stage < StageStep {
		return false
	}
	if !l.Moving || !s.Rules.Smooth {
		l.Foot = b.carry(l.Foot, s.Dt)
	}
	if !l.Moving {
		return false
	}
	if s.Rules.Smooth {
		// Taken along gently: the foot leaves the ground at the ground's speed.
		dt := s.Dt * min(1, l.Swing/gatherShare)
		l.Foot, l.Lift = b.carry(l.Foot, dt), b.carry(l.Lift, dt)
		s.glide(l)
	} else {
		s.dive(l)
	}
	if r3.Norm2(r3.Sub(l.Foot, l.Target)) >= sq(reached*s.Scale.U) {
		return false
	}
	l.Moving, l.Swing = false, 0
	l.Touching = l.Grounded
	if l.Touching {
		l.SinceLand = 0
	}
	return l.Touching
}

// The first share of a smooth swing in which the foot gathers the speed of the
// body, and the last in which its landing place no longer moves.
const (
	gatherShare = 0.2
	settleShare = 0.2
)

// turn returns sine and cosine of what the body turns in a time. Legs ask for
// the same time one after the other.
func (b *Body) turn(dt float64) (sn, cs float64) {
	if a := b.YawRate * dt; a != b.turned.angle || b.turned.cs == 0 {
		b.turned.angle = a
		b.turned.sn, b.turned.cs = math.Sincos(a)
	}
	return b.turned.sn, b.turned.cs
}

// carry moves p along with the body.
func (b *Body) carry(p r3.Vec, dt float64) r3.Vec {
	p.X += b.Vel.X * dt
	p.Y += b.Vel.Y * dt
	if b.YawRate != 0 {
		sn, cs := b.turn(dt)
		p = turnBy(p, b.P, sn, cs)
	}
	return p
}

// dive is the plain swing (gait rules 2.6): straight for the target, and up
// while it is still far.
func (s *Sized) dive(l *LegState) {
	l.Foot = toward(l.Foot, l.Target, s.FootStep)
	dx, dy := l.Target.X-l.Foot.X, l.Target.Y-l.Foot.Y
	if dx*dx+dy*dy > s.Drop*s.Drop {
		up := l.Target.Z + s.Lift
		l.Foot.Z += max(-s.FootStep, min(s.FootStep, up-l.Foot.Z))
	}
}

// toward moves p at most step metres towards t.
func toward(p, t r3.Vec, step float64) r3.Vec {
	d := r3.Sub(t, p)
	n := math.Sqrt(r3.Norm2(d))
	if n <= step {
		return t
	}
	return r3.Add(p, r3.Scale(step/n, d))
}

// progress is the swing fraction after one more tick. The last tick ends at 1
// whatever rounding made of the sum.
func progress(l *LegState) float64 {
	if f := l.Swing + l.Rate; f < 1-1e-9 {
		return f
	}
	return 1
}

// overrun is how much faster than its nominal speed a smooth swing may go to
// follow a target that moves.
const overrun = 1.5

// glide is the smooth swing: an eased way from the carried lift-off point to
// the target over the apex. A target that jumps is followed at a limited rate.
func (s *Sized) glide(l *LegState) {
	l.Swing = progress(l)
	want := SwingPoint(l.Lift, l.Target, l.Apex, l.Swing)
	step := s.FootStep * overrun
	if l.Swing >= 1 {
		step = s.FootStep
	}
	l.Foot = toward(l.Foot, want, step)
}

// SwingPoint returns the foot at share f of a smooth swing from a to b over
// height apex: up with ease in the first half, down in the second, and along
// the ground at a nearly even speed with soft ends.
func SwingPoint(a, b r3.Vec, apex, f float64) r3.Vec {
	h := Ramp(f)
	p := r3.Vec{X: a.X + h*(b.X-a.X), Y: a.Y + h*(b.Y-a.Y)}
	if f < 0.5 {
		p.Z = a.Z + ease(2*f)*(apex-a.Z)
	} else {
		p.Z = b.Z + ease(2-2*f)*(apex-b.Z)
	}
	return p
}

// ease is the cubic with flat ends from 0 to 1.
func ease(t float64) float64 { return t * t * (3 - 2*t) }

// rampShare is the share of a swing spent gaining, and losing, speed.
const rampShare = 0.2

// Ramp is the way done at share f of the time when speed grows for rampShare
// of it, holds, and falls for as long: peak speed 1/(1 - rampShare) of the mean.
func Ramp(f float64) float64 {
	const v = 1 / (1 - rampShare)
	switch {
	case f < rampShare:
		return v * f * f / (2 * rampShare)
	case f > 1-rampShare:
		g := 1 - f
		return 1 - v*g*g/(2*rampShare)
	}
	return v * (f - rampShare/2)
}

// Settle looks for ground just under, or up to one U above, a foot that hangs,
// and returns where it would stand (gait rules 2.6, step 3).
func (s *Sized) Settle(g geom.Ground, foot r3.Vec) (r3.Vec, bool) {
	from := r3.Vec{X: foot.X, Y: foot.Y, Z: foot.Z + s.Scale.U}
	return geom.Down(g, from, s.Scale.U)
}

// Far reports whether the target of a leg is worth a step.
func (s *Sized) Far(l *LegState) bool {
	return r3.Norm2(r3.Sub(l.Foot, l.Target)) >= s.Near*s.Near
}
