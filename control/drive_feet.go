package control

import (
	"math"

	"legctl/balance"
	"legctl/gait"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// scheduleClips lets the legs stand and swing as the clips do (stage 4). A foot
// that stands stays where it is; one that swings follows the clip over the
// ground as it is, and stands where it finds ground once the clip puts it down.
func (c *Controller) scheduleClips(out *Output, s *State) {
	st := &s.Drive.Play
	g := c.tick.prog.sized
	s.Drive.Owed = (s.Drive.Owed | st.Lifted) &^ st.Down
	up := uint64(0)
	for i := range s.Legs {
		l := &s.Legs[i]
		l.SinceLift++
		l.SinceLand++
		down := st.Down>>i&1 != 0
		w := c.fromRoot(s, c.clips.pose.Feet[i])
		switch {
		case l.Planted() && s.Drive.Owed>>i&1 != 0 && c.mayRise(s, up|1<<i):
			up |= 1 << i
			s.Drive.Owed &^= 1 << i
			l.Moving, l.Swing, l.SinceLift, l.Lift = true, 0, 0, l.Foot
			out.LiftOff |= 1 << i
			c.swingClip(out, s, i, w, false)
		case !l.Planted():
			l.Moving = true
			c.swingClip(out, s, i, w, down)
		}
		if l.Planted() {
			l.Target = l.Foot
			if !g.Probe(c.tick.ground, l.Foot) {
				l.Touching = false
				out.Events |= EventFootLost
			}
		}
	}
}

// mayRise reports whether legs may lift: of static clips, whether the others hold
// the centre of mass by the floor.
func (c *Controller) mayRise(s *State, legs uint64) bool {
	sp := c.clips.space
	if sp.Class(s.Drive.Play.Weights[:len(sp.Motions)]) != rig.Static {
		return true
	}
	return balance.Margin(c.polygon(s, legs).at, c.comPlan(s)) >= staticFloor*c.rig.L()
}

// fromRoot is a point of the root's frame in W, its height that above the ground.
func (c *Controller) fromRoot(s *State, p r3.Vec) r3.Vec {
	w := r3.Add(s.BaseW, c.tick.facing(s.Yaw).Apply(r3.Vec{X: p.X, Y: p.Y}))
	w.Z = p.Z
	return w
}

// A swinging foot looks that far ahead of itself for ground, seconds, and keeps
// that share of the gait's lift over it, less where the clip itself is lower.
const (
	clipLook = 0.1
	clipGap  = 0.5
)

// swingClip moves a swinging foot to where the clip has it, w: on the plane by the
// clip, in height over the ground that is there and just ahead. The height of the
// ground it reckons with, Lift.Z, changes no faster than a foot may.
func (c *Controller) swingClip(out *Output, s *State, leg int, w r3.Vec, down bool) {
	g := c.tick.prog.sized
	l := &s.Legs[leg]
	vel := r3.Scale(1/c.params.Dt, r3.Vec{X: w.X - l.Foot.X, Y: w.Y - l.Foot.Y})
	ground, ok := c.groundAt(s, w)
	high := ground
	if !down {
		if z, found := c.groundAt(s, r3.Add(w, r3.Scale(clipLook, vel))); found {
			high = max(high, z)
		}
	}
	l.Lift.Z += clamp(high-l.Lift.Z, g.FootStep)
	z := max(l.Lift.Z+w.Z, ground+min(w.Z, clipGap*g.Lift))
	if down && ok {
		z = max(ground, min(l.Foot.Z, z)-g.FootStep)
	}
	l.Foot = r3.Vec{X: w.X, Y: w.Y, Z: z}
	l.Target, l.Grounded = r3.Vec{X: w.X, Y: w.Y, Z: ground}, ok
	l.Apex = max(l.Apex, z)
	l.Swing = math.Min(c.swingShare(s, leg), math.Nextafter(1, 0))
	if down && !ok {
		s.Drive.Strain += c.params.Dt // nothing to stand on
	}
	if !down || !ok || z > ground {
		return
	}
	l.Moving, l.Swing, l.Touching, l.SinceLand, l.Apex = false, 0, true, 0, ground
	l.Target = l.Foot
	out.Touchdown |= 1 << leg
}

// groundAt is the height of the ground at a place, as far as a leg reaches below
// the base; without ground it is that of the place the foot lifted from.
func (c *Controller) groundAt(s *State, p r3.Vec) (float64, bool) {
	from := r3.Vec{X: p.X, Y: p.Y, Z: s.BaseW.Z}
	hit, ok := c.tick.ground.Cast(from, r3.Vec{Z: -1}, 2*c.rig.Height)
	if !ok {
		return s.BaseW.Z - c.rig.Height, false
	}
	return hit.Point.Z, true
}

// swingShare is how much of its swing a foot has made, by the clips.
func (c *Controller) swingShare(s *State, leg int) float64 {
	st := &s.Drive.Play
	f := &st.Feet[leg]
	x := gait.Frac(st.Phase - (f.Mid - f.Duty/2))
	if f.Duty >= 1 || x < f.Duty {
		return 0
	}
	return (x - f.Duty) / (1 - f.Duty)
}
