package control

import (
	"math"

	"legctl/balance"
	"legctl/blend"
	"legctl/blend/space"
	"legctl/gait"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// play moves the clips on by a tick and the base with them (stage 3). It reports
// false, and everything is as before, when the floor of their class would break:
// then the gait drives.
func (c *Controller) play(out *Output, s *State, share float64) bool {
	p := c.clips
	d := &s.Drive
	st := &d.Play
	t := &c.tick
	dt := c.params.Dt
	d.Strain = max(0, d.Strain-dt/2)
	if d.Tempo == 0 {
		d.Strain += waitStrain * dt
	}
	space.Copy(p.before, st)
	p.blendOf(st, &s.Style)
	want := 1.0
	if d.Owed != 0 {
		want = 0
	}
	d.Tempo += clamp(want-d.Tempo, dt/tempoTime)
	step := dt * d.Tempo
	if d.Gather > 0 {
		d.Gather, step = max(0, d.Gather-dt), 0
	}
	p.space.Step(&p.pose, st, step)
	if step > 0 {
		d.Speed = math.Sqrt(r3.Norm2(p.pose.Root.Move)) / step
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

// waitStrain makes a second of waiting for a leg as bad as a leg out of reach for
// strainTime.
const waitStrain = 0.6

// tempoTime is how long clips take to stop for a leg that waits to lift, and to set
// out again, seconds.
const tempoTime = 0.15

// leanClips leans the body of static clips to free the leg that swings, waits to
// lift or is the next to do so, as a gait that leans does: where the feet really are
// the clip's own lean may not be enough.
func (c *Controller) leanClips(s *State) {
	sp := c.clips.space
	if sp.Class(s.Drive.Play.Weights[:len(sp.Motions)]) != rig.Static {
		c.leanTo(s, r3.Vec{})
		return
	}
	own := c.tick.prog
	if own.lean == 0 {
		c.tick.prog = c.steady // which has the measure of a lean
	}
	if d, ok := c.freeing(s, c.nextUp(s)); ok {
		c.leanTo(s, r3.Add(s.Lean, d))
	} else {
		c.leanTo(s, s.Lean)
	}
	c.tick.prog = own
}

// nextUp is the leg that swings, waits to lift, or is the next to by the clips.
func (c *Controller) nextUp(s *State) int {
	if i := c.swinging(s); i >= 0 {
		return i
	}
	st := &s.Drive.Play
	best, least := 0, math.Inf(1)
	for i := range s.Legs {
		f := &st.Feet[i]
		left := gait.Frac(f.Mid + f.Duty/2 - st.Phase)
		if s.Drive.Owed>>i&1 != 0 {
			left = -1
		}
		if left < least {
			best, least = i, left
		}
	}
	return best
}

// clipPolygon is the support polygon in W once the clips' legs have come down in
// this tick and, of dynamic clips, gone up: those of static ones wait for the floor
// (mayRise). It is scratch space of the tick.
func (c *Controller) clipPolygon(s *State, class rig.Class) []r2.Vec {
	t := &c.tick
	st := &s.Drive.Play
	n := len(s.Legs)
	for i := range n {
		l := &s.Legs[i]
		t.feetG[i] = l.Foot
		t.stance[i] = l.Planted() && (class == rig.Static || st.Lifted>>i&1 == 0)
		if !l.Planted() && st.Touched>>i&1 != 0 {
			t.feetG[i], t.stance[i] = c.fromRoot(s, c.clips.pose.Feet[i]), true
		}
	}
	t.spare.stand(t.feetG[:n], t.stance[:n])
	return t.spare.at
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
	support := c.clipPolygon(s, class)
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
		return m >= staticFloor*l || d.Stride == 0
	}
	if d.Mean < 0 {
		d.Brake = true
	}
	return d.Mean >= -meanSlack*l
}

// meanSlack is how far, L, the mean margin of dynamic clips may be below 0 while
// they slow down: a change of driver in the middle of a trot costs more balance.
const meanSlack = 0.06

// Static clips slow down before their floor breaks, from nearFloor floors on, and
// take smaller steps from then on: mostStep less a tick, but no less than leastMost.
// So do clips that ask more of the rig's joints than these can do, by jointStep.
const (
	nearFloor = 1.5
	mostStep  = 0.01
	jointStep = 0.002
	leastMost = 0.5
)
