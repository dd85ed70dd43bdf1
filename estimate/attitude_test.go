package estimate_test

import (
	"math"
	"math/rand"
	"testing"

	"legctl/estimate"
	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// truth is a body that rolls and pitches as a walking one does, by angles that
// are known at every time.
type truth struct{ roll, pitch, yaw, hz float64 }

func (b truth) at(t float64) quat.Number {
	w := 2 * math.Pi * b.hz * t
	return geom.FromRPY(b.roll*math.Sin(w), b.pitch*math.Sin(w+1), b.yaw*t)
}

// sample is what an ideal sensor says of the way from t-dt to t.
func (b truth) sample(t, dt float64) (m estimate.Motion) {
	d := geom.Unit(quat.Mul(quat.Conj(b.at(t-dt)), b.at(t)))
	v := r3.Vec{X: d.Imag, Y: d.Jmag, Z: d.Kmag}
	if n := r3.Norm(v); n > 0 {
		m.Gyro = r3.Scale(2*math.Atan2(n, d.Real)/n/dt, v)
	}
	m.Accel = geom.Rotate(quat.Conj(b.at(t)), r3.Vec{Z: 9.81})
	m.Has, m.Count = true, uint32(t/dt+1.5)
	return m
}

// tiltError is the angle between the true and the estimated vertical, rad.
func tiltError(a *estimate.Attitude, q quat.Number) float64 {
	up := geom.Rotate(quat.Conj(q), r3.Vec{Z: 1})
	return math.Atan2(r3.Norm(r3.Cross(up, a.Up())), r3.Dot(up, a.Up()))
}

func stir(draw *rand.Rand, v r3.Vec, sd float64) r3.Vec {
	return r3.Add(v, r3.Vec{X: sd * draw.NormFloat64(), Y: sd * draw.NormFloat64(), Z: sd * draw.NormFloat64()})
}

func TestAttitudeFollows(t *testing.T) {
	rows := []struct {
		name             string
		dt, gyroSD, accD float64
		bias             r3.Vec
		limit            float64 // deg
	}{
		{"ideal", 0.01, 0, 0, r3.Vec{}, 0.01},
		{"ideal at 1 kHz", 0.001, 0, 0, r3.Vec{}, 0.01},
		{"ideal at 50 Hz", 0.02, 0, 0, r3.Vec{}, 0.01},
		{"noisy", 0.01, 0.05, 0.5, r3.Vec{}, 1.5},
		{"noisy at 1 kHz", 0.001, 0.05, 0.5, r3.Vec{}, 1.5},
		{"with bias", 0.01, 0.01, 0.1, r3.Vec{X: 0.02, Y: -0.01}, 2},
	}
	body := truth{roll: 0.1, pitch: 0.15, yaw: 0.3, hz: 1.2}
	for _, w := range rows {
		t.Run(w.name, func(t *testing.T) {
			draw := rand.New(rand.NewSource(1))
			p := estimate.DefaultAttitude()
			var a estimate.Attitude
			worst := 0.0
			for range int(2 / w.dt) { // it stands before it walks
				m := estimate.Motion{Gyro: stir(draw, w.bias, w.gyroSD), Has: true, Rest: true, Count: a.Watch.Count + 1}
				m.Accel = stir(draw, geom.Rotate(quat.Conj(body.at(0)), r3.Vec{Z: 9.81}), w.accD)
				a.Update(&p, &m, w.dt)
			}
			for k := range int(12 / w.dt) {
				now := float64(k+1) * w.dt
				m := body.sample(now, w.dt)
				m.Count += uint32(3 / w.dt)
				m.Gyro = stir(draw, r3.Add(m.Gyro, w.bias), w.gyroSD)
				m.Accel = stir(draw, m.Accel, w.accD)
				a.Update(&p, &m, w.dt)
				if !a.OK() {
					t.Fatalf("dropped at %v s: %v", now, a.Watch.Fault)
				}
				if now > 3 {
					worst = max(worst, tiltError(&a, body.at(now))*180/math.Pi)
				}
			}
			if worst > w.limit {
				t.Errorf("off by up to %.3f deg, limit %v", worst, w.limit)
			}
		})
	}
}

// TestAnyMounting turns the sensor on the body: nothing of it may be seen.
func TestAnyMounting(t *testing.T) {
	body := truth{roll: 0.2, pitch: 0.1, yaw: -0.5, hz: 0.7}
	rapid.Check(t, func(rt *rapid.T) {
		f := rapid.Float64Range(-3, 3)
		mount := geom.FromRPY(f.Draw(rt, "roll"), f.Draw(rt, "pitch"), f.Draw(rt, "yaw"))
		p, straight := estimate.DefaultAttitude(), estimate.DefaultAttitude()
		p.Mount = mount
		var a, b estimate.Attitude
		for k := range 200 {
			m := body.sample(float64(k+1)*0.01, 0.01)
			b.Update(&straight, &m, 0.01)
			m.Gyro, m.Accel = geom.Rotate(quat.Conj(mount), m.Gyro), geom.Rotate(quat.Conj(mount), m.Accel)
			a.Update(&p, &m, 0.01)
		}
		if off := r3.Norm(r3.Sub(a.Up(), b.Up())) + r3.Norm(r3.Sub(a.Rate, b.Rate)); off > 1e-9 {
			rt.Fatalf("mounted as %v the vertical or the rate is off by %v", mount, off)
		}
	})
}

// TestBiasAtRest learns the bias of a sensor that lies still, and none from
// one that turns slowly.
func TestBiasAtRest(t *testing.T) {
	draw := rand.New(rand.NewSource(2))
	bias := r3.Vec{X: 0.03, Y: -0.05, Z: 0.02}
	p := estimate.DefaultAttitude()
	var still, turning, shoved estimate.Attitude
	for k := range 600 {
		m := truth{}.sample(float64(k+1)*0.01, 0.01)
		m.Gyro, m.Accel = stir(draw, bias, 0.005), stir(draw, m.Accel, 0.05)
		m.Rest = true
		still.Update(&p, &m, 0.01)
		pushed := m
		pushed.Gyro = r3.Add(m.Gyro, r3.Vec{Z: 0.3})
		shoved.Update(&p, &pushed, 0.01)
		m.Rest = false
		m.Gyro = r3.Add(m.Gyro, r3.Vec{Z: 0.05})
		turning.Update(&p, &m, 0.01)
	}
	if off := r3.Norm(r3.Sub(still.Bias, bias)); off > 0.003 {
		t.Errorf("bias %v, want %v", still.Bias, bias)
	}
	if turning.Bias != (r3.Vec{}) || shoved.Bias != (r3.Vec{}) {
		t.Errorf("learned %v from a slow walk in a circle, %v from being turned by hand", turning.Bias, shoved.Bias)
	}
	if _, _, yaw := still.RPY(); math.Abs(yaw) > 0.03 {
		t.Errorf("the heading drifted by %v rad in 6 s", yaw)
	}
}

// TestShoveIsNotTilt accelerates a level body hard: the accelerometer points
// elsewhere and must not be followed.
func TestShoveIsNotTilt(t *testing.T) {
	p := estimate.DefaultAttitude()
	var a estimate.Attitude
	for k := range 230 {
		m := truth{}.sample(float64(k+1)*0.01, 0.01)
		if k >= 200 {
			m.Accel.X += 9
		}
		a.Update(&p, &m, 0.01)
	}
	if off := tiltError(&a, quat.Number{Real: 1}) * 180 / math.Pi; off > 2 {
		t.Errorf("0.3 s of 9 m/s2 tilted the estimate by %.2f deg", off)
	}
}

// TestSensorFaults breaks a good sensor from 1 to 2 s in each way there is.
func TestSensorFaults(t *testing.T) {
	nan := math.NaN()
	rows := []struct {
		name    string
		break_  func(k int, m *estimate.Motion)
		want    estimate.Fault
		by      float64 // s after the break at which it must be dropped
		counted bool
	}{
		{"absent", func(_ int, m *estimate.Motion) { *m = estimate.Motion{} }, estimate.FaultSilent, 0.21, true},
		{"stuck count", func(_ int, m *estimate.Motion) { m.Count = 100 }, estimate.FaultSilent, 0.21, true},
		{"stuck values", func(_ int, m *estimate.Motion) { m.Gyro, m.Accel = r3.Vec{X: 0.1}, r3.Vec{Z: 9.8} }, estimate.FaultSilent, 0.22, false},
		{"nan", func(_ int, m *estimate.Motion) { m.Gyro.Y = nan }, estimate.FaultNoNumber, 0.21, true},
		{"infinite", func(_ int, m *estimate.Motion) { m.Accel.X = math.Inf(-1) }, estimate.FaultNoNumber, 0.21, true},
		{"beyond range", func(_ int, m *estimate.Motion) { m.Gyro.Z = 40 }, estimate.FaultRange, 0.21, true},
		{"noisy gyro", func(k int, m *estimate.Motion) { m.Gyro.X += 20 * float64(1-k%2*2) }, estimate.FaultNoisy, 0.1, true},
		{"noisy accelerometer", func(k int, m *estimate.Motion) { m.Accel.X += 120 * float64(1-k%2*2) }, estimate.FaultNoisy, 0.1, true},
	}
	for _, w := range rows {
		t.Run(w.name, func(t *testing.T) {
			dropped, back, changes := faulty(w.break_, w.want, w.counted, t)
			if dropped == 0 || dropped > 1+w.by+1e-9 {
				t.Errorf("broken at 1 s, dropped at %v s, limit %v s", dropped, 1+w.by)
			}
			if back < 2.4 || back > 4.5 || changes != 2 {
				t.Errorf("mended at 2 s, back at %v s after %d changes", back, changes)
			}
		})
	}
}

// faulty returns when a sensor that is broken from 1 to 2 s was dropped and
// taken back, and how often Update reported a change.
func faulty(broken func(int, *estimate.Motion), want estimate.Fault, counted bool, t *testing.T) (dropped, back float64, changes int) {
	body := truth{roll: 0.1, pitch: 0.05, hz: 1}
	p := estimate.DefaultAttitude()
	var a estimate.Attitude
	for k := range 500 {
		now := float64(k+1) * 0.01
		m := body.sample(now, 0.01)
		if k >= 100 && k < 200 {
			broken(k, &m)
		}
		if !counted {
			m.Count = 0
		}
		if a.Update(&p, &m, 0.01) {
			changes++
		}
		switch {
		case !a.OK() && dropped == 0:
			dropped = now
			if a.Watch.Fault != want {
				t.Errorf("dropped as %v, want %v", a.Watch.Fault, want)
			}
		case a.OK() && dropped > 0 && back == 0:
			back = now
			if off := tiltError(&a, body.at(now)); off > 0.02 {
				t.Errorf("off by %v rad as it came back", off)
			}
		}
	}
	return dropped, back, changes
}

// TestGapsAreBridged leaves out up to 0.1 s at a time: that is no fault, and the
// last rate carries on.
func TestGapsAreBridged(t *testing.T) {
	body := truth{roll: 0.1, pitch: 0.1, hz: 0.5}
	p := estimate.DefaultAttitude()
	var a estimate.Attitude
	for k := range 1000 {
		now := float64(k+1) * 0.01
		m := body.sample(now, 0.01)
		m.Has = k < 100 || k%20 < 10
		if a.Update(&p, &m, 0.01) {
			t.Fatalf("at %v s: %v", now, a.Watch.Fault)
		}
		if off := tiltError(&a, body.at(now)); now > 1 && off > 0.03 {
			t.Fatalf("off by %v rad at %v s", off, now)
		}
	}
}

func TestNoSensorIsNoFault(t *testing.T) {
	p := estimate.DefaultAttitude()
	var a estimate.Attitude
	for range 100 {
		if a.Update(&p, &estimate.Motion{}, 0.01) || a.OK() || a.Watch.Fault != estimate.FaultNone {
			t.Fatal("a rig without IMU was said to have lost it")
		}
	}
	if roll, pitch, yaw := a.RPY(); roll != 0 || pitch != 0 || yaw != 0 {
		t.Errorf("the zero attitude is %v %v %v", roll, pitch, yaw)
	}
}

func TestFaultWords(t *testing.T) {
	seen := map[string]bool{}
	for f := range estimate.FaultNoisy + 2 {
		seen[f.String()] = true
	}
	if len(seen) != int(estimate.FaultNoisy)+2 {
		t.Errorf("faults share a word: %v", seen)
	}
}
