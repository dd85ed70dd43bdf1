package sim

import (
	"context"
	"math"
	"testing"

	"legctl/balance"
	"legctl/geom"
	"legctl/sim/terrain"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// The numbers of these tests are those of the step-rule notes, section 10.

const tickR = 0.05 // one tick of the reference world, s

func reference(t testing.TB, c spec) *Sim {
	return newSim(t, c.build(t, 1), geom.Level(0), Default(), Reference, tickR)
}

// raise makes the driver stand at another height.
func (d *driver) raise(dz float64) { d.at.P.Z += dz; d.solve() }

func TestProperty22HeightHold(t *testing.T) {
	s := reference(t, hexapod())
	d := newDriver(s, 1, 1, 1, make([]float64, 6)...)
	d.raise(-0.5)
	for range 60 {
		apply(t, s, d.sp)
	}
	d.raise(1)
	want := d.at.P.Z
	e := want - s.Pose().P.Z
	for k := range 25 {
		apply(t, s, d.sp)
		was := e
		e = want - s.Pose().P.Z
		if e > 1e-4 && math.Abs(e/was-0.75) > 0.01 || e < -1e-6 {
			t.Fatalf("tick %d: error %v after %v", k, e, was)
		}
	}
	if math.Abs(e) > 1e-3 {
		t.Errorf("after 25 ticks %v away", e)
	}
}

func TestProperty23SupportThreshold(t *testing.T) {
	rows := []struct {
		standing, legs int
		net            float64
	}{{1, 4, 0}, {2, 8, 0}, {1, 6, 0.32/6 - 0.0784}, {3, 12, 0}, {2, 12, 0.32/6 - 0.0784}}
	for _, w := range rows {
		c := hexapod()
		c.feet = nil
		for i := range w.legs / 2 {
			x := 2 * float64(w.legs/2-1-2*i) / float64(w.legs)
			c.feet = append(c.feet, mirrored(r3.Vec{X: x, Y: 1.3})...)
		}
		s := reference(t, c)
		s.st.Planted = 1<<w.standing - 1
		h := holding{dir: r3.Vec{Z: 1}}
		s.vertical(&h, s.Pose().P.Z)
		if got := s.st.Fall * tickR; math.Abs(got-w.net) > 1e-12 {
			t.Errorf("%d of %d feet: %v U/tick2, want %v", w.standing, w.legs, got, w.net)
		}
	}
}

func TestProperty24FreeFall(t *testing.T) {
	for _, n := range []int{1, 5} { // ticks of dt a reference tick
		s := newSim(t, hexapod().build(t, 1), geom.Level(0), Default(), Reference, tickR/float64(n))
		if err := s.Reset(geom.Pose{P: r3.Vec{Z: 1e4}, Q: quat.Number{Real: 1}}); err != nil {
			t.Fatal(err)
		}
		d := newDriver(s, 1, 1, 1, make([]float64, 6)...)
		for k := 1; k <= 400; k++ {
			for range n {
				apply(t, s, d.sp)
			}
			want := -3.92 * (1 - math.Pow(0.98, float64(k)))
			if got := s.st.Fall * tickR; math.Abs(got-want) > 1e-9 || got < -3.92 {
				t.Fatalf("after %d ticks %v U/tick, want %v", k, got, want)
			}
		}
	}
}

// bellyDrop returns a limp rig without a box, 5 U up.
func bellyDrop(t *testing.T) *Sim {
	c := hexapod().build(t, 1)
	c.Body.Box = r3.Vec{}
	s := newSim(t, c, geom.Level(0), Default(), Reference, tickR)
	if err := s.Reset(geom.Pose{P: r3.Vec{Z: 5}, Q: quat.Number{Real: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Enable(context.Background(), 0); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestProperty25BellyDrop(t *testing.T) {
	s := bellyDrop(t)
	d := newDriver(s, 1, 1, 1, make([]float64, 6)...)
	var rebounds []float64
	first, was := -1, 0.0
	for k := range 60 {
		apply(t, s, d.sp)
		if v := s.st.Fall * tickR; was < 0 && v >= 0 {
			if first < 0 {
				first = k
			}
			rebounds = append(rebounds, v)
		}
		was = s.st.Fall * tickR
	}
	if first != 11 || len(rebounds) < 2 || math.Abs(rebounds[0]-0.42) > 0.005 || math.Abs(rebounds[1]-0.19) > 0.005 {
		t.Errorf("impact in tick %d, rebounds %.4f", first, rebounds)
	}
	if s.st.Fall != 0 || math.Abs(s.Pose().P.Z) > 1e-9 || s.Hits() < 1 || s.Hits() > 2 {
		t.Errorf("at rest: speed %v, height %v, %d hits", s.st.Fall, s.Pose().P.Z, s.Hits())
	}
	hits := s.Hits()
	for range 100 {
		apply(t, s, d.sp)
	}
	if s.Hits() != hits || s.Falls() != 0 {
		t.Errorf("lying still: %d more hits, %d falls of a limp rig", s.Hits()-hits, s.Falls())
	}
}

// onThree stands a quadruped on its first three feet, anchored so that its
// centre of mass is out of their triangle by outside metres.
func onThree(t *testing.T, outside, leeway float64) *Sim {
	p := Default()
	p.Leeway = leeway
	s := newSim(t, quadruped().build(t, 1), geom.Level(0), p, Reference, tickR)
	s.st.Planted = 0b0111
	for i, f := range []r3.Vec{{X: 1, Y: -outside}, {X: 3, Y: -outside - 2}, {X: -1, Y: -outside}} {
		s.st.Feet[i].Anchor = f
	}
	return s
}

func TestProperty26ForceDirection(t *testing.T) {
	rows := []struct {
		name    string
		outside float64
		want    r3.Vec
	}{
		{"inside", -0.3, r3.Vec{Z: 1}},
		{"outside", 0.5, r3.Unit(r3.Vec{Y: 0.5, Z: 1.1})},
		{"steep", 1.09, r3.Unit(r3.Vec{Y: 1.09, Z: 1.1})},
		{"beyond 45 degrees", 1.11, r3.Vec{}},
	}
	for _, w := range rows {
		h := onThree(t, w.outside, 0).support()
		if r3.Norm(r3.Sub(h.dir, w.want)) > 1e-12 || w.outside < 0 && h.dir != w.want {
			t.Errorf("%s: direction %v, want %v", w.name, h.dir, w.want)
		}
		if h.where == balance.Inside != (w.outside < 0) {
			t.Errorf("%s: is %v", w.name, h.where)
		}
	}
	s := onThree(t, 0.4, 0)
	s.st.Planted = 0b0101
	if h := s.support(); h.where == balance.Inside || h.dir.Y <= 0 {
		t.Errorf("two feet: %v, direction %v", h.where, h.dir)
	}
}

func TestProperty27Leeway(t *testing.T) {
	if h := onThree(t, 0.49, 0.5).support(); h.dir != (r3.Vec{Z: 1}) {
		t.Errorf("0.49 outside: direction %v", h.dir)
	}
	if h := onThree(t, 0.51, 0.5).support(); h.dir.Z >= 1 || h.dir.Y <= 0 {
		t.Errorf("0.51 outside: direction %v", h.dir)
	}
}

// overLedge walks a hexapod off a ledge and returns the forward speed at the
// moment no foot stands any more, U a tick, and the largest pitch before it.
func overLedge(t *testing.T, leeway float64) (speed, pitch float64, fell bool) {
	spec, _ := terrain.Default("ledge", 1)
	spec.Height = 8
	g, err := terrain.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := Default()
	p.Leeway = leeway
	s := newSim(t, hexapod().build(t, 1), g, p, Reference, tickR)
	d := newDriver(s, 1, 13*tickR, 0.6, tripod()...)
	d.v = r3.Vec{X: 0.15 / tickR}
	for range 60 {
		apply(t, s, d.tick(tickR))
		_, a, _ := geom.RPY(s.Pose().Q)
		pitch = max(pitch, a)
		if s.Pose().P.X > spec.Start-1.5 && s.Planted() == 0 {
			return s.Velocity().X * tickR, pitch, true
		}
	}
	return s.Velocity().X * tickR, pitch, false
}

func TestProperty28Ledge(t *testing.T) {
	speed, pitch, fell := overLedge(t, 0)
	if !fell || speed <= 0.15 || pitch < 0.05 {
		t.Errorf("falls %v, outwards at %v U/tick, pitch %v", fell, speed, pitch)
	}
	if _, held, _ := overLedge(t, 10); held > 0.3*pitch {
		t.Errorf("with leeway 10 it tips by %v, with none by %v", held, pitch)
	}
}
