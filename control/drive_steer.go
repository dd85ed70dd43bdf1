package control

import (
	"math"

	"legctl/blend"
	"legctl/blend/space"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

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
