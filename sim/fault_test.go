package sim

import (
	"context"
	"math"
	"math/bits"
	"testing"

	"legctl/geom"
	"legctl/rig"
	"legctl/sim/terrain"

	"gonum.org/v1/gonum/spatial/r3"
)

// walk drives a hexapod ahead for a number of reference ticks and returns how
// far it got, U, and the largest tilt, rad.
func walk(t *testing.T, s *Sim, d *driver, ticks int) (way, tilt float64) {
	t.Helper()
	x := s.Pose().P.X
	for range ticks {
		apply(t, s, d.tick(tickR))
		tilt = max(tilt, geom.Tilt(s.Pose().Q))
	}
	return s.Pose().P.X - x, tilt
}

func ahead(s *Sim) *driver {
	d := newDriver(s, 1, 13*tickR, 0.6, tripod()...)
	d.v = r3.Vec{X: 0.15 / tickR}
	return d
}

func TestServoSpeedHalvedLags(t *testing.T) {
	run := func(factor float64) float64 {
		p := Default()
		p.Servo.Limited = true
		c := hexapod()
		c.speed = 4 // about what the gait needs
		s := newSim(t, c.build(t, 1), geom.Level(0), p, Reference, tickR)
		if err := s.Do(Event{Kind: EventSlow, Leg: -1, Joint: -1, Value: factor}); err != nil {
			t.Fatal(err)
		}
		d := ahead(s)
		way, _ := walk(t, s, d, 130)
		return way / d.at.P.X
	}
	if full, half := run(1), run(0.5); full < 0.97 || half > 0.9*full {
		t.Errorf("%.3f of the way at full servo speed, %.3f at half", full, half)
	}
}

func TestServoLag(t *testing.T) {
	p := Default()
	p.Servo.Lag = 0.1
	s := newSim(t, hexapod().build(t, 1), geom.Level(0), p, Reference, tickR)
	sp := rig.NewSetpoint(s.rig)
	from := sp.Q[1]
	sp.Q[1] += 0.1
	for k := 1; k < 10; k++ {
		apply(t, s, sp)
		want := from + 0.1*(1-math.Exp(-float64(k)*tickR/0.1))
		if got := s.Joints(nil)[1]; math.Abs(got-want) > 1e-12 {
			t.Fatalf("tick %d: %v, want %v", k, got, want)
		}
	}
}

func TestFrozenLegTilts(t *testing.T) {
	s := reference(t, hexapod())
	d := ahead(s)
	if _, tilt := walk(t, s, d, 43); tilt > 1e-6 {
		t.Fatalf("tilts by %v in good health", tilt)
	}
	for s.Planted()>>0&1 == 1 { // freeze it in the air
		walk(t, s, d, 1)
	}
	walk(t, s, d, 2)
	if err := s.Do(Event{Kind: EventFreeze, Leg: 0, Joint: -1, Value: 1}); err != nil {
		t.Fatal(err)
	}
	if _, tilt := walk(t, s, d, 26); tilt < 0.05 {
		t.Errorf("tilts by %v rad with a leg frozen in the air", tilt)
	}
}

func TestIgnoredJointsDoNotAdvance(t *testing.T) {
	s := reference(t, hexapod())
	d := ahead(s)
	start := s.Pose()
	still := rig.NewSetpoint(s.rig)
	for range 200 {
		d.tick(tickR) // the controller's intent walks on
		apply(t, s, still)
	}
	if moved := r3.Norm(r3.Sub(s.Pose().P, start.P)); moved > 1e-9 || d.at.P.X < 20 {
		t.Errorf("moved %v with joints that stand still (intent %v)", moved, d.at.P.X)
	}
}

func TestPushWearsOff(t *testing.T) {
	s := reference(t, hexapod())
	sp := rig.NewSetpoint(s.rig)
	if err := s.Do(Event{Kind: EventPush, Vec: r3.Vec{X: 2, Y: -1}}); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		apply(t, s, sp)
	}
	// A geometric series: 2 m/s x dt / (1 - 0.8).
	want := r3.Vec{X: 2 * tickR / 0.2, Y: -1 * tickR / 0.2}
	if got := s.Pose().P; math.Abs(got.X-want.X) > 1e-9 || math.Abs(got.Y-want.Y) > 1e-9 || s.Slip(0) < 0.4 {
		t.Errorf("pushed to %v, want %v; feet slid %v", got, want, s.Slip(0))
	}
	if s.standing() != 6 || s.Falls() != 0 {
		t.Errorf("%d feet stand, %d falls", s.standing(), s.Falls())
	}
}

func TestWallStops(t *testing.T) {
	spec, _ := terrain.Default("wall", 1)
	g, _ := terrain.New(spec)
	s := newSim(t, hexapod().build(t, 1), g, Default(), Reference, tickR)
	d := ahead(s)
	d.ground = geom.Level(0) // the driver does not see it
	walk(t, s, d, 130)
	if x := s.Pose().P.X + 0.3; x > spec.Start || x < spec.Start-1.2 || s.Walls() == 0 {
		t.Errorf("front at %v, wall at %v, held %d ticks", x, spec.Start, s.Walls())
	}
	p := s.Pose().P
	if err := s.Do(Event{Kind: EventPush, Vec: r3.Vec{X: 400}}); err != nil {
		t.Fatal(err)
	}
	walk(t, s, d, 3)
	if x := s.Pose().P.X + 0.3; x > spec.Start || x < p.X {
		t.Errorf("a hard push goes through the wall: front at %v", x)
	}
}

func TestBlocksRemoved(t *testing.T) {
	spec, _ := terrain.Default("blocks", 1)
	spec.Run, spec.Count = 0.7, 11 // no foot on a seam
	g, _ := terrain.New(spec)
	s := newSim(t, hexapod().build(t, 1), g, Default(), Reference, tickR)
	sp := rig.NewSetpoint(s.rig)
	apply(t, s, sp)
	if s.standing() != 6 {
		t.Fatalf("%d feet stand on blocks", s.standing())
	}
	take := func(leg int) {
		f := s.Foot(leg)
		id, ok := g.BlockAt(f.X, f.Y)
		if !ok {
			t.Fatalf("no block under foot %d at %v", leg, f)
		}
		if err := s.Do(Event{Kind: EventRemove, Block: int32(id)}); err != nil {
			t.Fatal(err)
		}
	}
	take(2)
	apply(t, s, sp)
	if s.Contacts() != 0b111011 || s.Pose().P.Z != 1.1 {
		t.Fatalf("contacts %06b, height %v after one block went", s.Contacts(), s.Pose().P.Z)
	}
	for _, leg := range []int{0, 1, 3, 4, 5} {
		take(leg)
	}
	for range 60 {
		apply(t, s, sp)
	}
	// The blocks under the body are still there.
	if s.Contacts() != 0 || !s.Lying() || s.Falls() != 1 || math.Abs(s.Pose().P.Z-0.1) > 1e-9 {
		t.Errorf("contacts %06b, height %v, %d falls with no ground under the feet", s.Contacts(), s.Pose().P.Z, s.Falls())
	}
	if s.Do(Event{Kind: EventRemove, Block: 9999}) == nil {
		t.Error("a block that is not there was removed")
	}
}

func TestLimpLiesDown(t *testing.T) {
	s := reference(t, hexapod())
	sp := rig.NewSetpoint(s.rig)
	sp.Limp = true
	for range 100 {
		apply(t, s, sp)
	}
	if !s.Lying() || s.Falls() != 0 || math.Abs(s.Pose().P.Z-0.1) > 1e-9 {
		t.Errorf("lying %v at %v, %d falls", s.Lying(), s.Pose().P.Z, s.Falls())
	}
	for i := range s.rig.Legs {
		if z := s.Foot(i).Z; z < -0.02 {
			t.Errorf("foot %d is %v under the ground", i, z)
		}
	}
	// With torque on again it stands up from where the joints are.
	sp.Limp = false
	from := s.Joints(nil)
	for k := range 100 {
		f := min(1, float64(k)/60)
		for i := range sp.Q {
			sp.Q[i] = from[i] + f*(s.rig.RestPose(nil)[i]-from[i])
		}
		apply(t, s, sp)
	}
	if z := s.Pose().P.Z; math.Abs(z-1.1) > 1e-3 || bits.OnesCount64(s.Contacts()) != 6 {
		t.Errorf("stands up to %v on feet %06b", z, s.Contacts())
	}
}

func TestFallsAreCountedOnce(t *testing.T) {
	spec, _ := terrain.Default("ledge", 1)
	g, _ := terrain.New(spec)
	s := newSim(t, hexapod().build(t, 1), g, Default(), Reference, tickR)
	walk(t, s, ahead(s), 60)
	sp := rig.NewSetpoint(s.rig)
	for range 200 {
		apply(t, s, sp)
	}
	if s.Falls() != 1 {
		t.Errorf("%d falls off one ledge", s.Falls())
	}
	obs := rig.NewObservation(s.rig)
	if err := s.Observe(context.Background(), obs); err != nil || obs.FellSince != 1 {
		t.Errorf("observed %d falls: %v", obs.FellSince, err)
	}
}
