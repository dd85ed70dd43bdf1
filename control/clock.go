package control

import (
	"math"

	"legctl/gait"

	"gonum.org/v1/gonum/spatial/r3"
)

// scheduleClock asks the phase table. The clock runs while a twist is wanted;
// when it ends, legs finish their swings at their rest points and those too
// far from home take one more step. A leg swings only from the start of its
// own swing window, so a clock that starts never lifts a leg in mid swing.
func (c *Controller) scheduleClock(out *Output, s *State) {
	t := &c.tick
	g := t.prog
	running := t.body.Walking || c.homesick(s)
	before := s.Phase
	if running {
		s.Phase = gait.Frac(s.Phase + c.params.Dt/g.period)
	}
	t.sets = gait.Survey(s.Legs, s.Off)
	for i := range s.Legs {
		l := &s.Legs[i]
		c.aimClock(s, i)
		if g.sized.Follow(l) {
			out.Touchdown |= 1 << i
		}
		if l.Moving || !running {
			continue
		}
		off := s.Off>>i&1 != 0
		if off && !g.sized.Far(l) {
			continue
		}
		was, _ := g.plan.Phase.At(before, i)
		stance, _ := g.plan.Phase.At(s.Phase, i)
		if off || was && !stance && g.sized.Far(l) {
			if l.Touching {
				out.LiftOff |= 1 << i
			}
			c.beginClock(s, i)
		}
	}
}

// clockShare returns the share of a twist (velocity in W, yaw rate) with which
// every planted foot is still inside its comfort circle when its phase lifts
// it, and the leg that sets it. A start from a stand is slow by it, because
// the last leg to swing has stood still the longest.
func (c *Controller) clockShare(s *State, v r3.Vec, wz float64) (share float64, leg int) {
	g := c.tick.prog
	yaw := c.tick.facing(s.Yaw)
	share, leg = 1, -1
	for i := range s.Legs {
		l := &s.Legs[i]
		stance, done := g.plan.Phase.At(s.Phase, i)
		if !l.Planted() || !stance || s.Off>>i&1 != 0 {
			continue
		}
		left := (1 - done) * g.plan.Phase.Duty[i] * g.period
		r := yaw.Apply(c.rig.Legs[i].Neutral)
		ex, ey := l.Foot.X-s.BaseW.X-r.X, l.Foot.Y-s.BaseW.Y-r.Y
		// Where the foot goes, seen from its rest point, until it lifts.
		ux, uy := -(v.X-wz*r.Y)*left, -(v.Y+wz*r.X)*left
		uu := ux*ux + uy*uy
		if uu == 0 {
			continue
		}
		along := ex*ux + ey*uy
		f := 0.0
		if disc := along*along + uu*(g.sized.Comfort*g.sized.Comfort-ex*ex-ey*ey); disc > 0 {
			f = (math.Sqrt(disc) - along) / uu
		}
		if f < share {
			share, leg = max(0, f), i
		}
	}
	return share, leg
}

// homesick reports whether some foot is too far from its rest point to stand.
func (c *Controller) homesick(s *State) bool {
	t := &c.tick
	for i := range s.Legs {
		l := &s.Legs[i]
		if s.Off>>i&1 == 0 && (l.Moving || !t.zones.InTrigger(l.Foot, t.rest[i])) {
			return true
		}
	}
	return false
}

// aimClock sets the target of a leg: as far ahead of its rest point as the
// body goes in half a stance, so that the stance is centred.
func (c *Controller) aimClock(s *State, leg int) {
	t := &c.tick
	g := t.prog
	l := &s.Legs[leg]
	b := &t.body
	rest := t.rest[leg]
	lead := g.plan.Phase.Duty[leg] * g.period / 2
	if l.Moving { // where the rest point will be when the swing ends
		lead += (1 - l.Swing) * (1 - g.plan.Phase.Duty[leg]) * g.period
	}
	ahead := r3.Vec{
		X: rest.X + lead*(b.Vel.X-b.YawRate*(rest.Y-b.P.Y)),
		Y: rest.Y + lead*(b.Vel.Y+b.YawRate*(rest.X-b.P.X)),
		Z: rest.Z,
	}
	g.sized.AimAt(l, t.ground, b, &t.zones, rest, ahead, s.Off>>leg&1 != 0)
}

// beginClock lifts a leg so that it lands when its phase says.
func (c *Controller) beginClock(s *State, leg int) {
	t := &c.tick
	g := t.prog
	l := &s.Legs[leg]
	g.sized.Begin(l, t.ground)
	swing := (1 - g.plan.Phase.Duty[leg]) * g.period
	// Rounded down: a foot that lands late would leave the others alone.
	l.Rate = 1 / max(1, math.Floor(swing/c.params.Dt))
}
