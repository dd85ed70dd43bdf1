package sim

import (
	"math"
	"testing"

	"legctl/geom"
	"legctl/rig"
	"legctl/sim/terrain"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// TestFitFindsRigidMotion anchors random feet as a random pose has them and
// looks for that pose again from one near it.
func TestFitFindsRigidMotion(t *testing.T) {
	s := reference(t, hexapod())
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string, size float64) float64 { return rapid.Float64Range(-size, size).Draw(t, name) }
		p := geom.Pose{P: r3.Vec{X: num("x", 5), Y: num("y", 5), Z: num("z", 5)}, Q: geom.FromRPY(num("roll", 0.7), num("pitch", 0.7), num("yaw", 3))}
		s.st.Planted = rapid.SampledFrom([]uint64{0b111111, 0b011001, 0b100110, 0b110111}).Draw(t, "feet")
		for i := range s.st.Feet {
			s.st.Feet[i].Anchor = p.Apply(s.feetB[i])
			s.st.Feet[i].Firm = rapid.Float64Range(0.1, 1).Draw(t, "firm")
		}
		w := r3.Vec{X: num("wx", 0.2), Y: num("wy", 0.2), Z: num("wz", 0.2)}
		guess := geom.Pose{P: r3.Add(p.P, r3.Scale(3, w)), Q: turned(p.Q, w)}
		got, x := s.fit(guess)
		d := quat.Mul(got.Q, quat.Conj(p.Q))
		turn := 2 * math.Atan2(math.Sqrt(d.Imag*d.Imag+d.Jmag*d.Jmag+d.Kmag*d.Kmag), math.Abs(d.Real))
		if off := r3.Norm(r3.Sub(got.P, p.P)); off > 1e-9 || turn > 1e-9 || x.tilt != 2 || !x.yaw {
			t.Fatalf("off by %v and %v rad; fixed %+v", off, turn, x)
		}
	})
}

// TestFitLeavesFreeTurns checks what one, two and collinear feet cannot say.
func TestFitLeavesFreeTurns(t *testing.T) {
	rows := []struct {
		name  string
		feet  uint64
		tilt  int
		yaw   bool
		guess r3.Vec // rotation of the guess from the truth
		kept  r3.Vec // of it that must be left
	}{
		{"one foot", 0b000001, 0, false, r3.Vec{X: 0.1, Y: 0.2, Z: 0.3}, r3.Vec{X: 0.1, Y: 0.2, Z: 0.3}},
		{"two across", 0b001100, 1, true, r3.Vec{Y: 0.1}, r3.Vec{Y: 0.1}},
		{"two across, turned along", 0b001100, 1, true, r3.Vec{X: 0.1}, r3.Vec{}},
		{"two across, yawed", 0b001100, 1, true, r3.Vec{Z: 0.1}, r3.Vec{}},
		{"two along", 0b010001, 1, true, r3.Vec{X: 0.1}, r3.Vec{X: 0.1}},
	}
	for _, w := range rows {
		s := reference(t, hexapod())
		s.st.Planted = w.feet
		truth := s.Pose()
		for i := range s.st.Feet {
			s.st.Feet[i].Anchor = truth.Apply(s.feetB[i])
		}
		got, x := s.fit(geom.Pose{P: truth.P, Q: turned(truth.Q, w.guess)})
		left := quat.Mul(got.Q, quat.Conj(turned(truth.Q, w.kept)))
		if math.Abs(left.Real) < 1-1e-12 || x.tilt != w.tilt || x.yaw != w.yaw {
			t.Errorf("%s: got %v, fixed %+v", w.name, got.Q, x)
		}
	}
}

// TestSlidingFootDoesNotPull plants a foot that its leg still moves: the body
// must not follow it.
func TestSlidingFootDoesNotPull(t *testing.T) {
	s := reference(t, hexapod())
	s.st.Feet[0].Firm = 0
	start := s.Pose()
	sp := rig.NewSetpoint(s.rig)
	for range 5 {
		sp.Q[0] += 0.1 // the coxa of leg 0 sweeps its foot along the ground
		apply(t, s, sp)
	}
	if moved := r3.Norm(r3.Sub(s.Pose().P, start.P)); moved > 1e-9 || s.Slip(0) < 0.2 {
		t.Errorf("the body moved %v, the foot slid %v", moved, s.Slip(0))
	}
}

// TestPlaceEverywhere stands rigs on sloping and uneven ground.
func TestPlaceEverywhere(t *testing.T) {
	for _, kind := range terrain.Names() {
		spec, _ := terrain.Default(kind, 1)
		g, err := terrain.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		s := newSim(t, hexapod().build(t, 1), g, Default(), Reference, tickR)
		sp := rig.NewSetpoint(s.rig)
		for _, at := range []r3.Vec{{}, {X: 40, Y: 3, Z: 2}, {X: -7, Y: 9, Z: -1}} {
			if err := s.Place(at.X, at.Y, at.Z); err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
			for range 40 {
				apply(t, s, sp)
			}
			p := s.Pose().P
			if s.Falls() != 0 || s.standing() < 3 || math.Hypot(p.X-at.X, p.Y-at.Y) > 0.5 {
				t.Errorf("%s at %v: stands at %v on %d feet, %d falls", kind, at, p, s.standing(), s.Falls())
			}
		}
		if kind == "slope" {
			if a := geom.Tilt(s.Pose().Q); a > 1e-6 {
				t.Errorf("tilted by %v on the level part", a)
			}
			_ = s.Place(40, 0, 0)
			if a := geom.Tilt(s.Pose().Q); math.Abs(a-spec.Angle) > 1e-6 {
				t.Errorf("tilted by %v on a slope of %v", a, spec.Angle)
			}
		}
	}
}

// TestAnyDt runs the same second with three tick lengths.
func TestAnyDt(t *testing.T) {
	end := func(dt float64) (drop, rise float64, slide r3.Vec) {
		s := newSim(t, hexapod().build(t, 1), geom.Level(0), Default(), Reference, dt)
		d := newDriver(s, 1, 1, 1, make([]float64, 6)...)
		d.raise(0.3)
		if err := s.Do(Event{Kind: EventPush, Vec: r3.Vec{X: 1}}); err != nil {
			t.Fatal(err)
		}
		for range int(math.Round(0.2 / dt)) {
			apply(t, s, d.sp)
		}
		rise, slide = s.Pose().P.Z-1.1, s.st.Slide
		_ = s.Reset(geom.Pose{P: r3.Vec{Z: 50}, Q: quat.Number{Real: 1}})
		for range int(math.Round(0.4 / dt)) {
			apply(t, s, d.sp)
		}
		return s.st.Fall, rise, slide
	}
	drop, rise, slide := end(0.05)
	for _, dt := range []float64{0.01, 0.02} {
		f, r, v := end(dt)
		if math.Abs(f-drop) > 1e-9 || math.Abs(r-rise) > 0.03*rise || r3.Norm(r3.Sub(v, slide)) > 1e-9 {
			t.Errorf("dt %v: falls at %v, rose %v, slides at %v; dt 0.05: %v, %v, %v", dt, f, r, v, drop, rise, slide)
		}
	}
}
