package sim

import (
	"math"
	"testing"

	"legctl/estimate"
	"legctl/geom"
	"legctl/rig"
	"legctl/sim/terrain"

	"gonum.org/v1/gonum/spatial/r3"
)

// reckoned walks with a curve and returns how far it went, and by how much a
// reckoning by joints, contacts and IMU alone is off in place and heading.
func reckoned(t *testing.T, material uint8, servo Servo, imu IMU) (way, off, turn float64) {
	t.Helper()
	spec, _ := terrain.Default("flat", 0.05)
	spec.Material = material
	g, err := terrain.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := Default()
	p.Servo, p.IMU = servo, imu
	const dt = 0.01
	s, err := New(hexapod().build(t, 0.05), g, p, Scale{0.05, 0.05, 9.81}, dt, 3)
	if err != nil {
		t.Fatal(err)
	}
	d := newDriver(s, 0.05, 0.6, 0.6, tripod()...)
	d.v, d.yawRate = r3.Vec{X: 0.08}, 0.1
	op, ap := estimate.DefaultOdometry(s.rig.L()), estimate.DefaultAttitude()
	o := estimate.NewOdometry(s.Pose())
	var a estimate.Attitude
	tracks := make([]estimate.Track, len(s.rig.Legs))
	feet := make([]r3.Vec, len(tracks))
	for range 1000 {
		d.v = geom.Rotate(geom.FromRPY(0, 0, geom.Yaw(d.at.Q)), r3.Vec{X: 0.08})
		apply(t, s, d.tick(dt))
		obs := felt(t, s)
		a.Update(&ap, &estimate.Motion{Gyro: obs.Gyro, Accel: obs.Accel, Has: obs.Has&rig.HasIMU != 0, Count: obs.Samples}, dt)
		for i := range feet {
			feet[i] = rig.Foot(s.rig, i, obs.Q)
		}
		in := estimate.Standing{FeetB: feet, Down: obs.Contact, Gyro: a.Rate, HasGyro: a.OK(), HasTilt: a.OK()}
		in.Roll, in.Pitch, _ = a.RPY()
		o.Update(&op, tracks, &in, dt)
	}
	e := r3.Sub(o.PoseWB.P, s.Pose().P)
	return o.Way, math.Sqrt(e.X*e.X + e.Y*e.Y), math.Abs(geom.WrapAngle(geom.Yaw(o.PoseWB.Q) - geom.Yaw(s.Pose().Q)))
}

// TestReckoning compares odometry with where the rig really went.
func TestReckoning(t *testing.T) {
	rows := []struct {
		name      string
		material  uint8
		servo     Servo
		imu       IMU
		off, turn float64 // share of the way, rad
	}{
		{"ideal", terrain.Stone, Servo{}, IMU{}, 0.01, 0.01},
		{"lagging servos", terrain.Stone, Servo{Limited: true, Lag: 0.03}, IMU{}, 0.03, 0.03},
		{"noise everywhere", terrain.Stone, Servo{Limited: true, Lag: 0.03, Noise: 0.002}, IMU{Gyro: 0.05, Accel: 0.3}, 0.05, 0.05},
		{"on ice", terrain.Ice, Servo{Limited: true, Lag: 0.03}, IMU{}, 0.05, 0.05},
		{"no IMU", terrain.Stone, Servo{Limited: true, Lag: 0.03}, IMU{None: true}, 0.03, 0.03},
	}
	for _, w := range rows {
		way, off, turn := reckoned(t, w.material, w.servo, w.imu)
		t.Logf("%s: %.3f m, off by %.4f m and %.4f rad", w.name, way, off, turn)
		if way < 0.5 || off > w.off*way || turn > w.turn {
			t.Errorf("%s: off by %.1f %% of %.2f m and by %.4f rad, limits %.0f %% and %v", w.name, 100*off/way, way, turn, 100*w.off, w.turn)
		}
	}
}
