package estimate

import (
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// OdometryParams are the settings of odometry.
type OdometryParams struct {
	ScaleX float64 // metres gone per metre counted, ahead; > 0; for slip that all feet share
	ScaleY float64 // sideways
	ScaleW float64 // turning
	Still  float64 // m/s, motion over ground that is noise, > 0; a foot that moves faster loses weight
	Gyro   float64 // m, spread of feet that is believed as much as the gyro, >= 0
	Calm   float64 // s over which the motion of a foot over ground is averaged, >= 0
	Fade   float64 // s in which a twist without feet is forgotten, > 0
}

// DefaultOdometry returns settings for a rig whose longest leg is l metres: no
// scale, noise of 0.02 l/s over 0.1 s, the gyro as good as feet 1 l apart, twists
// kept for 0.3 s.
func DefaultOdometry(l float64) OdometryParams {
	return OdometryParams{ScaleX: 1, ScaleY: 1, ScaleW: 1, Still: 0.02 * l, Gyro: l, Calm: 0.1, Fade: 0.3}
}

// Track is the memory of one foot for slip and odometry.
type Track struct {
	WasB  r3.Vec  // a tick ago, B
	Stood bool    // it stood a tick ago
	Drift r3.Vec  // B, m/s over the ground, averaged over OdometryParams.Calm
	Speed float64 // m/s over the ground, as far as the other feet can tell; 0 in the air
	Slip  float64 // m slipped in this stance, or in the last one while in the air
	Total float64 // m slipped since the start
}

// Odometry is a pose worked out from the standing feet. Start it with
// NewOdometry.
type Odometry struct {
	PoseWB  geom.Pose
	TwistB  geom.Twist // m/s, rad/s
	Way     float64    // m gone over ground
	Spread  float64    // m/s, how badly the feet agreed in the last tick
	Sigma   float64    // m, expected error of the place since the start: it only grows
	Quality float64    // [0, 1]: 1 = three or more feet that agree, 0 = none
	Feet    uint8      // that took part in the last tick
}

// NewOdometry returns an odometry that starts at a pose.
func NewOdometry(poseWB geom.Pose) Odometry { return Odometry{PoseWB: poseWB} }

// Standing is what odometry needs in one tick.
type Standing struct {
	FeetB   []r3.Vec // by the measured joint angles, all legs
	Down    uint64   // bit set of feet on the ground
	Gyro    r3.Vec   // B, rad/s, with HasGyro
	Roll    float64  // rad, with HasTilt
	Pitch   float64  // rad
	HasGyro bool     // such as Attitude.OK
	HasTilt bool     // without it roll and pitch follow from the feet, and drift
}

// Update moves the pose by one tick and brings the tracks, one a leg, up to
// date. Fewer than one standing foot lets the last twist fade.
func (o *Odometry) Update(p *OdometryParams, tracks []Track, in *Standing, dt float64) {
	var m moving
	m.gather(tracks, in, dt)
	o.Feet = uint8(m.n)
	if m.n == 0 {
		o.coast(p, in, dt)
	} else {
		o.fit(p, &m, in, dt)
	}
	o.charge(tracks, &m, dt)
	for i := range tracks {
		tracks[i].WasB = in.FeetB[i]
		tracks[i].Stood = in.Down>>i&1 == 1
	}
	o.move(p, in, dt)
}

// gather lists the feet that stood through the tick; the slip of a stance
// starts at its touchdown.
func (m *moving) gather(tracks []Track, in *Standing, dt float64) {
	for i := range tracks {
		t := &tracks[i]
		t.Speed = 0
		if in.Down>>i&1 == 0 {
			continue
		}
		if !t.Stood {
			t.Slip, t.Drift = 0, r3.Vec{}
			continue
		}
		at := r3.Scale(0.5, r3.Add(t.WasB, in.FeetB[i]))
		m.add(i, at, r3.Scale(1/dt, r3.Sub(in.FeetB[i], t.WasB)), t.Drift)
	}
}

// fit finds the twist, over and over with less weight on feet that slipped.
func (o *Odometry) fit(p *OdometryParams, m *moving, in *Standing, dt float64) {
	trust := 0.0
	if in.HasGyro {
		trust = p.Gyro
	}
	for range 6 {
		o.TwistB = m.twist(in.Gyro, trust)
		o.Spread = m.residuals(o.TwistB, dt/(p.Calm+dt))
		if o.Spread == 0 {
			break
		}
		m.reweigh(p.Still)
	}
	good := 0.0
	for i := range m.n {
		good += m.w[i]
	}
	o.Quality = min(1, good/3)
	if in.HasGyro {
		o.Quality = min(1, good/2)
	}
}

// coast is a tick without ground: the twist fades, the rotation is the gyro's.
func (o *Odometry) coast(p *OdometryParams, in *Standing, dt float64) {
	keep := p.Fade / (p.Fade + dt)
	o.TwistB.V, o.TwistB.W = r3.Scale(keep, o.TwistB.V), r3.Scale(keep, o.TwistB.W)
	if in.HasGyro {
		o.TwistB.W = in.Gyro
	}
	o.Spread, o.Quality = math.Sqrt(r3.Norm2(o.TwistB.V)), 0
}

// charge books what each foot slipped.
func (o *Odometry) charge(tracks []Track, m *moving, dt float64) {
	for i := range m.n {
		t := &tracks[m.leg[i]]
		t.Drift = m.rest[i]
		t.Speed = math.Sqrt(r3.Norm2(t.Drift))
		t.Slip += t.Speed * dt
		t.Total += t.Speed * dt
	}
}

// move integrates the twist: the place along the mean heading of the tick, the
// tilt from the IMU where there is one.
func (o *Odometry) move(p *OdometryParams, in *Standing, dt float64) {
	v := r3.Vec{X: p.ScaleX * o.TwistB.V.X, Y: p.ScaleY * o.TwistB.V.Y, Z: o.TwistB.V.Z}
	w := o.TwistB.W
	w.Z *= p.ScaleW
	half := geom.Unit(quat.Mul(o.PoseWB.Q, about(r3.Scale(dt/2, w))))
	o.PoseWB.Q = geom.Unit(quat.Mul(o.PoseWB.Q, about(r3.Scale(dt, w))))
	if in.HasTilt {
		o.PoseWB.Q = geom.FromRPY(in.Roll, in.Pitch, geom.Yaw(o.PoseWB.Q))
	}
	d := geom.Rotate(half, r3.Scale(dt, v))
	o.PoseWB.P = r3.Add(o.PoseWB.P, d)
	o.Way += math.Sqrt(d.X*d.X + d.Y*d.Y)
	o.Sigma += o.Spread * dt / math.Sqrt(max(1, float64(o.Feet)))
}
