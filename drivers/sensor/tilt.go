package sensor

import (
	"fmt"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Tilt is roll and pitch from samples: those of the chip where it has fusion,
// else a complementary filter of gyroscope and accelerometer (Mahony et al.
// 2008, without its integral). Start it with Learn. The zero value has no
// attitude.
type Tilt struct {
	Settle float64 // seconds the accelerometer takes to win over the gyroscope; 0: 0.5
	Bias   r3.Vec  // of the gyroscope, rad/s

	q   quat.Number
	had bool
}

// Learn takes the bias of the gyroscope and the first attitude from samples at
// rest. It refuses fewer than 20, and samples of a rig that moves.
func (t *Tilt) Learn(samples []Sample) error {
	const least = 20
	if len(samples) < least {
		return fmt.Errorf("sensor: %d samples at rest, want %d", len(samples), least)
	}
	var w, a r3.Vec
	for i := range samples {
		w, a = r3.Add(w, samples[i].Gyro), r3.Add(a, samples[i].Accel)
	}
	n := 1 / float64(len(samples))
	w, a = r3.Scale(n, w), r3.Scale(n, a)
	spread := 0.0
	for i := range samples {
		spread += r3.Norm2(r3.Sub(samples[i].Gyro, w)) * n
	}
	const noise, most = 0.05, 0.2 // rad/s
	if s := math.Sqrt(spread); s > noise || math.Sqrt(r3.Norm2(w)) > most {
		return fmt.Errorf("sensor: the rig moves (gyroscope %.2f rad/s, spread %.2f, want at most %.2f and %.2f): hold it still and start again",
			math.Sqrt(r3.Norm2(w)), s, most, noise)
	}
	t.Bias = w
	if samples[0].Has&HasAccel != 0 {
		t.q, t.had = upright(a), true
	}
	return nil
}

// upright is the attitude without yaw in which a points up.
func upright(a r3.Vec) quat.Number {
	roll := math.Atan2(a.Y, a.Z)
	pitch := math.Atan2(-a.X, math.Sqrt(a.Y*a.Y+a.Z*a.Z))
	return geom.FromRPY(roll, pitch, 0)
}

// Update takes a sample that is dt seconds younger than the one before. An
// acceleration outside 0.8 to 1.2 g is not gravity and is left out.
func (t *Tilt) Update(s *Sample, dt float64) {
	if s.Has&HasQ != 0 {
		t.q, t.had = s.Q, true
		return
	}
	if !t.had {
		if s.Has&HasAccel != 0 {
			t.q, t.had = upright(s.Accel), true
		}
		return
	}
	w := r3.Sub(s.Gyro, t.Bias)
	if g := math.Sqrt(r3.Norm2(s.Accel)) / gravity; s.Has&HasAccel != 0 && g > 0.8 && g < 1.2 {
		settle := t.Settle
		if settle == 0 {
			settle = 0.5
		}
		up := geom.Rotate(quat.Conj(t.q), r3.Vec{Z: 1})
		w = r3.Add(w, r3.Scale(1/settle, r3.Cross(r3.Scale(1/(g*gravity), s.Accel), up)))
	}
	half := r3.Scale(dt/2, w)
	t.q = geom.Unit(quat.Add(t.q, quat.Mul(t.q, quat.Number{Imag: half.X, Jmag: half.Y, Kmag: half.Z})))
}

// RollPitch returns the tilt; false before there is one.
func (t *Tilt) RollPitch() (roll, pitch float64, ok bool) {
	if !t.had {
		return 0, 0, false
	}
	roll, pitch, _ = geom.RPY(t.q)
	return roll, pitch, true
}
