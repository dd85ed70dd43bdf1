package sim

import (
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Fault is what ails a sensor.
type Fault uint8

// The faults of an IMU.
const (
	FaultNone   Fault = iota
	FaultSilent       // no samples; no tilt either
	FaultStuck        // the last sample for ever
	FaultNoisy        // an error of up to 10 rad/s and 100 m/s2
	Faults
)

// sense takes a sample of the IMU for an acceleration in W.
func (s *Sim) sense(a r3.Vec) {
	st := &s.st
	if st.IMU == FaultSilent || st.IMU == FaultStuck || s.par.IMU.None {
		return
	}
	a.Z += s.r.g
	imu := s.par.IMU
	if st.IMU == FaultNoisy {
		imu.Gyro, imu.Accel = 10, 100
	}
	st.Gyro = s.stirred(r3.Add(st.TwistB.W, imu.BiasW), imu.Gyro)
	st.Force = s.stirred(r3.Add(geom.Rotate(quat.Conj(st.PoseWB.Q), a), imu.BiasA), imu.Accel)
	st.Samples++
}

// stirred adds noise of a half-width.
func (s *Sim) stirred(v r3.Vec, width float64) r3.Vec {
	if width == 0 {
		return v
	}
	return r3.Add(v, r3.Vec{X: width * mixed(&s.st.Stir), Y: width * mixed(&s.st.Stir), Z: width * mixed(&s.st.Stir)})
}

// inertial fills in what the IMU says. Roll and pitch are the true ones, as from
// a sensor that fuses them itself, and gone
// with any fault.
func (s *Sim) inertial(dst *rig.Observation) {
	st := &s.st
	dst.Roll, dst.Pitch, dst.Gyro, dst.Accel, dst.Samples = 0, 0, r3.Vec{}, r3.Vec{}, 0
	if st.IMU == FaultSilent || s.par.IMU.None {
		return
	}
	dst.Gyro, dst.Accel, dst.Samples = st.Gyro, st.Force, st.Samples
	dst.Has |= rig.HasIMU
	if st.IMU == FaultNone {
		dst.Roll, dst.Pitch, _ = geom.RPY(st.PoseWB.Q)
		dst.Has |= rig.HasTilt
	}
}
