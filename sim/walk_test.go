package sim

import (
	"math"
	"math/bits"
	"testing"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// TestTripodExact checks that ideal servos and stance feet that move rigidly
// move the body exactly as intended, at any tick length and size.
func TestTripodExact(t *testing.T) {
	rows := []struct {
		name       string
		u, k, g    float64
		dt         float64
		vx, vy, wz float64 // U/k, rad/k
	}{
		{"reference ahead", 1, 0.05, 32, 0.05, 0.15, 0, 0},
		{"reference sideways", 1, 0.05, 32, 0.05, 0, 0.15, 0},
		{"reference turning", 1, 0.05, 32, 0.05, 0.1, 0, 0.03},
		{"fine ticks", 1, 0.05, 32, 0.01, 0.15, 0, 0},
		{"small", 0.05, 0.1, 9.81, 0.02, 0.15, 0.05, 0.02},
		{"large", 0.3, 0.05, 9.81, 0.01, 0.1, 0, -0.03},
	}
	for _, w := range rows {
		t.Run(w.name, func(t *testing.T) {
			s := newSim(t, hexapod().build(t, w.u), geom.Level(0), Default(), Scale{w.u, w.k, w.g}, w.dt)
			d := newDriver(s, w.u, 13*w.k, 0.6, tripod()...)
			d.v = r3.Vec{X: w.vx * w.u / w.k, Y: w.vy * w.u / w.k}
			if w.wz != 0 {
				d.v = r3.Vec{}
				d.yawRate = w.wz / w.k
			}
			worst, turn, least := 0.0, 0.0, 9
			for range int(100 * w.k / w.dt) {
				apply(t, s, d.tick(w.dt))
				e := r3.Sub(s.Pose().P, d.at.P)
				worst = max(worst, r3.Norm(e)/w.u)
				turn = max(turn, math.Abs(geom.WrapAngle(geom.Yaw(s.Pose().Q)-geom.Yaw(d.at.Q))))
				least = min(least, bits.OnesCount64(s.Planted()))
			}
			if worst > 1e-6 || turn > 1e-6 || least < 3 || s.Falls() > 0 {
				t.Errorf("off the intent by %.3g U and %.3g rad, least feet %d, falls %d", worst, turn, least, s.Falls())
			}
		})
	}
}
