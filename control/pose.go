package control

import (
	"math"

	"legctl/balance"
	"legctl/control/mode"
	"legctl/geom"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// pose levels the body to the ground, leans it, adds the commanded offset as
// far as reach and margin allow, and writes the intended pose (stage 8).
func (c *Controller) pose(out *Output, s *State) {
	if !s.active() {
		return
	}
	t := &c.tick
	c.followGround(out, s)
	c.lean(s)
	c.trim(s)
	step := t.prog.climb * c.params.Dt
	s.Move = toward(s.Move, s.Offset, step)
	s.Turn = toward(s.Turn, s.RPY, step/c.far)
	share := 1.0
	if s.Move != (r3.Vec{}) || s.Turn != (r3.Vec{}) {
		t.fit = fit{c: c, s: s, static: t.prog.plan.Rules.Gate}
		share, _ = balance.Keep(&t.fit, 0)
	}
	out.Kept = share
	if !s.Flying {
		s.Bump -= s.Bump * min(1, c.params.Dt/(bumpTime*t.prog.sizing.K))
	}
	t.plain = c.posed(s, share)
	s.PoseWB = t.plain
	c.wear(s)
	out.StyleScale = s.Style.Scale
	s.Rise = c.hop(s)
}

// toward moves v at most step towards want.
func toward(v, want r3.Vec, step float64) r3.Vec {
	if v == want {
		return want
	}
	d := r3.Sub(want, v)
	n := math.Sqrt(r3.Norm2(d))
	if n <= step {
		return want
	}
	return r3.Add(v, r3.Scale(step/n, d))
}

// posed is the body with a share of the offset it has come to.
func (c *Controller) posed(s *State, share float64) geom.Pose {
	o := balance.Offset{Move: s.Move, Turn: s.Turn}.Part(share)
	q, _ := c.tick.attitude(s)
	p := r3.Add(r3.Add(s.BaseW, s.Lean), c.tick.facing(s.Yaw).Apply(o.Move))
	p.Z += c.hop(s)
	if n := &s.Senses; n.Trim != [2]float64{} {
		q = quat.Mul(q, geom.FromRPY(-n.Trim[0], -n.Trim[1], 0))
	}
	if o.Turn != (r3.Vec{}) {
		q = quat.Mul(q, geom.FromRPY(o.Turn.X, o.Turn.Y, o.Turn.Z))
	}
	return geom.Pose{P: p, Q: q}
}

// followGround moves height, roll and pitch of the base towards what the
// ground under the feet asks for.
func (c *Controller) followGround(out *Output, s *State) {
	t := &c.tick
	g := t.prog
	if g.sized.Stage < stageHeight {
		return
	}
	mean, n := 0.0, 0
	first, even := t.underLeg(s, 0).Z, true
	for i := range s.Legs {
		at := t.underLeg(s, i)
		if at != &t.rest[i] {
			mean += at.Z
			n++
		}
		even = even && at.Z == first
	}
	if n == 0 {
		return
	}
	roll, pitch := 0.0, 0.0
	if !even { // level ground asks for a level body, and is common
		for i := range s.Legs {
			t.points[i] = t.body.Yaw.ApplyInv(r3.Sub(*t.underLeg(s, i), s.BaseW))
		}
		roll, pitch = c.level.Ask(t.points[:len(s.Legs)])
	}
	stature := t.stature
	if s.Mode == mode.Lowering && s.Step > 0 {
		stature = c.posture.sit
	}
	want := mean/float64(n) + stature
	if moved, there := c.raise(s, want); moved {
		if there {
			c.arrive(out, s)
		}
		return
	}
	if hit, ok := geom.Down(t.ground, s.BaseW, t.zones.Height); ok {
		want = max(want, hit.Z+g.plan.Rules.Belly*g.sizing.U*t.body.Rot.Z.Z)
	}
	if !g.plan.Rules.Smooth {
		s.BaseW.Z = want
		s.Level[0] = balance.Ease(s.Level[0], roll, g.keep)
		s.Level[1] = balance.Ease(s.Level[1], pitch, g.keep)
		return
	}
	step := g.climb * c.params.Dt
	s.BaseW.Z += clamp(g.follow*(want-s.BaseW.Z), step)
	tilt := step / c.far
	s.Level[0] = g.ease(s.Level[0], roll, tilt)
	s.Level[1] = g.ease(s.Level[1], pitch, tilt)
}

// levelSlack is how near, rad, the body is to what the ground asks for when it is
// there: what is left would else halve for ever, and have every rotation worked out
// anew each tick, on numbers too small to be fast.
const levelSlack = 1e-12

// ease moves an angle towards what the ground asks for, by most at most.
func (g *program) ease(old, ask, most float64) float64 {
	if math.Abs(ask-old) < levelSlack {
		return ask
	}
	return old + clamp(balance.Ease(old, ask, g.keep)-old, most)
}

// underLeg is the ground a leg stands on or is to land on, W; its rest point
// while there is none.
func (t *tick) underLeg(s *State, leg int) *r3.Vec {
	l := &s.Legs[leg]
	switch {
	case s.Off>>leg&1 != 0:
	case l.Planted():
		return &l.Foot
	case l.Grounded:
		return &l.Target
	}
	return &t.rest[leg]
}

// clamp returns v within plus or minus most.
func clamp(v, most float64) float64 { return max(-most, min(most, v)) }

// reaches reports whether the leg has joint angles for footB. It asks the
// solver from the angles of the last tick and leaves the state alone.
func (c *Controller) reaches(leg int, footB r3.Vec, s *State) bool {
	q := c.scratchQ
	copy(c.rig.Slice(q, leg), c.rig.Slice(s.Q, leg))
	r := c.solver.Solve(q, leg, ik.Target{Foot: footB})
	return r.Status == ik.Reached || c.rig.Legs[leg].Planar
}

// solve turns feet into joint angles (stage 9).
func (c *Controller) solve(out *Output, s *State) {
	copy(out.Set.Q, s.Q)
	out.Set.Time = c.params.Dt
	if !s.active() {
		c.sequence(out, s)
		s.CoMB = rig.CoM(c.rig, out.Set.Q)
		return
	}
	c.solveLegs(out, s)
	switch {
	case !s.Style.Live || !c.strained(out, s):
	case s.Drive.Playing:
		s.Drive.Most = max(leastMost, s.Drive.Most-jointStep)
	default:
		c.yield(out, s, c.tick.plain)
		out.StyleScale = s.Style.Scale
	}
	c.moveHand(out, s)
}

// solveLegs turns the feet into joint angles in the intended pose.
func (c *Controller) solveLegs(out *Output, s *State) {
	level, rot := c.tick.attitude(s)
	if s.PoseWB.Q != level { // turned by command
		turned := geom.RotOf(s.PoseWB.Q)
		rot = &turned
	}
	moment := r3.Scale(c.rig.Body.Mass, c.rig.Body.CoM)
	for i := range s.Legs {
		l := &s.Legs[i]
		foot := l.Foot
		foot.Z -= s.depth(i)
		if s.Style.Live {
			foot = c.swung(s, i, foot)
		}
		footB := rot.ApplyInv(r3.Sub(foot, s.PoseWB.P))
		footB.Z += c.dip(s, i, footB)
		r := c.solver.SolveFoot(out.Set.Q, i, footB)
		_, m := c.solver.Moment(i)
		moment = r3.Add(moment, m)
		o := &out.Legs[i]
		o.Status, o.Residual = r.Status, r.Residual
	}
	s.CoMB = r3.Scale(1/c.mass, moment)
}

// overlay clamps joint speeds, notes limits and lets the planned feet follow
// what the legs can really do (stage 10).
func (c *Controller) overlay(out *Output, s *State) {
	q, active := out.Set.Q, s.active()
	slow := active && overdone(q, s.Q, c.hurry)
	for i := range s.Legs {
		o, l := &out.Legs[i], &s.Legs[i]
		if slow || active && o.Status != ik.Reached {
			c.clampLeg(out, s, i)
		}
		o.Foot, o.Target = l.Foot, l.Target
		o.Stance, o.Grounded, o.Primary = l.Planted(), l.Grounded, l.Primary
	}
	copy(s.Q, q)
	out.Set.Limp, out.Set.Lie = s.Mode == mode.Limp, s.lying()
	out.PoseWB = s.PoseWB
	out.Mode, out.Gait = s.Mode, s.Gait
	out.CoMW = s.PoseWB.Apply(s.CoMB)
	out.Margin = balance.Margin(c.tick.support, planar(out.CoMW))
}

// clampLeg holds the joints of a leg to their speeds. A leg that could not do
// what was asked, by reach, angle or speed, takes its foot along.
func (c *Controller) clampLeg(out *Output, s *State, leg int) {
	r := &c.rig.Legs[leg]
	new, old := c.rig.Slice(out.Set.Q, leg), c.rig.Slice(s.Q, leg)
	bit := uint64(1) << leg
	slow := false
	most, hurry := c.rig.Slice(c.most, leg), c.rig.Slice(c.hurry, leg)
	for j := range new {
		if d := new[j] - old[j]; math.Abs(d) > hurry[j] {
			new[j] = old[j] + clamp(d, most[j])
			slow = true
		}
	}
	o := &out.Legs[leg]
	if slow {
		out.SpeedLimit |= bit
	}
	if o.Status == ik.Reached && !slow {
		return
	}
	off := s.Off&bit != 0
	foot := s.PoseWB.Apply(rig.Foot(c.rig, leg, out.Set.Q))
	if r.Planar {
		o.Slip = math.Sqrt(r3.Norm2(r3.Sub(foot, s.Legs[leg].Foot)))
		s.slide(leg, foot)
		return
	}
	if o.Status != ik.Reached && !off {
		out.Unreached |= bit
		if s.Drive.Playing && s.Legs[leg].Planted() {
			s.Drive.Strain += c.params.Dt
		}
		if o.Status == ik.AtLimit {
			out.AngleLimit |= bit
		}
	}
	s.slide(leg, foot)
}

// overdone reports whether some joint turns further from old than it may.
func overdone(new, old, most []float64) bool {
	over := false
	for j := range new {
		over = over || math.Abs(new[j]-old[j]) > most[j]
	}
	return over
}

// slide puts the planned foot where the leg can hold it. A swinging foot
// keeps its plan: it will be reachable again.
func (s *State) slide(leg int, foot r3.Vec) {
	l := &s.Legs[leg]
	if l.Planted() {
		l.Foot.X, l.Foot.Y = foot.X, foot.Y
	}
}

// speedSlack forgives rounding in the comparison of joint speeds.
const speedSlack = 1 + 1e-9
