package plot

import (
	"math"
	"testing"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi, n float64
		want      []string
	}{
		{0, 1, 10, []string{"0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"}},
		{-0.3, 0.3, 7, []string{"-0.3", "-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3"}},
		{0, 9.98, 12, []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}},
		{1e-4, 3e-4, 3, []string{"0.0001", "0.0002", "0.0003"}},
		{100, 1300, 3, []string{"500", "1000"}},
		{1, 1, 5, nil},
		{math.NaN(), 1, 5, nil},
	} {
		got := ticks{c.n}.Ticks(c.lo, c.hi)
		if len(got) != len(c.want) {
			t.Errorf("%v to %v: %v, want %v", c.lo, c.hi, got, c.want)
			continue
		}
		for i, k := range got {
			if k.Label != c.want[i] {
				t.Errorf("%v to %v: mark %d is %q, want %q", c.lo, c.hi, i, k.Label, c.want[i])
			}
		}
	}
}

func TestRuns(t *testing.T) {
	var got [][3]int
	values := []uint64{1, 1, 0, 2, 2, 2}
	runs(len(values), func(k int) uint64 { return values[k] }, func(a, b int, v uint64) { got = append(got, [3]int{a, b, int(v)}) })
	want := [][3]int{{0, 2, 1}, {2, 3, 0}, {3, 6, 2}}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got, want)
		}
	}
	runs(0, nil, func(int, int, uint64) { t.Error("a run of nothing") })
}

func TestGrid(t *testing.T) {
	slope := &geom.Plane{Normal: r3.Unit(r3.Vec{X: -0.2, Y: 0.1, Z: 1})}
	g, err := SampleGround(slope, 1, -2, 0.5, 0.1, 3, 6)
	if err != nil {
		t.Fatal(err)
	}
	if g.NX != 6 || g.NY != 6 || math.Abs(g.X-0.75) > 1e-12 || math.Abs(g.Y+2.25) > 1e-12 {
		t.Errorf("grid %d x %d from %v, %v", g.NX, g.NY, g.X, g.Y)
	}
	for _, c := range []struct{ x, y, wantX, wantY float64 }{
		{1, -2, 1, -2}, {0.83, -2.11, 0.83, -2.11}, {9, -2, 1.25, -2}, {1, 9, 1, -1.75}, {-9, -9, 0.75, -2.25},
	} {
		if z, want := g.At(c.x, c.y), 0.2*c.wantX-0.1*c.wantY; math.Abs(z-want) > 1e-9 {
			t.Errorf("height at %v, %v is %v, want %v", c.x, c.y, z, want)
		}
	}
	deep, err := SampleGround(geom.Level(-9), 0, 0, 1, 0.5, 1, 2)
	if err != nil || deep.At(0, 0) != -1 {
		t.Errorf("ground below the drop: %v, %v, want -1", deep, err)
	}
	for _, c := range [][4]float64{{0, 0.1, 1, 1}, {1, 0, 1, 1}, {1, 2, 1, 1}, {1, 1e-6, 1, 1}, {1, 0.1, 1, 0}, {math.NaN(), 1, 1, 1}} {
		if _, err := SampleGround(slope, 0, 0, c[0], c[1], c[2], c[3]); err == nil {
			t.Errorf("side %v, cell %v, drop %v was taken", c[0], c[1], c[3])
		}
	}
}

// TestRayNear compares with points sampled along ray and segment.
func TestRayNear(t *testing.T) {
	vec := rapid.Custom(func(t *rapid.T) r3.Vec {
		c := rapid.Float64Range(-1, 1)
		return r3.Vec{X: c.Draw(t, "x"), Y: c.Draw(t, "y"), Z: c.Draw(t, "z")}
	})
	rapid.Check(t, func(t *rapid.T) {
		p, d, a, b := vec.Draw(t, "p"), vec.Draw(t, "d"), vec.Draw(t, "a"), vec.Draw(t, "b")
		if r3.Norm(d) < 0.1 || r3.Norm(r3.Sub(a, b)) < 0.1 {
			t.Skip("no direction")
		}
		d = r3.Unit(d)
		least := math.Inf(1)
		for i := range 61 {
			q := r3.Add(a, r3.Scale(float64(i)/60, r3.Sub(b, a)))
			s := max(0, r3.Dot(r3.Sub(q, p), d))
			least = min(least, r3.Norm(r3.Sub(r3.Add(p, r3.Scale(s, d)), q)))
		}
		if least < 0.03 {
			t.Skip("touching")
		}
		if rayNear(p, d, a, b, least*0.9-0.02) {
			t.Fatalf("near although %v away", least)
		}
		if !rayNear(p, d, a, b, least*1.001) && s0(p, d, a, b) {
			t.Fatalf("not near although %v away", least)
		}
	})
}

// s0 reports whether the nearest point of the line lies ahead of p, where the
// two-step minimum of rayNear is exact.
func s0(p, d, a, b r3.Vec) bool {
	return r3.Dot(r3.Sub(a, p), d) > 0 && r3.Dot(r3.Sub(b, p), d) > 0
}

func TestGrownCoversSeams(t *testing.T) {
	square := []vg.Point{{X: 0, Y: 0}, {X: 10, Y: 0}, {X: 10, Y: 10}, {X: 0, Y: 10}}
	for _, ring := range [][]vg.Point{square, {square[3], square[2], square[1], square[0]}} {
		for i, p := range grown(ring) {
			v := ring[i]
			dx, dy := math.Abs(float64(p.X-5))-math.Abs(float64(v.X-5)), math.Abs(float64(p.Y-5))-math.Abs(float64(v.Y-5))
			if math.Abs(dx-0.3) > 1e-9 || math.Abs(dy-0.3) > 1e-9 {
				t.Errorf("corner %v moved to %v, want 0.3 outward both ways", v, p)
			}
		}
	}
	for _, p := range grown([]vg.Point{{X: 1, Y: 1}, {X: 1, Y: 1}, {X: 5, Y: 1}}) {
		if math.IsNaN(float64(p.X)) || math.IsNaN(float64(p.Y)) || math.Abs(float64(p.X)) > 7 {
			t.Errorf("a flat outline grows to %v", p)
		}
	}
}
