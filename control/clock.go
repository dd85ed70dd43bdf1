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
	c.noteComfort(out, s)
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
	l.Rate = 1 / math.Max(1, math.Round(swing/c.params.Dt))
}
