package control

import (
	"math"

	"legctl/blend"
	"legctl/blend/space"
	"legctl/control/mode"

	"gonum.org/v1/gonum/spatial/r3"
)

// Drive is who moves the rig, and what clips that do remember.
type Drive struct {
	By      Driver  // what is asked for
	Playing bool    // clips move the rig in this tick
	Gather  float64 // seconds before they set out: the body comes to their pose first
	Calm    float64 // seconds before they may take over again
	Tempo   float64 // share of their pace, [0, 1]: less than all while a leg waits to lift
	Stride  float64 // share of their steps that is taken, [0, 1]
	Most    float64 // of that share what margin and joints have allowed so far
	Brake   bool    // the body is near the edge of its feet
	Speed   float64 // of whole steps now, m/s
	Mean    float64 // margin averaged over a pass, metres
	Strain  float64 // seconds standing legs have been out of reach or without ground, half forgotten as time goes on
	Owed    uint64  // bit set of legs the clips have lifted and the floor has not
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
	d.Stride = min(1, v/max(d.Speed, 1e-9))
	d.Owed, d.Playing, d.Brake, d.Mean, d.Strain, d.Gather, d.Most, d.Tempo = 0, true, false, c.rig.L(), 0, 0, 1, 1
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

// inRoot is where on the ground a point of the world is, as seen from the clips'
// root under the base.
func (c *Controller) inRoot(s *State, p r3.Vec) r3.Vec {
	v := c.tick.facing(s.Yaw).ApplyInv(r3.Sub(p, s.BaseW))
	v.Z = 0
	return v
}

// giveBack lets the gait drive again. Feet in the air are half through a swing of
// the gait; the body goes on with the velocity it has.
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
