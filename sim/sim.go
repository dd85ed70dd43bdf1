package sim

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// Sim is one rig in one world. It is a plant: Open, Enable, then Observe and
// Apply in turn, then Halt and Close. It is not safe for concurrent use, and
// the ground it stands on must not be changed but through Do.
type Sim struct {
	rig    *rig.Rig
	ground geom.Ground
	par    Params
	r      rates
	dt     float64
	mass   float64
	st     state

	// Worked out anew each tick, from st and the joint angles.
	feetB  []r3.Vec // feet, B
	feetW  []r3.Vec // feet under the pose of the moment, W
	comB   r3.Vec
	checks []check // points of links that must not touch ground
	corner []r3.Vec

	stance  []bool
	supG    []r3.Vec
	polygon []r2.Vec
	held    holding // what held the body in the last tick

	// Before is called by Apply with the tick about to run, if not nil: the
	// place where scripted events are done.
	Before func(tick uint64)
}

// New returns a simulator of r on ground, standing at the origin in neutral
// stance. dt is the time one Apply takes, seconds; c the rig's size; seed
// starts the only randomness there is, the noise of the servos and the IMU. r must be validated and
// is not copied; neither is the ground.
func New(r *rig.Rig, ground geom.Ground, p Params, c Scale, dt float64, seed uint64) (*Sim, error) {
	if r == nil || ground == nil {
		return nil, errors.New("sim: no rig or no ground")
	}
	if n := len(r.Legs); n < 1 || n > rig.MaxLegs || r.Joints() == 0 {
		return nil, fmt.Errorf("sim: rig %q has %d legs and %d joints, must have 1 to %d legs", r.Name, n, r.Joints(), rig.MaxLegs)
	}
	if err := errors.Join(p.Validate(), c.validate(dt)); err != nil {
		return nil, err
	}
	s := &Sim{rig: r, ground: ground, par: p, r: newRates(&p, c, dt, len(r.Legs)), dt: dt, mass: r.Mass()}
	s.makeRoom()
	s.st.Noise, s.st.Stir = seed, seed^0x5851f42d4c957f2d
	return s, s.Place(0, 0, 0)
}

func (s *Sim) makeRoom() {
	n := len(s.rig.Legs)
	s.st.make(n, s.rig.Joints())
	vecs := make([]r3.Vec, 3*n+bellyPoints)
	s.feetB, s.feetW, s.supG = vecs[:n:n], vecs[n:2*n:2*n], vecs[2*n:]
	s.stance = make([]bool, n+bellyPoints)
	s.polygon = make([]r2.Vec, 0, n+bellyPoints)
	s.checks = newChecks(s.rig)
	s.corner = newCorners(&s.rig.Body)
}

// Open implements the plant: it states what the simulator can do.
func (s *Sim) Open(context.Context) (rig.Caps, error) {
	return rig.Caps{Feedback: true, Contacts: true, Pose: !s.par.Blind, SelfArm: true}, nil
}

// Enable turns the torque of the legs in the bit set on and that of all others
// off. A leg without torque gives way.
func (s *Sim) Enable(_ context.Context, legs uint64) error {
	if beyond := legs &^ s.allLegs(); beyond != 0 {
		return fmt.Errorf("sim: legs %#x enabled, the rig has %d", legs, len(s.rig.Legs))
	}
	s.st.Enabled = legs
	return nil
}

func (s *Sim) allLegs() uint64 { return ^uint64(0) >> (64 - len(s.rig.Legs)) }

// Observe implements the plant: it fills dst, whose slices must be those of
// rig.NewObservation.
func (s *Sim) Observe(_ context.Context, dst *rig.Observation) error {
	if len(dst.Q) != len(s.st.Joints) {
		return fmt.Errorf("sim: observation has %d joints, the rig %d", len(dst.Q), len(s.st.Joints))
	}
	for i := range s.st.Joints {
		dst.Q[i] = s.st.Joints[i].Q
	}
	dst.Contact = s.Contacts()
	dst.Battery, dst.Faults = s.st.Volts, 0
	dst.FellSince = s.st.Falls
	dst.Has = rig.HasQ | rig.HasContact
	s.inertial(dst)
	if s.par.Blind {
		dst.PoseWB, dst.TwistB = geom.Identity(), geom.Twist{}
		return nil
	}
	dst.PoseWB, dst.TwistB = s.st.PoseWB, s.st.TwistB
	dst.Has |= rig.HasPose
	return nil
}

// Apply implements the plant: it advances the world by one dt under sp. A
// setpoint of another rig or with a number that is not finite is refused and
// nothing moves.
func (s *Sim) Apply(_ context.Context, sp *rig.Setpoint) error {
	if err := s.checkSetpoint(sp); err != nil {
		return err
	}
	if s.Before != nil {
		s.Before(s.st.Tick)
	}
	s.servo(sp)
	s.step(sp.Limp, sp.Lie)
	s.st.Tick++
	return nil
}

func (s *Sim) checkSetpoint(sp *rig.Setpoint) error {
	if sp.Limp {
		return nil
	}
	if len(sp.Q) != len(s.st.Joints) {
		return fmt.Errorf("sim: setpoint has %d joints, the rig %d", len(sp.Q), len(s.st.Joints))
	}
	for i, q := range sp.Q {
		if q-q != 0 {
			return fmt.Errorf("sim: setpoint of joint %d is %v, must be finite", i, q)
		}
	}
	return nil
}

// Halt implements the plant: torque off on every leg. It may be called again.
func (s *Sim) Halt() error {
	s.st.Enabled = 0
	return nil
}

// Close implements the plant. There is nothing to give back.
func (s *Sim) Close() error { return s.Halt() }

// standing returns the number of anchored feet.
func (s *Sim) standing() int { return bits.OnesCount64(s.st.Planted) }
