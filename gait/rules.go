package gait

import (
	"fmt"
	"math"

	"legctl/rig"
)

// Rules are step rules as data. Lengths are in U, times in k, angles in
// radians; Floor is in L. Walk, Gallop and Crawl are values of this type.
type Rules struct {
	Speed     float64 // body speed, U/k
	Accel     float64 // change of velocity, U/k2
	Brake     float64 // change of velocity when slowing, U/k2
	Climb     float64 // change of body height, U/k
	TurnSpeed float64 // yaw rate, rad/k
	TurnAccel float64 // change of yaw rate, rad/k2

	FootSpeed float64 // swing speed over the carried body, U/k
	Lift      float64 // swing apex above the ground, U
	Drop      float64 // horizontal distance at which a plain swing begins to dive, U
	Smooth    bool    // swing along an eased arc; false: rise, travel, dive

	HeightStill     float64 // body height at rest, in neutral heights h
	HeightMoving    float64 // body height at full speed, h
	TriggerStill    float64 // trigger radius at rest, U
	TriggerMoving   float64 // trigger radius at full speed, U
	TriggerVertical float64 // half height of the trigger zone, U
	Comfort         float64 // radius of the comfort zone, U
	ComfortVertical float64 // half height of the comfort zone, U
	Belly           float64 // least height of the belly over the ground, U

	LookAhead    float64 // landing point ahead of rest, in trigger radii
	LookFoot     bool    // look ahead along the foot's own velocity, turning included
	Alternatives bool    // scan eight more rays where the first finds nothing good
	ScanBelow    float64 // a hit this far below the look-ahead point is taken at once, U
	ScanAbove    float64 // the same above, U
	StepUp       float64 // preferred height added where something solid is ahead, U
	Cells        bool    // the eight rays stand in the neighbouring cells of a 1 U world grid
	PivotBody    bool    // rest points tilt with the body; false: they turn with its yaw only

	SamePair      float64 // cooldown between diagonal legs, and leader to follower in gallop, k
	CrossPair     float64 // cooldown after an adjacent touchdown, and between pairs in gallop, k
	Uncomfortable float64 // share of the wanted speed while a planted leg is uncomfortable

	Gallop bool // pairs of leader and follower instead of the alternating rule

	Gate      bool    // a leg lifts only if the other feet hold the centre of mass
	GateAhead float64 // and will still hold it after this time, k
	Floor     float64 // by this margin, L
	Shift     float64 // how far the body may lean to free a leg, U; 0 = not at all
	ShiftRate float64 // how fast, U/k
	ShiftRamp float64 // how fast that may change, U/k2

	Leeway float64 // how far outside the polygon support still counts, U
}

// ReferenceWalk returns the walking rules in the reference world: U = 1 m,
// k = 0.05 s, g = 32 m/s2. Cross-pair cooldown is 0 there, as it was in effect
// in the original.
func ReferenceWalk() Rules {
	return Rules{
		Speed: 0.15, Accel: 0.0375, Brake: 0.0375, Climb: 1, TurnSpeed: 0.15, TurnAccel: 0.0375,
		FootSpeed: 0.375, Lift: 0.35, Drop: 0.35,
		HeightStill: 1, HeightMoving: 1,
		TriggerStill: 0.25, TriggerMoving: 0.8, TriggerVertical: 1.5,
		Comfort: 1.2, ComfortVertical: 1.6, Belly: 0.25,
		LookAhead: 0.6, Alternatives: true, ScanBelow: 0.24, ScanAbove: 1.5, StepUp: 0.5, Cells: true,
		SamePair: 1, CrossPair: 0,
	}
}

// ReferenceGallop returns the galloping rules in the reference world. The
// body rises from 1.1 to 1.6 units: 16/11 of its height.
func ReferenceGallop() Rules {
	g := ReferenceWalk()
	g.Speed, g.TurnSpeed, g.TurnAccel = 0.40, 0.25, 0.0625
	g.FootSpeed = 0.5
	g.HeightMoving = 16.0 / 11
	g.SamePair, g.CrossPair = 2, 4
	g.Uncomfortable = 0.6
	g.Gallop = true
	g.Leeway = 0.5
	return g
}

// Walk returns the walking rules for real rigs: shorter zones, look-ahead
// along each foot's own path, a margin gate and an eased swing.
func Walk() Rules {
	w := ReferenceWalk()
	w.Accel = 0.02
	w.Climb = 0.1
	w.TurnSpeed, w.TurnAccel = 0.10, 0.01
	w.Smooth, w.Cells, w.PivotBody = true, false, true
	w.TriggerMoving = 0.4
	w.LookAhead, w.LookFoot = 1.2, true
	w.ScanAbove = 0.8
	w.SamePair, w.CrossPair = 1, 1
	w.Gate, w.Floor = true, 0.02
	return w
}

// Gallop returns the galloping rules for real rigs.
func Gallop() Rules {
	g := ReferenceGallop()
	g.Accel = 0.02
	g.Climb = 0.15
	g.TurnAccel = 0.02
	g.HeightMoving = 1
	g.Smooth, g.Cells, g.PivotBody = true, false, true
	g.LookFoot = true
	return g
}

// Crawl returns the rules of a static quadruped: slow, one leg at a time, the
// body leaning to free it.
func Crawl() Rules {
	c := Walk()
	c.Speed, c.TurnSpeed = 0.03, 0.02
	c.GateAhead, c.Floor = 6, 0.03
	c.Shift, c.ShiftRate, c.ShiftRamp = 1, 0.15, 0.02
	return c
}

// Validate reports the first number of the rules that cannot be used.
func (r *Rules) Validate() error {
	for _, b := range []struct {
		what       string
		value      float64
		least, max float64
	}{
		{"speed", r.Speed, 0, 10},
		{"accel", r.Accel, 1e-6, 10},
		{"brake", r.Brake, 1e-6, 10},
		{"climb", r.Climb, 1e-6, 10},
		{"turn_speed", r.TurnSpeed, 0, 1},
		{"turn_accel", r.TurnAccel, 1e-6, 10},
		{"foot_speed", r.FootSpeed, 1e-3, 10},
		{"lift", r.Lift, 0, 2},
		{"drop", r.Drop, 0, 2},
		{"height_still", r.HeightStill, 0.2, 2},
		{"height_moving", r.HeightMoving, 0.2, 2},
		{"trigger_still", r.TriggerStill, 0.01, 5},
		{"trigger_moving", r.TriggerMoving, 0.01, 5},
		{"trigger_vertical", r.TriggerVertical, 0.01, 10},
		{"comfort", r.Comfort, 0.01, 5},
		{"comfort_vertical", r.ComfortVertical, 0.01, 10},
		{"belly", r.Belly, 0, 2},
		{"look_ahead", r.LookAhead, 0, 5},
		{"scan_below", r.ScanBelow, 0, 5},
		{"scan_above", r.ScanAbove, 0, 5},
		{"step_up", r.StepUp, 0, 5},
		{"same_pair", r.SamePair, 0, 100},
		{"cross_pair", r.CrossPair, 0, 100},
		{"uncomfortable", r.Uncomfortable, 0, 1},
		{"gate_ahead", r.GateAhead, 0, 100},
		{"floor", r.Floor, -1, 1},
		{"shift", r.Shift, 0, 5},
		{"shift_rate", r.ShiftRate, 0, 10},
		{"shift_ramp", r.ShiftRamp, 0, 10},
		{"leeway", r.Leeway, 0, 100},
	} {
		if !(b.value >= b.least && b.value <= b.max) {
			return fmt.Errorf("gait: %s is %g, must be in [%g, %g]", b.what, b.value, b.least, b.max)
		}
	}
	return nil
}

// fewLegs is the largest leg count on which a leg lifted without a lean of the
// body leaves no margin; leewayFew is the leeway that a walk has there, U.
const (
	fewLegs   = 4
	leewayFew = 0.4
)

// For returns the rules as a rig of that many legs walks them: with four or
// fewer, rules that do not lean have no gate to keep a margin by, and their
// support counts a little beyond the polygon.
func (r Rules) For(legs int) Rules {
	if legs <= fewLegs && r.Gate && r.Shift == 0 {
		r.Gate = false
		r.Leeway = math.Max(r.Leeway, leewayFew)
	}
	return r
}

// Class says how rules keep balance on a rig of that many legs.
func (r *Rules) Class(legs int) rig.Class {
	switch {
	case r.Gallop:
		return rig.Ballistic
	case r.Shift > 0 || legs > fewLegs:
		return rig.Static
	}
	return rig.Dynamic
}

// Scale is the size of a rig's world: what the units of Rules are worth.
type Scale struct {
	U float64 // metres
	K float64 // seconds
	H float64 // neutral height, metres
	L float64 // longest leg, metres
}

// Reference is the scale in which the rules were first written.
func Reference(height float64) Scale { return Scale{U: 1, K: 0.05, H: height, L: 1} }

// Ticks returns a time of t k as whole ticks of dt seconds, rounded up, so
// that a cooldown is never shorter than asked.
func (s Scale) Ticks(t, dt float64) int32 {
	return int32(math.Ceil(t*s.K/dt - 1e-9))
}
