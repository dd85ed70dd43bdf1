package gait_test

import (
	"math"
	"testing"

	"legctl/gait"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// swing runs one swing of leg 2 of a body that moves on at vx U/k, from
// behind its rest point to a target that keeps ahead of it, and calls watch
// with the foot before and after each tick. It returns the ticks it took.
func (f *fixture) swing(t *testing.T, vx, from float64, watch func(before, after r3.Vec)) int {
	t.Helper()
	f.move(vx, 0, 0)
	ground := geom.Level(0)
	z := f.Zones(&f.body)
	l := &f.legs[2]
	f.away(2, from, 0)
	f.Aim(l, ground, &f.body, &z, f.Rest(&f.body, &z, 2), false)
	f.Begin(l, ground)
	for k := 1; k < 1000; k++ {
		f.body.P.X += f.body.Vel.X * f.Dt
		f.Aim(l, ground, &f.body, &z, f.Rest(&f.body, &z, 2), false)
		before := l.Foot
		landed := f.Advance(l, &f.body)
		watch(before, l.Foot)
		if landed {
			return k
		}
	}
	t.Fatalf("the foot never landed: %+v", *l)
	return 0
}

// TestProperty10Apex: any step longer than 0.35 and one move passes the height
// 0.35 over its target, and none goes higher.
func TestProperty10Apex(t *testing.T) {
	inEach(t, func(t *testing.T, p place) {
		for _, from := range []float64{-0.3, -0.6, -0.85, -1.2} {
			f := stand(t, "octopod", p, gait.ReferenceWalk())
			top := 0.0
			f.swing(t, 0.15, from, func(_, after r3.Vec) { top = math.Max(top, after.Z/f.Scale.U) })
			if way := 0.48 - from; way > 0.35+0.375+0.15 && math.Abs(top-0.35) > 1e-6 || top > 0.35+1e-9 {
				t.Errorf("from %g: apex %v, want 0.35", from, top)
			}
		}
	})
}

// TestProperty11Progress: per tick a foot moves by its speed along its way, by
// the same again up or down, and with the body; it lands on its target.
func TestProperty11Progress(t *testing.T) {
	inEach(t, func(t *testing.T, p place) {
		f := stand(t, "octopod", p, gait.ReferenceWalk())
		perTick := f.Dt / f.Scale.K // k
		f.swing(t, 0.15, -0.85, func(before, after r3.Vec) {
			d := r3.Scale(1/f.Scale.U, r3.Sub(after, before))
			d.X -= 0.15 * perTick
			flat := math.Hypot(d.X, d.Y)
			if most := 0.375 * perTick; flat > most+1e-12 || math.Abs(d.Z) > 2*most+1e-12 || r3.Norm(d) > 2*most+1e-12 {
				t.Errorf("the foot moves by %v U in a tick, most %g", d, most)
			}
		})
		l := &f.legs[2]
		if miss := r3.Norm(r3.Sub(l.Foot, l.Target)) / f.Scale.U; miss > 1e-4 || !l.Planted() {
			t.Errorf("landed %g U from its target, planted %v", miss, l.Planted())
		}
	})
}

// TestSwingTime is section 12's swing of 4 to 6 k.
func TestSwingTime(t *testing.T) {
	inEach(t, func(t *testing.T, p place) {
		f := stand(t, "octopod", p, gait.ReferenceWalk())
		n := f.swing(t, 0.15, -0.85, func(_, _ r3.Vec) {})
		if k := float64(n) * f.Dt / f.Scale.K; k < 4 || k > 6 {
			t.Errorf("a full step takes %.2f k, want 4 to 6", k)
		}
	})
}

// TestCarriedFoot: what hangs goes with the body, turning included.
func TestCarriedFoot(t *testing.T) {
	f := stand(t, "octopod", places[0], gait.ReferenceWalk())
	f.move(0.1, 0.05, 0.2)
	l := &f.legs[0]
	l.Touching, l.Grounded = false, false
	want := r3.Sub(l.Foot, f.body.P)
	sn, cs := math.Sincos(0.2)
	want = r3.Vec{X: cs*(want.X+0.1) - sn*(want.Y+0.05), Y: sn*(want.X+0.1) + cs*(want.Y+0.05), Z: want.Z}
	f.Advance(l, &f.body)
	if got := r3.Sub(l.Foot, f.body.P); r3.Norm(r3.Sub(got, want)) > 1e-9 {
		t.Errorf("carried to %v, want %v", got, want)
	}
}
