package sim

import (
	"math"
	"math/bits"
	"testing"

	"legctl/geom"
	"legctl/sim/terrain"

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

// TestRoughGround walks over bumps with feet that land where the ground is.
func TestRoughGround(t *testing.T) {
	for _, dt := range []float64{0.05, 0.01} {
		spec, _ := terrain.Default("rough", 1)
		g, err := terrain.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		s := newSim(t, hexapod().build(t, 1), g, Default(), Reference, dt)
		d := ahead(s)
		worst, least := 0.0, 9
		for range int(10 / dt) {
			apply(t, s, d.tick(dt))
			worst = max(worst, r3.Norm(r3.Sub(s.Pose().P, d.at.P)))
			least = min(least, bits.OnesCount64(s.Planted()))
		}
		if worst > 1e-3 || least < 3 || s.Falls() > 0 || d.at.P.X < 20 {
			t.Errorf("dt %v: off by %v after %v U, least feet %d, falls %d", dt, worst, d.at.P.X, least, s.Falls())
		}
	}
}

// TestTrotTopples lets a quadruped stand on two feet at a time: it rocks over
// their line and is caught by the next two; held within the leeway it does not.
func TestTrotTopples(t *testing.T) {
	run := func(leeway float64) (way, tilt float64, falls int) {
		p := Default()
		p.Leeway = leeway
		s := newSim(t, quadruped().build(t, 1), geom.Level(0), p, Reference, 0.01)
		d := newDriver(s, 1, 13*tickR, 0.6, 0, 0.5, 0.5, 0)
		d.v = r3.Vec{X: 0.15 / tickR}
		for range 600 {
			apply(t, s, d.tick(0.01))
			tilt = max(tilt, geom.Tilt(s.Pose().Q))
		}
		return s.Pose().P.X / d.at.P.X, tilt, s.Falls()
	}
	if way, tilt, falls := run(0); falls > 0 || way < 0.8 || tilt < 0.01 || tilt > 0.2 {
		t.Errorf("no leeway: %v of the way, tilt %v rad, %d falls", way, tilt, falls)
	}
	if way, tilt, falls := run(0.5); falls > 0 || math.Abs(way-1) > 1e-3 || tilt > 1e-3 {
		t.Errorf("leeway 0.5 U: %v of the way, tilt %v rad, %d falls", way, tilt, falls)
	}
}

// TestFlightKeepsVelocity lifts all feet of a walking rig at once.
func TestFlightKeepsVelocity(t *testing.T) {
	s := reference(t, hexapod())
	d := ahead(s)
	for range 40 {
		apply(t, s, d.tick(tickR))
	}
	v := s.Velocity()
	for i := range d.feet {
		d.feet[i].Z += 0.6
	}
	for range 3 {
		d.at.P = r3.Add(d.at.P, r3.Scale(tickR, d.v))
		for i := range d.feet {
			d.feet[i] = r3.Add(d.feet[i], r3.Scale(tickR, d.v))
		}
		d.solve()
		apply(t, s, d.sp)
	}
	got := s.Velocity()
	if s.Planted() != 0 || math.Abs(got.X-v.X) > 1e-9 || math.Abs(got.Z*tickR+3.92*(1-0.98*0.98*0.98)) > 1e-9 {
		t.Errorf("feet %b, velocity %v after %v", s.Planted(), got, v)
	}
}

// TestIceSlides leans a support on stone and on ice: only there it slides.
func TestIceSlides(t *testing.T) {
	slide := func(material uint8) float64 {
		s := onThree(t, 0.5, 0)
		for i := range s.st.Feet {
			s.st.Feet[i].Friction = terrain.Friction(material)
		}
		h := s.support()
		s.vertical(&h, s.Pose().P.Z)
		return s.st.Slide.Y
	}
	if on := slide(terrain.Stone); on != 0 {
		t.Errorf("slides at %v on stone", on)
	}
	if on := slide(terrain.Ice); on <= 0 {
		t.Errorf("slides at %v on ice", on)
	}
}
