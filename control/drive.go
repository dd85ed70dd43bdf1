package control

import (
	"math"

	"legctl/balance"
	"legctl/blend"
	"legctl/blend/space"
	"legctl/control/mode"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// Drive is who moves the rig, and what clips that do remember.
type Drive struct {
	By      Driver  // what is asked for
	Playing bool    // clips move the rig in this tick
	Gather  float64 // seconds before they set out: the body comes to their pose first
	Calm    float64 // seconds before they may take over again
	Stride  float64 // share of their steps that is taken, [0, 1]
	Most    float64 // of that share what margin and joints have allowed so far
	Brake   bool    // the body is near the edge of its feet
	Speed   float64 // of whole steps now, m/s
	Mean    float64 // margin averaged over a pass, metres
	Strain  float64 // seconds a standing leg has been out of reach
	Play    space.State
}

// player is a space made ready to drive a rig.
type player struct {
	space  *space.Space
	fresh  *space.State // at its beginning
	trial  *space.State // scratch
	before *space.State // of the tick, to go back to
	pose   blend.Pose   // of the tick, in the root's frame
}

func newPlayer(sp *space.Space) *player {
	n := blend.Shape{Feet: sp.Feet()}
	return &player{
		space: sp, fresh: space.NewState(sp), trial: space.NewState(sp), before: space.NewState(sp),
		pose: blend.NewPoses(n, 1)[0],
	}
}

// judgeDriver refuses clips where there are none.
func (c *Controller) judgeDriver(r *Reply, by Driver) {
	switch {
	case r.Reason != Accepted:
	case by >= Drivers || r.Kind == KindDrive && by == DriverKept:
		r.Reason, r.Value, r.Bound = Unknown, float64(by), float64(Drivers-1)
	case by == DriverClips && c.clips == nil:
		r.Reason, r.Value = NotSuited, float64(by)
	}
}

// Times of a change of driver: gatherTime is how long the body takes to come to
// the clips' pose, seconds; calmTime how long the gait drives at least once the
// clips had to give way, k; strainTime how long a standing leg may be out of
// reach, seconds.
const (
	gatherTime = 0.4
	calmTime   = 20
	strainTime = 0.1
)

// engage decides who moves the rig in this tick. Clips go forward, turning; they
// are left at once when they may not drive, and by way of ever smaller steps when
// nothing is to be done.
func (c *Controller) engage(out *Output, s *State) {
	d := &s.Drive
	d.Calm = max(0, d.Calm-c.params.Dt)
	if c.clips == nil {
		return
	}
	may := d.By == DriverClips && s.Mode == mode.Walk && s.Off == 0 && s.Hand < 0
	w := c.tick.wish
	ahead := w[0] > 0 && math.Abs(w[1]) <= sideways*w[0]
	if s.HasGoal {
		ahead = c.fromGoal(s) > s.Near || d.Playing && d.Stride > 0
	}
	switch {
	case !d.Playing && may && ahead && d.Calm == 0:
		c.takeOver(out, s)
	case d.Playing && (!may || d.Strain > strainTime || d.Stride == 0 && (!ahead || d.Calm > 0)):
		if d.Strain > strainTime {
			d.Calm = calmTime * c.tick.prog.sizing.K
		}
		c.giveBack(out, s)
	}
}

// fromGoal is how far the base is from the goal, metres.
func (c *Controller) fromGoal(s *State) float64 {
	return math.Sqrt(sq(s.Goal.X-s.BaseW.X) + sq(s.Goal.Y-s.BaseW.Y))
}

// sideways is how far a twist may point to the side for clips, which go forward,
// to serve it.
const sideways = 0.2

// phases is how many moments of the clips are looked at to find the one that
// suits the feet as they stand.
const phases = 48

// takeOver lets the clips drive from the moment at which their feet are most
// like those of the rig, in place and in which of them stand.
func (c *Controller) takeOver(out *Output, s *State) {
	p := c.clips
	d := &s.Drive
	v := math.Sqrt(r3.Norm2(s.VelW))
	best, at := math.Inf(1), 0.0
	for k := range phases {
		space.Copy(p.trial, p.fresh)
		p.trial.Phase = float64(k) / phases
		p.blendOf(p.trial, &s.Style)
		p.trial.Weights = p.trial.Target
		p.space.Step(&p.pose, p.trial, 0)
		if cost := c.unlike(s, p.trial.Down); cost < best {
			best, at = cost, p.trial.Phase
		}
	}
	space.Copy(&d.Play, p.fresh)
	d.Play.Phase = at
	p.blendOf(&d.Play, &s.Style)
	d.Play.Weights = d.Play.Target
	p.space.Step(&p.pose, &d.Play, 0)
	d.Speed = p.space.Motions[d.Play.Lead].Clips[0].Loop.Speed()
	d.Stride = min(1, v/d.Speed)
	d.Playing, d.Brake, d.Mean, d.Strain, d.Gather, d.Most = true, false, c.rig.L(), 0, 0, 1
	down := uint64(0)
	lock := blend.LockParams{Pull: c.rig.L(), Over: gatherTime}
	for i := range s.Legs {
		if s.Legs[i].Planted() {
			down |= 1 << i
		}
		_, _ = d.Play.Feet[i].Lock.Step(c.inRoot(s, s.Legs[i].Foot), down>>i&1 != 0, 0, lock, c.params.Dt)
	}
	d.Play.Down = down
	if down == 1<<len(s.Legs)-1 && d.Stride == 0 {
		d.Gather = gatherTime
	}
	s.leaveClock(c.tick.prog.sizing.K)
	c.switchStyle(s, gatherTime)
	out.Events |= EventDriver
}

// blendOf sets which motions a state of the clips goes to: those of the style, or
// the plain one where there are none.
func (p *player) blendOf(st *space.State, y *Styling) {
	if !st.Want(y.Weights[:len(p.space.Motions)]) {
		st.Target = p.fresh.Target
	}
}

// unlike is how little the clips' feet are like those of the rig, m2: their
// distance on the ground, and half a leg for each that stands in one and not in
// the other.
func (c *Controller) unlike(s *State, down uint64) float64 {
	sum := 0.0
	l := c.rig.L()
	for i := range s.Legs {
		a, b := c.inRoot(s, s.Legs[i].Foot), c.clips.pose.Feet[i]
		sum += sq(a.X-b.X) + sq(a.Y-b.Y)
		if s.Legs[i].Planted() != (down>>i&1 != 0) {
			sum += sq(l / 2)
		}
	}
	return sum
}

// inRoot is a point of the world as seen from the clips' root, which stands on
// the ground under the base; its height is that above the foot's own ground.
func (c *Controller) inRoot(s *State, p r3.Vec) r3.Vec {
	v := c.tick.facing(s.Yaw).ApplyInv(r3.Sub(p, s.BaseW))
	v.Z = 0
	return v
}

// giveBack lets the gait drive again. Feet in the air are half
// through a swing of the gait; the body goes on with the velocity it has.
func (c *Controller) giveBack(out *Output, s *State) {
	if !s.Drive.Playing {
		return
	}
	s.Drive.Playing, s.Drive.Stride = false, 0
	g := c.tick.prog.sized
	for i := range s.Legs {
		if l := &s.Legs[i]; l.Moving {
			g.Begin(l, c.tick.ground)
			l.Swing, l.Apex = 0.5, l.Foot.Z
			l.Lift.X, l.Lift.Y = 2*l.Foot.X-l.Target.X, 2*l.Foot.Y-l.Target.Y
		}
	}
	c.switchStyle(s, gatherTime)
	out.Events |= EventDriver
}

// steerClips chooses where the clips turn to, and returns the share of their
// steps to take: all on the way to a goal, what a twist asks for, none once the
// goal is reached (stage 2).
func (c *Controller) steerClips(out *Output, s *State) float64 {
	t := &c.tick
	d := &s.Drive
	goal := space.Goal{Radius: s.Near}
	share := 1.0
	switch {
	case s.HasGoal:
		goal.At, goal.Velocity = planar(s.Goal), planar(s.GoalVel)
	case t.wish[0] > 0:
		goal.At = c.along(s)
		share = min(1, t.wish[0]/max(d.Speed, 1e-9))
	default:
		return 0
	}
	// The clips know the world from where they began: there the goal is.
	at := t.facing(s.Yaw).ApplyInv(r3.Sub(r3.Vec{X: goal.At.X, Y: goal.At.Y, Z: s.BaseW.Z}, s.BaseW))
	v := t.facing(s.Yaw).ApplyInv(r3.Vec{X: goal.Velocity.X, Y: goal.Velocity.Y})
	goal.At, goal.Velocity = inPlace(&d.Play.Place, at, true), inPlace(&d.Play.Place, v, false)
	switch c.clips.space.Steer(&d.Play, goal, space.Guide{}, c.params.Dt) {
	case space.Arrived:
		share = 0
		if s.HasGoal && !s.Follow && d.Stride == 0 {
			s.HasGoal = false
			out.Events |= EventGoalReached
		}
	case space.TooNear:
		t.binding = BindClips
	case space.CantTurn, space.BadGoal:
		t.binding, share = BindClips, 0
		if d.Stride == 0 {
			d.Calm = calmTime * t.prog.sizing.K
		}
	}
	if share > 0 && s.HasGoal {
		// It must be able to stop on the way: smaller and smaller steps.
		far := max(0, c.fromGoal(s)-s.Near)
		share = min(share, math.Sqrt(2*t.prog.brake*far)/max(d.Speed, 1e-9)+leastStride)
	}
	return share
}

// Static clips slow down before their floor breaks, from nearFloor floors on, and
// take smaller steps from then on: mostStep less a tick, but no less than leastMost.
// So do clips that ask more of the rig's joints than these can do, by jointStep.
const (
	nearFloor = 1.5
	mostStep  = 0.01
	jointStep = 0.002
	leastMost = 0.5
)

// leastStride keeps the last steps to a goal from becoming endlessly small.
const leastStride = 0.05

// inPlace is a point, or a direction, of the root's frame in the clips' world.
func inPlace(p *blend.Place, v r3.Vec, point bool) r2.Vec {
	sn, cs := math.Sincos(p.Yaw)
	w := r2.Vec{X: cs*v.X - sn*v.Y, Y: sn*v.X + cs*v.Y}
	if point {
		w.X, w.Y = w.X+p.At.X, w.Y+p.At.Y
	}
	return w
}

// along is a place in W on the arc a twist describes, as far ahead as clips look.
func (c *Controller) along(s *State) r2.Vec {
	w := &c.tick.wish
	const look = 2.0 // seconds
	a := w[2] * look / 2
	far := w[0] * look
	if a != 0 {
		far *= math.Sin(clamp(a, math.Pi/2)) / clamp(a, math.Pi/2)
	}
	p := r3.Add(s.BaseW, c.tick.facing(s.Yaw).Apply(r3.Vec{X: far * math.Cos(a), Y: far * math.Sin(a)}))
	return planar(p)
}

// play moves the clips on by a tick and the base with them (stage 3). It reports
// false, and everything is as before, when the floor of their class would break:
// then the gait drives.
func (c *Controller) play(out *Output, s *State, share float64) bool {
	p := c.clips
	d := &s.Drive
	st := &d.Play
	t := &c.tick
	dt := c.params.Dt
	space.Copy(p.before, st)
	p.blendOf(st, &s.Style)
	step := dt
	if d.Gather > 0 {
		d.Gather, step = max(0, d.Gather-dt), 0
	}
	p.space.Step(&p.pose, st, step)
	if step > 0 {
		d.Speed = math.Sqrt(r3.Norm2(p.pose.Root.Move)) / dt
	}
	c.stride(s, share)
	move := r3.Scale(d.Stride, p.pose.Root.Move)
	yaw := d.Stride * p.pose.Root.Yaw
	st.Place = p.before.Place.After(blend.RootMotion{Move: move, Yaw: yaw})
	for i := range s.Legs {
		f, n := &p.pose.Feet[i], c.rig.Legs[i].Neutral
		f.X, f.Y = n.X+d.Stride*(f.X-n.X), n.Y+d.Stride*(f.Y-n.Y)
	}
	c.lockFeet(s)
	s.Yaw = geom.WrapAngle(s.Yaw + yaw/2)
	way := t.facing(s.Yaw).Apply(move)
	if !c.keepsClass(s, way) {
		s.Yaw = geom.WrapAngle(s.Yaw - yaw/2)
		space.Copy(st, p.before)
		d.Calm = calmTime * t.prog.sizing.K
		c.giveBack(out, s)
		return false
	}
	s.Yaw = geom.WrapAngle(s.Yaw + yaw/2)
	s.Course = s.Yaw
	s.BaseW = r3.Add(s.BaseW, way)
	s.VelW, s.YawRate = r3.Scale(1/dt, way), yaw/dt
	c.describeBody(s)
	t.zones.Height, t.stature = c.rig.Height, c.rig.Height
	if s.Height > 0 {
		t.zones.Height, t.stature = s.Height, s.Height
	}
	if d.Stride < 1 && t.binding == BindNone {
		t.binding = BindAcceleration
	}
	out.Driver = DriverClips
	v := t.body.Yaw.ApplyInv(s.VelW)
	out.Twist = [3]float64{v.X, v.Y, s.YawRate}
	return true
}

// clipPolygon is the support polygon in W once the clips' legs have come down and
// gone up in this tick. It is scratch space of the tick.
func (c *Controller) clipPolygon(s *State) []r2.Vec {
	t := &c.tick
	st := &s.Drive.Play
	n := len(s.Legs)
	for i := range n {
		l := &s.Legs[i]
		t.feetG[i] = l.Foot
		t.stance[i] = l.Planted() && st.Lifted>>i&1 == 0
		if !l.Planted() && st.Touched>>i&1 != 0 {
			t.feetG[i], t.stance[i] = c.fromRoot(s, c.clips.pose.Feet[i]), true
		}
	}
	t.spare = balance.Support(t.spare, t.feetG[:n], t.stance[:n])
	return t.spare
}

// lockFeet holds the clips' standing feet where they came down. They are never let
// go while they stand: a foot that is pulled too far is out of the leg's reach, and
// then the clips give back (Strain).
func (c *Controller) lockFeet(s *State) {
	st := &s.Drive.Play
	lock := blend.LockParams{Pull: c.rig.L()}
	place := st.Place.Pose()
	for i := range c.clips.pose.Feet {
		f := &c.clips.pose.Feet[i]
		lock.Over = max(leastLock, lockShare*(1-st.Feet[i].Duty)/max(st.Pace, 1e-9))
		w, _ := st.Feet[i].Lock.Step(place.Apply(*f), st.Down>>i&1 != 0, 0, lock, c.params.Dt)
		*f = place.Inverse().Apply(w)
	}
}

// lockShare is how much of its swing a foot has to come from where it stood to the
// clip's own way, leastLock the least time that takes, seconds.
const (
	lockShare = 0.9
	leastLock = 0.1
)

// stride moves the share of the steps that are taken to the one wanted, so that
// the body gains and loses speed as the gait lets it; walls stop it.
func (c *Controller) stride(s *State, share float64) {
	d := &s.Drive
	t := &c.tick
	share = min(share, d.Most)
	if d.Gather > 0 || d.Brake {
		share = 0
	}
	d.Brake = false
	if share > 0 && c.wallAhead(s, t.facing(s.Yaw).Apply(r3.Vec{X: d.Speed})) {
		share, t.binding = 0, BindWall
	}
	speed := max(d.Speed, 1e-9)
	rate := t.prog.sized.Accel
	if share < d.Stride {
		rate = t.prog.brake
	}
	d.Stride += clamp(share-d.Stride, rate/speed*c.params.Dt)
}

// keepsClass reports whether the feet that stay hold the body as the class of
// the clips asks, once it has moved by way, W: static clips by the floor at all
// times, dynamic ones on the mean over a pass. Ballistic clips are guarded by
// reach (Drive.Strain), and by tilt and height: a body that is far from where it
// should be is taken anew from the observation, and the clips end (plant).
func (c *Controller) keepsClass(s *State, way r3.Vec) bool {
	d := &s.Drive
	class := c.clips.space.Class(d.Play.Weights[:len(c.clips.space.Motions)])
	if class == rig.Ballistic {
		return true
	}
	support := c.clipPolygon(s)
	com := c.comPlan(s)
	l := c.rig.L()
	was := clamp(balance.Margin(support, com), l)
	com.X, com.Y = com.X-s.VelW.X*c.params.Dt+way.X, com.Y-s.VelW.Y*c.params.Dt+way.Y
	m := clamp(balance.Margin(support, com), l)
	d.Mean += (m - d.Mean) * min(1, c.params.Dt*d.Play.Pace)
	if class == rig.Static {
		if m < nearFloor*staticFloor*l && m < was {
			d.Most = max(leastMost, d.Most-mostStep)
			d.Brake = true
		}
		return m >= staticFloor*l || m >= was
	}
	return d.Mean >= 0
}
