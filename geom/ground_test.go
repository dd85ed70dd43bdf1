package geom

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

// Down is the point of Cast to the last bit, on level ground and on a slope,
// from above, below and out of reach.
func TestDown(t *testing.T) {
	s := 1 / math.Sqrt(5)
	rng := rand.New(rand.NewPCG(7, 7))
	for _, g := range []*Plane{Level(0), Level(0.3), {Normal: r3.Vec{X: s, Z: 2 * s}, Offset: 0.1}} {
		for range 10000 {
			from := r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
			most := rng.Float64()
			hit, ok := g.Cast(from, r3.Vec{Z: -1}, most)
			p, found := Down(g, from, most)
			if found != ok || ok && p != hit.Point {
				t.Fatalf("normal %v: from %v within %g: %v %v, Cast says %v %v", g.Normal, from, most, p, found, hit.Point, ok)
			}
		}
	}
}
