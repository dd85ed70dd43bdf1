package control

import (
	"math"

	"legctl/balance"
	"legctl/control/mode"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

func planar(v r3.Vec) r2.Vec { return r2.Vec{X: v.X, Y: v.Y} }

// Weights of the choice which leg a static gait frees next (known figures):
// how far the foot lags, less half the way the body must lean for it, in U;
// the leg chosen before keeps its place within a small lead.
const (
	leanCost       = 0.5
	leanHysteresis = 0.1
	lostHysteresis = 0.8 // with legs lost, whose rest points move with the lean
)

// lean moves the body of a static gait over the feet that will hold it while
// one leg swings. It chooses the leg, then leans at a limited rate.
func (c *Controller) lean(s *State) {
	if s.Drive.Playing {
		c.leanClips(s)
		return
	}
	t := &c.tick
	g := t.prog
	if d, off := c.recover(s); off {
		s.Favour = -1
		c.leanTo(s, r3.Add(s.Lean, d))
		return
	}
	if g.lean == 0 {
		if s.Favour = -1; s.Lean != (r3.Vec{}) && s.Off == 0 {
			c.leanTo(s, r3.Vec{}) // what a gait that leans has left
		}
		return
	}
	want := s.Lean
	if s.Mode == mode.Manual || s.Mode == mode.Rising || s.Mode == mode.Lowering {
		want = c.poised(s)
		if s.Hand >= 0 {
			if d, ok := c.freeing(s, int(s.Hand)); ok {
				want = r3.Add(s.Lean, d)
			}
		}
	} else if swing := c.swinging(s); swing >= 0 {
		if d, ok := c.freeing(s, swing); ok {
			want = r3.Add(s.Lean, d)
		}
	} else {
		leg, d := c.next(s)
		s.Favour = int16(leg)
		if leg >= 0 {
			want = r3.Add(s.Lean, d)
		} else {
			want = c.poised(s)
		}
	}
	c.leanTo(s, want)
}

// swinging returns a leg in the air that is not disabled, or -1.
func (c *Controller) swinging(s *State) int {
	for i := range s.Legs {
		if s.Legs[i].Moving && s.Off>>i&1 == 0 {
			return i
		}
	}
	return -1
}

// recover returns the lean that brings the centre of mass back inside the feet
// that stand, and whether it is needed: after a leg was lost it can be outside
// of what is left.
func (c *Controller) recover(s *State) (d r3.Vec, off bool) {
	t := &c.tick
	if s.Off == 0 {
		return r3.Vec{}, false
	}
	support, com := c.polygon(s, 0), c.comPlan(s)
	if len(support.at) < 3 || balance.Margin(support.at, com) >= t.prog.floor {
		return r3.Vec{}, false
	}
	e, ok := insideBy(t.sides(support, com, r2.Vec{}, t.prog.floor*leanSlack))
	return r3.Vec{X: e.X, Y: e.Y}, ok
}

// poised is the lean of a body that frees no leg, W: none, or with legs lost the
// least that has it over the feet that stand.
func (c *Controller) poised(s *State) r3.Vec {
	if s.Off == 0 {
		return r3.Vec{}
	}
	t := &c.tick
	support := c.polygon(s, 0)
	if len(support.at) < leastLegs {
		return s.Lean
	}
	e, ok := insideBy(t.sides(support, r2.Sub(c.comPlan(s), planar(s.Lean)), r2.Vec{}, t.prog.floor*leanSlack))
	if !ok {
		return s.Lean
	}
	return r3.Vec{X: e.X, Y: e.Y}
}

// next returns the leg to free next and the lean it still needs, W: of a
// clocked gait the one whose phase lifts it first.
func (c *Controller) next(s *State) (leg int, d r3.Vec) {
	if s.Clock == noClock {
		return c.choose(s)
	}
	leg = -1
	least := math.Inf(1)
	for i := range s.Legs {
		l := &s.Legs[i]
		if !l.Planted() || !c.tick.prog.sized.Far(l) {
			continue
		}
		// Of legs that are due the one that needs the least lean comes first, so
		// that one which cannot be freed yet does not hold up the others.
		need, ok := c.freeing(s, i)
		if !ok {
			continue
		}
		left := max(0, l.Cycle.Duty-l.Cycle.Phase)
		if s.Held && left > dueShare {
			continue // the clock waits for another
		}
		left += leanDue * math.Sqrt(r3.Norm2(need)) / c.tick.prog.sizing.U
		if left < least {
			least, leg, d = left, i, need
		}
	}
	return leg, d
}

// dueShare is how long before its lift-off a leg is due, cycles; leanDue what a
// lean of one U costs against being due a cycle earlier.
const (
	dueShare = 0.02
	leanDue  = 0.05
)

// choose returns the leg to free next and the lean it still needs, W.
func (c *Controller) choose(s *State) (leg int, d r3.Vec) {
	t := &c.tick
	g := t.prog
	leg = -1
	best := math.Inf(-1)
	hold := leanHysteresis
	if s.Off != 0 {
		hold = lostHysteresis
	}
	for i := range s.Legs {
		l := &s.Legs[i]
		if s.Off>>i&1 != 0 || !l.Planted() || !g.sized.Far(l) {
			continue
		}
		if !t.body.Walking && t.zones.InTrigger(l.Foot, t.rest[i]) {
			continue
		}
		lag := math.Sqrt(sq(l.Target.X-l.Foot.X) + sq(l.Target.Y-l.Foot.Y))
		lead := 0.0
		if int(s.Favour) == i {
			lead = hold
		}
		if lag/g.sizing.U+lead <= best {
			continue // not even if it needed no lean
		}
		need, ok := c.freeing(s, i)
		if !ok {
			continue
		}
		score := (lag-leanCost*math.Sqrt(r3.Norm2(need)))/g.sizing.U + lead
		if score > best {
			best, leg, d = score, i, need
		}
	}
	return leg, d
}

func sq(x float64) float64 { return x * x }

// freeing returns the smallest lean, W, that brings the centre of mass inside
// the polygon of the other feet by the floor, now and a gate's time ahead. It
// is not ok when the whole lean would pass its limit or no lean serves.
func (c *Controller) freeing(s *State, leg int) (d r3.Vec, ok bool) {
	t := &c.tick
	g := t.prog
	support := c.polygon(s, 1<<leg)
	if len(support.at) < 3 {
		return r3.Vec{}, false
	}
	ahead := g.plan.Rules.GateAhead * g.sizing.K
	drift := r2.Vec{X: s.VelW.X * ahead, Y: s.VelW.Y * ahead}
	com := c.comPlan(s)
	sides := t.sides(support, com, drift, g.floor*leanSlack)
	e, ok := insideBy(sides)
	if !ok {
		return r3.Vec{}, false
	}
	d = r3.Vec{X: e.X, Y: e.Y}
	if c.planar {
		d, ok = alongHeading(sides, planar(t.body.Yaw.X))
		if !ok {
			return r3.Vec{}, false
		}
	}
	whole := r3.Add(s.Lean, d)
	if r3.Norm2(whole) <= g.lean*g.lean {
		return d, true
	}
	return c.afresh(s, support, com, drift, d)
}

// afresh is freeing for a rig that has lost legs, whose lean is limited by what its
// feet reach alone. Where they do not reach the nearest lean that serves, it
// takes the least one, seen from no lean at all.
func (c *Controller) afresh(s *State, support *ring, com, drift r2.Vec, d r3.Vec) (r3.Vec, bool) {
	if s.Off == 0 || c.planar {
		return d, false
	}
	t := &c.tick
	most := lostLean * t.prog.sizing.U
	if whole := r3.Add(s.Lean, d); r3.Norm2(whole) <= most*most && c.spans(s, whole) {
		return d, true
	}
	e, ok := insideBy(t.sides(support, r2.Sub(com, planar(s.Lean)), drift, t.prog.floor*leanSlack))
	whole := r3.Vec{X: e.X, Y: e.Y}
	return r3.Sub(whole, s.Lean), ok && r3.Norm2(whole) <= most*most && c.spans(s, whole)
}

// leanSlack asks for a little more than the gate does, so that rounding and
// the lean's own lag do not keep the gate shut.
const leanSlack = 1.1

// lostLean is how far a body leans that has lost legs, U, where its feet reach.
const lostLean = 3

// leanTo moves the lean towards want with a limited rate and ramp.
func (c *Controller) leanTo(s *State, want r3.Vec) {
	g, dt := c.tick.prog, c.params.Dt
	if g.lean == 0 {
		g = c.steady
	}
	most := g.lean
	if s.Off != 0 {
		most = lostLean * g.sizing.U // as far as the feet reach: see spans
	}
	if n := math.Sqrt(r3.Norm2(want)); n > most {
		want = r3.Scale(most/n, want)
	}
	d := r3.Sub(want, s.Lean)
	dist := math.Sqrt(r3.Norm2(d))
	v := r3.Vec{}
	if dist > 0 {
		v = r3.Scale(min(g.leanV, min(math.Sqrt(2*g.leanA*dist), dist/dt))/dist, d)
	}
	dv := r3.Sub(v, s.LeanVel)
	if n, most := math.Sqrt(r3.Norm2(dv)), g.leanA*dt; n > most {
		dv = r3.Scale(most/n, dv)
	}
	s.LeanVel = r3.Add(s.LeanVel, dv)
	s.Lean = r3.Add(s.Lean, r3.Scale(dt, s.LeanVel))
}
