package geom_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

func pts(xy ...float64) []r2.Vec {
	var p []r2.Vec
	for i := 0; i+1 < len(xy); i += 2 {
		p = append(p, r2.Vec{X: xy[i], Y: xy[i+1]})
	}
	return p
}

func TestHullDegenerate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name     string
		in, want []r2.Vec
	}{
		{"none", nil, nil},
		{"one", pts(1, 2), pts(1, 2)},
		{"the same three times", pts(1, 2, 1, 2, 1, 2), pts(1, 2)},
		{"two", pts(3, 0, 1, 2), pts(1, 2, 3, 0)},
		{"two of one x", pts(1, 2, 1, -2), pts(1, -2, 1, 2)},
		{"collinear", pts(0, 0, 3, 3, 1, 1, 2, 2), pts(0, 0, 3, 3)},
		{"collinear upright", pts(0, 1, 0, -1, 0, 0), pts(0, -1, 0, 1)},
		{"triangle, clockwise", pts(0, 0, 0, 1, 1, 0), pts(0, 0, 1, 0, 0, 1)},
		{"point on an edge", pts(0, 0, 1, 0, 2, 0, 1, 1), pts(0, 0, 2, 0, 1, 1)},
		{"square, middle and doubles", pts(0, 0, 1, 1, 1, 0, 0, 1, .5, .5, 1, 1, 0, 0), pts(0, 0, 1, 0, 1, 1, 0, 1)},
		{"not finite", pts(nan, 0, 0, 0, 0, inf, 1, 0, 0, 1, -inf, nan), pts(0, 0, 1, 0, 0, 1)},
		{"one ulp off a line", pts(0, 0, 1, 1+0x1p-52, 2, 2), pts(0, 0, 2, 2, 1, 1+0x1p-52)},
		{"minus zero", pts(0, math.Copysign(0, -1), 0, 0, 1, 0), pts(0, 0, 1, 0)},
		{"huge", pts(-1e308, 0, 1e308, -1e300, 0, 1e308), pts(-1e308, 0, 1e308, -1e300, 0, 1e308)},
		{"tiny", pts(0, 0, 5e-324, 0, 0, 5e-324), pts(0, 0, 5e-324, 0, 0, 5e-324)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := geom.Hull(nil, c.in); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// drawPoints draws points on a coarse grid (many ties), on floats, or on a
// nearly straight line.
func drawPoints(t *rapid.T, most int) []r2.Vec {
	n := rapid.IntRange(0, most).Draw(t, "n")
	kind := rapid.IntRange(0, 2).Draw(t, "kind")
	p := make([]r2.Vec, n)
	for i := range p {
		switch kind {
		case 0:
			p[i].X = float64(rapid.IntRange(-3, 3).Draw(t, "x")) / 8
			p[i].Y = float64(rapid.IntRange(-3, 3).Draw(t, "y")) / 8
		case 1:
			p[i].X = rapid.Float64Range(-1, 1).Draw(t, "x")
			p[i].Y = rapid.Float64Range(-1, 1).Draw(t, "y")
		default:
			p[i].X = rapid.Float64Range(-1, 1).Draw(t, "x")
			p[i].Y = p[i].X/3 + float64(rapid.IntRange(-2, 2).Draw(t, "ulps"))*0x1p-54
		}
	}
	return p
}

func TestHullProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPoints(t, 70)
		kept := slices.Clone(p)
		h := geom.Hull(nil, p)
		if !slices.Equal(p, kept) {
			t.Fatal("the input changed")
		}
		for i := range h {
			a, b, c := h[i], h[(i+1)%len(h)], h[(i+2)%len(h)]
			if !slices.Contains(p, a) {
				t.Fatalf("vertex %v is no input", a)
			}
			if len(h) > 2 && geom.Orient(a, b, c) != 1 {
				t.Fatalf("no strict left turn at %v %v %v", a, b, c)
			}
			if i > 0 && (a.X < h[0].X || a.X == h[0].X && a.Y <= h[0].Y) {
				t.Fatalf("%v comes before the first vertex %v", a, h[0])
			}
			for _, q := range p {
				if geom.Orient(a, b, q) < 0 {
					t.Fatalf("%v is outside edge %v %v", q, a, b)
				}
			}
		}
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(p), func(i, j int) { p[i], p[j] = p[j], p[i] })
		if again := geom.Hull(nil, append(p, p...)); !slices.Equal(again, h) {
			t.Fatalf("shuffled and doubled: %v, want %v", again, h)
		}
	})
}

func TestHullDoesNotAllocate(t *testing.T) {
	p := pts(.1, .2, -.1, .2, .1, 0, -.1, 0, .1, -.2, -.1, -.2, .3, .1)
	big := make([]r2.Vec, 64)
	for i := range big {
		big[i] = r2.Vec{X: float64(i) / 3, Y: float64(i) / 9}
	}
	dst := make([]r2.Vec, 0, 64)
	for name, in := range map[string][]r2.Vec{"seven": p, "64 nearly collinear": big} {
		if n := testing.AllocsPerRun(100, func() { dst = geom.Hull(dst, in) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestSignedArea(t *testing.T) {
	for _, c := range []struct {
		name string
		ring []r2.Vec
		want float64
	}{
		{"none", nil, 0},
		{"segment", pts(0, 0, 1, 1), 0},
		{"square", pts(0, 0, 2, 0, 2, 2, 0, 2), 4},
		{"square, clockwise", pts(0, 0, 0, 2, 2, 2, 2, 0), -4},
		{"arrow head", pts(0, 0, 2, 1, 0, 2, 1, 1), 1},
		{"figure of eight", pts(0, 0, 1, 1, 1, 0, 0, 1), 0},
		{"twice round", pts(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1), 1},
		{"far away", pts(1e8, 1e8, 1e8+1, 1e8, 1e8+1, 1e8+1, 1e8, 1e8+1), 1},
	} {
		if got := geom.SignedArea(c.ring); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
