package sim

import (
	"context"
	"math"
	"testing"

	"legctl/estimate"
	"legctl/geom"
	"legctl/rig"
	"legctl/sim/terrain"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// felt observes s.
func felt(t testing.TB, s *Sim) *rig.Observation {
	t.Helper()
	o := rig.NewObservation(s.rig)
	if err := s.Observe(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	return o
}

func TestIMUAtRest(t *testing.T) {
	s := reference(t, hexapod())
	o := felt(t, s)
	if o.Has&rig.HasIMU == 0 || o.Gyro != (r3.Vec{}) || r3.Norm(r3.Sub(o.Accel, r3.Vec{Z: Reference.Gravity})) > 1e-12 || o.Samples != 1 {
		t.Errorf("at rest: %+v", o)
	}
	spec, _ := terrain.Default("slope", 1)
	g, _ := terrain.New(spec)
	s = newSim(t, hexapod().build(t, 1), g, Default(), Reference, tickR)
	if err := s.Place(12, 0, 0.4); err != nil {
		t.Fatal(err)
	}
	o = felt(t, s)
	roll, pitch := math.Atan2(o.Accel.Y, o.Accel.Z), math.Asin(-o.Accel.X/Reference.Gravity)
	if math.Abs(roll-o.Roll) > 1e-9 || math.Abs(pitch-o.Pitch) > 1e-9 || math.Abs(pitch) < 0.1 {
		t.Errorf("on a slope: specific force %v says %v %v, tilt is %v %v", o.Accel, roll, pitch, o.Roll, o.Pitch)
	}
}

// TestIMUIsTheMotion integrates the samples of a rough walk: the gyro must give
// the attitude, the accelerometer the velocity.
func TestIMUIsTheMotion(t *testing.T) {
	s, d := eventful(t, "world")
	q, v := s.Pose().Q, r3.Vec{}
	tilt := 0.0
	for k := range 200 {
		happen(t, s, k)
		apply(t, s, d.tick(tickR))
		o := felt(t, s)
		w := o.Gyro
		if n := r3.Norm(w); n > 0 {
			q = quat.Mul(q, geom.AxisAngle(r3.Scale(1/n, w), n*tickR))
		}
		a := geom.Rotate(s.Pose().Q, o.Accel)
		v = r3.Add(v, r3.Scale(tickR, r3.Sub(a, r3.Vec{Z: Reference.Gravity})))
		tilt = max(tilt, geom.Tilt(s.Pose().Q))
	}
	d2 := quat.Mul(quat.Conj(s.Pose().Q), q)
	if off := 2 * math.Acos(min(1, math.Abs(d2.Real))); off > 1e-6 {
		t.Errorf("the gyro is off by %v rad", off)
	}
	if off := r3.Norm(r3.Sub(v, s.Velocity())); off > 1e-9 {
		t.Errorf("the accelerometer is off by %v m/s", off)
	}
	if tilt < 0.01 {
		t.Errorf("the body tilted by %v only: the test says nothing", tilt)
	}
}

func TestIMUNoise(t *testing.T) {
	run := func(seed uint64, imu IMU) (*rig.Observation, *Sim) {
		p := Default()
		p.IMU = imu
		s, err := New(hexapod().build(t, 1), geom.Level(0), p, Reference, tickR, seed)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			apply(t, s, rig.NewSetpoint(s.rig))
		}
		return felt(t, s), s
	}
	noisy := IMU{Gyro: 0.1, Accel: 0.5, BiasW: r3.Vec{X: 1}, BiasA: r3.Vec{Y: 2}}
	a, sa := run(1, noisy)
	b, _ := run(1, noisy)
	c, _ := run(2, noisy)
	ideal, si := run(1, IMU{})
	if a.Gyro != b.Gyro || a.Accel != b.Accel || a.Gyro == c.Gyro {
		t.Error("the noise is not that of the seed")
	}
	dw, da := r3.Sub(r3.Sub(a.Gyro, ideal.Gyro), noisy.BiasW), r3.Sub(r3.Sub(a.Accel, ideal.Accel), noisy.BiasA)
	for _, v := range []float64{dw.X, dw.Y, dw.Z} {
		if math.Abs(v) > 0.1 || v == 0 {
			t.Errorf("gyro off by %v", dw)
		}
	}
	if r3.Norm(da) > 0.5*math.Sqrt(3) {
		t.Errorf("accelerometer off by %v", da)
	}
	if sa.Pose() != si.Pose() {
		t.Error("the noise of the IMU moved the body")
	}
	if o, _ := run(1, IMU{None: true}); o.Has&(rig.HasIMU|rig.HasTilt) != 0 {
		t.Error("no IMU, and yet it speaks")
	}
}

// TestIMUFaults lets the sensor fail: the filter of estimate must notice each
// way within a fraction of a second, and take the sensor back.
func TestIMUFaults(t *testing.T) {
	rows := []struct {
		name  string
		fault Fault
		want  estimate.Fault
	}{
		{"silent", FaultSilent, estimate.FaultSilent},
		{"stuck", FaultStuck, estimate.FaultSilent},
		{"noisy", FaultNoisy, estimate.FaultNoisy},
	}
	const dt = 0.01
	for _, w := range rows {
		s := newSim(t, hexapod().build(t, 0.05), geom.Level(0), Default(), Scale{0.05, 0.05, 9.81}, dt)
		d := newDriver(s, 0.05, 1, 0.6, tripod()...)
		p := estimate.DefaultAttitude()
		var a estimate.Attitude
		var dropped, back float64
		for k := range 400 {
			switch k {
			case 100:
				if err := s.Do(Event{Kind: EventIMU, Value: float64(w.fault)}); err != nil {
					t.Fatal(err)
				}
			case 200:
				_ = s.Do(Event{Kind: EventIMU})
			}
			apply(t, s, d.tick(dt))
			o := felt(t, s)
			a.Update(&p, &estimate.Motion{Gyro: o.Gyro, Accel: o.Accel, Has: o.Has&rig.HasIMU != 0, Count: o.Samples}, dt)
			now := float64(k+1) * dt
			if !a.OK() && dropped == 0 {
				dropped = now
				if a.Watch.Fault != w.want || k < 100 {
					t.Fatalf("%s: dropped in tick %d as %v", w.name, k, a.Watch.Fault)
				}
			}
			if dropped > 0 && back == 0 && a.OK() {
				back = now
			}
		}
		if dropped == 0 || dropped > 1.3 || back < 2.4 || back > 3.8 {
			t.Errorf("%s from 1 to 2 s: dropped at %v s, back at %v s", w.name, dropped, back)
		}
	}
	s := reference(t, hexapod())
	if s.Do(Event{Kind: EventIMU, Value: float64(Faults)}) == nil {
		t.Error("an unknown fault was accepted")
	}
}
