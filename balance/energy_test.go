package balance_test

import (
	"math"
	"testing"

	"legctl/balance"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

func TestEnergyNamed(t *testing.T) {
	square := []r3.Vec{{X: .3, Y: .2}, {X: -.3, Y: .2}, {X: .3, Y: -.2}, {X: -.3, Y: -.2}}
	slope := func(a float64) []r3.Vec {
		var f []r3.Vec
		for _, p := range square {
			f = append(f, r3.Vec{X: p.X * math.Cos(a), Y: p.Y, Z: p.X * math.Sin(a)})
		}
		return f
	}
	h := .4
	for _, c := range []struct {
		name string
		feet []r3.Vec
		com  r3.Vec
		want float64
	}{
		{"no feet", nil, r3.Vec{Z: h}, math.Inf(-1)},
		{"one foot, above it", square[:1], r3.Vec{X: .3, Y: .2, Z: h}, 0},
		{"one foot, beside it", square[:1], r3.Vec{X: .6, Y: .2, Z: .4}, .4 - .5},
		{"two feet, above the segment", square[:2], r3.Vec{X: .1, Y: .2, Z: h}, 0},
		{"two feet, beside it", square[:2], r3.Vec{Y: -.1, Z: .4}, .4 - .5},
		{"square, middle: over the near side", square, r3.Vec{Z: h}, math.Sqrt(.04+.16) - .4},
		{"square, on an edge", square, r3.Vec{X: .3, Z: h}, 0},
		{"square, outside one side", square, r3.Vec{X: .6, Z: .4}, .4 - .5},
		{"square, beyond a corner", square, r3.Vec{X: .6, Y: .6, Z: .4}, .4 - math.Sqrt(.16+.25)},
		{"two feet, past the end", square[:2], r3.Vec{X: .6, Y: .2, Z: .4}, .4 - .5},
		{"edge between unequal feet", []r3.Vec{{X: 1, Y: 1, Z: .2}, {X: 1, Y: -1, Z: 0}, {X: -1}}, r3.Vec{X: 1.3, Z: .5}, .4 - .5},
		// Tipping over a side that runs up the slope: the rise is scaled by cos psi.
		{"slope of 30 degrees, over its side", slope(math.Pi / 6), r3.Vec{Z: h}, func() float64 {
			up, side := h*math.Cos(math.Pi/6), .2
			return (math.Sqrt(up*up+side*side) - up) * math.Cos(math.Pi/6)
		}()},
	} {
		if got := balance.Energy(c.feet, c.com); !(math.Abs(got-c.want) < 1e-12 || got == c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// tipped returns the least extra height on the way over an edge, by turning the
// centre of mass about it in small steps: an independent answer.
func tipped(a, b, com r3.Vec) float64 {
	axis := r3.Unit(r3.Sub(b, a))
	top := math.Inf(-1)
	for k := range 20000 {
		r := r3.NewRotation(float64(k)/20000*2*math.Pi, axis)
		top = max(top, r3.Add(a, r.Rotate(r3.Sub(com, a))).Z)
	}
	return top - com.Z
}

func TestEnergyTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f [3]r3.Vec
		for i := range f {
			s, c := math.Sincos(2 * math.Pi * (float64(i) + rapid.Float64Range(-.15, .15).Draw(t, "a")) / 3)
			f[i] = r3.Vec{X: c, Y: s, Z: rapid.Float64Range(-.3, .3).Draw(t, "z")}
		}
		com := r3.Vec{X: rapid.Float64Range(-.1, .1).Draw(t, "x"), Y: rapid.Float64Range(-.1, .1).Draw(t, "y"), Z: rapid.Float64Range(.5, 2).Draw(t, "h")}
		want := min(tipped(f[0], f[1], com), tipped(f[1], f[2], com), tipped(f[2], f[0], com))
		if got := balance.Energy(f[:], com); math.Abs(got-want) > 1e-6 {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestEnergySign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		feet, stance := drawFeet(t)
		com := drawCom(t)
		var down []r3.Vec
		for i, s := range stance {
			if s {
				down = append(down, feet[i])
			}
		}
		where, _ := balance.Locate(balance.Support(nil, feet, stance), com)
		e := balance.Energy(down, r3.Vec{X: com.X, Y: com.Y, Z: .3})
		ok := map[balance.Where]bool{
			balance.None: math.IsInf(e, -1), balance.Inside: e > 0,
			balance.Edge: e == 0, balance.Outside: e < 0,
		}
		if !ok[where] {
			t.Fatalf("%v with energy margin %v", where, e)
		}
	})
}

func TestLongMarginNamed(t *testing.T) {
	square := []r2.Vec{{X: -1, Y: -2}, {X: 1, Y: -2}, {X: 1, Y: 2}, {X: -1, Y: 2}}
	x, y, miss := r2.Vec{X: 3}, r2.Vec{Y: .1}, math.Inf(-1)
	for _, c := range []struct {
		name     string
		support  []r2.Vec
		com, dir r2.Vec
		want     float64
	}{
		{"no feet", nil, r2.Vec{}, x, miss},
		{"foot ahead", []r2.Vec{{X: 2}}, r2.Vec{}, x, -2},
		{"foot aside", []r2.Vec{{Y: 2}}, r2.Vec{}, x, miss},
		{"segment across", []r2.Vec{{X: 1, Y: -1}, {X: 2, Y: 1}}, r2.Vec{}, x, -1.5},
		{"segment across, behind", []r2.Vec{{X: -1, Y: -1}, {X: -1, Y: 1}}, r2.Vec{}, x, -1},
		{"segment along", []r2.Vec{{X: -1}, {X: 3}}, r2.Vec{}, x, 1},
		{"segment along, ahead", []r2.Vec{{X: 1}, {X: 3}}, r2.Vec{}, x, -1},
		{"segment beside", []r2.Vec{{X: -1, Y: 1}, {X: 3, Y: 1}}, r2.Vec{}, x, miss},
		{"square, middle, along x", square, r2.Vec{}, x, 1},
		{"square, middle, along y", square, r2.Vec{}, y, 2},
		{"square, off the middle", square, r2.Vec{X: .75}, x, .25},
		{"square, ahead", square, r2.Vec{X: -3}, x, -2},
		{"square, past it", square, r2.Vec{X: 4}, x, -3},
		{"square, missed", square, r2.Vec{X: 0, Y: 3}, x, miss},
		{"no direction", square, r2.Vec{}, r2.Vec{}, miss},
		{"NaN", square, r2.Vec{X: math.NaN()}, x, miss},
	} {
		if got := balance.LongMargin(c.support, c.com, c.dir); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
