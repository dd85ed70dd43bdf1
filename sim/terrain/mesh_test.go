package terrain_test

import (
	"math"
	"testing"

	"legctl/sim/terrain"

	"gonum.org/v1/gonum/spatial/r3"
)

// TestMeshIsTheGround: the highest triangle over a point is where a ray from
// above meets the terrain, on every kind of terrain, blocks removed or not.
func TestMeshIsTheGround(t *testing.T) {
	for _, k := range terrain.Kinds() {
		spec, ok := terrain.Default(k.Name, 0.1)
		if !ok {
			t.Fatalf("no terrain %s", k.Name)
		}
		g, err := terrain.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		if g.Blocks() > 0 {
			if err := g.Remove(g.Blocks() / 2); err != nil {
				t.Fatal(err)
			}
		}
		m := g.Mesh(r3.Vec{X: 0.3, Y: -0.2}, 1.5)
		if len(m.Tints) != len(m.Points) || len(m.Triangles)%3 != 0 || len(m.Triangles) == 0 {
			t.Fatalf("%s: %d points, %d tints, %d indices", k.Name, len(m.Points), len(m.Tints), len(m.Triangles))
		}
		for i := range 400 {
			x, y := 0.3+2.7*(frac(float64(i)*0.618)-0.5), -0.2+2.7*(frac(float64(i)*0.755)-0.5)
			hit, ok := g.Cast(r3.Vec{X: x, Y: y, Z: 50}, r3.Vec{Z: -1}, 100)
			if got := highest(&m, x, y); ok && !(math.Abs(got-hit.Point.Z) < 1e-6) {
				t.Errorf("%s at %.3f %.3f: mesh %g, ground %g", k.Name, x, y, got, hit.Point.Z)
				break
			}
		}
	}
}

func frac(x float64) float64 { return x - math.Floor(x) }

// highest returns the height of the highest triangle over a point, -Inf without.
func highest(m *terrain.Mesh, x, y float64) float64 {
	top := math.Inf(-1)
	for i := 0; i < len(m.Triangles); i += 3 {
		a, b, c := m.Points[m.Triangles[i]], m.Points[m.Triangles[i+1]], m.Points[m.Triangles[i+2]]
		n := r3.Cross(r3.Sub(b, a), r3.Sub(c, a))
		if n.Z <= 1e-12 { // seen from below or the side
			continue
		}
		in := func(p, q r3.Vec) bool { return (q.X-p.X)*(y-p.Y)-(q.Y-p.Y)*(x-p.X) >= -1e-12 }
		if in(a, b) && in(b, c) && in(c, a) {
			top = max(top, a.Z-(n.X*(x-a.X)+n.Y*(y-a.Y))/n.Z)
		}
	}
	return top
}
