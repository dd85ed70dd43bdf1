package gait_test

import (
	"math"
	"testing"

	"legctl/gait"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// TestSwingBezier: the control points of the comment, evaluated by de
// Casteljau, are the curve.
func TestSwingBezier(t *testing.T) {
	w := gait.Swing{
		From: r3.Vec{X: -.1, Y: .02, Z: .03}, To: r3.Vec{X: .12, Y: -.01},
		VelFrom: r3.Vec{X: -.4, Y: .1}, VelTo: r3.Vec{X: -.3}, Lift: .05, Time: .4, Curve: gait.CurveBezier,
	}
	third := w.Time / 3
	p := [4]r3.Vec{w.From, r3.Add(w.From, r3.Scale(third, w.VelFrom)), r3.Sub(w.To, r3.Scale(third, w.VelTo)), w.To}
	for s := 0.0; s <= 1; s += 1. / 64 {
		a := p
		for n := 3; n > 0; n-- {
			for i := range n {
				a[i] = r3.Add(r3.Scale(1-s, a[i]), r3.Scale(s, a[i+1]))
			}
		}
		if got := w.At(s); math.Abs(got.X-a[0].X) > 1e-12 || math.Abs(got.Y-a[0].Y) > 1e-12 {
			t.Fatalf("at %v: %v, want %v", s, got, a[0])
		}
	}
	if got := w.At(0.5).Z; math.Abs(got-w.Crest()) > 1e-12 {
		t.Errorf("crest %v, want %v", got, w.Crest())
	}
	peak := func(c gait.Curve) float64 {
		still := gait.Swing{To: r3.Vec{X: 1}, Time: 1, Curve: c}
		return still.Velocity(0.5).X
	}
	if b, q := peak(gait.CurveBezier), peak(gait.CurveQuintic); math.Abs(b-1.5) > 1e-12 || math.Abs(q-1.875) > 1e-12 {
		t.Errorf("peak speeds %v and %v, want 3/2 and 15/8", b, q)
	}
}

// TestComplaint60_FeetSlipThroughSwing: a foot leaves and meets the ground at
// the ground's own speed, whatever the curve, its bow and its search.
func TestComplaint60_FeetSlipThroughSwing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := gait.Swing{
			From: drawVec(t, "from", 1), To: drawVec(t, "to", 1), VelFrom: drawVec(t, "vfrom", 1), VelTo: drawVec(t, "vto", 1),
			Lift: rapid.Float64Range(0, .5).Draw(t, "lift"), Time: rapid.Float64Range(.05, 2).Draw(t, "time"),
			Curve: gait.Curve(rapid.IntRange(0, 1).Draw(t, "curve")), Bow: drawVec(t, "bow", .2), Depth: rapid.Float64Range(0, .2).Draw(t, "depth"),
		}
		for _, e := range []struct {
			s    float64
			p, v r3.Vec
		}{{0, w.From, w.VelFrom}, {1, w.To, w.VelTo}} {
			if w.At(e.s) != e.p || r3.Norm(r3.Sub(w.Velocity(e.s), e.v)) > 1e-9 {
				t.Fatalf("at %v: %v at %v, want %v at %v", e.s, w.At(e.s), w.Velocity(e.s), e.p, e.v)
			}
		}
		const h = 1e-6
		for s := .01; s < 1.6; s += .07 {
			if s > .99 && s < 1.01 || math.Abs(s-1-gait.SearchShare) < .01 {
				continue
			}
			d := r3.Scale(1/(2*h*w.Time), r3.Sub(w.At(s+h), w.At(s-h)))
			v := w.Velocity(s)
			if s > 1 && w.Depth == 0 {
				v = r3.Vec{}
			}
			if e := r3.Norm(r3.Sub(d, v)); e > 1e-3*(1+r3.Norm(d)) {
				t.Fatalf("at %v the path moves at %v, Velocity says %v", s, d, v)
			}
		}
	})
}

// TestSwingBow: the whole bow at mid-swing, none at the ends, C2.
func TestSwingBow(t *testing.T) {
	w := gait.Swing{To: r3.Vec{X: .1}, Lift: .05, Time: .4, Bow: gait.Bow(r3.Vec{Y: -.2, Z: -.1}, .03)}
	if got := w.At(.5); math.Abs(got.Y+.03) > 1e-12 {
		t.Errorf("bow %v at mid-swing, want -0.03", got.Y)
	}
	if w.At(0) != w.From || w.At(1) != w.To {
		t.Error("the bow moves the ends")
	}
	const h = 1e-4
	if a := (w.Velocity(h).Y - w.Velocity(0).Y) / (h * w.Time); math.Abs(a) > .01 {
		t.Errorf("sideways acceleration %v at lift-off", a)
	}
	if b := gait.Bow(r3.Vec{Z: -1}, .1); b != (r3.Vec{}) {
		t.Errorf("a foot under the origin bows %v", b)
	}
}

// TestSwingDepth: a foot that finds nothing goes straight down, without a jump,
// to the depth and no further.
func TestSwingDepth(t *testing.T) {
	w := gait.Swing{From: r3.Vec{X: -.1}, To: r3.Vec{X: .1, Z: .02}, Lift: .05, Time: .4, Depth: .03}
	last := w.To.Z
	for s := 1.0; s < 2; s += .01 {
		p := w.At(s)
		if p.X != w.To.X || p.Z > last || p.Z < w.To.Z-w.Depth-1e-12 {
			t.Fatalf("at %v: %v", s, p)
		}
		last = p.Z
	}
	if math.Abs(last-(w.To.Z-w.Depth)) > 1e-12 {
		t.Errorf("ends at %v, want %v", last, w.To.Z-w.Depth)
	}
}

// TestSwingClears: over any ground the path keeps its gap, or says how much of
// it is left when the lift may not rise so far.
func TestSwingClears(t *testing.T) {
	shares := []float64{.15, .3, .5, .7, .85}
	rapid.Check(t, func(t *rapid.T) {
		w := gait.Swing{
			From: r3.Vec{X: -.1}, To: r3.Vec{X: .1, Z: rapid.Float64Range(-.05, .05).Draw(t, "step")}, Lift: .02, Time: .4,
			Curve: gait.Curve(rapid.IntRange(0, 1).Draw(t, "curve")),
		}
		ground := make([]float64, len(shares))
		for i := range ground {
			ground[i] = rapid.Float64Range(-.1, .08).Draw(t, "ground")
		}
		most := rapid.Float64Range(0, 2).Draw(t, "most")
		before := w.Lift
		left := w.Clear(shares, ground, .01, most)
		if w.Lift < before || w.Lift > before+most+1e-12 {
			t.Fatalf("lift went from %v to %v, at most by %v", before, w.Lift, most)
		}
		worst := .01
		for i, sh := range shares {
			x := w.From.X + sh*(w.To.X-w.From.X)
			for s := 0.0; s <= 1; s += 1. / 4096 {
				if p := w.At(s); math.Abs(p.X-x) < 1e-4 {
					worst = min(worst, p.Z-ground[i])
				}
			}
		}
		if math.Abs(worst-left) > 2e-3 {
			t.Fatalf("left %v, the path leaves %v", left, worst)
		}
		if left < .01-1e-9 && w.Lift < before+most-1e-12 {
			t.Fatalf("gap %v kept only by %v, and the lift of %v may rise by %v", .01, left, w.Lift-before, most)
		}
	})
}
