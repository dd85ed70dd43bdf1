package geom_test

import (
	"math"
	"testing"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

func TestPlaceNamed(t *testing.T) {
	square := pts(0, 0, 1, 0, 1, 1, 0, 1)
	tiny := pts(0, 0, 1e-200, 0, 1e-200, 1e-200, 0, 1e-200)
	for _, c := range []struct {
		name string
		hull []r2.Vec
		p    r2.Vec
		side int
		near r2.Vec
		dist float64
	}{
		{"none", nil, r2.Vec{X: 3}, -1, r2.Vec{X: 3}, math.Inf(1)},
		{"on a point", pts(1, 2), r2.Vec{X: 1, Y: 2}, 0, r2.Vec{X: 1, Y: 2}, 0},
		{"beside a point", pts(1, 2), r2.Vec{X: 4, Y: 6}, -1, r2.Vec{X: 1, Y: 2}, 5},
		{"on a segment", pts(0, 0, 3, 1), r2.Vec{X: 1.5, Y: .5}, 0, r2.Vec{X: 1.5, Y: .5}, 0},
		{"at its end", pts(0, 0, 3, 1), r2.Vec{X: 3, Y: 1}, 0, r2.Vec{X: 3, Y: 1}, 0},
		{"beyond it, on its line", pts(0, 0, 3, 1), r2.Vec{X: 6, Y: 2}, -1, r2.Vec{X: 3, Y: 1}, math.Sqrt(10)},
		{"upright segment, beyond", pts(0, 0, 0, 1), r2.Vec{Y: 3}, -1, r2.Vec{Y: 1}, 2},
		{"beside a segment", pts(0, 0, 4, 0), r2.Vec{X: 1, Y: 2}, -1, r2.Vec{X: 1}, 2},
		{"inside", square, r2.Vec{X: .5, Y: .25}, 1, r2.Vec{X: .5}, .25},
		{"on an edge", square, r2.Vec{X: 1, Y: .5}, 0, r2.Vec{X: 1, Y: .5}, 0},
		{"on a vertex", square, r2.Vec{X: 1, Y: 1}, 0, r2.Vec{X: 1, Y: 1}, 0},
		{"beyond an edge, on its line", square, r2.Vec{X: 3}, -1, r2.Vec{X: 1}, 2},
		{"off an edge", square, r2.Vec{X: 3, Y: .5}, -1, r2.Vec{X: 1, Y: .5}, 2},
		{"off a corner", square, r2.Vec{X: 4, Y: 5}, -1, r2.Vec{X: 1, Y: 1}, 5},
		{"an ulp outside", square, r2.Vec{X: .5, Y: -5e-324}, -1, r2.Vec{X: .5}, 0},
		{"an ulp inside", square, r2.Vec{X: .5, Y: 5e-324}, 1, r2.Vec{X: .5}, 0},
		{"in a hull too small to square", tiny, r2.Vec{X: 5e-201, Y: 4e-201}, 1, r2.Vec{X: 0, Y: 1e-200}, 0},
		{"NaN", square, r2.Vec{X: math.NaN()}, -1, r2.Vec{X: math.NaN()}, math.Inf(1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			side, near, dist := geom.Place(c.hull, c.p)
			if side != c.side || dist != c.dist || near != c.near && near.X == near.X {
				t.Errorf("%d, %v at %v; want %d, %v at %v", side, near, dist, c.side, c.near, c.dist)
			}
		})
	}
}

// TestPlaceProperties compares with the definitions: signs of all edges, and
// the nearest of all edges.
func TestPlaceProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hull := geom.Hull(nil, drawPoints(t, 12))
		p := r2.Vec{X: rapid.Float64Range(-1.5, 1.5).Draw(t, "px"), Y: rapid.Float64Range(-1.5, 1.5).Draw(t, "py")}
		if rapid.Bool().Draw(t, "grid") {
			p = r2.Vec{X: float64(rapid.IntRange(-8, 8).Draw(t, "gx")) / 16, Y: float64(rapid.IntRange(-8, 8).Draw(t, "gy")) / 16}
		}
		side, near, dist := geom.Place(hull, p)
		if len(hull) < 3 {
			if side > 0 {
				t.Fatal("inside a flat hull")
			}
			return
		}
		want := 1
		for i, a := range hull {
			want = min(want, geom.Orient(a, hull[(i+1)%len(hull)], p))
		}
		if side != want {
			t.Fatalf("side %d, want %d", side, want)
		}
		q, d := geom.Closest(hull, p)
		if math.Abs(dist-d) > 1e-12 || math.Abs(r2.Norm(r2.Sub(near, p))-d) > 1e-12 {
			t.Fatalf("nearest %v at %v, want %v at %v", near, dist, q, d)
		}
	})
}
