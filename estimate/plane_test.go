package estimate_test

import (
	"math"
	"testing"

	"legctl/estimate"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// on puts points on a plane with slopes a, b and height h at the origin.
func on(a, b, h float64, at ...r3.Vec) []r3.Vec {
	out := make([]r3.Vec, len(at))
	for i, v := range at {
		out[i] = r3.Vec{X: v.X, Y: v.Y, Z: h + a*v.X + b*v.Y}
	}
	return out
}

func settled(feet []r3.Vec, down uint64) estimate.Plane {
	p := estimate.DefaultPlane(0.4)
	p.Settle = 0
	var g estimate.Plane
	for range 20 {
		g.Update(&p, feet, down, 0.01)
	}
	return g
}

// TestPlaneIsFound fits any plane through the feet of a hexapod, and leaves out
// any one foot that stands on a block or in a hole.
func TestPlaneIsFound(t *testing.T) {
	base := []r3.Vec{{X: 0.2, Y: 0.15}, {X: 0.2, Y: -0.15}, {Y: 0.25}, {Y: -0.25}, {X: -0.2, Y: 0.15}, {X: -0.2, Y: -0.15}}
	rapid.Check(t, func(rt *rapid.T) {
		slope := rapid.Float64Range(-0.5, 0.5)
		a, b, h := slope.Draw(rt, "a"), slope.Draw(rt, "b"), rapid.Float64Range(-2, 2).Draw(rt, "h")
		feet := on(a, b, h, base...)
		odd := rapid.IntRange(-1, 5).Draw(rt, "odd")
		if odd >= 0 {
			feet[odd].Z += rapid.SampledFrom([]float64{-0.12, 0.08, 0.2}).Draw(rt, "block")
		}
		g := settled(feet, all(6))
		if math.Abs(g.X-a)+math.Abs(g.Y-b) > 1e-3 || math.Abs(g.Height(0, 0)-h) > 1e-3 {
			rt.Fatalf("found %v %v %v, want %v %v %v", g.X, g.Y, g.Height(0, 0), a, b, h)
		}
		if g.HasBlock != (odd >= 0) || odd >= 0 && int(g.Block) != odd {
			rt.Fatalf("block under %d (%v), want %d", g.Block, g.HasBlock, odd)
		}
		var plane geom.Plane
		g.Fill(&plane)
		hit, ok := plane.Cast(r3.Vec{X: 0.3, Y: -0.1, Z: 9}, r3.Vec{Z: -1}, 20)
		if !ok || math.Abs(hit.Point.Z-(h+0.3*a-0.1*b)) > 2e-3 || plane.Version() == 0 {
			rt.Fatalf("the ground made of it is hit at %v, %v", hit, ok)
		}
	})
}

func TestPlaneOfFewFeet(t *testing.T) {
	four := square(0.2, 0.1, 0)
	slope := on(0.2, -0.1, 1, four...)
	p := estimate.DefaultPlane(0.4)
	p.Settle = 0
	rows := []struct {
		name string
		feet []r3.Vec
		down uint64
		x, y float64
		z    float64 // at the origin
	}{
		{"none", on(0, 0, 5, four...), 0, 0.2, -0.1, 1},
		{"one foot lower", on(0.2, -0.1, 0.9, four...), 0b0001, 0.2, -0.1, 0.9},
		{"a pair keeps the slope across", on(0.3, -0.1, 1, four...), 0b0101, 0.3, -0.1, 1},
		{"three feet are exact", on(-0.1, 0.3, 2, four...), 0b0111, -0.1, 0.3, 2},
		{"too steep is not believed", on(3, 0, 1, four...), 0b1111, 0.2, -0.1, 1},
		{"nan is not believed", []r3.Vec{{Z: math.NaN()}, four[1], four[2], four[3]}, 0b1111, 0.2, -0.1, 1},
	}
	for _, w := range rows {
		g := settled(slope, 0b1111)
		for range 30 {
			g.Update(&p, w.feet, w.down, 0.01)
		}
		if math.Abs(g.X-w.x) > 0.01 || math.Abs(g.Y-w.y) > 0.01 || math.Abs(g.Height(0, 0)-w.z) > 0.01 {
			t.Errorf("%s: slopes %.3f %.3f, height %.3f, want %v %v %v", w.name, g.X, g.Y, g.Height(0, 0), w.x, w.y, w.z)
		}
	}
}

// TestPlaneSettles checks that the plane follows in the stated time and that
// Serial changes when it moves and only then.
func TestPlaneSettles(t *testing.T) {
	p := estimate.DefaultPlane(0.4)
	var g estimate.Plane
	g.Update(&p, on(0, 0, 0, square(0.2, 0.1, 0)...), 0b1111, 0.01)
	first := g.Serial
	for range 100 {
		g.Update(&p, on(0, 0, 0, square(0.2, 0.1, 0)...), 0b1111, 0.01)
	}
	if first == 0 || g.Serial != first {
		t.Errorf("serial %d, then %d on the same ground", first, g.Serial)
	}
	for range 30 {
		g.Update(&p, on(0, 0, 0.1, square(0.2, 0.1, 0)...), 0b1111, 0.01)
	}
	if z := g.Height(0, 0); z < 0.05 || z > 0.075 || g.Serial == first {
		t.Errorf("0.3 s after a step of 0.1 m: height %v, serial %d", z, g.Serial)
	}
}
