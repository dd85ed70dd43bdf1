package balance_test

import (
	"math"
	"testing"

	"legctl/balance"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// drawFeet draws 0 to 12 feet, often collinear or doubled.
func drawFeet(t *rapid.T) ([]r3.Vec, []bool) {
	n := rapid.IntRange(0, 12).Draw(t, "legs")
	grid := rapid.Bool().Draw(t, "grid")
	feet, stance := make([]r3.Vec, n), make([]bool, n)
	for i := range feet {
		if grid {
			feet[i].X = float64(rapid.IntRange(-2, 2).Draw(t, "x")) / 4
			feet[i].Y = float64(rapid.IntRange(-2, 2).Draw(t, "y")) / 4
		} else {
			feet[i].X = rapid.Float64Range(-.5, .5).Draw(t, "x")
			feet[i].Y = rapid.Float64Range(-.5, .5).Draw(t, "y")
		}
		feet[i].Z = rapid.Float64Range(-.1, .1).Draw(t, "z")
		stance[i] = rapid.Bool().Draw(t, "stance")
	}
	return feet, stance
}

func drawCom(t *rapid.T) r2.Vec {
	if rapid.Bool().Draw(t, "grid com") {
		return r2.Vec{X: float64(rapid.IntRange(-4, 4).Draw(t, "cx")) / 8, Y: float64(rapid.IntRange(-4, 4).Draw(t, "cy")) / 8}
	}
	return r2.Vec{X: rapid.Float64Range(-1, 1).Draw(t, "cx"), Y: rapid.Float64Range(-1, 1).Draw(t, "cy")}
}

func TestMarginProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		feet, stance := drawFeet(t)
		com := drawCom(t)
		h := balance.Support(nil, feet, stance)
		where, q := balance.Locate(h, com)
		m := balance.Margin(h, com)
		signs := map[balance.Where]bool{
			balance.None: math.IsInf(m, -1), balance.Inside: m > 0,
			balance.Edge: m == 0 && q == com, balance.Outside: m < 0,
		}
		if !signs[where] {
			t.Fatalf("%v with margin %v, closest %v", where, m, q)
		}
		if where == balance.None {
			return
		}
		if d := r2.Norm(r2.Sub(q, com)); math.Abs(d-math.Abs(m)) > 1e-12 {
			t.Fatalf("margin %v but the closest point is %v away", m, d)
		}
		if len(h) < 3 && where == balance.Inside {
			t.Fatal("inside a support without area")
		}
		if _, d := geom.Closest(h, q); d > 1e-12 {
			t.Fatalf("closest point %v is %v off the boundary", q, d)
		}
		if in := geom.Parity(h, com); where != balance.Edge && in != (where == balance.Inside) {
			t.Fatalf("%v, but parity says inside = %v", where, in)
		}
	})
}

// TestMarginMoves checks that moving the whole picture by a power of two moves
// the answer with it (as far as squares of doubles go), and that one more foot never makes
// it less safe.
func TestMarginMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		feet, stance := drawFeet(t)
		com := drawCom(t)
		m := balance.Margin(balance.Support(nil, feet, stance), com)
		for i := range stance {
			if stance[i] {
				continue
			}
			stance[i] = true
			if more := balance.Margin(balance.Support(nil, feet, stance), com); more < m-1e-15 {
				t.Fatalf("margin %v with leg %d down, %v without", more, i, m)
			}
			stance[i] = false
		}
		for i := range feet {
			feet[i] = r3.Scale(4, feet[i])
		}
		if s := balance.Margin(balance.Support(nil, feet, stance), r2.Scale(4, com)); s != 4*m && math.Abs(s) > 1e-150 {
			t.Fatalf("four times as large: %v, want %v", s, 4*m)
		}
	})
}

// TestForceDirection is property 26 of the gait rules: straight up inside, along
// closest point -> centre of mass outside, and never inside on two feet.
func TestForceDirection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		feet, stance := drawFeet(t)
		com := drawCom(t)
		z := rapid.Float64Range(.01, 1).Draw(t, "height")
		g := rapid.Float64Range(1, 40).Draw(t, "g")
		h := balance.Support(nil, feet, stance)
		where, q := balance.Locate(h, com)
		f := balance.Force(h, r3.Vec{X: com.X, Y: com.Y, Z: z}, g)
		switch where {
		case balance.None:
			if f != (r3.Vec{}) {
				t.Fatalf("force %v with no feet", f)
			}
		case balance.Inside, balance.Edge:
			if f != (r3.Vec{Z: g}) {
				t.Fatalf("force %v, want straight up", f)
			}
		default:
			if n := r3.Norm(f); math.Abs(n-g) > 1e-12*g {
				t.Fatalf("size %v, want %v", n, g)
			}
			d := r3.Vec{X: com.X - q.X, Y: com.Y - q.Y, Z: z}
			if c := r3.Norm(r3.Cross(f, d)); c > 1e-12*g || r3.Dot(f, d) <= 0 {
				t.Fatalf("force %v is not along %v", f, d)
			}
		}
	})
}

func TestOddInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	square := []r2.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}}
	for _, c := range []struct {
		name string
		com  r2.Vec
	}{
		{"NaN", r2.Vec{X: nan}}, {"infinity", r2.Vec{Y: inf}}, {"far", r2.Vec{X: 1e300}},
	} {
		if w, _ := balance.Locate(square, c.com); w != balance.Outside {
			t.Errorf("%s: %v, want outside", c.name, w)
		}
		if m := balance.Margin(square, c.com); !(m < 0) {
			t.Errorf("%s: margin %v, want negative", c.name, m)
		}
	}
	feet := []r3.Vec{{X: nan}, {X: 1}, {Y: inf}, {X: 2}}
	if h := balance.Support(nil, feet, []bool{true, true, true}); len(h) != 1 || h[0] != (r2.Vec{X: 1}) {
		t.Errorf("support %v, want the one finite stance foot", h)
	}
	if m := balance.Margin(square, r2.Vec{X: math.Nextafter(1, 0), Y: 1 - 0x1p-53}); !(m > 0) {
		t.Errorf("margin %v an ulp inside a corner", m)
	}
}

// TestNoAllocations covers all that a tick calls here.
func TestNoAllocations(t *testing.T) {
	feet, stance := make([]r3.Vec, rig.MaxLegs), make([]bool, rig.MaxLegs)
	for i := range feet {
		s, c := math.Sincos(float64(i) / 10)
		feet[i], stance[i] = r3.Vec{X: c, Y: s, Z: -.1}, true
	}
	for _, legs := range []int{2, 4, 6, 8, 17, 64} {
		h := make([]r2.Vec, 0, legs)
		n := testing.AllocsPerRun(50, func() {
			h = balance.Support(h, feet[:legs], stance)
			balance.Locate(h, r2.Vec{X: .1})
			balance.Margin(h, r2.Vec{X: .1})
			balance.Force(h, r3.Vec{X: 9, Z: .2}, 9.81)
			balance.LongMargin(h, r2.Vec{X: .1}, r2.Vec{Y: 1})
			balance.Energy(feet[:legs], r3.Vec{Z: .2})
		})
		if n != 0 {
			t.Errorf("%d legs: %v allocations", legs, n)
		}
	}
}
