package control

import (
	"legctl/blend/space"
	"legctl/control/mode"

	"gonum.org/v1/gonum/spatial/r3"
)

// Command is one order to the rig. The loop hands the tick at most one; the
// zero value (Kind None) orders nothing. Only the fields of its kind count.
type Command struct {
	ID   uint64 // echoed in Output.Reply
	Kind Kind

	Vx, Vy, Wz float64 // KindTwist: B, m/s and rad/s
	TTL        float64 // KindTwist: seconds the twist stays valid; 0 = Params.TTL. KindFollow: the goal

	X, Y   float64 // KindGoto, KindFollow: W, metres; a goal followed moves with Vx, Vy, W
	Near   float64 // KindGoto: how near is near enough, metres; 0 = Params.Near U
	Offset r3.Vec  // KindPose: body offset from its levelled pose, metres
	RPY    r3.Vec  // KindPose: roll, pitch, yaw offset, rad
	Height float64 // KindHeight: height of B above the ground; 0 = the rig's own
	Width  float64 // KindHeight: factor on the neutral feet's distance from the middle; 0 = 1
	Gait   uint16  // KindGait: index into Params.Gaits, or GaitAuto
	Leg    int16   // KindLeg, KindFoot, KindJoint: index into rig.Legs
	Joint  int16   // KindJoint: index into the leg's joints
	Angle  float64 // KindJoint: rad
	On     bool    // KindLeg
	Mode   mode.Input

	By      Driver                    // KindDrive: who moves the rig. KindGoto, KindFollow: likewise, DriverKept = as it is
	Weights [space.MaxMotions]float64 // KindStyle: of the motions of Params.Space, each and their sum in [0, 1]
	Over    float64                   // KindStyle: seconds the change takes; never faster than the space's rate
}

// Driver is what moves the rig while it walks.
type Driver uint8

// The drivers. DriverKept, in a command, leaves things as they are; a state
// never has it.
const (
	DriverKept  Driver = iota
	DriverGait         // the gait: step rules or a phase table
	DriverClips        // the clips of Params.Space, forward and turning; the gait where they cannot
	Drivers
)

// GaitAuto, as the gait of a command, lets the controller choose by speed.
const GaitAuto = 0xffff

// Kind says what a Command orders.
type Kind uint8

// The kinds of command.
const (
	KindNone Kind = iota
	KindTwist
	KindGoto
	KindStop
	KindGait
	KindPose
	KindHeight
	KindLeg
	KindMode   // Mode holds one of mode.Orders
	KindCruise // keep Vx, Vy, Wz, or what is being done now if all are zero, for TTL
	KindFoot   // in Manual: the foot of Leg to Offset from its neutral place, B, metres
	KindJoint  // in Manual: joint Joint of Leg to Angle
	KindStyle  // the way of the clips laid over the gait, and the mixture of clips that drive
	KindDrive  // By moves the rig from now on
	KindFollow // a goal that moves, for TTL
	Kinds
)

// Reply answers a Command in the same tick.
type Reply struct {
	ID     uint64
	Kind   Kind
	Reason Reason // Accepted, or why not
	Value  float64
	Bound  float64
}

// Reason is why a command was refused.
type Reason uint8

// The reasons. Accepted is the zero value.
const (
	Accepted    Reason = iota
	NotFinite          // a NaN or an infinity
	OutOfRange         // Value is outside Bound
	Unknown            // no such kind, gait or leg
	IllegalMode        // the mode table refuses it
	LastLegs           // switching this leg off leaves no stable set
	NotSuited          // the gait is not offered on this rig
	LegOff             // the leg is switched off
	Busy               // another leg is being moved by hand: Bound
	Reasons
)
