package space

import (
	"math"
	"math/rand/v2"
	"testing"

	"legctl/blend"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// stepping returns a cloud of two feet that step, cycles of period frames, its
// root going round a circle.
func stepping(frames, period int, turn float64) *Cloud {
	c := &Cloud{Weights: []float64{1, 1, .5}}
	for k := range frames {
		a := 2 * math.Pi * float64(k) / float64(period)
		yaw := turn * float64(k)
		at := Alignment{Yaw: yaw, Shift: r2.Vec{X: 0.02 * float64(k), Y: 0.003 * float64(k)}}
		if turn != 0 { // the same arc in every frame
			at.Shift = r2.Vec{X: 0.02 / turn * math.Sin(yaw), Y: 0.02 / turn * (1 - math.Cos(yaw))}
		}
		row := []r3.Vec{{X: .3 * math.Cos(a), Y: .1, Z: max(0, .1*math.Sin(a))}, {X: -.2 * math.Cos(a), Y: -.1, Z: max(0, -.07*math.Sin(a))}, {Z: .5}}
		for i := range row {
			row[i] = at.Apply(row[i])
		}
		c.Points = append(c.Points, row)
		c.Ground = append(c.Ground, []bool{math.Sin(a) < 0, math.Sin(a) >= 0})
	}
	return c
}

func TestWebIsTheAlignedDistance(t *testing.T) {
	a, b := stepping(40, 12, 0.05), stepping(37, 15, -0.08)
	const half = 3
	w, err := NewWeb(a, b, WebOptions{Half: half})
	if err != nil {
		t.Fatal(err)
	}
	taper := taperOf(half)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		i, j := rng.IntN(40), rng.IntN(37)
		var p, q []r3.Vec
		var weights []float64
		sum := 0.0
		for d := -half; d <= half; d++ {
			p = append(p, a.Points[max(0, min(i+d, 39))]...)
			q = append(q, b.Points[max(0, min(j+d, 36))]...)
			for _, x := range a.Weights {
				weights = append(weights, x*taper[d+half])
				sum += x * taper[d+half]
			}
		}
		_, want, err := Align(p, q, weights)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Cost[i][j]; math.Abs(got-want/sum) > 1e-9 {
			t.Errorf("cell %d, %d is %v, want %v", i, j, got, want/sum)
		}
	}
}

func TestSelfWebShowsTheCycles(t *testing.T) {
	const period, cycles = 20, 5
	c := stepping(period*cycles, period, 0.03)
	w, err := NewWeb(c, c, WebOptions{Half: 5, Contact: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	chains := Chains(w.Matches(w.Threshold(1.5, period/2)+1e-6), 4, 2, 7)
	seen := map[int]bool{}
	for _, k := range chains {
		lag := k.Lag()
		n := int(math.Round(lag / period))
		if math.Abs(lag-float64(n*period)) > 1 {
			t.Errorf("a chain of lag %.1f frames, periods are %d", lag, period)
		}
		if n > 0 {
			seen[n] = true
		}
	}
	for n := 1; n <= 3; n++ {
		if !seen[n] {
			t.Errorf("no chain for %d cycles among %d", n, len(chains))
		}
	}
	still := stepping(period*cycles, period, 0)
	for k := range still.Points { // relative to the root, as the counting wants it
		for i := range still.Points[k] {
			still.Points[k][i].X -= 0.02 * float64(k)
			still.Points[k][i].Y -= 0.003 * float64(k)
		}
	}
	lags, err := Repetitions(still, 1./30)
	if err != nil || len(lags) < 3 || lags[0] != period {
		t.Fatalf("lags %v, %v, want the first at %d", lags, err, period)
	}
	for _, n := range []int{1, 2, 3} {
		cuts, err := Cuts(still, 1./30, lags[n-1], 0)
		if err != nil || math.Abs(float64(cuts[0].To-cuts[0].From-n*period)) > 0.05*float64(n*period) {
			t.Fatalf("%d cycles: cuts %+v, %v", n, cuts, err)
		}
		for i := 1; i < len(cuts); i++ {
			if cuts[i].Cost < cuts[i-1].Cost || cuts[i].From == cuts[i-1].From {
				t.Fatalf("%d cycles: cut %d is %+v after %+v, want dearer and from another frame", n, i, cuts[i], cuts[i-1])
			}
		}
	}
	if _, err := Repetitions(&Cloud{Points: still.Points[:period*3/2], Weights: still.Weights}, 1./30); err == nil {
		t.Error("a clip of one and a half cycles has cycles")
	}
}

func TestBothWaysOfPaddingAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	frames := blend.NewPoses(blend.Shape{Feet: 4}, 37)
	for k := range frames {
		frames[k].Root = blend.RootMotion{Move: r3.Vec{X: .02 + .01*rng.Float64(), Y: .01 * rng.NormFloat64()}, Yaw: .1 * rng.NormFloat64()}
		for f := range frames[k].Feet {
			frames[k].Feet[f] = r3.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.Float64()}
		}
	}
	for q := range frames {
		a, b := PadBySegment(frames, q), PadByIncrements(frames, q)
		if len(a) != len(frames)+1 || len(b) != len(a) {
			t.Fatalf("%d and %d frames, want %d", len(a), len(b), len(frames)+1)
		}
		if g := blend.Gap(&a[0], &a[len(a)-1]); g != 0 {
			t.Errorf("begun at %d: the last frame is %g off the first", q, g)
		}
		for k := 1; k < len(a); k++ {
			if d := r3.Norm(r3.Sub(a[k].Root.Move, b[k].Root.Move)) + math.Abs(a[k].Root.Yaw-b[k].Root.Yaw); d > 1e-12 {
				t.Fatalf("begun at %d: increment %d differs by %g", q, k, d)
			}
			if g := blend.Gap(&a[k], &b[k]); g > 1e-12 {
				t.Fatalf("begun at %d: frame %d differs by %g", q, k, g)
			}
		}
	}
}

func TestWarpsComposeAndInvert(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	random := func() Warp {
		w := Warp{}
		x, y := rng.Float64(), rng.Float64()
		var dx, dy []float64
		sx, sy := 0.0, 0.0
		for range 8 {
			dx, dy = append(dx, .1+rng.Float64()), append(dy, .1+rng.Float64())
			sx, sy = sx+dx[len(dx)-1], sy+dy[len(dy)-1]
		}
		w.X, w.Y = append(w.X, x), append(w.Y, y)
		for i := range dx {
			x, y = x+dx[i]/sx, y+dy[i]/sy
			w.X, w.Y = append(w.X, x), append(w.Y, y)
		}
		return w
	}
	for range 50 {
		a, b := random(), random()
		c := a.Then(b)
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		last := math.Inf(-1)
		for k := range 301 {
			u := -1 + float64(k)/100
			if d := math.Abs(a.At(a.Inverse(u)) - u); d > 1e-9 {
				t.Fatalf("At(Inverse(%v)) is off by %g", u, d)
			}
			if d := math.Abs(c.At(u) - b.At(a.At(u))); d > 1e-9 {
				t.Fatalf("the composed curve at %v is off by %g", u, d)
			}
			if d := math.Abs(c.At(u+1) - c.At(u) - 1); d > 1e-9 {
				t.Fatalf("the curve does not come round at %v: %g", u, d)
			}
			if c.At(u) <= last {
				t.Fatalf("the curve does not rise at %v", u)
			}
			last = c.At(u)
		}
	}
	for _, w := range []Warp{{X: []float64{0, 1}, Y: []float64{0}}, {X: []float64{0, .5, .5, 1}, Y: []float64{0, .2, .4, 1}}, {X: []float64{0, 1}, Y: []float64{0, 2}}, {X: []float64{0, math.NaN()}, Y: []float64{0, 1}}} {
		if w.Check() == nil {
			t.Errorf("%+v was taken", w)
		}
	}
}

func TestBadCloudsAreRefused(t *testing.T) {
	good := stepping(10, 5, 0)
	for _, c := range []*Cloud{
		{}, {Points: good.Points}, {Points: good.Points, Weights: []float64{1, 1}}, {Points: good.Points, Weights: []float64{0, 0, 0}},
		{Points: good.Points, Weights: []float64{-1, 1, 1}}, {Points: [][]r3.Vec{{{X: math.NaN()}}}, Weights: []float64{1}},
	} {
		if _, err := NewWeb(c, good, WebOptions{}); err == nil {
			t.Errorf("%d frames, weights %v were taken", len(c.Points), c.Weights)
		}
		if _, err := Repetitions(c, 0.1); err == nil {
			t.Errorf("%d frames, weights %v were counted", len(c.Points), c.Weights)
		}
	}
}

func BenchmarkWeb300(b *testing.B) {
	a := stepping(300, 33, 0.01)
	for range 2 { // five points
		for k := range a.Points {
			a.Points[k] = append(a.Points[k], a.Points[k][0])
		}
		a.Weights = append(a.Weights, 1)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := NewWeb(a, a, WebOptions{Half: 5}); err != nil {
			b.Fatal(err)
		}
	}
}
