package sim

import (
	"encoding/binary"
	"fmt"
	"math"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// state is everything that determines the future of a Sim besides the rig, the
// ground, the parameters and dt.
type state struct {
	Tick    uint64
	PoseWB  geom.Pose
	TwistB  geom.Twist // of the last tick
	Fall    float64    // vertical velocity, m/s, up
	Sag     float64    // height the anchors ask for, less that of the body, m; 0 with none
	Height  float64    // the anchors asked for in the last tick, W, m
	Held    uint64     // bit set of legs that asked for it
	Slide   r3.Vec     // horizontal velocity that the joints do not cause, W
	Carry   r3.Vec     // horizontal velocity that the joints caused last, W
	Spin    r3.Vec     // rotation about what the anchors leave free, W, rad/s
	YawRate float64    // that the joints caused last, rad/s
	Planted uint64     // bit set of legs whose foot is anchored
	Resting uint64     // bit set of limp legs whose foot lies on the ground
	Enabled uint64     // bit set of legs with torque
	Belly   uint8      // bit set of the points of the belly on the ground
	Touch   bool       // belly or link touches ground, or tilt beyond 60 degrees
	Down    bool       // in a fall
	Calm    float64    // seconds since Touch
	Falls   uint32
	Hits    uint32  // belly landings hard enough to hear
	Walls   uint32  // ticks in which a wall held the body
	Version uint64  // of the ground when last looked at
	Noise   uint64  // state of the servos' noise
	Volts   float64 // of the battery under load, 0 = none
	Drained float64 // volts it has lost for good
	Stir    uint64  // state of the IMU's noise
	Gyro    r3.Vec  // what the IMU says, B, rad/s
	Force   r3.Vec  // B, m/s2
	Samples uint32  // of the IMU
	IMU     Fault   // of the IMU
	Feet    []foot
	Joints  []joint
}

// foot is the memory of one foot.
type foot struct {
	Anchor   r3.Vec  // W, valid while planted
	Normal   r3.Vec  // of the ground there
	Was      r3.Vec  // where the foot was a tick ago, W, at the height of the fit
	Friction float64 // factor of the material there
	Firm     float64 // how firmly it stands, 0 while it slides, 1 after one k at rest
	Slip     float64 // metres slid while planted, since the start
}

// joint is the memory of one joint.
type joint struct {
	Q      float64 // actual angle, rad
	Speed  float64 // factor on the joint's speed
	Frozen bool
}

func (st *state) make(legs, joints int) {
	st.PoseWB = geom.Identity()
	st.Feet = make([]foot, legs)
	st.Joints = make([]joint, joints)
	for i := range st.Joints {
		st.Joints[i].Speed = 1
	}
}

// fields names the fields for a rig.Coder.
func (st *state) fields(c *rig.Coder) {
	c.U64("tick", &st.Tick)
	c.Pose("poseWB", &st.PoseWB)
	c.Twist("twistB", &st.TwistB)
	c.F64("fall", &st.Fall)
	c.F64("sag", &st.Sag)
	c.F64("height", &st.Height)
	c.U64("held", &st.Held)
	c.Vec("slide", &st.Slide)
	c.Vec("carry", &st.Carry)
	c.Vec("spin", &st.Spin)
	c.F64("yawRate", &st.YawRate)
	c.U64("planted", &st.Planted)
	c.U64("resting", &st.Resting)
	c.U64("enabled", &st.Enabled)
	c.U8("belly", &st.Belly)
	c.Bool("touch", &st.Touch)
	c.Bool("down", &st.Down)
	c.F64("calm", &st.Calm)
	c.U32("falls", &st.Falls)
	c.U32("hits", &st.Hits)
	c.U32("walls", &st.Walls)
	c.U64("version", &st.Version)
	c.U64("noise", &st.Noise)
	c.F64("volts", &st.Volts)
	c.F64("drained", &st.Drained)
	c.U64("stir", &st.Stir)
	c.Vec("gyro", &st.Gyro)
	c.Vec("force", &st.Force)
	c.U32("samples", &st.Samples)
	c.U8("imu", (*uint8)(&st.IMU))
	c.List("feet", len(st.Feet))
	for i := 0; i < len(st.Feet) && c.At(i); i++ {
		f := &st.Feet[i]
		c.Vec("anchor", &f.Anchor)
		c.Vec("normal", &f.Normal)
		c.Vec("was", &f.Was)
		c.F64("friction", &f.Friction)
		c.F64("firm", &f.Firm)
		c.F64("slip", &f.Slip)
	}
	c.End()
	c.List("joints", len(st.Joints))
	for i := 0; i < len(st.Joints) && c.At(i); i++ {
		j := &st.Joints[i]
		c.F64("q", &j.Q)
		c.F64("speed", &j.Speed)
		c.Bool("frozen", &j.Frozen)
	}
	c.End()
}

// sound reports whether a state that was read can be run.
func (st *state) sound(all uint64) bool {
	q := st.PoseWB.Q
	n := q.Real*q.Real + q.Imag*q.Imag + q.Jmag*q.Jmag + q.Kmag*q.Kmag
	ok := (st.Planted|st.Resting|st.Enabled|st.Held)&^all == 0 && st.Belly>>bellyPoints == 0 && st.IMU < Faults && math.Abs(n-1) < 1e-9
	sum := st.Fall + st.Sag + st.Height + st.YawRate + st.Calm
	for _, v := range [8]r3.Vec{st.Gyro, st.Force, st.PoseWB.P, st.TwistB.V, st.TwistB.W, st.Slide, st.Carry, st.Spin} {
		sum += v.X + v.Y + v.Z
	}
	for i := range st.Feet {
		f := &st.Feet[i]
		for _, v := range [3]r3.Vec{f.Anchor, f.Normal, f.Was} {
			sum += v.X + v.Y + v.Z
		}
		sum += f.Friction + f.Firm + f.Slip
		ok = ok && f.Firm >= 0 && f.Firm <= 1
	}
	for i := range st.Joints {
		sum += st.Joints[i].Q + st.Joints[i].Speed
	}
	return ok && math.Abs(sum) < 1e12 // false for NaN
}

// changing is a ground that remembers what was taken away from it.
type changing interface {
	AppendState(dst []byte) []byte
	RestoreState(b []byte) error
}

// AppendBinary appends everything that determines the future of s to dst, the
// removed blocks of its ground included: a run resumed from it in a Sim made
// alike goes on with the same bytes. The error is always nil.
func (s *Sim) AppendBinary(dst []byte) ([]byte, error) {
	var c rig.Coder
	s.st.fields(&c)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(c.Size()))
	c.Write(dst)
	s.st.fields(&c)
	dst = c.Bytes()
	if g, ok := s.ground.(changing); ok {
		dst = g.AppendState(dst)
	}
	return dst, nil
}

// UnmarshalBinary brings s, made for the same rig and ground, to the state in
// b. Other bytes are refused and change nothing.
func (s *Sim) UnmarshalBinary(b []byte) error {
	var c rig.Coder
	s.st.fields(&c)
	size := c.Size()
	if len(b) < 4 || len(b)-4 < size || int(binary.LittleEndian.Uint32(b)) != size {
		return fmt.Errorf("sim: %d bytes are no state of rig %q: %w", len(b), s.rig.Name, rig.ErrLayout)
	}
	var st state
	st.make(len(s.rig.Legs), len(s.st.Joints))
	if c.Read(b[4 : 4+size]) {
		st.fields(&c)
	}
	if err := c.Err("sim: state"); err != nil {
		return err
	}
	if !st.sound(s.allLegs()) {
		return fmt.Errorf("sim: state holds legs the rig lacks or numbers that are not finite: %w", rig.ErrLayout)
	}
	if g, ok := s.ground.(changing); ok {
		if err := g.RestoreState(b[4+size:]); err != nil {
			return err
		}
	} else if len(b) != 4+size {
		return fmt.Errorf("sim: %d bytes too many behind the state: %w", len(b)-4-size, rig.ErrLayout)
	}
	s.st = st
	s.kinematics()
	s.place()
	return nil
}
