package gait

import (
	"math"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// LegState is what stepping remembers of one leg from tick to tick.
type LegState struct {
	Foot      r3.Vec   // intended foot, W
	Target    r3.Vec   // where it is to land, W
	Lift      r3.Vec   // where its swing began, W, carried along with the body
	Apex      float64  // height the swing passes through, W, metres
	Swing     float64  // fraction of the swing done, [0, 1]; 0 in stance
	Rate      float64  // fraction of the swing a tick
	SinceLift int32    // ticks since lift-off
	SinceLand int32    // ticks since touchdown
	Cycle     LegPhase // its own phase in the table of a clocked gait
	Stuck     int32    // ticks its joints have been far from where they were told to be
	Moving    bool     // in swing
	Touching  bool     // the foot is on ground
	Grounded  bool     // Target lies on ground the leg may stand on
	Primary   bool     // leads its pair, or is unblocked: for the overlay
}

// Planted reports whether the leg carries weight.
func (l *LegState) Planted() bool { return l.Touching && !l.Moving }

// Body is the wish for the body in this tick, as stepping sees it.
type Body struct {
	P       r3.Vec   // origin of B without lean or commanded offset, W
	Rot     geom.Rot // axes of B without commanded offset, in W
	Yaw     geom.Rot // heading alone
	Vel     r3.Vec   // horizontal velocity, W, m/s
	YawRate float64  // rad/s
	Walking bool     // a velocity is commanded
	Share   float64  // of the full speed, [0, 1]; 1 while turning
	Belly   bool     // the belly lies on the ground

	turned struct{ angle, sn, cs float64 } // what turn worked out last
}

// Stages of the teaching ladder: what each rule adds. All is the product.
const (
	StageNone       = iota
	StageStep       // feet step to their targets
	StageAlternate  // only while the adjacent legs stand
	StageTrigger    // the trigger zone shrinks at rest
	StageRotation   // turning has inertia
	StageComfort    // the body waits for a leg too far behind
	StageScan       // feet look for the ground
	StageHeight     // the body follows the ground
	StageGravity    // the simulator's, named here for the ladder only
	StageCandidates // eight more rays
	StageBias       // prefer the step up
	StageAll        // cooldowns, look-ahead, hand-over, disabled legs
)

// Sized are step rules in metres, seconds and ticks for one rig and one dt.
// It is read only after Size; legs are indices into the rig.
type Sized struct {
	Rules Rules
	Scale Scale
	Stage int
	Dt    float64

	Speed, Accel         float64 // m/s, m/s2
	TurnSpeed, TurnAccel float64 // rad/s, rad/s2
	FootStep             float64 // metres a foot moves in a tick
	Lift, Drop           float64 // metres
	Comfort, Near        float64 // metres; Near = too short a step to take
	SamePair, CrossPair  int32   // ticks

	foot     float64  // largest radius of a foot, metres; 0: a point, which has no edge nearer
	neutral  []r3.Vec // neutral feet, B, z relative to the rig's height
	adjacent []uint64
	diagonal []uint64
	partner  []int
	dominant []bool
	order    []int
}

// Size works rules out for a rig. stage is StageNone to StageAll.
func Size(r *rig.Rig, rules Rules, sc Scale, dt float64, stage int) *Sized {
	u, k := sc.U, sc.K
	s := &Sized{
		Rules: rules, Scale: sc, Stage: stage, Dt: dt,
		Speed: rules.Speed * u / k, Accel: rules.Accel * u / (k * k),
		TurnSpeed: rules.TurnSpeed / k, TurnAccel: rules.TurnAccel / (k * k),
		FootStep: rules.FootSpeed * u * dt / k,
		Lift:     rules.Lift * u, Drop: rules.Drop * u,
		Comfort: rules.Comfort * u, Near: nearStep * u,
		SamePair: sc.Ticks(rules.SamePair, dt), CrossPair: sc.Ticks(rules.CrossPair, dt),
		adjacent: r.Groups.Adjacent, diagonal: r.Groups.Diagonal, partner: r.Groups.Partner,
		dominant: r.Groups.Dominant, order: r.Groups.Order,
	}
	if stage < StageAll {
		s.SamePair, s.CrossPair = 0, 0
	}
	for i := range r.Legs {
		n := r.Legs[i].Neutral
		s.foot = max(s.foot, r.Legs[i].FootRadius)
		n.Z += r.Height // relative to the ground under a neutral stance
		s.neutral = append(s.neutral, n)
	}
	return s
}

// nearStep is the shortest step worth taking, U (gait rules 2.7, rule 6).
const nearStep = 0.1

// Order returns the legs in the order in which they decide. Do not change it.
func (s *Sized) Order() []int { return s.order }

// Zones are the sizes that go with the speed of the tick, metres.
type Zones struct {
	Trigger         float64
	TriggerVertical float64
	Height          float64 // of B above the ground
	Width           float64 // factor on the neutral feet's distance from the middle; 0 = 1
}

// Zones returns the sizes for b (gait rules 2.2, with the share clamped).
func (s *Sized) Zones(b *Body) Zones {
	f := min(1, b.Share)
	r := &s.Rules
	trigger := r.TriggerStill + f*(r.TriggerMoving-r.TriggerStill)
	if s.Stage < StageTrigger {
		trigger = r.TriggerMoving
	}
	return Zones{
		Trigger:         trigger * s.Scale.U,
		TriggerVertical: r.TriggerVertical * s.Scale.U,
		Height:          (r.HeightStill + f*(r.HeightMoving-r.HeightStill)) * s.Scale.H,
	}
}

// Rest returns the rest point of a leg in W: its neutral foot under the body,
// down by the height of the tick (gait rules 2.3).
func (s *Sized) Rest(b *Body, z *Zones, leg int) r3.Vec {
	n := s.neutral[leg]
	if z.Width > 0 && z.Width != 1 {
		n.X, n.Y = n.X*z.Width, n.Y*z.Width
	}
	n.Z -= z.Height
	if s.Rules.PivotBody {
		return r3.Add(b.P, b.Rot.Apply(n))
	}
	return r3.Add(b.P, b.Yaw.Apply(n))
}

// Ahead returns the look-ahead point of a leg whose rest point is rest: where
// its foot should land so that the body passes over it in mid stance.
func (s *Sized) Ahead(b *Body, z *Zones, rest r3.Vec) r3.Vec {
	if !b.Walking || s.Stage < StageAll {
		return rest
	}
	dx, dy := b.Vel.X, b.Vel.Y
	if s.Rules.LookFoot {
		dx -= b.YawRate * (rest.Y - b.P.Y)
		dy += b.YawRate * (rest.X - b.P.X)
	}
	n := math.Sqrt(dx*dx + dy*dy)
	if n == 0 {
		if s.Rules.LookFoot {
			return rest
		}
		dx, dy, n = b.Yaw.X.X, b.Yaw.X.Y, 1
	}
	d := z.Trigger * s.Rules.LookAhead / n
	ahead := r3.Vec{X: rest.X + d*dx, Y: rest.Y + d*dy, Z: rest.Z}
	if !s.Rules.LookFoot && b.YawRate != 0 {
		sn, cs := b.turn(s.Dt)
		ahead = turnBy(ahead, b.P, sn, cs)
	}
	return ahead
}

// turnBy turns p about the vertical through c by the angle of a sine and cosine.
func turnBy(p, c r3.Vec, sn, cs float64) r3.Vec {
	x, y := p.X-c.X, p.Y-c.Y
	return r3.Vec{X: c.X + cs*x - sn*y, Y: c.Y + sn*x + cs*y, Z: p.Z}
}

// InTrigger reports whether foot is inside the trigger zone round rest; the
// boundary belongs to the zone.
func (z *Zones) InTrigger(foot, rest r3.Vec) bool {
	dx, dy := foot.X-rest.X, foot.Y-rest.Y
	return dx*dx+dy*dy <= z.Trigger*z.Trigger && math.Abs(foot.Z-rest.Z) <= z.TriggerVertical
}

// InComfort reports whether p is inside the comfort zone of a leg at rest
// under a body whose origin is at height bodyZ (gait rules 2.3): it reaches
// from below the rest point to above the body.
func (s *Sized) InComfort(p, rest r3.Vec, bodyZ float64) bool {
	dx, dy := p.X-rest.X, p.Y-rest.Y
	if dx*dx+dy*dy > s.Comfort*s.Comfort {
		return false
	}
	mid := (rest.Z + bodyZ) / 2
	half := s.Rules.ComfortVertical*s.Scale.U + max(0, bodyZ-rest.Z)
	return math.Abs(p.Z-mid) <= half
}
