package control

import (
	"legctl/control/mode"
	"legctl/gait"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// State is all the controller remembers from one tick to the next. Plain
// numbers and two slices cut from one block: copy with Copy, never by =.
type State struct {
	Tick uint64
	Mode mode.Mode
	Gait uint16 // index into Params.Gaits

	PoseWB  geom.Pose  // intended pose of the body
	VelW    r3.Vec     // velocity of the body wish, horizontal, m/s
	YawW    float64    // yaw rate of the body wish, rad/s
	Level   [2]float64 // roll and pitch that the ground asks for, smoothed, rad
	GroundZ float64    // mean height of the ground under the feet, W, smoothed, metres

	Vx, Vy, Wz float64 // commanded twist, B
	TTL        float64 // seconds the twist is still good for
	Goal       r3.Vec  // W; valid with HasGoal
	HasGoal    bool
	Offset     r3.Vec  // commanded body offset, metres
	RPY        r3.Vec  // commanded body turn, rad
	Height     float64 // commanded height of B above ground, metres
	Off        uint64  // bit set of disabled legs

	Phase   float64 // cycle phase of a clocked gait, [0, 1)
	Shift   r3.Vec  // body shift of a static gait, B, metres
	ShiftV  r3.Vec  // its rate, m/s
	Version uint64  // of the ground when last cast

	Legs []gait.LegState
	Q    []float64 // joint angles of the last tick, rad
}
