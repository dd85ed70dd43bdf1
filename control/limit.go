package control

import (
	"math"
	"math/bits"

	"legctl/balance"
	"legctl/control/mode"
	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// limit scales the wish into what the gait can keep up, slews the body
// towards it, moves the base by one tick, and says which limit binds
// (stage 3).
func (c *Controller) limit(out *Output, s *State) {
	t := &c.tick
	g := t.prog
	if s.Drive.Playing && c.play(out, s, t.share) {
		return
	}
	vx, vy, wz := t.wish[0], t.wish[1], t.wish[2]
	if c.planar && vy != 0 {
		vy = 0
		t.binding = BindPlanar
	}
	share, bind := t.allowed(vx, vy, wz)
	if share < 1 {
		t.binding = bind
	}
	vx, vy, wz = vx*share, vy*share, wz*share
	if f := c.lostPart(s); f < 1 {
		vx, vy, wz = vx*f, vy*f, wz*f
	}
	wz = c.holdCourse(s, wz)
	if s.Waiting && g.sized.Stage >= stageComfort {
		m := g.plan.Rules.Uncomfortable
		vx, vy, wz = vx*m, vy*m, 0
		t.binding = BindComfort
	}
	want := t.facing(s.Yaw).Apply(r3.Vec{X: vx, Y: vy})
	t.aimVel, t.aimRate = want, wz
	if g.plan.Clocked() {
		if share, leg := c.clockShare(s, want, wz); share < 1 {
			want, wz = r3.Scale(share, want), wz*share
			t.binding, t.bindLeg = BindReach, int16(leg)
		}
	}
	if g.plan.Rules.Gate && c.overruns(s, want) {
		want, wz = r3.Vec{}, 0
		t.binding = BindMargin
	}
	if c.wallAhead(s, want) {
		want = r3.Vec{}
		t.binding = BindWall
		out.Events |= EventWall
	}
	if c.slew(s, want, wz) && t.binding == BindNone {
		t.binding = BindAcceleration
	}
	s.BaseW = r3.Add(s.BaseW, r3.Scale(c.params.Dt, s.VelW))
	s.Yaw = geom.WrapAngle(s.Yaw + s.YawRate*c.params.Dt)
	c.describeBody(s)
	v := t.body.Yaw.ApplyInv(s.VelW)
	out.Twist = [3]float64{v.X, v.Y, s.YawRate}
}

// allowed is AllowedTwist.Limit of the gait. While the wish stays it is worked out
// once.
func (t *tick) allowed(vx, vy, wz float64) (share float64, bind Binding) {
	k, w := &t.granted, [3]float64{vx, vy, wz}
	if k.prog != t.prog || k.wish != w {
		k.prog, k.wish = t.prog, w
		k.share, k.bind = t.prog.allowed.Limit(vx, vy, wz)
	}
	return k.share, k.bind
}

// lostShare is the part of its speed a rig that does not lean keeps with legs
// lost: the others have further to carry the body before they may lift.
const lostShare = 0.5

// fewShare is the part of the steady speed that four legs keep: every one of
// them waits for a lean.
const fewShare = 0.4

// lostPart is the part of the gait's speed that is left with legs lost.
func (c *Controller) lostPart(s *State) float64 {
	switch left := len(s.Legs) - bits.OnesCount64(s.Off); {
	case s.Off == 0:
		return 1
	case c.tick.prog.lean == 0:
		return lostShare
	case left <= leastLegs+1:
		return fewShare
	}
	return 1
}

// courseTime is how fast a lost heading is taken back, k; courseShare how much
// of the allowed turn that may use.
const (
	courseTime  = 8
	courseShare = 0.5
	courseSlack = 0.005 // rad: nearer than this is on course
)

// holdCourse returns the yaw rate that is wanted: the commanded one, or, while
// none is, what brings the body back to the heading it had when the last turn
// ended. Feet that slip turn a body that only goes straight.
func (c *Controller) holdCourse(s *State, wz float64) float64 {
	t := &c.tick
	if wz != 0 || t.wish[2] != 0 || t.wish[0] == 0 && t.wish[1] == 0 {
		s.Course = s.Yaw
		return wz
	}
	off := geom.WrapAngle(s.Course - s.Yaw)
	if math.Abs(off) < courseSlack {
		return 0
	}
	return clamp(off/(courseTime*t.prog.sizing.K), courseShare*t.prog.allowed.Turn)
}

// facing is the heading as a rotation. Until the body turns it is worked out
// once a tick.
func (t *tick) facing(yaw float64) *geom.Rot {
	if yaw != t.yaw || t.yawRot.Z.Z == 0 {
		sn, cs := math.Sincos(yaw)
		t.yaw = yaw
		r := &t.yawRot
		r.X, r.Y, r.Z = r3.Vec{X: cs, Y: sn}, r3.Vec{X: -sn, Y: cs}, r3.Vec{Z: 1}
	}
	return &t.yawRot
}

// attitude is the levelled body, as a quaternion and as a rotation. Until the
// ground or the heading changes it is worked out once a tick.
func (t *tick) attitude(s *State) (quat.Number, *geom.Rot) {
	if s.Level != t.level || s.Yaw != t.levelYaw || t.levelRot.Z == (r3.Vec{}) {
		t.level, t.levelYaw = s.Level, s.Yaw
		t.levelQ = geom.FromRPY(s.Level[0], s.Level[1], s.Yaw)
		t.levelRot = geom.RotOf(t.levelQ)
	}
	return t.levelQ, &t.levelRot
}

// slew moves the velocity of the base towards the wanted one, faster when
// slowing, and reports whether it is still getting there. Without feet on the
// ground nothing changes (gait rules 2.9, 4.4).
func (c *Controller) slew(s *State, want r3.Vec, wz float64) bool {
	g, dt := c.tick.prog, c.params.Dt
	grip := c.grip(s)
	rate := g.sized.Accel
	if r3.Norm2(want) < r3.Norm2(s.VelW) {
		rate = g.brake
	}
	d := r3.Sub(want, s.VelW)
	n := math.Sqrt(r3.Norm2(d))
	if n > rate*dt {
		d = r3.Scale(rate*dt/n, d)
	}
	s.VelW = r3.Add(s.VelW, d)
	turn := g.sized.TurnAccel * dt * grip
	dw := wz - s.YawRate
	if g.sized.Stage >= stageRotation {
		dw = max(-turn, min(turn, dw))
	}
	s.YawRate += dw
	return n > rate*dt || s.YawRate != wz
}

// grip is the share of the legs that stand.
func (c *Controller) grip(s *State) float64 {
	n := 0
	for i := range s.Legs {
		if s.Legs[i].Planted() {
			n++
		}
	}
	return float64(n) / float64(len(s.Legs))
}

// overruns reports whether the body, braking from the velocity want as hard
// as it may, would take the centre of mass past the margin's floor while legs
// are in the air.
func (c *Controller) overruns(s *State, want r3.Vec) bool {
	t := &c.tick
	g := t.prog
	if r3.Norm2(want) == 0 || g.plan.Rules.Shift == 0 && s.Off == 0 && !(g.static && gathers(want, s.VelW)) {
		return false
	}
	support := c.polygon(s, 0).at
	if len(support) < 3 {
		return false
	}
	com := c.comPlan(s)
	v := math.Sqrt(r3.Norm2(want))
	stop := r3.Scale((v/(2*g.brake) + c.params.Dt), want)
	next := r2.Vec{X: com.X + stop.X, Y: com.Y + stop.Y}
	floor := g.floor * floorSlack
	m := balance.Margin(support, next)
	return m < floor && m < balance.Margin(support, com)
}

// gathers reports whether a body at velocity now is still far from the one it wants.
func gathers(want, now r3.Vec) bool {
	return r3.Norm2(r3.Sub(want, now)) > startShare*startShare*r3.Norm2(want)
}

// startShare is the part of the wanted velocity that a start still lacks.
const startShare = 0.1

// floorSlack keeps the guard inside the gate's own margin, so that a leg that
// was allowed to lift does not stop the body at once.
const floorSlack = 0.8

// describeBody sets what stepping needs to know of the body in this tick.
func (c *Controller) describeBody(s *State) {
	t := &c.tick
	g := t.prog
	b := &t.body
	b.P, b.Vel, b.YawRate = s.BaseW, s.VelW, s.YawRate
	b.Yaw = *t.facing(s.Yaw)
	_, rot := t.attitude(s)
	b.Rot = *rot
	moving := t.wish != [3]float64{} || s.VelW != (r3.Vec{}) || s.YawRate != 0
	b.Walking = moving && (t.wish != [3]float64{} || s.VelW != (r3.Vec{}))
	b.Share = math.Sqrt(r3.Norm2(s.VelW)) / g.sized.Speed
	if s.YawRate != 0 {
		b.Share = 1
	}
	t.zones = g.sized.Zones(b)
	if s.Height > 0 {
		t.zones.Height = s.Height
	}
	t.zones.Width = s.wide()
	t.stature = t.zones.Height
	if s.Mode == mode.Rising || s.Mode == mode.Lowering && s.Step > 0 {
		t.zones.Height = c.elevation(s)
	}
}

// elevation is the height of the base above its planted feet, metres.
func (c *Controller) elevation(s *State) float64 {
	sum, n := 0.0, 0
	for i := range s.Legs {
		if s.Legs[i].Planted() {
			sum += s.Legs[i].Foot.Z
			n++
		}
	}
	if n == 0 {
		return c.tick.zones.Height
	}
	return s.BaseW.Z - sum/float64(n)
}
