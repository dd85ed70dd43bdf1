package blend_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"legctl/blend"

	"gonum.org/v1/gonum/spatial/r2"
)

// bandCase is one case of gradient_band.json.
type bandCase struct {
	ID, Mode, Cap, Rule, Expect string
	Alpha                       float64
	Points                      [][2]num
	Query                       [2]num
	Weights                     []num
}

func (c *bandCase) options() blend.BandOptions {
	o := blend.BandOptions{Alpha: c.Alpha}
	if c.Mode == "directional" {
		o.Mode = blend.Polar
	}
	if c.Cap == "one" {
		o.Cap = blend.CapOne
	}
	return o
}

func TestBandVectors(t *testing.T) {
	var f struct{ Cases []bandCase }
	readVectors(t, "gradient_band", &f)
	if len(f.Cases) < 200 {
		t.Fatalf("%d cases, want at least 200", len(f.Cases))
	}
	for _, c := range f.Cases {
		t.Run(c.ID+"/"+c.Rule, func(t *testing.T) {
			points := make([]r2.Vec, len(c.Points))
			for i, p := range c.Points {
				points[i] = vec2(p)
			}
			got := make([]float64, len(points))
			err := blend.GradientBand(got, points, vec2(c.Query), c.options())
			b, errTable := blend.NewBand(points, c.options())
			table := make([]float64, len(points))
			if errTable == nil {
				errTable = b.Weights(table, vec2(c.Query))
			}
			if c.Expect == "error" {
				if err == nil || errTable == nil {
					t.Fatalf("got %v and %v, want errors", err, errTable)
				}
				return
			}
			if err != nil || errTable != nil {
				t.Fatal(err, errTable)
			}
			sameWeights(t, "plain", got, floats(c.Weights), tol)
			sameWeights(t, "table", table, floats(c.Weights), tol)
		})
	}
}

// kinds are all ways to compare.
func kinds() map[string]blend.BandOptions {
	return map[string]blend.BandOptions{
		"cartesian": {}, "angle": {Mode: blend.Polar}, "one": {Mode: blend.Polar, Cap: blend.CapOne},
		"alpha 1": {Mode: blend.Polar, Alpha: 1},
	}
}

// drawn is a set of points with, now and then, an idle and doubles.
func drawn(rng *rand.Rand) []r2.Vec {
	p := make([]r2.Vec, 1+rng.IntN(12))
	for i := range p {
		p[i] = r2.Vec{X: 4*rng.Float64() - 2, Y: 4*rng.Float64() - 2}
		switch rng.IntN(8) {
		case 0:
			p[i] = r2.Vec{}
		case 1:
			p[i] = p[rng.IntN(i+1)]
		case 2:
			p[i] = r2.Scale(-1, p[rng.IntN(i+1)])
		}
	}
	return p
}

func TestBandProperties(t *testing.T) {
	for name, o := range kinds() {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(4, 7))
			for range 2000 {
				points := drawn(rng)
				at := r2.Vec{X: 6*rng.Float64() - 3, Y: 6*rng.Float64() - 3}
				checkBand(t, points, at, o, rng)
				if t.Failed() {
					t.Fatalf("points %v at %v", points, at)
				}
			}
		})
	}
}

// weigh returns the weights both ways, which must agree.
func weigh(t *testing.T, points []r2.Vec, at r2.Vec, o blend.BandOptions) []float64 {
	t.Helper()
	plain, table := make([]float64, len(points)), make([]float64, len(points))
	if err := blend.GradientBand(plain, points, at, o); err != nil {
		t.Fatal(err)
	}
	b, err := blend.NewBand(points, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Weights(table, at); err != nil {
		t.Fatal(err)
	}
	sameWeights(t, "table against plain", table, plain, 1e-11)
	return plain
}

func checkBand(t *testing.T, points []r2.Vec, at r2.Vec, o blend.BandOptions, rng *rand.Rand) {
	t.Helper()
	w := weigh(t, points, at, o)
	sum := 0.0
	for _, x := range w {
		if !(x >= 0) {
			t.Errorf("weight %v", x)
		}
		sum += x
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("weights sum to %v", sum)
	}
	mirrored, order := make([]r2.Vec, len(points)), rng.Perm(len(points))
	for i, k := range order {
		mirrored[i] = r2.Vec{X: points[k].X, Y: -points[k].Y}
	}
	for i, x := range weigh(t, mirrored, r2.Vec{X: at.X, Y: -at.Y}, o) {
		if math.Abs(x-w[order[i]]) > 1e-11 {
			t.Errorf("mirrored and shuffled: weight %d is %v, was %v", i, x, w[order[i]])
		}
	}
	turned := make([]r2.Vec, len(points))
	for i, p := range points {
		turned[i] = r2.Scale(3, r2.Rotate(p, 1, r2.Vec{}))
	}
	sameWeights(t, "turned and scaled", weigh(t, turned, r2.Scale(3, r2.Rotate(at, 1, r2.Vec{})), o), w, 1e-9)
	k := rng.IntN(len(points))
	more := weigh(t, append(append([]r2.Vec(nil), points...), points[k]), at, o)
	kept := 0.0
	for i, p := range points {
		if p == points[k] {
			kept += more[i]
		} else if math.Abs(more[i]-w[i]) > 1e-12 {
			t.Errorf("a double of %d moved weight %d from %v to %v", k, i, w[i], more[i])
		}
	}
	if math.Abs(more[len(points)]*float64(count(points, points[k])+1)-kept-more[len(points)]) > 1e-12 {
		t.Errorf("a double of %d has %v, its likes together %v", k, more[len(points)], kept)
	}
}

func count(points []r2.Vec, p r2.Vec) int {
	n := 0
	for _, q := range points {
		if p == q {
			n++
		}
	}
	return n
}

func TestMovedPointsAnswerLikeNewOnes(t *testing.T) {
	for name, o := range kinds() {
		rng := rand.New(rand.NewPCG(5, 7))
		points := drawn(rng)
		b, err := blend.NewBand(points, o)
		if err != nil {
			t.Fatal(err)
		}
		got, want := make([]float64, len(points)), make([]float64, len(points))
		for range 300 {
			i, at := rng.IntN(len(points)), r2.Vec{X: rng.Float64() - .5, Y: rng.Float64() - .5}
			points[i] = r2.Vec{X: float64(rng.IntN(5) - 2), Y: float64(rng.IntN(5) - 2)}
			if err := b.Move(i, points[i]); err != nil {
				t.Fatal(err)
			}
			if err := blend.GradientBand(want, points, at, o); err != nil {
				t.Fatal(err)
			}
			if err := b.Weights(got, at); err != nil || b.Point(i) != points[i] {
				t.Fatal(err, b.Point(i))
			}
			sameWeights(t, name, got, want, 1e-11)
		}
	}
}

// Two runs of one speed but for rounding share a standstill that no idle covers.
func TestTiesOfTheNearestAreNotLeftToRounding(t *testing.T) {
	w := weigh(t, []r2.Vec{{X: 1}, {Y: 1 + 2e-12}, {X: -3}}, r2.Vec{}, blend.BandOptions{Mode: blend.Polar})
	sameWeights(t, "at rest", w, []float64{.5, .5, 0}, 0)
}

func TestBandErrorsChangeNothing(t *testing.T) {
	b, err := blend.NewBand([]r2.Vec{{X: 1}, {X: 2}}, blend.BandOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w := []float64{7, 8}
	nan := r2.Vec{X: math.NaN()}
	for name, err := range map[string]error{
		"query":        b.Weights(w, nan),
		"length":       b.Weights(w[:1], r2.Vec{}),
		"move":         b.Move(0, nan),
		"no motion":    b.Move(2, r2.Vec{}),
		"huge":         b.Move(0, r2.Vec{Y: 1e200}),
		"set":          b.Set([]r2.Vec{{X: 9}, nan}),
		"set fewer":    b.Set([]r2.Vec{{X: 9}}),
		"plain points": blend.GradientBand(w, []r2.Vec{{}, nan}, r2.Vec{}, blend.BandOptions{}),
		"plain length": blend.GradientBand(w, []r2.Vec{{}}, r2.Vec{}, blend.BandOptions{}),
		"alpha":        blend.GradientBand(w, []r2.Vec{{}, {X: 1}}, r2.Vec{}, blend.BandOptions{Alpha: math.NaN()}),
		"mode":         blend.GradientBand(w, []r2.Vec{{}, {X: 1}}, r2.Vec{}, blend.BandOptions{Mode: 9}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if w[0] != 7 || w[1] != 8 || b.Point(0) != (r2.Vec{X: 1}) || b.Point(1) != (r2.Vec{X: 2}) {
		t.Errorf("got weights %v and points %v, %v", w, b.Point(0), b.Point(1))
	}
}

func TestBandWarnings(t *testing.T) {
	idle, ahead, left, right, back := r2.Vec{}, r2.Vec{X: 1}, r2.Vec{Y: 1}, r2.Vec{Y: -1}, r2.Vec{X: -1}
	for _, c := range []struct {
		name   string
		points []r2.Vec
		want   []string
	}{
		{"all round", []r2.Vec{idle, ahead, left, right, back}, nil},
		{"no idle", []r2.Vec{ahead, left, right, back}, []string{"directional set without a motion at the origin"}},
		{"two idles", []r2.Vec{idle, ahead, left, right, idle, back}, []string{"directional set with 2 motions at the origin, want one"}},
		{"exactly half", []r2.Vec{idle, ahead, back}, nil},
		{"only ahead", []r2.Vec{idle, ahead, left}, []string{"gap of 270 degrees between adjacent directions, want at most 180"}},
	} {
		b, err := blend.NewBand(c.points, blend.BandOptions{Mode: blend.Polar})
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Warnings(); len(got) != len(c.want) || len(got) > 0 && got[0] != c.want[0] {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestBandAllocatesNothing(t *testing.T) {
	for name, o := range kinds() {
		rng := rand.New(rand.NewPCG(4, 9))
		points := make([]r2.Vec, 32)
		for i := range points {
			points[i] = r2.Vec{X: rng.Float64(), Y: rng.Float64()}
		}
		b, err := blend.NewBand(points, o)
		if err != nil {
			t.Fatal(err)
		}
		w := make([]float64, len(points))
		if n := testing.AllocsPerRun(20, func() {
			if b.Set(points) != nil || b.Move(3, points[4]) != nil || b.Weights(w, r2.Vec{X: .3}) != nil ||
				blend.GradientBand(w, points, r2.Vec{X: .3}, o) != nil {
				t.Error("an error")
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
