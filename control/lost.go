package control

import (
	"math"
	"math/bits"

	"legctl/control/mode"
	"legctl/gait"
	"legctl/rig"
)

// plain reports whether a gait is step rules without a gate or leaders: they
// take a leg away as they are.
func (g *program) plain() bool {
	r := &g.plan.Rules
	return !r.Gate && !r.Gallop && !g.plan.Clocked()
}

// sureLegs is how many legs a gated gait needs in order to find, wherever its
// feet have come to, one that it may lift. With fewer it can come to stand with
// every late leg holding the others up.
const sureLegs = 7

// steadySpeed is the speed, U/k, of what a rig falls back to: what five legs keep
// up, about that of a wave. With four see fewShare.
const steadySpeed = 0.08

// makeSteady works out what the rig falls back to when legs are lost, and
// while one is moved by hand: it goes slowly and leans its body to free one leg
// after the other, as a static quadruped does. A world of the caller's own
// making (Params.Scale) keeps its own rules.
func (c *Controller) makeSteady(sizing Sizing) error {
	c.surest = -1
	plan := Plan{Name: "steady", Rules: gait.Walk()}
	for i := range c.gaits {
		if r := &c.gaits[i].plan.Rules; r.Gate && !c.gaits[i].plan.Clocked() {
			if plan.Rules = *r; r.Shift > 0 {
				c.steady = &c.gaits[i]
				return nil
			}
			c.surest, sizing = i, c.gaits[i].sizing
			break
		}
	}
	crawl := gait.Crawl()
	r := &plan.Rules
	r.Speed, r.TurnSpeed = min(r.Speed, steadySpeed), min(r.TurnSpeed, crawl.TurnSpeed)
	r.GateAhead, r.Floor = crawl.GateAhead, crawl.Floor
	r.Shift, r.ShiftRate, r.ShiftRamp = crawl.Shift, crawl.ShiftRate, crawl.ShiftRamp
	steady, err := c.sizedProgram(plan, sizing)
	if err == nil {
		c.steady = &steady
	}
	return err
}

// chosen returns the program of the state's gait, as its legs are.
func (c *Controller) chosen(s *State) *program {
	g := &c.gaits[s.Gait]
	switch {
	case s.Mode == mode.Manual:
		return c.steady
	case s.Off == 0 || c.params.Stage < gait.StageAll || g.plain():
		return g
	case len(s.Legs)-bits.OnesCount64(s.Off) < sureLegs || c.surest < 0:
		return c.steady
	case g.plan.Clocked() || !g.plan.Rules.Gate:
		return &c.gaits[c.surest]
	}
	return g
}

// A leg is lost when a joint stays this far from its command for this long: a
// servo that is stuck, unplugged or stalled. Servos that merely lag are nearer.
const (
	stuckAngle = 0.35 // rad
	stuckTime  = 0.3  // seconds
)

// health takes legs out of use that the plant reports faulty or whose joints do
// not follow, and lies down when those that are left cannot stand.
func (c *Controller) health(out *Output, s *State, obs *rig.Observation) {
	if obs == nil {
		return
	}
	lost := obs.Faults & (1<<len(s.Legs) - 1)
	if obs.Has&rig.HasQ != 0 && len(obs.Q) == len(s.Q) && s.active() {
		lost |= c.stuck(s, obs.Q)
	}
	if lost &^= s.Lost; lost == 0 {
		return
	}
	s.Lost |= lost
	s.Off |= lost
	out.Events |= EventLegLost
	c.tick.prog = c.chosen(s)
	if !c.holds(s.Off) && s.active() && s.Mode != mode.Lowering {
		if next, ok := mode.Next(s.Mode, mode.Sit); ok {
			s.Then = mode.Sit
			c.enter(out, s, next)
			s.Step = 1 // at once: it cannot come home first
			out.Events |= EventLyingDown
		}
	}
}

// stuck returns the legs whose joints have been far from the last command for
// too long.
func (c *Controller) stuck(s *State, q []float64) (lost uint64) {
	for i := range s.Legs {
		told, is := c.rig.Slice(s.Q, i), c.rig.Slice(q, i)
		off := false
		for j := range told {
			off = off || math.Abs(told[j]-is[j]) > stuckAngle
		}
		l := &s.Legs[i]
		if l.Stuck++; !off {
			l.Stuck = 0
		}
		if float64(l.Stuck)*c.params.Dt > stuckTime {
			lost |= 1 << i
		}
	}
	return lost
}
