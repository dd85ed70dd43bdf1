package rig

import (
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Observation is what a plant reports once a tick. The slices have one entry a
// joint and belong to whoever made the observation (NewObservation); Copy copies
// them.
type Observation struct {
	Q         []float64 // measured joint angles, rad; valid with HasQ
	Servos    []Sense   // what else the servos of each joint say; valid with HasServos
	Contact   uint64    // bit set of legs whose foot feels ground; valid with HasContact
	PoseWB    geom.Pose // valid with HasPose
	TwistB    geom.Twist
	Roll      float64 // from an IMU, rad, valid with HasTilt
	Pitch     float64
	Gyro      r3.Vec  // B, rad/s; valid with HasIMU
	Accel     r3.Vec  // B, m/s2, specific force: +g upwards at rest; valid with HasIMU
	Samples   uint32  // of the IMU so far; 0 = not counted
	Battery   float64 // volts, 0 = unknown
	Faults    uint64  // bit set of legs with a fault the driver reports
	Has       Has
	FellSince uint32 // belly or link contacts since the start, counted by the plant
	Alarms    Alarm  // what the plant found wrong; Servos says with whom
}

// Has says which parts of an Observation are there.
type Has uint8

// Parts of an Observation.
const (
	HasQ Has = 1 << iota
	HasContact
	HasPose
	HasTilt
	HasServos
	HasIMU
)

// NewObservation returns an empty observation with room for the rig.
func NewObservation(r *Rig) *Observation {
	n := r.Joints()
	return &Observation{Q: make([]float64, n), Servos: make([]Sense, n), PoseWB: geom.Identity()}
}

// Copy makes o equal to src, an observation of the same rig, and keeps its own
// slices. It allocates nothing.
func (o *Observation) Copy(src *Observation) {
	q, servos := o.Q, o.Servos
	copy(q, src.Q)
	copy(servos, src.Servos)
	*o = *src
	o.Q, o.Servos = q, servos
}

// Setpoint is what a plant is asked to do within one tick.
type Setpoint struct {
	Q    []float64 // commanded joint angles, rad
	Time float64   // seconds in which to reach them
	Limp bool      // true: torque off; Q is to be ignored
	Lie  bool      // true: the belly may lie on the ground, that is no fall
}

// NewSetpoint returns a setpoint at the rest pose of the rig.
func NewSetpoint(r *Rig) *Setpoint { return &Setpoint{Q: r.RestPose(nil)} }

// Caps are the abilities a plant states when it is opened.
type Caps struct {
	Feedback bool    // joint angles are measured
	Contacts bool    // feet feel the ground
	Pose     bool    // the pose of B in W is known
	Watchdog bool    // stops by itself when the host falls silent
	MaxRate  float64 // ticks a second, 0 = any
	LEDs     int
	SelfArm  bool // may be enabled without the operator (the simulator)
}
