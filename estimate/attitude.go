package estimate

import (
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// AttitudeParams are the settings of an attitude filter.
type AttitudeParams struct {
	Watch   WatchParams
	Mount   quat.Number // turns S into B; the zero value is none
	Gravity float64     // m/s2, > 0
	Mean    float64     // s over which the accelerometer is averaged first, >= 0; a step or two
	Blend   float64     // s in which that average pulls roll and pitch to itself, > 0
	Gate    float64     // m/s2 by which its size may differ from gravity before it is ignored, > 0
	Rest    float64     // s of stillness, with Motion.Rest, before the gyro's bias is learned, > 0
	Still   float64     // rad/s, noise and motion below which the rig is still
	MaxBias float64     // rad/s, largest bias of a component
}

// DefaultAttitude returns settings for a walking rig: 0.2 s, 3 s, 3 m/s2, bias
// learned after 0.5 s below 0.05 rad/s, up to 0.1 rad/s.
func DefaultAttitude() AttitudeParams {
	return AttitudeParams{
		Watch: DefaultWatch(), Mount: quat.Number{Real: 1}, Gravity: 9.81, Mean: 0.2, Blend: 3, Gate: 3, Rest: 0.5, Still: 0.05, MaxBias: 0.1,
	}
}

// Attitude fuses gyro and accelerometer to the rotation of the body. The zero
// value knows nothing yet; its heading starts at 0 and only drifts, for gravity
// says nothing about it.
type Attitude struct {
	Watch Watch
	Q     quat.Number // turns B into a frame with z up; valid while OK
	Rate  r3.Vec      // B, rad/s, without bias
	Force r3.Vec      // B, m/s2, specific force of the last sample
	Mean  r3.Vec      // B, m/s2, its average, turned back as the body turns
	Bias  r3.Vec      // S, rad/s
	Calm  float64     // s the rig has been still
	Age   float64     // s since Q was set from the accelerometer
	Set   bool        // Q has been set from the accelerometer since the last fault
}

// OK reports whether Q, RPY and Rate may be used.
func (a *Attitude) OK() bool { return a.Set && a.Watch.OK() }

// RPY returns roll, pitch and the drifting heading, rad.
func (a *Attitude) RPY() (roll, pitch, yaw float64) { return geom.RPY(geom.Unit(a.Q)) }

// Up returns the vertical in B.
func (a *Attitude) Up() r3.Vec { return geom.Rotate(quat.Conj(geom.Unit(a.Q)), r3.Vec{Z: 1}) }

// Update takes one sample, in S, and reports whether the sensor was dropped or
// taken back by it; Watch.Fault says why. While it is dropped Q stays; when it
// is taken back roll and pitch start from the accelerometer.
func (a *Attitude) Update(p *AttitudeParams, m *Motion, dt float64) (changed bool) {
	fresh, changed := a.Watch.Update(&p.Watch, m, dt)
	if !a.Watch.OK() {
		a.Set, a.Calm, a.Rate = false, 0, r3.Vec{}
		return changed
	}
	if fresh {
		a.learnBias(p, m, dt)
		a.Rate = turn(p.Mount, r3.Sub(m.Gyro, a.Bias))
		a.Force = turn(p.Mount, m.Accel)
	}
	if !a.Set {
		a.seed()
		return changed
	}
	a.Age += dt
	d := about(r3.Scale(dt, a.Rate))
	a.Q = geom.Unit(quat.Mul(a.Q, d))
	a.Mean = geom.Rotate(quat.Conj(d), a.Mean)
	if fresh { // after the turn, or the vertical of this tick would pull at that of the last
		a.Mean = r3.Add(a.Mean, r3.Scale(dt/(p.Mean+dt), r3.Sub(a.Force, a.Mean)))
		a.Q = geom.Unit(quat.Mul(a.Q, about(r3.Scale(dt, a.pull(p)))))
	}
	return changed
}

// seed sets roll and pitch by the accelerometer alone and keeps the heading.
func (a *Attitude) seed() {
	n := math.Sqrt(r3.Norm2(a.Force))
	if n == 0 {
		return
	}
	up := r3.Scale(1/n, a.Force)
	yaw := geom.Yaw(geom.Unit(a.Q))
	roll := math.Atan2(up.Y, up.Z)
	pitch := math.Atan2(-up.X, math.Sqrt(up.Y*up.Y+up.Z*up.Z))
	a.Q, a.Set, a.Mean = geom.FromRPY(roll, pitch, yaw), true, a.Force
	a.Age = 0
}

// pull is the rate, B, by which the accelerometer corrects the vertical. It
// fades out as the average specific force departs from gravity, for then the
// body is accelerated. The steps of a gait average out: to gate single samples
// would choose among them, and be wrong by as much.
func (a *Attitude) pull(p *AttitudeParams) r3.Vec {
	n := math.Sqrt(r3.Norm2(a.Mean))
	trust := 1 - math.Abs(n-p.Gravity)/p.Gate
	if n == 0 || trust <= 0 {
		return r3.Vec{}
	}
	blend := min(p.Blend, p.Mean+a.Age) // at first the mean of all samples so far
	return r3.Scale(trust/(blend*n), r3.Cross(a.Mean, a.Up()))
}

// learnBias takes what the gyro says while the rig stands still for its bias. That
// it stands has to be said: a slow smooth turn looks the same to a gyro.
func (a *Attitude) learnBias(p *AttitudeParams, m *Motion, dt float64) {
	off := r3.Sub(m.Gyro, a.Bias)
	still := m.Rest && a.Watch.GyroVar < p.Still*p.Still && most(off) < 2*p.Still && math.Abs(math.Sqrt(r3.Norm2(m.Accel))-p.Gravity) < p.Gate/6
	if !still {
		a.Calm = 0
		return
	}
	if a.Calm += dt; a.Calm < p.Rest {
		return
	}
	b := r3.Add(a.Bias, r3.Scale(dt/(p.Rest+dt), off))
	clamp := func(v float64) float64 { return max(-p.MaxBias, min(p.MaxBias, v)) }
	a.Bias = r3.Vec{X: clamp(b.X), Y: clamp(b.Y), Z: clamp(b.Z)}
}

// turn rotates v; the zero quaternion does nothing.
func turn(q quat.Number, v r3.Vec) r3.Vec { return geom.Rotate(geom.Unit(q), v) }

// about returns the rotation by the vector w, rad.
func about(w r3.Vec) quat.Number {
	n := math.Sqrt(r3.Norm2(w))
	if n == 0 {
		return quat.Number{Real: 1}
	}
	return geom.AxisAngle(r3.Scale(1/n, w), n)
}
