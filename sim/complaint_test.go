package sim

import (
	"bytes"
	"context"
	"math"
	"math/bits"
	"testing"
	"time"

	"legctl/geom"
	"legctl/rig"
	"legctl/sim/terrain"

	"gonum.org/v1/gonum/spatial/r3"
)

// Complaints people have about other robots, by their number in the notes on
// controllers; each test would fail if this simulator had that fault.

// TestComplaint02_KneesUnderTheFloor bends every leg until its knee is lower
// than its foot: that must not pass for standing.
func TestComplaint02_KneesUnderTheFloor(t *testing.T) {
	s := reference(t, hexapod())
	sp := rig.NewSetpoint(s.rig)
	for k := range 100 {
		for i := range s.rig.Legs {
			l := &s.rig.Legs[i]
			down := math.Min(1, float64(k)/50)
			sp.Q[l.First+1] = l.Joints[1].Rest + down*(math.Pi/2-l.Joints[1].Rest) // thigh straight down
			sp.Q[l.First+2] = l.Joints[2].Rest + down*(-2.5-l.Joints[2].Rest)      // shin folded up
		}
		apply(t, s, sp)
	}
	if s.Falls() == 0 || !s.st.Touch {
		t.Errorf("knees are under the feet, and it stands at %v with %d falls", s.Pose().P, s.Falls())
	}
	if err := s.Place(0, 0, 0); err != nil {
		t.Fatal(err)
	}
	d := ahead(s)
	for range 50 {
		apply(t, s, d.tick(tickR))
	}
	if s.Falls() != 0 {
		t.Errorf("%d falls of a good walk", s.Falls())
	}
}

// lifted returns a setpoint with the feet of a set drawn up by half a unit.
func lifted(s *Sim, up uint64) *rig.Setpoint {
	sp := rig.NewSetpoint(s.rig)
	for i := range s.rig.Legs {
		if up>>i&1 == 1 {
			l := &s.rig.Legs[i]
			q := reachFoot(l, r3.Add(l.Neutral, r3.Vec{Z: 0.5 * s.r.u}), s.r.u)
			copy(s.rig.Slice(sp.Q, i), q[:])
		}
	}
	return sp
}

// TestComplaint03_UnstablePoseGoesOver draws up all legs of one side: the body must
// go over until something else carries it, not hang in the air as if all were
// well.
func TestComplaint03_UnstablePoseGoesOver(t *testing.T) {
	for _, up := range []uint64{0b010101, 0b101010} {
		s := reference(t, hexapod())
		sp := lifted(s, up)
		for range 60 {
			apply(t, s, sp)
		}
		if roll, _, _ := geom.RPY(s.Pose().Q); math.Abs(roll) < 0.1 || (roll < 0) != (up&1 == 1) {
			t.Errorf("legs %06b are up and the body rolls by %v", up, roll)
		}
		if s.Planted()&up == 0 && s.Falls() == 0 {
			t.Errorf("legs %06b are up, the body hangs on %06b", up, s.Planted())
		}
	}
}

// TestComplaint04_AnyFeetCarry lifts every set of legs that leaves the centre of
// mass supported: exactly the others stand, whichever they are.
func TestComplaint04_AnyFeetCarry(t *testing.T) {
	tried := 0
	for up := range uint64(64) {
		s := reference(t, hexapod())
		s.st.Planted &^= up
		if h := s.support(); h.outside > 0 || h.dir == (r3.Vec{}) || bits.OnesCount64(up) > 3 {
			continue
		}
		tried++
		s = reference(t, hexapod())
		sp := lifted(s, up)
		for range 40 {
			apply(t, s, sp)
		}
		if s.Planted() != 0b111111&^up || geom.Tilt(s.Pose().Q) > 0.01 || s.Falls() > 0 {
			t.Errorf("legs %06b are up, %06b stand, tilt %.3f", up, s.Planted(), geom.Tilt(s.Pose().Q))
		}
	}
	if tried < 20 {
		t.Errorf("only %d sets tried", tried)
	}
}

// TestComplaint05_OneHipTurnsOneLeg turns the hip of one leg, of each in turn:
// the body may not go with it, and no leg counts for more than its mirror image.
func TestComplaint05_OneHipTurnsOneLeg(t *testing.T) {
	moved := make([]float64, 6)
	for leg := range moved {
		s := reference(t, hexapod())
		sp := rig.NewSetpoint(s.rig)
		for k := range 40 {
			sp.Q[s.rig.Legs[leg].First] = s.rig.Legs[leg].Joints[0].Rest + 0.3*math.Min(1, float64(k)/20)
			apply(t, s, sp)
		}
		moved[leg] = math.Abs(geom.Yaw(s.Pose().Q))
		if moved[leg] > 0.1 {
			t.Errorf("leg %d turned by 0.3 rad, the body by %.3f", leg, moved[leg])
		}
	}
	for _, pair := range [][2]int{{0, 5}, {1, 4}, {2, 3}} { // through the middle of the body
		if math.Abs(moved[pair[0]]-moved[pair[1]]) > 1e-6 {
			t.Errorf("legs %v turn the body by %v and %v", pair, moved[pair[0]], moved[pair[1]])
		}
	}
}

// TestComplaint10_NoWallClock steps one world at once and its twin with pauses
// between the ticks: the same bytes.
func TestComplaint10_NoWallClock(t *testing.T) {
	a, da := eventful(t, "rough")
	b, db := eventful(t, "rough")
	for k := range 60 {
		apply(t, a, da.tick(tickR))
		if k%20 == 0 {
			time.Sleep(3 * time.Millisecond) // a slow computer
		}
		apply(t, b, db.tick(tickR))
	}
	if !bytes.Equal(bytesOf(t, a), bytesOf(t, b)) || a.Pose().P.X < 0.1 {
		t.Errorf("at full speed %v, with pauses %v", a.Pose().P, b.Pose().P)
	}
}

// TestComplaint13_BackwardsIsAsGood walks ahead and backwards on a slippery
// floor: as far, and with as much slip, which is counted for each foot.
func TestComplaint13_BackwardsIsAsGood(t *testing.T) {
	run := func(v float64) (way, slip float64) {
		spec, _ := terrain.Default("flat", 1)
		spec.Material = terrain.Ice
		g, err := terrain.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		s := newSim(t, hexapod().build(t, 1), g, Default(), Reference, tickR)
		d := newDriver(s, 1, 13*tickR, 0.6, tripod()...)
		d.v = r3.Vec{X: v / tickR}
		for range 200 {
			apply(t, s, d.tick(tickR))
		}
		for i := range s.rig.Legs {
			slip += s.Slip(i)
		}
		return s.Pose().P.X, slip
	}
	ahead, slipA := run(0.12)
	back, slipB := run(-0.12)
	if math.Abs(ahead+back) > 0.02*ahead || math.Abs(slipA-slipB) > 0.1*max(slipA, slipB)+0.05 || ahead < 10 {
		t.Errorf("ahead %.2f U with %.3f U of slip, back %.2f with %.3f", ahead, slipA, back, slipB)
	}
}

// TestComplaint08_OneWayToMove is a plant like any other: setpoints in,
// observations out. What is not a setpoint moves nothing.
func TestComplaint08_OneWayToMove(t *testing.T) {
	var plant interface {
		Open(context.Context) (rig.Caps, error)
		Enable(context.Context, uint64) error
		Observe(context.Context, *rig.Observation) error
		Apply(context.Context, *rig.Setpoint) error
		Halt() error
		Close() error
	} = reference(t, hexapod())
	ctx := context.Background()
	caps, err := plant.Open(ctx)
	if err != nil || !caps.Feedback || !caps.Contacts {
		t.Fatalf("%+v, %v", caps, err)
	}
	o := rig.NewObservation(hexapod().build(t, 1))
	sp := rig.NewSetpoint(hexapod().build(t, 1))
	sp.Q[1] -= 0.2
	for range 2 {
		if err := plant.Apply(ctx, sp); err != nil {
			t.Fatal(err)
		}
	}
	if err := plant.Observe(ctx, o); err != nil || o.Q[1] != sp.Q[1] {
		t.Errorf("joint 1 is at %v, commanded %v, %v", o.Q[1], sp.Q[1], err)
	}
}
