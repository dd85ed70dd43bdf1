package terrain

import (
	"math"
	"math/rand"
	"testing"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

func shipped(t testing.TB, kind string) *Terrain {
	t.Helper()
	s, ok := Default(kind, 1)
	if !ok {
		t.Fatalf("no default for %q", kind)
	}
	g, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func randomRay(r *rand.Rand) (from, dir r3.Vec) {
	from = r3.Vec{X: r.Float64()*30 - 8, Y: r.Float64()*20 - 10, Z: r.Float64()*8 - 3}
	dir = r3.Unit(r3.Vec{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()})
	return from, dir
}

// inside asks the terrain whether a point is solid, by its own downward ray.
func inside(g *Terrain, p r3.Vec) bool {
	h, ok := g.Cast(p, r3.Vec{Z: -1}, 0)
	return ok && h.Point == p
}

// TestCastAgainstMarch compares every kind with a walk along the ray in small
// steps that asks only whether a point is solid: no hole, no early hit.
func TestCastAgainstMarch(t *testing.T) {
	const limit, step = 12.0, 0.01
	for _, kind := range Names() {
		t.Run(kind, func(t *testing.T) {
			g := shipped(t, kind)
			r := rand.New(rand.NewSource(7))
			hits := 0
			for range 400 {
				from, dir := randomRay(r)
				h, ok := g.Cast(from, dir, limit)
				d := limit
				if ok {
					d = r3.Dot(r3.Sub(h.Point, from), dir)
					hits++
				}
				for s := 0.0; s < d-1e-9; s += step {
					if p := r3.Add(from, r3.Scale(s, dir)); inside(g, p) {
						t.Fatalf("ray %v %v: solid at %.3f, hit at %.3f (%v)", from, dir, s, d, ok)
					}
				}
				if !ok {
					continue
				}
				if h.Point != from && !inside(g, r3.Add(h.Point, r3.Scale(1e-6, dir))) && !inside(g, r3.Add(h.Point, r3.Scale(-1e-6, h.Normal))) {
					t.Fatalf("ray %v %v: hit at %v is not on a solid", from, dir, h.Point)
				}
				if n := r3.Norm(h.Normal); math.Abs(n-1) > 1e-12 || r3.Dot(h.Normal, dir) > 1e-12 {
					t.Fatalf("normal %v of length %v against direction %v", h.Normal, n, dir)
				}
			}
			if hits < 50 {
				t.Fatalf("only %d hits: the test says nothing", hits)
			}
		})
	}
}

// TestDownAgreesWithAny compares the fast downward ray with the general one.
func TestDownAgreesWithAny(t *testing.T) {
	for _, kind := range Names() {
		g := shipped(t, kind)
		r := rand.New(rand.NewSource(3))
		for range 2000 {
			from, _ := randomRay(r)
			from.Z += 6
			var a, b geom.Hit
			okA := g.castDown(&a, from, 30)
			okB := g.castAny(&b, from, r3.Vec{Z: -1}, 30)
			if okA != okB || math.Abs(a.Point.Z-b.Point.Z) > 1e-9 || a.Material != b.Material {
				t.Fatalf("%s at %v: down %v %v, any %v %v", kind, from, a, okA, b, okB)
			}
		}
	}
}

// TestLevelStart checks that a rig can be put at the origin of every kind.
func TestLevelStart(t *testing.T) {
	for _, u := range []float64{0.0054, 0.05, 1} {
		for _, kind := range Names() {
			s, _ := Default(kind, u)
			g, err := New(s)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 60 {
				r := 2 * u * float64(i%6) / 6
				sa, ca := math.Sincos(float64(i))
				h, ok := g.Cast(r3.Vec{X: r * ca, Y: r * sa, Z: 3 * u}, r3.Vec{Z: -1}, 10*u)
				if !ok || math.Abs(h.Point.Z) > 1e-12 || h.Normal.Z != 1 {
					t.Fatalf("%s at U %v: %v %v", kind, u, h, ok)
				}
			}
		}
	}
}

func TestShapes(t *testing.T) {
	down := func(kind string, x, y float64) float64 {
		h, ok := shipped(t, kind).Cast(r3.Vec{X: x, Y: y, Z: 50}, r3.Vec{Z: -1}, 100)
		if !ok {
			t.Fatalf("%s: nothing at %v, %v", kind, x, y)
		}
		return h.Point.Z
	}
	rows := []struct {
		kind    string
		x, y, z float64
	}{
		{"flat", 3, 4, 0},
		{"slope", 2, 0, 0},
		{"slope", 13, 7, 10 * math.Tan(10*math.Pi/180)},
		{"stairs", 3.99, 0, 0},
		{"stairs", 4.01, 0, 0.3},
		{"stairs", 1000, 0, 1.8},
		{"ledge", 4.01, 0, -3},
		{"gaps", 4.2, 0, -3},
		{"gaps", 5, 900, 0},
		{"wall", 4.25, 0, 4},
		{"wall", 4.6, 0, 0},
		{"blocks", 1, 1, 0},
		{"blocks", 400, 1, 0},
		{"world", 9.1, 0, 0.25},
		{"world", 9 + 4*1.3 + 1, 0, 1},
		{"world", 9 + 7*1.3 + 1, 0, 0.7},
	}
	for _, r := range rows {
		if z := down(r.kind, r.x, r.y); math.Abs(z-r.z) > 1e-9 {
			t.Errorf("%s at %v, %v: height %v, want %v", r.kind, r.x, r.y, z, r.z)
		}
	}
}

// TestSeed checks that the rough ground is what its seed says and nothing else.
func TestSeed(t *testing.T) {
	s, _ := Default("rough", 1)
	a, _ := New(s)
	b, _ := New(s)
	s.Seed++
	c, _ := New(s)
	same, other := 0, 0
	for i := range 100 {
		x, y := 10+float64(i)*0.37, 5-float64(i)*0.21
		ha, _ := a.field.at(x, y)
		hb, _ := b.field.at(x, y)
		hc, _ := c.field.at(x, y)
		if ha == hb {
			same++
		}
		if ha != hc {
			other++
		}
		if math.Abs(ha) > s.Amplitude {
			t.Fatalf("height %v beyond the amplitude %v", ha, s.Amplitude)
		}
	}
	if same != 100 || other < 95 {
		t.Fatalf("same seed agrees %d of 100, other seed differs %d of 100", same, other)
	}
}

// TestScaled checks that a rig of another size meets a like terrain.
func TestScaled(t *testing.T) {
	for _, kind := range Names() {
		big := shipped(t, kind)
		s, _ := Default(kind, 0.01)
		small, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewSource(11))
		for range 300 {
			from, dir := randomRay(r)
			a, okA := big.Cast(from, dir, 20)
			b, okB := small.Cast(r3.Scale(0.01, from), dir, 0.2)
			if okA != okB || okA && r3.Norm(r3.Sub(a.Point, r3.Scale(100, b.Point))) > 1e-6 {
				t.Fatalf("%s: %v %v at U 1, %v %v at U 0.01", kind, a, okA, b, okB)
			}
		}
	}
}

func TestOddRays(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	rays := []struct {
		name      string
		from, dir r3.Vec
		max       float64
		hit       bool
	}{
		{"nan from", r3.Vec{X: nan, Z: 9}, r3.Vec{Z: -1}, 20, false},
		{"nan height", r3.Vec{Z: nan}, r3.Vec{Z: -1}, 20, false},
		{"nan dir", r3.Vec{Z: 9}, r3.Vec{X: nan}, 20, false},
		{"no dir", r3.Vec{Z: 9}, r3.Vec{}, 20, false},
		{"endless level", r3.Vec{Z: 0.01}, r3.Vec{Y: 1}, 1e6, false},
		{"endless down", r3.Vec{Z: 9}, r3.Vec{Z: -1}, inf, true},
		{"short", r3.Vec{Z: 9}, r3.Vec{Z: -1}, 1, false},
		{"up", r3.Vec{Z: 9}, r3.Vec{Z: 1}, inf, false},
		{"from below", r3.Vec{Z: -0.5}, r3.Vec{Z: 1}, 1, true},
	}
	for _, kind := range []string{"flat", "stairs", "ledge", "wall", "blocks"} {
		g := shipped(t, kind)
		for _, r := range rays {
			if _, hit := g.Cast(r.from, r.dir, r.max); hit != r.hit {
				t.Errorf("%s, %s: hit %v, want %v", kind, r.name, hit, r.hit)
			}
		}
	}
}

func TestCastAllocatesNothing(t *testing.T) {
	var sink geom.Hit
	for _, kind := range Names() {
		g := shipped(t, kind)
		r := rand.New(rand.NewSource(5))
		from, dir := randomRay(r)
		n := testing.AllocsPerRun(50, func() {
			sink, _ = g.Cast(from, dir, 10)
			sink, _ = g.Cast(from, r3.Vec{Z: -1}, 10)
		})
		if n != 0 {
			t.Errorf("%s: %v allocations a cast", kind, n)
		}
	}
	_ = sink
}

func BenchmarkCast(b *testing.B) {
	rays := []struct {
		name string
		dir  r3.Vec
	}{{"down", r3.Vec{Z: -1}}, {"level", r3.Vec{X: 1}}, {"shallow", r3.Unit(r3.Vec{X: 1, Y: 0.5, Z: -0.1})}}
	for _, kind := range Names() {
		for _, ray := range rays {
			b.Run(kind+"/"+ray.name, func(b *testing.B) {
				var g geom.Ground = shipped(b, kind)
				var sink geom.Hit
				x := 0.0
				for b.Loop() {
					x += 0.01
					if x > 10 {
						x = 0
					}
					sink, _ = g.Cast(r3.Vec{X: x, Y: 1, Z: 1.3}, ray.dir, 10)
				}
				_ = sink
			})
		}
	}
}
