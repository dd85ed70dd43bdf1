package control

import (
	"math"

	"legctl/balance"
	"legctl/gait"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// noClock marks legs that follow no table.
const noClock = 0xffff

// mostTick is the largest part of a cycle a tick may be.
const mostTick = 0.1

// scheduleClock lets the legs follow the table of a clocked gait, each in its
// own phase. The clock runs while a twist is wanted; when it ends, legs finish
// their swings at their rest points and those too far from home take one more
// step. A start, a change of gait or of direction, and a wait are one thing:
// the phases flow to where the table wants them (gait.Flow).
func (c *Controller) scheduleClock(out *Output, s *State) {
	t := &c.tick
	running := t.body.Walking || c.homesick(s)
	tab := c.join(s)
	step := 0.0
	// The clock of a body that leans waits until it has leaned far enough.
	held := s.Held
	if running && !c.crouch(s) {
		if step = min(mostTick, c.params.Dt/t.period); !held {
			s.Phase = gait.Frac(s.Phase + step)
		}
	}
	s.Held = false
	s.Waiting = false // clockShare slows the body instead
	t.sets = gait.Survey(s.Legs, s.Off)
	for i := range s.Legs {
		l := &s.Legs[i]
		l.SinceLift++
		l.SinceLand++
		c.aimClock(s, tab, i)
		switch {
		case s.Off>>i&1 != 0:
			c.carryOff(s, i)
		case l.Moving:
			c.swingClock(out, s, tab, i, step)
		case !l.Touching:
			l.Cycle.Phase = l.Cycle.Duty
			c.beginClock(s, tab, i)
		case running && step > 0:
			c.standClock(out, s, tab, i, step, held)
		}
	}
	if running {
		c.tune(s, tab, step)
	}
}

// standClock moves a planted leg on in its stance and lifts it at the end, if
// it has somewhere to go and the others can do without it.
func (c *Controller) standClock(out *Output, s *State, tab *gait.Gait, i int, step float64, held bool) {
	t := &c.tick
	l := &s.Legs[i]
	due := l.Cycle.Phase+step*c.flow.Fast >= l.Cycle.Duty
	if held && !due {
		return
	}
	may := due && t.prog.sized.Far(l)
	if may && !c.mayLift(s, tab, i) {
		may = false
		t.note(BindGate, i)
		s.Held = s.Held || t.prog.lean > 0
	}
	if c.flow.Tick(&l.Cycle, tab, i, s.Phase, step, may) == gait.LegLifts {
		out.LiftOff |= 1 << i
		t.sets.Grant(i)
		c.beginClock(s, tab, i)
	}
}

// swingClock moves a leg on in its swing: its foot along the curve in W, which
// leaves and meets the ground at the ground's own speed. A foot that was sent
// on its way by other rules comes over to the curve at a limited rate.
func (c *Controller) swingClock(out *Output, s *State, tab *gait.Gait, i int, step float64) {
	t := &c.tick
	g := t.prog
	l := &s.Legs[i]
	if l.Swing < 1 {
		if ev := c.flow.Tick(&l.Cycle, tab, i, s.Phase, max(step, 1e-9), true); ev == gait.LegLands {
			l.Swing = 1
		} else {
			l.Swing = max(l.Swing, l.Cycle.Share())
		}
	}
	top := max(l.Lift.Z, l.Target.Z)
	var w gait.Swing
	w.From, w.To, w.Lift, w.Curve = l.Lift, l.Target, max(0, l.Apex-top), tab.Shape.Curve
	if tab.Shape.Width != 0 {
		w.Bow = t.body.Yaw.Apply(gait.Bow(c.rig.Legs[i].Neutral, tab.Shape.Width*g.sizing.U))
	}
	l.Foot = toward(l.Foot, w.At(l.Swing), max(clockedStep*g.sized.FootStep, c.swiftest(&w, &l.Cycle, step)))
	if l.Swing < 1 || l.Foot != l.Target {
		return
	}
	l.Moving, l.Swing = false, 0
	if l.Touching = l.Grounded; l.Touching {
		l.SinceLand = 0
		out.Touchdown |= 1 << i
	}
}

// clockedStep is the farthest a clocked foot goes in a tick, in steps of the
// rules: the peak of its curve at the fastest phase is 1.75 of them.
const clockedStep = 2

// swiftest is the farthest a foot goes along its curve in a tick: its peak speed,
// 15/8 of the mean, at the fastest phase. A clocked gait has no foot speed of its
// own; what joints can do is in its allowed twist.
func (c *Controller) swiftest(w *gait.Swing, p *gait.LegPhase, step float64) float64 {
	d := r3.Sub(w.To, w.From)
	rise := 2*(w.Crest()-min(w.From.Z, w.To.Z)) + 1e-9
	way := math.Sqrt(d.X*d.X + d.Y*d.Y + rise*rise)
	return 15. / 8 * way * step * c.flow.Rush / (1 - p.Duty)
}

// carryOff holds a leg that is switched off above the ground.
func (c *Controller) carryOff(s *State, i int) {
	l := &s.Legs[i]
	l.Touching, l.Moving = false, false
	l.Foot = toward(l.Foot, l.Target, c.tick.prog.sized.FootStep)
}

// beginClock lifts a leg.
func (c *Controller) beginClock(s *State, tab *gait.Gait, i int) {
	g := c.tick.prog.sized
	l := &s.Legs[i]
	g.Begin(l, c.tick.ground)
	if h := tab.Shape.Height; h > 0 {
		l.Apex += h*c.tick.prog.sizing.U - g.Lift
	}
	l.Swing = l.Cycle.Share()
}

// join returns the table the legs follow in this tick, and brings them into it
// when they come from elsewhere: from a stand, from step rules, from another
// gait or another way.
func (c *Controller) join(s *State) *gait.Gait {
	t := &c.tick
	g := t.prog
	w := t.wish
	way := s.Way.Toward(w[0], w[1], w[2], c.far)
	tab := g.compass.Table(way)
	changed := s.Clock != s.Gait || g.compass.At[way] != g.compass.At[s.Way]
	switch {
	case s.Clock == noClock && !c.afoot(s):
		if s.Phase = tab.LiftOff(0); g.flight.Rise > 0 {
			s.Phase = g.bottom
		}
		for i := range s.Legs {
			l := &s.Legs[i]
			c.flow.Enter(&l.Cycle, tab, i, s.Phase)
			if l.Planted() && !l.Cycle.Stance() {
				l.Cycle.Phase = l.Cycle.Duty // its swing begins now
			}
		}
	case s.Clock == noClock:
		for i := range s.Legs {
			c.guess(s, tab, i)
		}
		s.Phase = gait.Align(tab, c.cycles(s), s.Off)
	case changed:
		s.Phase = gait.Align(tab, c.cycles(s), s.Off)
	}
	if s.Clock != noClock && s.Clock != s.Gait {
		s.Bump, s.Hop = s.Rise, 0 // into the next flight from where the last one left the body
	}
	s.Clock, s.Way = s.Gait, way
	t.period = gait.Cycle(tab, c.cycles(s), g.swing, g.sizing.K)
	return tab
}

// cycles collects the legs' phases. It is scratch space of the tick.
func (c *Controller) cycles(s *State) []gait.LegPhase {
	for i := range s.Legs {
		c.tick.cycles[i] = s.Legs[i].Cycle
	}
	return c.tick.cycles[:len(s.Legs)]
}

// afoot reports whether the rig is on its way: a foot is in the air or the
// body moves.
func (c *Controller) afoot(s *State) bool {
	for i := range s.Legs {
		if s.Legs[i].Moving {
			return true
		}
	}
	return s.VelW != (r3.Vec{}) || s.YawRate != 0
}

// guess gives a leg that has followed step rules the phase it would have in a
// table: in swing by its swing, in stance by how far the body has gone over it.
func (c *Controller) guess(s *State, tab *gait.Gait, i int) {
	t := &c.tick
	l := &s.Legs[i]
	d := tab.Duty[i]
	l.Cycle = gait.LegPhase{Duty: d}
	if l.Moving {
		l.Cycle.Phase = min(d+(1-d)*l.Swing, math.Nextafter(1, 0))
		return
	}
	v := c.groundVel(s, t.rest[i])
	speed2 := v.X*v.X + v.Y*v.Y
	share := 0.5
	if stance := d * t.prog.period; speed2 > 0 {
		along := (l.Foot.X-t.rest[i].X)*v.X + (l.Foot.Y-t.rest[i].Y)*v.Y
		share = max(0, min(mostShare, 0.5-along/(speed2*stance)))
	}
	l.Cycle.Phase = share * d
}

// mostShare keeps a guessed stance from ending in the tick it is guessed in.
const mostShare = 0.98

// groundVel is the velocity in W of the point of the body above p.
func (c *Controller) groundVel(s *State, p r3.Vec) r2.Vec {
	b := &c.tick.body
	return r2.Vec{X: b.Vel.X - b.YawRate*(p.Y-b.P.Y), Y: b.Vel.Y + b.YawRate*(p.X-b.P.X)}
}

// mayLift reports whether the feet that stay hold the centre of mass by the
// floor, now and where the body will be when the leg lands. Between the two the
// margin is no less than the lesser of them: it is the least of distances to
// straight edges along a straight way. Dynamic gaits ask nobody.
func (c *Controller) mayLift(s *State, tab *gait.Gait, i int) bool {
	t := &c.tick
	g := t.prog
	if !g.static {
		return true
	}
	support := c.polygon(s, 1<<i|t.sets.Granted).at
	com := c.comPlan(s)
	floor := g.floor
	if g.lean == 0 { // leanSlack asks for more already
		floor *= liftSlack
	}
	if balance.Margin(support, com) < floor {
		return false
	}
	ahead := (1 - tab.Duty[i]) * t.period / c.flow.Slow
	if g.lean > 0 {
		ahead = g.plan.Rules.GateAhead * g.sizing.K // the lean follows in between
	}
	return balance.Margin(support, r2.Vec{X: com.X + s.VelW.X*ahead, Y: com.Y + s.VelW.Y*ahead}) >= floor
}

// liftSlack asks for a little more than the floor: until the leg lands the body
// may gain speed and the centre of mass moves with the legs.
const liftSlack = 1.1

// tuneLate is how far, in cycles, a leg may be from its table for the body to
// hop with it; hopTime how fast the hop comes and goes, cycles.
const (
	tuneLate = 0.04
	hopTime  = 1.0
)

// tune lets the planned flight of the body come in when all legs are where the
// table has them, and takes it out when they are not.
func (c *Controller) tune(s *State, tab *gait.Gait, step float64) {
	want := 1.0
	for i := range s.Legs {
		if math.Abs(s.Legs[i].Cycle.Late(tab, i, s.Phase)) > tuneLate {
			want = 0
		}
	}
	s.Hop += clamp(want-s.Hop, step/hopTime)
}

// crouchTime is how long a body that is to jump takes to go down first, k.
const crouchTime = 8

// crouch lowers a body that starts from a stand to jump to the deepest point of
// its first push, before the clock runs, and reports whether it still does: a
// jump needs the speed of a whole push.
func (c *Controller) crouch(s *State) bool {
	g := c.tick.prog
	if g.flight.Rise == 0 || s.Hop >= 1 || !c.tick.body.Walking || s.Phase != g.bottom {
		return false
	}
	for i := range s.Legs {
		if !s.Legs[i].Planted() {
			return false
		}
	}
	s.Hop = min(1, s.Hop+c.params.Dt/(crouchTime*g.sizing.K))
	return true
}

// hop is the height the planned flight adds to the body, metres.
func (c *Controller) hop(s *State) float64 {
	if s.Hop == 0 || s.Clock == noClock {
		return s.Bump
	}
	z, _, _, _ := c.tick.prog.flight.At(s.Phase)
	return s.Hop*z + s.Bump
}

// mixTime is how long after leaving a table rules see that the floor holds until
// a leg lands, and mixAhead how long that takes, k: legs are not where the rules
// would have put them.
const (
	mixTime  = 20
	mixAhead = 6
)

// leaveClock gives up the table the legs followed. What its flight had added to
// the height of the body is worked off from here.
func (s *State) leaveClock(k float64) {
	if s.Clock != noClock {
		s.Bump, s.Mix = s.Rise, mixTime*k
	}
	s.Clock, s.Hop = noClock, 0
}

// clockShare returns the share of a twist (velocity in W, yaw rate) with which
// every planted foot is still inside its comfort circle when its phase lifts
// it, and the leg that sets it. A start from a stand is slow by it, because
// the last leg to swing has stood still the longest, and so is a leg that has
// to wait.
func (c *Controller) clockShare(s *State, v r3.Vec, wz float64) (share float64, leg int) {
	g := c.tick.prog
	yaw := c.tick.facing(s.Yaw)
	share, leg = 1, -1
	if s.Clock == noClock {
		return share, leg // nothing has lifted yet
	}
	for i := range s.Legs {
		l := &s.Legs[i]
		if !l.Planted() || s.Off>>i&1 != 0 {
			continue
		}
		left := max(waitShare, l.Cycle.Duty-l.Cycle.Phase) * g.period
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

// waitShare is the least part of a cycle a planted foot is taken to stay.
const waitShare = 0.02

// homesick reports whether some foot is too far from its rest point to stand.
func (c *Controller) homesick(s *State) bool {
	t := &c.tick
	for i := range s.Legs {
		l := &s.Legs[i]
		if s.Off>>i&1 == 0 && (!l.Planted() || !t.zones.InTrigger(l.Foot, t.rest[i])) {
			return true
		}
	}
	return false
}

// aimClock sets the target of a leg: as far ahead of its rest point as the
// body goes in half a stance, so that the stance is centred.
func (c *Controller) aimClock(s *State, tab *gait.Gait, leg int) {
	t := &c.tick
	g := t.prog
	l := &s.Legs[leg]
	rest := t.rest[leg]
	lead := tab.Duty[leg] * t.period / 2
	if l.Moving { // where the rest point will be when the swing ends
		lead += (1 - l.Swing) * (1 - tab.Duty[leg]) * t.period
	}
	// For the speed that is wanted, not for the one of this moment: a body that
	// had to wait for a leg would land the next foot short, and wait again.
	v := r2.Vec{X: t.aimVel.X - t.aimRate*(rest.Y-t.body.P.Y), Y: t.aimVel.Y + t.aimRate*(rest.X-t.body.P.X)}
	ahead := r3.Vec{X: rest.X + lead*v.X, Y: rest.Y + lead*v.Y, Z: rest.Z}
	g.sized.AimAt(l, t.ground, &t.body, &t.zones, rest, ahead, s.Off>>leg&1 != 0)
}
