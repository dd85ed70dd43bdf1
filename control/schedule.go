package control

import (
	"legctl/balance"
	"legctl/control/mode"
	"legctl/gait"

	"gonum.org/v1/gonum/spatial/r3"
)

// Stages of the ladder that concern the body rather than the feet.
const (
	stageRotation = gait.StageRotation
	stageComfort  = gait.StageComfort
	stageHeight   = gait.StageHeight
)

// schedule decides for every leg whether it stands or swings, and moves the
// swings on (stage 4).
func (c *Controller) schedule(out *Output, s *State) {
	if !s.active() {
		return
	}
	t := &c.tick
	changed := t.ground.Version() != s.Version
	s.Version = t.ground.Version()
	c.regather(s.Off)
	for i := range s.Legs {
		t.rest[i] = c.restAt(s, i)
		if changed {
			c.reprobe(out, &s.Legs[i])
		}
	}
	switch {
	case s.Mode == mode.Rising || s.Mode == mode.Lowering && s.Step > 0:
		return // the feet stay while the body comes up or goes down
	case s.Mode == mode.Manual:
		c.scheduleManual(out, s)
	case s.Drive.Playing:
		c.scheduleClips(out, s)
		return
	case t.prog.plan.Clocked():
		c.scheduleClock(out, s)
	default:
		c.scheduleRules(out, s)
	}
	c.settle(out, s)
}

// reprobe lets go of ground that is no longer there.
func (c *Controller) reprobe(out *Output, l *gait.LegState) {
	g := c.tick.prog.sized
	if l.Planted() && !g.Probe(c.tick.ground, l.Foot) {
		l.Touching = false
		out.Events |= EventFootLost
	}
	if l.Grounded && !g.Probe(c.tick.ground, l.Target) {
		l.Grounded = false
	}
}

// scheduleRules asks the step rules. All feet move first; then every leg
// decides on the same facts: how its neighbours stood as the tick began, and
// which lift-offs have been granted since.
func (c *Controller) scheduleRules(out *Output, s *State) {
	t := &c.tick
	g := t.prog.sized
	s.leaveClock(t.prog.sizing.K)
	s.Mix = max(0, s.Mix-c.params.Dt)
	t.sets = gait.Survey(s.Legs, s.Off)
	for i := range s.Legs {
		l := &s.Legs[i]
		off := s.Off>>i&1 != 0
		g.Aim(l, t.ground, &t.body, &t.zones, t.rest[i], off)
		if g.Advance(l, &t.body) {
			out.Touchdown |= 1 << i
		} else if !l.Touching && !l.Moving && !off {
			if p, ok := g.Settle(t.ground, l.Foot); ok {
				l.Foot, l.Touching, l.SinceLand = p, true, 0
				out.Touchdown |= 1 << i
			}
		}
	}
	c.noteComfort(out, s)
	for _, i := range g.Order() {
		l := &s.Legs[i]
		if l.Moving || !g.May(s.Legs, i, &t.sets, &t.body, &t.zones, t.rest[i]) {
			continue
		}
		if l.Grounded && !c.gate(s, i) {
			t.note(BindGate, i)
			continue
		}
		if l.Touching {
			out.LiftOff |= 1 << i
		} else if !g.Far(l) {
			continue // it hangs where it should
		}
		t.sets.Grant(i)
		g.Begin(l, t.ground)
	}
}

// note records a binding limit of one leg unless a harder one is known.
func (t *tick) note(b Binding, leg int) {
	if t.binding == BindNone || t.binding == BindAcceleration {
		t.binding, t.bindLeg = b, int16(leg)
	}
}

// noteComfort finds planted legs outside their comfort zone: the body waits
// for them from the next tick on.
func (c *Controller) noteComfort(out *Output, s *State) {
	t := &c.tick
	s.Waiting = false
	for i := range s.Legs {
		l := &s.Legs[i]
		if l.Planted() && s.Off>>i&1 == 0 && (!t.prog.sized.InComfort(l.Foot, t.rest[i], s.BaseW.Z) || c.trails(s, i)) {
			s.Waiting = true
			out.Events |= EventUncomfortable
			if t.binding == BindComfort {
				t.bindLeg = int16(i)
			}
		}
	}
}

// gate reports whether the feet that would be left hold the centre of mass by
// the floor, now and, with the body going on, a while later.
func (c *Controller) gate(s *State, leg int) bool {
	t := &c.tick
	g := t.prog
	if !g.plan.Rules.Gate || g.sized.Stage < gait.StageAll {
		return true
	}
	if s.Legs[leg].Touching && g.lean > 0 && s.Favour >= 0 && int(s.Favour) != leg {
		return false
	}
	support := c.polygon(s, 1<<leg|t.sets.Granted).at
	com := c.comPlan(s)
	floor := g.floor
	if g.lean == 0 {
		floor *= liftSlack
	}
	if balance.Margin(support, com) < floor {
		return false
	}
	ahead := g.plan.Rules.GateAhead * g.sizing.K
	if s.Mix > 0 || s.Off != 0 {
		ahead = max(ahead, mixAhead*g.sizing.K)
	}
	if ahead > 0 {
		com.X += s.VelW.X * ahead
		com.Y += s.VelW.Y * ahead
		return balance.Margin(support, com) >= floor
	}
	return true
}

// settle leaves Walk for Stand once nothing is asked for and every foot is home.
func (c *Controller) settle(out *Output, s *State) {
	t := &c.tick
	if s.Mode != mode.Walk && s.Mode != mode.Lowering || s.HasGoal || t.wish != [3]float64{} || s.VelW != (r3.Vec{}) || s.YawRate != 0 {
		return
	}
	if s.Mode == mode.Lowering && c.drops(s) {
		s.Step = 1
		return
	}
	for i := range s.Legs {
		l := &s.Legs[i]
		if s.Off>>i&1 != 0 {
			continue
		}
		if l.Moving || t.prog.sized.Far(l) && !t.zones.InTrigger(l.Foot, t.rest[i]) {
			return
		}
	}
	if s.Mode == mode.Lowering {
		if (s.Lean == (r3.Vec{}) || s.Off != 0) && s.Move == (r3.Vec{}) && s.Turn == (r3.Vec{}) {
			s.Step = 1
		}
		return
	}
	s.leaveClock(t.prog.sizing.K)
	if next, ok := mode.Next(s.Mode, mode.Settled); ok {
		c.enter(out, s, next)
	}
}
