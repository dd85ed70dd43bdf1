package gait_test

import (
	"math"
	"testing"

	"legctl/gait"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// relief is a ground given by its height, that writes down every ray.
type relief struct {
	z    func(x, y float64) float64 // NaN: nothing there
	rays []r3.Vec
}

func (g *relief) Version() uint64 { return 0 }

func (g *relief) Cast(from, dir r3.Vec, most float64) (geom.Hit, bool) {
	g.rays = append(g.rays, from)
	z := g.z(from.X, from.Y)
	if dir != (r3.Vec{Z: -1}) || !(from.Z-z <= most) {
		return geom.Hit{}, false
	}
	return geom.Hit{Point: r3.Vec{X: from.X, Y: from.Y, Z: z}, Normal: r3.Vec{Z: 1}}, true
}

// scan runs one scan of a leg of an octopod at full speed. The ground is given
// relative to the look-ahead point, in U.
func scan(t *testing.T, p place, rules gait.Rules, z func(x, y float64) float64) (hit r3.Vec, ok bool, rays []r3.Vec) {
	f := stand(t, "octopod", p, rules)
	f.move(0.15, 0, 0)
	zones := f.Zones(&f.body)
	rest := f.Rest(&f.body, &zones, 2)
	ahead := f.Ahead(&f.body, &zones, rest)
	u := f.Scale.U
	g := &relief{z: func(x, y float64) float64 { return ahead.Z + u*z((x-ahead.X)/u, (y-ahead.Y)/u) }}
	hit, ok = f.Scan(g, &f.body, &zones, rest, ahead)
	for _, r := range g.rays {
		rays = append(rays, r3.Scale(1/u, r3.Sub(r, ahead)))
	}
	return r3.Scale(1/u, r3.Sub(hit, ahead)), ok, rays
}

func flatAt(dz float64) func(x, y float64) float64 {
	return func(x, y float64) float64 { return dz }
}

func spreadRules(cells bool) gait.Rules {
	r := gait.ReferenceWalk()
	r.Cells = cells
	return r
}

// TestProperty16ScanRays counts the rays: the ninth and the one that looks for
// something solid ahead are casts of their own.
func TestProperty16ScanRays(t *testing.T) {
	rows := []struct {
		dz   float64
		rays int
	}{{0, 1}, {-0.24 + 1e-9, 1}, {1.5 - 1e-9, 1}, {-0.25, 10}, {1.51, 10}}
	inEach(t, func(t *testing.T, p place) {
		for _, r := range rows {
			hit, ok, rays := scan(t, p, spreadRules(false), flatAt(r.dz))
			if len(rays) != r.rays || !ok || math.Abs(hit.Z-r.dz) > 1e-9 || hit.X != 0 || hit.Y != 0 {
				t.Errorf("ground at %g: %v after %d rays, want the main ray's after %d", r.dz, hit, len(rays), r.rays)
			}
			rules := spreadRules(false)
			rules.StepUp = 0
			if _, _, rays := scan(t, p, rules, flatAt(r.dz)); len(rays) != min(r.rays, 9) {
				t.Errorf("ground at %g, no bias: %d rays, want %d", r.dz, len(rays), min(r.rays, 9))
			}
		}
	})
}

func TestProperty16ScanChoice(t *testing.T) {
	none := math.NaN()
	rows := []struct {
		name string
		z    func(x, y float64) float64
		want r3.Vec
		ok   bool
	}{
		{"nearest of all", func(x, y float64) float64 { // behind it is highest
			if x < -0.5 && math.Abs(y) < 0.5 {
				return -0.3
			}
			return -1
		}, r3.Vec{X: -0.625, Z: -0.3}, true},
		{"main ray, deep, is still nearest", flatAt(-0.5), r3.Vec{Z: -0.5}, true},
		{"only one neighbour", func(x, y float64) float64 {
			if x > -0.5 || y < 0.5 {
				return none
			}
			return 0.1
		}, r3.Vec{X: -0.625, Y: 0.625, Z: 0.1}, true},
		{"only too far from rest", func(x, y float64) float64 { // 0.48 + 0.625 ahead, 0.625 aside: 1.27
			if x < 0.5 || math.Abs(y) < 0.5 {
				return none
			}
			return 0
		}, r3.Vec{}, false},
		{"nothing", flatAt(none), r3.Vec{}, false},
		{"below the rays", flatAt(-2.2), r3.Vec{}, false},
	}
	for _, r := range rows {
		hit, ok, _ := scan(t, places[0], spreadRules(false), r.z)
		if ok != r.ok || ok && r3.Norm(r3.Sub(hit, r.want)) > 1e-9 {
			t.Errorf("%s: %v %v, want %v %v", r.name, hit, ok, r.want, r.ok)
		}
	}
}

// TestProperty16Cells: in a world of cells the eight rays stand just inside the
// neighbouring ones, at whatever size a cell is.
func TestProperty16Cells(t *testing.T) {
	inEach(t, func(t *testing.T, p place) {
		f := stand(t, "octopod", p, gait.ReferenceWalk())
		f.body.P = r3.Add(f.body.P, r3.Scale(f.Scale.U, r3.Vec{X: 3.3, Y: -7.4}))
		zones := f.Zones(&f.body)
		rest := f.Rest(&f.body, &zones, 2)
		g := &relief{z: func(x, y float64) float64 { return math.NaN() }}
		f.Scan(g, &f.body, &zones, rest, rest)
		u := f.Scale.U
		ax, ay := rest.X/u, rest.Y/u
		for _, r := range g.rays[1:] {
			x, y := r.X/u, r.Y/u
			if math.Abs(x-ax-1) < 1e-9 && math.Abs(y-ay) < 1e-9 {
				continue // looks for something solid ahead
			}
			inX := near(x, ax) || near(x, math.Floor(ax)-0.125) || near(x, math.Ceil(ax)+0.125)
			inY := near(y, ay) || near(y, math.Floor(ay)-0.125) || near(y, math.Ceil(ay)+0.125)
			if !inX || !inY {
				t.Errorf("a ray at %g, %g beside %g, %g", x, y, ax, ay)
			}
		}
		if len(g.rays) != 10 {
			t.Errorf("%d rays, want 10", len(g.rays))
		}
	})
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestProperty17StepUp: left of the look-ahead point the ground is half a unit
// up, right of it level, and straight below too deep.
func TestProperty17StepUp(t *testing.T) {
	side := func(x, y float64) float64 {
		switch {
		case math.Abs(x) > 1e-9:
			return math.NaN()
		case y > 0.5:
			return 0.5
		case y < -0.5:
			return 0
		}
		return -1
	}
	inEach(t, func(t *testing.T, p place) {
		for _, ahead := range []float64{math.NaN(), 0.23, 0.25, 1} {
			hit, ok, _ := scan(t, p, spreadRules(false), func(x, y float64) float64 {
				if math.Abs(x-1) < 1e-9 && math.Abs(y) < 1e-9 {
					return ahead
				}
				return side(x, y)
			})
			want := 0.0
			if ahead > 0.24 {
				want = 0.5
			}
			if !ok || math.Abs(hit.Z-want) > 1e-9 {
				t.Errorf("ground 1 U ahead at %g: chose %v, want height %g", ahead, hit, want)
			}
		}
	})
}
