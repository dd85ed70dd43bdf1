package control

import (
	"legctl/balance"
	"legctl/control/mode"
	"legctl/geom"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Output is the result of one tick, overwritten each time. Set.Q and Legs are
// its only slices, cut from one block by NewOutputs.
type Output struct {
	Tick   uint64
	Mode   mode.Mode
	Gait   uint16
	Set    rig.Setpoint // what the plant is asked to do
	PoseWB geom.Pose    // intended pose
	CoMW   r3.Vec       // centre of mass, W

	Wish    [3]float64 // vx, vy, wz asked for, B, after steering
	Twist   [3]float64 // vx, vy, wz the body really has, B
	Binding Binding    // which limit holds Twist below Wish
	BindLeg int16      // the leg that sets it, -1 = none
	Margin  float64    // static stability margin, metres; -Inf with no feet
	Kept    float64    // share of the commanded body offset that was kept, [0, 1]

	Driver     Driver  // what moves the rig in this tick
	StyleScale float64 // share of the style's offsets that was kept, [0, 1]; 1 without a style

	LiftOff    uint64 // bit sets of legs, this tick
	Touchdown  uint64
	AngleLimit uint64 // a joint angle clamp changed the solved value
	SpeedLimit uint64 // a joint speed clamp did
	Unreached  uint64 // the solver did not reach its foot
	Events     Event
	Reply      Reply

	Legs []LegOut
}

// EnergyMargin returns the normalised energy stability margin of the tick,
// metres: how far the centre of mass must rise before the body tips (see
// balance.Energy). It is worked out when asked for, since no stage needs it.
func (o *Output) EnergyMargin() float64 {
	var feet [rig.MaxLegs]r3.Vec
	n := 0
	for i := range o.Legs {
		if o.Legs[i].Stance && n < len(feet) {
			feet[n] = o.Legs[i].Foot
			n++
		}
	}
	return balance.Energy(feet[:n], o.CoMW)
}

// LegOut is what one leg did this tick.
type LegOut struct {
	Foot     r3.Vec // W
	Target   r3.Vec // W
	Status   ik.Status
	Residual float64 // metres
	Slip     float64 // planar legs: what the leg could not follow, metres
	Stance   bool
	Grounded bool
	Primary  bool
}

// Event is a bit set of what happened in a tick besides steps.
type Event uint32

// The events.
const (
	EventModeChanged Event = 1 << iota
	EventCommandStale
	EventGoalReached
	EventFootLost      // a foot's ground is gone
	EventUncomfortable // a planted leg is outside its comfort zone
	EventOffGround     // no foot stands
	EventWall          // a wall stopped the body
	EventTilt          // the pose estimate is beyond 60 degrees
	EventObservation   // an observation was refused (not finite)
	EventLegLost       // a leg no longer does what it is told
	EventEarly         // a foot met the ground before its swing was over
	EventSensor        // the IMU was dropped, or taken back
	EventLyingDown     // no stable set of legs is left: the rig lies down
	EventDriver        // clips took over from the gait, or gave back to it
)

// Binding names the limit that keeps the body slower than asked.
type Binding uint8

// The limits. BindNone means the wish is met.
const (
	BindNone         Binding = iota
	BindRule                 // the rule set's own speed
	BindAcceleration         // still getting there
	BindReach                // allowed twist: reach or comfort radius
	BindJointSpeed           // allowed twist: joint speed
	BindComfort              // a leg outside its comfort zone
	BindMargin               // the stability margin's floor
	BindGate                 // the lift gate holds a leg that must step
	BindWall                 // something solid ahead
	BindPlanar               // legs that cannot go that way
	BindFeet                 // too few feet on the ground
	BindClips                // the clips' own speed, or a goal inside their turning circle
	Bindings
)
