package estimate

import (
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Motion is one sample of an inertial sensor, or the lack of one.
type Motion struct {
	Gyro  r3.Vec // rad/s
	Accel r3.Vec // m/s2, specific force: +g upwards at rest
	Has   bool   // there is a sample
	Rest  bool   // the rig is meant to stand still: what the gyro says then is its bias
	Count uint32 // counts the samples; 0 = not counted: then values that do not change are old
}

// Fault says why a sensor is not believed.
type Fault uint8

// Reasons to drop a sensor.
const (
	FaultNone     Fault = iota
	FaultSilent         // no new sample for WatchParams.Silent
	FaultNoNumber       // samples that are not finite
	FaultRange          // samples beyond the sensor's range
	FaultNoisy          // more noise than the bound
)

// String returns the reason in words.
func (f Fault) String() string {
	switch f {
	case FaultNone:
		return "good"
	case FaultSilent:
		return "silent"
	case FaultNoNumber:
		return "not finite"
	case FaultRange:
		return "out of range"
	case FaultNoisy:
		return "noisy"
	}
	return "unknown"
}

// WatchParams are the bounds within which an inertial sensor is believed.
type WatchParams struct {
	Silent   float64 // s without a new sample before it is dropped, > 0
	Back     float64 // s of good samples before it is taken back, > 0
	MaxGyro  float64 // rad/s, range of a component
	MaxAccel float64 // m/s2
	GyroSD   float64 // rad/s, bound on the standard deviation of the noise
	AccelSD  float64 // m/s2
	Window   float64 // s over which noise is averaged, > 0
}

// DefaultWatch returns bounds for a consumer IMU of 2000 deg/s and 16 g on a
// walking rig: 0.2 s, 0.5 s; noise of 2 rad/s and 20 m/s2 within 0.3 s.
func DefaultWatch() WatchParams {
	return WatchParams{Silent: 0.2, Back: 0.5, MaxGyro: 35, MaxAccel: 160, GyroSD: 2, AccelSD: 20, Window: 0.3}
}

// Watch is the memory of the health of one sensor. The zero value has seen no
// sample yet: not good, and no fault either.
type Watch struct {
	Fault    Fault
	Known    bool    // there was a sample at some time
	Reason   Fault   // of the last sample that was refused
	Quiet    float64 // s since the last good sample
	Good     float64 // s of good samples since the last fault
	Gyro     r3.Vec  // last good sample
	Accel    r3.Vec
	GyroVar  float64 // (rad/s)^2, of the noise
	AccelVar float64 // (m/s2)^2
	Count    uint32
}

// OK reports whether the sensor is believed.
func (w *Watch) OK() bool { return w.Known && w.Fault == FaultNone }

// Update judges a sample and reports whether it is new and to be used, and
// whether the fault changed. Noise is measured by the change from one sample to
// the next, which slow motion does not fool.
func (w *Watch) Update(p *WatchParams, m *Motion, dt float64) (fresh, changed bool) {
	was := w.Fault
	switch f := w.judge(p, m); {
	case f == FaultNone:
		w.take(p, m, dt)
		fresh = true
	default:
		w.Reason = f
		w.Quiet += dt
		w.Good = 0
		if w.Known && w.Quiet >= p.Silent-1e-9 {
			w.Fault = w.Reason
		}
	}
	return fresh, w.Fault != was
}

// judge says what is wrong with a sample; silence is an old sample or none.
func (w *Watch) judge(p *WatchParams, m *Motion) Fault {
	switch {
	case !m.Has:
		return FaultSilent
	case !geom.FiniteVec(m.Gyro) || !geom.FiniteVec(m.Accel):
		return FaultNoNumber
	case most(m.Gyro) > p.MaxGyro || most(m.Accel) > p.MaxAccel:
		return FaultRange
	case w.Known && m.Count == w.Count && (m.Count != 0 || m.Gyro == w.Gyro && m.Accel == w.Accel):
		return FaultSilent
	}
	return FaultNone
}

// take accepts a sample: noise, then the way back from a fault.
func (w *Watch) take(p *WatchParams, m *Motion, dt float64) {
	if w.Known && w.Quiet < p.Silent {
		k := dt / (p.Window + dt)
		w.GyroVar += k * (r3.Norm2(r3.Sub(m.Gyro, w.Gyro))/6 - w.GyroVar)
		w.AccelVar += k * (r3.Norm2(r3.Sub(m.Accel, w.Accel))/6 - w.AccelVar)
	}
	w.Gyro, w.Accel, w.Count, w.Known, w.Quiet = m.Gyro, m.Accel, m.Count, true, 0
	noisy := max(w.GyroVar/(p.GyroSD*p.GyroSD), w.AccelVar/(p.AccelSD*p.AccelSD))
	switch {
	case noisy > 1:
		w.Fault, w.Good = FaultNoisy, 0
	case w.Fault == FaultNoisy && noisy > 0.25:
		w.Good = 0
	default:
		w.Good += dt
		if w.Good >= p.Back-1e-9 {
			w.Fault = FaultNone
		}
	}
}

// most is the largest component, without its sign.
func most(v r3.Vec) float64 { return max(math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z)) }
