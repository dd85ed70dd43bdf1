package geom_test

import (
	"math"
	"math/big"
	"testing"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// orientRat is the definition, in rational numbers.
func orientRat(a, b, c r2.Vec) int {
	r := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	sub := func(x, y float64) *big.Rat { return new(big.Rat).Sub(r(x), r(y)) }
	l := new(big.Rat).Mul(sub(a.X, c.X), sub(b.Y, c.Y))
	return l.Cmp(new(big.Rat).Mul(sub(a.Y, c.Y), sub(b.X, c.X)))
}

func TestOrientNamed(t *testing.T) {
	for _, c := range []struct {
		name    string
		a, b, c r2.Vec
		want    int
	}{
		{"left", r2.Vec{}, r2.Vec{X: 1}, r2.Vec{X: .5, Y: 1e-300}, 1},
		{"right", r2.Vec{}, r2.Vec{X: 1}, r2.Vec{X: .5, Y: -1e-300}, -1},
		{"on", r2.Vec{}, r2.Vec{X: 3, Y: 1}, r2.Vec{X: 6, Y: 2}, 0},
		{"tenths are not on a line", r2.Vec{X: .1, Y: .1}, r2.Vec{X: .2, Y: .2}, r2.Vec{X: .3, Y: .1 + .2 + 0x1p-54}, orientRat(r2.Vec{X: .1, Y: .1}, r2.Vec{X: .2, Y: .2}, r2.Vec{X: .3, Y: .1 + .2 + 0x1p-54})},
		{"equal points", r2.Vec{X: 1, Y: 2}, r2.Vec{X: 1, Y: 2}, r2.Vec{X: 5, Y: 7}, 0},
		{"products underflow", r2.Vec{}, r2.Vec{X: 1e-200, Y: 1e-200}, r2.Vec{X: 1e-200, Y: 2e-200}, 1},
		{"products overflow", r2.Vec{}, r2.Vec{X: 1e200, Y: 1e200}, r2.Vec{X: 1e200, Y: 0.9e200}, -1},
		{"differences overflow", r2.Vec{X: -1.5e308, Y: -1.5e308}, r2.Vec{X: 1.5e308, Y: 1.5e308}, r2.Vec{}, 0},
		{"NaN", r2.Vec{X: math.NaN()}, r2.Vec{X: 1}, r2.Vec{Y: 1}, 0},
		{"infinity", r2.Vec{X: math.Inf(1)}, r2.Vec{X: 1}, r2.Vec{Y: 1}, 0},
	} {
		if got := geom.Orient(c.a, c.b, c.c); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestOrientNearLine moves a point by ulps about a line, where a plain
// determinant is wrong about half the time.
func TestOrientNearLine(t *testing.T) {
	wrong := 0
	for i := range 64 {
		for j := range 64 {
			a := r2.Vec{X: 0.5 + float64(i)*0x1p-53, Y: 0.5 + float64(j)*0x1p-53}
			b, c := r2.Vec{X: 12, Y: 12}, r2.Vec{X: 24, Y: 24}
			want := orientRat(a, b, c)
			if got := geom.Orient(a, b, c); got != want {
				t.Fatalf("i %d, j %d: %d, want %d", i, j, got, want)
			}
			det := (a.X-c.X)*(b.Y-c.Y) - (a.Y-c.Y)*(b.X-c.X)
			if (det > 0) != (want > 0) || (det < 0) != (want < 0) {
				wrong++
			}
		}
	}
	if wrong == 0 {
		t.Error("the cases are too easy: the plain determinant was right everywhere")
	}
}

func TestOrientProperties(t *testing.T) {
	coord := rapid.Custom(func(t *rapid.T) float64 {
		m := rapid.Float64Range(-2, 2).Draw(t, "m")
		return math.Ldexp(m, rapid.SampledFrom([]int{0, 0, 0, 0, -3, -40, 30, -490, -1060, 505, 1020}).Draw(t, "exp"))
	})
	point := rapid.Custom(func(t *rapid.T) r2.Vec {
		return r2.Vec{X: coord.Draw(t, "x"), Y: coord.Draw(t, "y")}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := point.Draw(t, "a"), point.Draw(t, "b"), point.Draw(t, "c")
		if rapid.Bool().Draw(t, "near the line") {
			s := rapid.Float64Range(-2, 2).Draw(t, "s")
			c = r2.Add(a, r2.Scale(s, r2.Sub(b, a)))
			if math.IsInf(c.X, 0) || math.IsInf(c.Y, 0) || c.X != c.X || c.Y != c.Y {
				t.Skip("overflow in the test's own sum")
			}
		}
		want := orientRat(a, b, c)
		for _, got := range []int{geom.Orient(a, b, c), geom.Orient(b, c, a), -geom.Orient(b, a, c)} {
			if got != want {
				t.Fatalf("%d, want %d", got, want)
			}
		}
	})
}
