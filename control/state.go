package control

import (
	"legctl/control/mode"
	"legctl/gait"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// State is all the controller remembers from one tick to the next. Plain
// numbers and four slices cut from one block: copy with Copy, never by =.
type State struct {
	Tick uint64
	Mode mode.Mode
	Then mode.Input // the order a sequence of modes is on its way to; Settled: none
	Step uint8      // of the sequence of the mode
	Gait uint16     // index into Params.Gaits

	PoseWB  geom.Pose  // intended pose of the body, all offsets included
	BaseW   r3.Vec     // its origin without lean and commanded offset, W
	Yaw     float64    // its heading, rad
	Course  float64    // the heading to hold while no turn is wanted, rad
	Level   [2]float64 // roll and pitch the ground asks for, smoothed, rad
	VelW    r3.Vec     // velocity of the base, horizontal, m/s
	YawRate float64    // rad/s
	CoMB    r3.Vec     // centre of mass at Q, B, metres

	Vx, Vy, Wz float64 // commanded twist, B
	TTL        float64 // seconds the twist is still good for
	Goal       r3.Vec  // W; valid with HasGoal
	Near       float64 // how near the goal is near enough, metres
	HasGoal    bool
	Offset     r3.Vec  // commanded body offset, metres
	RPY        r3.Vec  // commanded body turn, rad
	Move, Turn r3.Vec  // the part of them the body has come to, at its limited rate
	Height     float64 // commanded height of B above ground, metres; 0 = the rig's
	Width      float64 // commanded factor on the neutral feet's distance from the middle
	Off        uint64  // bit set of legs that are not used: switched off, or lost
	Lost       uint64  // those of them that do not do what they are told

	Auto      bool                   // the gait is chosen by speed
	Dwell     float64                // seconds before auto may change it again
	Mix       float64                // seconds since legs left a table in which rules look ahead before they lift
	Clock     uint16                 // the gait whose table the legs' phases follow; 0xffff: none
	Held      bool                   // a leg was due in the last tick and not let go
	Way       gait.Way               // where a clocked gait is going
	Phase     float64                // cycle phase of a clocked gait, [0, 1)
	Bump      float64                // how far above its planned flight the body really is, or was when it left it, metres
	Rise      float64                // what both added to its height in the last tick, metres
	Flying    bool                   // no foot feels ground in a gait with flight
	Hop       float64                // share of the planned flight the body takes part in, [0, 1]
	Lean      r3.Vec                 // how far a static gait leans the body, W, metres
	LeanVel   r3.Vec                 // its rate, m/s
	Favour    int16                  // the leg it leans to free, -1 = none
	Hand      int16                  // the leg moved by hand in Manual
	HandFoot  r3.Vec                 // where its foot is to be, from its neutral place, B, metres
	HandJoint bool                   // it is moved joint by joint: HandQ counts, not HandFoot
	HandQ     [rig.MaxJoints]float64 // rad
	Senses    Senses
	Follow    bool   // the goal moves, and goes stale
	GoalVel   r3.Vec // m/s, W
	Style     Styling
	Drive     Drive
	Version   uint64 // of the ground when last looked at
	Waiting   bool   // a planted leg is uncomfortable

	Legs []gait.LegState
	Feet []FootSense
	Q    []float64 // joint angles of the last tick, rad
}
