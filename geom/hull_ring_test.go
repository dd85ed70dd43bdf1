package geom_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
)

func TestClosest(t *testing.T) {
	square := pts(0, 0, 1, 0, 1, 1, 0, 1)
	for _, c := range []struct {
		name string
		ring []r2.Vec
		p    r2.Vec
		want r2.Vec
		dist float64
	}{
		{"none", nil, r2.Vec{X: 3}, r2.Vec{X: 3}, math.Inf(1)},
		{"point", pts(1, 1), r2.Vec{X: 4, Y: 5}, r2.Vec{X: 1, Y: 1}, 5},
		{"segment, inside", pts(0, 0, 2, 0), r2.Vec{X: 1, Y: 3}, r2.Vec{X: 1}, 3},
		{"segment, beyond", pts(0, 0, 2, 0), r2.Vec{X: 5, Y: 4}, r2.Vec{X: 2}, 5},
		{"square, inside", square, r2.Vec{X: .25, Y: .5}, r2.Vec{Y: .5}, .25},
		{"square, corner", square, r2.Vec{X: 4, Y: 5}, r2.Vec{X: 1, Y: 1}, 5},
		{"square, on it", square, r2.Vec{X: 1, Y: .5}, r2.Vec{X: 1, Y: .5}, 0},
		{"doubled vertices", pts(0, 0, 0, 0, 2, 0, 2, 0, 0, 2), r2.Vec{X: 1, Y: -1}, r2.Vec{X: 1}, 1},
	} {
		if q, d := geom.Closest(c.ring, c.p); q != c.want || d != c.dist {
			t.Errorf("%s: %v at %v, want %v at %v", c.name, q, d, c.want, c.dist)
		}
	}
}

// star returns a random simple ring: angles rise all the way round.
func star(rng *rand.Rand, n int) []r2.Vec {
	mid := r2.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64()}
	angle := make([]float64, n)
	for i := range angle {
		angle[i] = (float64(i) + 0.9*rng.Float64()) / float64(n) * 2 * math.Pi
	}
	ring := make([]r2.Vec, n)
	for i, a := range angle {
		r := 0.1 + rng.Float64()
		ring[i] = r2.Vec{X: mid.X + r*math.Cos(a), Y: mid.Y + r*math.Sin(a)}
	}
	return ring
}

// comb returns a random simple ring that no point sees all of: teeth of random
// depth, turned as a whole.
func comb(rng *rand.Rand, teeth int) []r2.Vec {
	var ring []r2.Vec
	for i := range teeth {
		x := float64(i)
		ring = append(ring, r2.Vec{X: x, Y: rng.Float64() * .5}, r2.Vec{X: x + .3 + .4*rng.Float64(), Y: 1 + rng.Float64()})
	}
	ring = append(ring, r2.Vec{X: float64(teeth), Y: 3}, r2.Vec{X: -.5, Y: 3})
	s, c := math.Sincos(rng.Float64() * 7)
	for i, p := range ring {
		ring[i] = r2.Vec{X: c*p.X - s*p.Y, Y: s*p.X + c*p.Y}
	}
	return ring
}

// winding sums the angles under which p sees the edges: an independent answer.
func winding(ring []r2.Vec, p r2.Vec) bool {
	sum := 0.0
	for i := range ring {
		a, b := r2.Sub(ring[i], p), r2.Sub(ring[(i+1)%len(ring)], p)
		sum += math.Atan2(r2.Cross(a, b), r2.Dot(a, b))
	}
	return math.Abs(sum) > math.Pi
}

// TestParityWinding is property 29 of the gait rules: 10^5 simple polygons.
func TestParityWinding(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 1))
	inside := 0
	for k := range 100_000 {
		var ring []r2.Vec
		if k%2 == 0 {
			ring = star(rng, 3+rng.IntN(12))
		} else {
			ring = comb(rng, 1+rng.IntN(5))
		}
		at := ring[rng.IntN(len(ring))]
		p := r2.Vec{X: at.X + .4*rng.NormFloat64(), Y: at.Y + .4*rng.NormFloat64()}
		q, d := geom.Closest(ring, p)
		if d < 1e-9 {
			continue
		}
		want := winding(ring, p)
		if want {
			inside++
		}
		turn := rng.IntN(len(ring))
		turned := append(slices.Clone(ring[turn:]), ring[:turn]...)
		back := slices.Clone(ring)
		slices.Reverse(back)
		for name, r := range map[string][]r2.Vec{"as made": ring, "another start": turned, "reversed": back} {
			if got := geom.Parity(r, p); got != want {
				t.Fatalf("ring %d %s: %v, want %v at %v of %v", k, name, got, want, p, ring)
			}
		}
		for _, v := range ring {
			if r2.Norm(r2.Sub(v, p)) < d-1e-12 {
				t.Fatalf("ring %d: vertex %v is nearer to %v than %v", k, v, p, q)
			}
		}
	}
	if inside < 20_000 || inside > 80_000 {
		t.Errorf("%d of 100000 points inside: the draw is one-sided", inside)
	}
}

func TestParityNamed(t *testing.T) {
	eight := pts(0, 0, 2, 2, 2, 0, 0, 2)
	for _, c := range []struct {
		name string
		ring []r2.Vec
		p    r2.Vec
		want bool
	}{
		{"none", nil, r2.Vec{}, false},
		{"point", pts(1, 1), r2.Vec{}, false},
		{"segment", pts(0, 0, 0, 1), r2.Vec{X: 1, Y: .5}, false},
		{"level with a vertex", pts(0, 0, 1, 1, 0, 2, -1, 1), r2.Vec{X: .5, Y: 1}, true},
		{"level with a vertex, outside", pts(0, 0, 1, 1, 0, 2, -1, 1), r2.Vec{X: 1.5, Y: 1}, false},
		{"figure of eight, right half", eight, r2.Vec{X: 1.8, Y: 1}, true},
		{"figure of eight, above the crossing", eight, r2.Vec{X: 1, Y: 1.8}, false},
		{"twice round is even", pts(0, 0, 3, 0, 0, 3, 0, 0, 3, 0, 0, 3), r2.Vec{X: 1, Y: 1}, false},
	} {
		if got := geom.Parity(c.ring, c.p); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestRingsDoNotAllocate(t *testing.T) {
	ring := pts(.1, .2, -.1, .2, .1, 0, -.1, 0, .1, -.2)
	n := testing.AllocsPerRun(100, func() {
		geom.Closest(ring, r2.Vec{X: .1, Y: .1})
		geom.Parity(ring, r2.Vec{X: .1, Y: .1})
		geom.SignedArea(ring)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
