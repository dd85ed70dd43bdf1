package control_test

import (
	"math"
	mathbits "math/bits"
	"testing"

	"legctl/control"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// bumps is a gentle ground, mirrored in the plane y = 0 by side.
type bumps struct{ u, side float64 }

func (b *bumps) Version() uint64 { return 0 }

func (b *bumps) Cast(from, dir r3.Vec, most float64) (geom.Hit, bool) {
	x, y := from.X/b.u, b.side*from.Y/b.u
	z := 0.1 * b.u * (math.Sin(0.9*x) + math.Sin(0.7*y+0.3*x))
	if dir.X != 0 || dir.Y != 0 || from.Z-z > most {
		return geom.Hit{}, false
	}
	return geom.Hit{Point: r3.Vec{X: from.X, Y: from.Y, Z: math.Min(z, from.Z)}, Normal: r3.Vec{Z: 1}}, true
}

// TestProperty35Mirror walks a curve and its mirror image over a ground and its
// mirror image, by intent alone. The two colours of legs change places; which
// goes first from a stand is a matter of update order, so the legs that are to
// go first start a little behind. Until two neighbours want to lift in the same
// tick, everything is mirrored.
func TestProperty35Mirror(t *testing.T) {
	steps := 0
	everywhere(t, func(t *testing.T, o setting) {
		plain := build(t, o)
		u := plain.size.U
		var runs [2]*world
		for k, side := range []float64{1, -1} {
			o.ground = &bumps{u, side}
			w := build(t, o)
			for i := range w.s.Legs {
				if int(w.rig.Groups.Colour[i]) == k {
					w.s.Legs[i].Foot.X -= 0.24 * u
				}
			}
			v := u / w.size.K
			w.c.Step(w.out, w.s, &control.Command{Kind: control.KindTwist, Vx: 0.12 * v, Vy: side * 0.03 * v, Wz: side * 0.01 / w.size.K, TTL: 1e3}, nil, o.ground)
			runs[k] = w
		}
		for tick := range plain.inK(150) {
			for k := range runs {
				runs[k].c.Step(runs[k].out, runs[k].s, nil, nil, runs[k].ground)
			}
			if tied(runs[0], runs[1]) {
				return
			}
			steps += mathbits.OnesCount64(runs[0].out.LiftOff)
			for i := range plain.rig.Legs {
				a, b := &runs[0].s.Legs[i], &runs[1].s.Legs[i^1] // legs come in pairs, left first
				d := r3.Vec{X: a.Foot.X - b.Foot.X, Y: a.Foot.Y + b.Foot.Y, Z: a.Foot.Z - b.Foot.Z}
				if a.Moving != b.Moving || r3.Norm(d) > 1e-6*u {
					t.Fatalf("tick %d: leg %d at %v, swings %v; its mirror image at %v, swings %v", tick, i, a.Foot, a.Moving, b.Foot, b.Moving)
				}
			}
		}
	})
	if steps < 500 {
		t.Errorf("%d lift-offs: too few to prove anything", steps)
	}
}

// tied reports whether a leg lifted in one run where in the other the mirror
// image of its neighbour did: both wanted to, and the lower colour may.
func tied(a, b *world) bool {
	for i := range a.rig.Legs {
		if a.out.LiftOff>>i&1 == 0 || b.out.LiftOff>>(i^1)&1 == 1 {
			continue
		}
		for set := a.rig.Groups.Adjacent[i]; set != 0; set &= set - 1 {
			if j := mathbits.TrailingZeros64(set); b.out.LiftOff>>(j^1)&1 == 1 && a.out.LiftOff>>j&1 == 0 {
				return true
			}
		}
	}
	return false
}

// TestProperty36Axes: the step period does not depend on the bearing of the
// path in the world.
func TestProperty36Axes(t *testing.T) {
	everywhere(t, func(t *testing.T, o setting) {
		first := 0.0
		for _, yaw := range []float64{0, math.Pi / 2, math.Pi / 4, -math.Pi, -1} {
			w := build(t, o)
			w.place(0, 0, yaw)
			w.twist(0.15, 0, 0)
			w.run(w.inK(150))
			st := w.strides(w.inK(60))
			p := st.period * w.dt / w.size.K
			if first == 0 {
				first = p
			}
			if math.Abs(p-first) > 1 {
				t.Errorf("heading %.2f: period %.2f k, ahead %.2f", yaw, p, first)
			}
			if x := w.sim.Pose().P; math.Abs(geom.WrapAngle(math.Atan2(x.Y, x.X)-yaw)) > 0.1 {
				t.Errorf("heading %.2f: went to %.2f", yaw, math.Atan2(x.Y, x.X))
			}
		}
	})
}

// TestProperty37Determinism: the same commands give the same bytes.
func TestProperty37Determinism(t *testing.T) {
	everywhere(t, func(t *testing.T, o setting) {
		var first []byte
		for range 2 {
			unit := 1.0
			if o.own {
				unit = 0.01
			}
			o.ground = &bumps{unit, 1}
			w := build(t, o)
			w.twist(0.15, 0.02, 0.01)
			w.run(w.inK(60))
			w.leg(0, false)
			w.run(w.inK(30))
			w.stop()
			w.run(w.inK(20))
			b, err := w.s.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			if b, err = w.sim.AppendBinary(b); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = b
			} else if string(b) != string(first) {
				t.Error("two runs differ")
			}
		}
	})
}
