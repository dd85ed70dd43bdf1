package gait_test

import (
	"math"
	"testing"

	"legctl/gait"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

func drawVec(t *rapid.T, name string, size float64) r3.Vec {
	c := rapid.Float64Range(-size, size)
	return r3.Vec{X: c.Draw(t, name+"x"), Y: c.Draw(t, name+"y"), Z: c.Draw(t, name+"z")}
}

func TestSwingProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := gait.Swing{
			From: drawVec(t, "from", 1), To: drawVec(t, "to", 1),
			VelFrom: drawVec(t, "vfrom", 1), VelTo: drawVec(t, "vto", 1),
			Lift: rapid.Float64Range(0, .5).Draw(t, "lift"), Time: rapid.Float64Range(.05, 2).Draw(t, "time"),
		}
		if w.At(0) != w.From || w.At(1) != w.To || w.At(-3) != w.From || w.At(math.NaN()) != w.From || w.At(7) != w.To {
			t.Fatal("the ends are not met exactly")
		}
		for _, e := range []struct {
			s    float64
			want r3.Vec
		}{{0, w.VelFrom}, {1, w.VelTo}} {
			if d := r3.Norm(r3.Sub(w.Velocity(e.s), e.want)); d > 1e-9 {
				t.Fatalf("velocity at %v is %v, want %v", e.s, w.Velocity(e.s), e.want)
			}
		}
		if z := w.At(.5).Z; math.Abs(z-w.Crest()) > 1e-12 {
			t.Fatalf("height at mid-swing %v, want %v", z, w.Crest())
		}
		// Velocity is the derivative of At, all the way.
		const h = 1e-6
		for s := .01; s < .99; s += .07 {
			d := r3.Scale(1/(2*h*w.Time), r3.Sub(w.At(s+h), w.At(s-h)))
			if e := r3.Norm(r3.Sub(d, w.Velocity(s))); e > 1e-4 {
				t.Fatalf("at %v the path moves at %v, Velocity says %v", s, d, w.Velocity(s))
			}
		}
	})
}

// TestSwingC2 checks that no component's second derivative jumps: neither at
// mid-swing, where two quintics meet, nor at the ends, where the foot stands.
func TestSwingC2(t *testing.T) {
	w := gait.Swing{From: r3.Vec{X: -.1, Y: .02, Z: .03}, To: r3.Vec{X: .1, Z: -.01}, VelFrom: r3.Vec{X: -.4, Z: .1}, VelTo: r3.Vec{X: -.4}, Lift: .05, Time: .4}
	const h = 1e-5
	acc := func(s float64) r3.Vec {
		return r3.Scale(1/(2*h*w.Time), r3.Sub(w.Velocity(s+h), w.Velocity(s-h)))
	}
	for _, c := range []struct {
		name string
		jump r3.Vec
	}{
		{"mid-swing", r3.Sub(acc(.5+2*h), acc(.5-2*h))},
		{"lift-off", acc(2 * h)},
		{"touchdown", acc(1 - 2*h)},
	} {
		if n := r3.Norm(c.jump); n > 0.01 {
			t.Errorf("%s: acceleration jumps by %v", c.name, c.jump)
		}
	}
}

// TestSwingHeight is property 10 of the gait rules for the phase gaits: the
// crest is the lift height above the higher end, and never more.
func TestSwingHeight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := gait.Swing{From: drawVec(t, "from", 1), To: drawVec(t, "to", 1), Lift: rapid.Float64Range(0, .5).Draw(t, "lift"), Time: .3}
		top, last := math.Inf(-1), w.From.Z
		for k := range 1001 {
			z := w.At(float64(k) / 1000).Z
			if rising := k <= 500; rising && z < last-1e-12 || !rising && z > last+1e-12 {
				t.Fatalf("height %v after %v at step %d", z, last, k)
			}
			top, last = max(top, z), z
		}
		if want := max(w.From.Z, w.To.Z) + w.Lift; math.Abs(top-want) > 1e-9 {
			t.Fatalf("highest %v, want %v", top, want)
		}
	})
}

func TestSwingZero(t *testing.T) {
	var w gait.Swing
	if w.At(.5) != (r3.Vec{}) || w.Velocity(.5) != (r3.Vec{}) {
		t.Errorf("the zero value moves: %v, %v", w.At(.5), w.Velocity(.5))
	}
}
