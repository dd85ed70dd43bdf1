package control

import (
	"math"

	"legctl/balance"
	"legctl/blend"
	"legctl/blend/space"
	"legctl/control/mode"
	"legctl/gait"
	"legctl/geom"
	"legctl/ik"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// Styling is how the rig is told to go about its gait, and where that is.
type Styling struct {
	Weights [space.MaxMotions]float64 // of the motions of Params.Space, now
	Target  [space.MaxMotions]float64 // what they move to
	Rate    float64                   // units a second
	Live    bool                      // there is something to add to swing or body

	Phase float64 // generic phase of the space the legs are at, [0, 1)
	Pace  float64 // passes a second
	Late  float64 // correction of Phase that is still to be made, passes

	// What the clips add to the body: metres along its heading, roll, pitch and
	// yaw in radians; how fast that changes; and what is left of the last change of
	// driver.
	Move, Turn         r3.Vec
	MoveRate, TurnRate r3.Vec
	MoveEase, TurnEase blend.Ease
	Scale              float64 // share of all of it that is kept, [0, 1]
	Most               float64 // of that share what joint speeds have allowed since the last command
}

// styler is a space made ready for a controller.
type styler struct {
	space *space.Space
	style *space.Style
	lift  [][]float64 // of each leg: generic phases of the reference clip's lift-offs
	touch [][]float64 // and touchdowns
	mid   []float64   // and the middle of its first stance
}

// newStyler works a space out for styles. It is for the controller's own rig.
func newStyler(sp *space.Space) (*styler, error) {
	y := &styler{space: sp}
	var err error
	if y.style, _, err = space.NewStyle(sp); err != nil {
		return nil, err
	}
	m := &sp.Motions[sp.Ref]
	for _, stances := range m.Clips[m.Ref].Loop.Stances {
		var lift, touch []float64
		for _, x := range stances {
			if x.Duty < 1 {
				lift, touch = append(lift, x.Lift()), append(touch, x.Touch)
			}
		}
		y.lift, y.touch = append(y.lift, lift), append(y.touch, touch)
		y.mid = append(y.mid, stances[0].Mid())
	}
	return y, nil
}

// judgeStyle refuses weights of clips there are none of, or beyond all there is.
func (c *Controller) judgeStyle(r *Reply, m *Command) {
	if c.styler == nil {
		r.Reason = NotSuited
		return
	}
	within(r, 1, m.Weights[:]...)
	within(r, maxTTL, m.Over)
	sum := 0.0
	for i, w := range m.Weights {
		switch {
		case r.Reason != Accepted:
		case w < 0:
			r.Reason, r.Value, r.Bound = OutOfRange, w, 0
		case w > 0 && i >= c.styler.style.Motions():
			r.Reason, r.Value, r.Bound = Unknown, float64(i), float64(c.styler.style.Motions()-1)
		}
		sum += w
	}
	if r.Reason == Accepted && sum > 1+1e-9 {
		r.Reason, r.Value, r.Bound = OutOfRange, sum, 1
	}
	if r.Reason == Accepted && m.Over < 0 {
		r.Reason, r.Value, r.Bound = OutOfRange, m.Over, 0
	}
}

// applyStyle takes in weights: they arrive together, after the time asked for or
// as fast as the space's rate lets them.
func (c *Controller) applyStyle(s *State, m *Command) {
	y := &s.Style
	y.Target, y.Rate, y.Live, y.Most = m.Weights, c.styler.space.Rate, true, 1
	most := 0.0
	for i, w := range m.Weights {
		most = max(most, math.Abs(w-y.Weights[i]))
	}
	if m.Over > 0 {
		y.Rate = min(y.Rate, most/m.Over)
	}
}

// style moves the weights, finds the phase the legs are at and works out what
// the clips add to the body (stage 6). What they add to a swing is read where
// the leg is solved.
func (c *Controller) style(out *Output, s *State) {
	y := &s.Style
	if !y.Live {
		return
	}
	dt := c.params.Dt
	n := c.styler.style.Motions()
	if s.Mode != mode.Stand && s.Mode != mode.Walk && s.Mode != mode.Manual {
		y.Target = [space.MaxMotions]float64{}
	}
	// A rate of 0 means that nothing is to change.
	_, _ = blend.Approach(y.Weights[:n], y.Target[:n], max(y.Rate, 1e-9), dt)
	c.stylePhase(out, s)
	move, turn := c.styleBody(s)
	move = r3.Add(move, y.MoveEase.Step(dt))
	turn = r3.Add(turn, y.TurnEase.Step(dt))
	y.MoveRate, y.TurnRate = r3.Scale(1/dt, r3.Sub(move, y.Move)), r3.Scale(1/dt, r3.Sub(turn, y.Turn))
	y.Move, y.Turn = move, turn
	y.Live = s.Drive.Playing || move != (r3.Vec{}) || turn != (r3.Vec{}) || c.styler.style.Any(y.Weights[:n]) || c.styler.style.Any(y.Target[:n])
}

// styleBody is what the clips add to the body now: those that drive all of
// their own way over the plain one, else what the weights ask for.
func (c *Controller) styleBody(s *State) (move, turn r3.Vec) {
	if !s.Drive.Playing {
		return c.styler.style.Body(s.Style.Phase, s.Style.Weights[:])
	}
	b := &c.clips.pose.Body
	turn.X, turn.Y, turn.Z = geom.RPY(b.Q)
	return r3.Sub(b.P, r3.Vec{Z: c.rig.Height}), turn
}

// switchStyle keeps the body where it is while the driver changes: the offset
// that the change makes dies out over a time, seconds. Call it once the new
// driver is in charge.
func (c *Controller) switchStyle(s *State, over float64) {
	y := &s.Style
	move, turn := c.styleBody(s)
	y.MoveEase.Begin(r3.Sub(y.Move, move), y.MoveRate, over)
	y.TurnEase.Begin(r3.Sub(y.Turn, turn), y.TurnRate, over)
	y.Live = true
}

// Phase and pace of step rules are estimated: paceTime is over how many passes
// the rate of touchdowns is averaged, lateShare how much of what one event is off
// its phase is taken in, and hurry how much faster or slower than its pace the
// phase may run to make that up.
const (
	paceTime  = 2
	lateShare = 0.25
	hurry     = 0.5
)

// stylePhase brings the generic phase to where the legs are: to the schedule's
// own for a clocked gait, to that of the touchdowns and lift-offs for rules.
func (c *Controller) stylePhase(out *Output, s *State) {
	y := &s.Style
	g := c.tick.prog
	dt := c.params.Dt
	switch {
	case s.Drive.Playing:
		y.Phase, y.Pace, y.Late = s.Drive.Play.Phase, s.Drive.Play.Pace, 0
		return
	case s.Clock == s.Gait && g.plan.Clocked():
		y.Pace = 0
		if c.tick.body.Walking && !s.Held {
			y.Pace = 1 / c.tick.period
		}
		y.Late = half(s.Phase + g.shift[g.compass.At[s.Way]] - y.Phase - y.Pace*dt)
	default:
		c.listen(out, s)
	}
	step := y.Pace * dt
	d := clamp(y.Late, hurry*step)
	y.Late -= d
	y.Phase = gait.Frac(y.Phase + step + d)
}

// listen takes in which legs came down and went up in this tick.
func (c *Controller) listen(out *Output, s *State) {
	y := &s.Style
	n := float64(len(s.Legs))
	slow := c.params.Dt * max(y.Pace, 1/(referenceCycle*c.tick.prog.sizing.K)) / paceTime
	y.Pace -= slow * y.Pace
	if out.Touchdown|out.LiftOff == 0 {
		return
	}
	off, events := 0.0, 0.0
	for i := range s.Legs {
		if out.Touchdown>>i&1 != 0 {
			y.Pace += slow / (n * c.params.Dt)
			off, events = off+nearest(c.styler.touch[i], y.Phase), events+1
		}
		if out.LiftOff>>i&1 != 0 {
			off, events = off+nearest(c.styler.lift[i], y.Phase), events+1
		}
	}
	y.Late = half(y.Late + lateShare*(off/events-y.Late))
}

// referenceCycle is how long a cycle of the step rules lasts, about, k.
const referenceCycle = 12

// nearest returns how far it is from a phase to the nearest of some, the short
// way; 0 for none.
func nearest(events []float64, phase float64) float64 {
	best := 0.0
	for i, e := range events {
		if d := half(e - phase); i == 0 || math.Abs(d) < math.Abs(best) {
			best = d
		}
	}
	return best
}

// half brings a difference of phases into [-1/2, 1/2).
func half(d float64) float64 { return d - math.Floor(d+0.5) }

// shifts returns by how much each table of a clocked gait is behind the
// reference clip: the mean over the legs of how far the middles of their stances
// are apart, on the circle.
func (y *styler) shifts(tables []gait.Gait) []float64 {
	list := make([]float64, len(tables))
	for k := range tables {
		var sum r2.Vec
		for i, mid := range y.mid {
			sn, cs := math.Sincos(2 * math.Pi * (mid - tables[k].Offset[i] - tables[k].Duty[i]/2))
			sum.X, sum.Y = sum.X+cs, sum.Y+sn
		}
		list[k] = gait.Frac(math.Atan2(sum.Y, sum.X) / (2 * math.Pi))
	}
	return list
}

// styleLift is the share of the rules' own lift that a style may take off a
// swing; styleGap what it keeps over the ground, in lifts.
const (
	styleLift = 0.5
	styleGap  = 0.25
)

// swung is a swinging foot, W, with what the style adds to it. It keeps half the
// gait's own lift over the ground between, and a gap over the ground below.
func (c *Controller) swung(s *State, leg int, foot r3.Vec) r3.Vec {
	l := &s.Legs[leg]
	y := &s.Style
	if s.Drive.Playing || !l.Moving {
		return foot
	}
	d := c.styler.style.Foot(leg, l.Swing, y.Weights[:])
	if d == (r3.Vec{}) {
		return foot
	}
	d = r3.Scale(y.Scale, d)
	lift := c.tick.prog.sized.Lift
	e := l.Swing * (1 - l.Swing)
	d.Z = max(d.Z, -styleLift*lift*16*e*e)
	p := r3.Add(foot, c.tick.facing(s.Yaw).Apply(d))
	if hit, ok := geom.Down(c.tick.ground, r3.Vec{X: p.X, Y: p.Y, Z: max(p.Z, l.Apex) + lift}, c.rig.Height+4*lift); ok {
		p.Z = max(p.Z, min(foot.Z, hit.Z+styleGap*lift))
	}
	return p
}

// worn is the commanded and levelled pose with a share of what the style adds.
func (c *Controller) worn(s *State, pose geom.Pose, share float64) geom.Pose {
	y := &s.Style
	if !y.Live || share == 0 {
		return pose
	}
	pose.P = r3.Add(pose.P, c.tick.facing(s.Yaw).Apply(r3.Scale(share, y.Move)))
	if y.Turn != (r3.Vec{}) {
		pose.Q = quat.Mul(pose.Q, geom.FromRPY(share*y.Turn.X, share*y.Turn.Y, share*y.Turn.Z))
	}
	return pose
}

// styleBack is how long a style takes to come back once nothing is in its way,
// seconds.
const styleBack = 1.0

// wear adds the style to the pose the body is to have, as much of it as the
// margin of a static gait allows; for the reach see yield. It gives way first:
// what is commanded is in pose already.
func (c *Controller) wear(s *State) {
	y := &s.Style
	if !y.Live {
		y.Scale, y.Most = 1, 1
		return
	}
	pose := s.PoseWB
	y.Scale = min(y.Most, y.Scale+c.params.Dt/styleBack)
	if !s.Drive.Playing && c.tick.prog.plan.Rules.Gate {
		f := &c.tick.styleFit
		*f = styleFit{c: c, s: s, pose: pose, most: y.Scale}
		f.floor = min(c.tick.prog.floor, f.margin(0))
		share, _ := balance.Keep(f, 0)
		y.Scale *= share
	}
	s.PoseWB = c.worn(s, pose, y.Scale)
}

// styleFit is the question balance.Keep asks of a style.
type styleFit struct {
	c           *Controller
	s           *State
	pose        geom.Pose
	most, floor float64
}

// Fits implements balance.Fit: the margin stays above the floor, or above what
// it is without the style.
func (f *styleFit) Fits(share float64) bool { return f.margin(share*f.most) >= f.floor }

func (f *styleFit) margin(share float64) float64 {
	p := f.c.worn(f.s, f.pose, share).Apply(f.s.CoMB)
	return balance.Margin(f.c.tick.support, r2.Vec{X: p.X, Y: p.Y})
}

// yieldSteps is how often the share of a style that a leg cannot follow is
// halved in one tick; yieldShare what is kept of it where even none at all would be
// too fast.
const (
	yieldSteps = 5
	yieldShare = 0.95
)

// yield takes style off until every leg can follow, where that helps: it is
// asked only once a leg cannot, for it solves all legs again for each share.
func (c *Controller) yield(out *Output, s *State, plain geom.Pose) {
	y := &s.Style
	try := func(share float64) bool {
		y.Scale = share
		s.PoseWB = c.worn(s, plain, share)
		c.solveLegs(out, s)
		return !c.strained(out, s)
	}
	most := y.Scale
	if !try(0) {
		// Joints are too slow for this swing, and for leaving it: less from now on.
		try(most * yieldShare)
		y.Most = y.Scale
		return
	}
	good := 0.0
	for range yieldSteps {
		if mid := (good + most) / 2; try(mid) {
			good = mid
		} else {
			most = mid
		}
	}
	try(good)
}

// strained reports whether some leg cannot do what was solved for it: out of
// reach, or faster than its joints.
func (c *Controller) strained(out *Output, s *State) bool {
	for i := range s.Legs {
		if c.rig.Legs[i].Planar {
			continue
		}
		if st := out.Legs[i].Status; st != ik.Reached {
			return true
		}
		if overdone(c.rig.Slice(out.Set.Q, i), c.rig.Slice(s.Q, i), c.rig.Slice(c.hurry, i)) {
			return true
		}
	}
	return false
}
