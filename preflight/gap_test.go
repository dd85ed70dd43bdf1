package preflight

import (
	"math"
	"testing"

	"legctl/configs"
	"legctl/control"

	"gonum.org/v1/gonum/spatial/r3"
	"pgregory.net/rapid"
)

// TestSegments compares the distance of two segments with the least over a grid
// of points on both, refined.
func TestSegments(t *testing.T) {
	for _, c := range []struct {
		name       string
		a, b, c, d r3.Vec
		want       float64
	}{
		{"crossing", r3.Vec{X: -1}, r3.Vec{X: 1}, r3.Vec{Y: -1, Z: 2}, r3.Vec{Y: 1, Z: 2}, 2},
		{"parallel", r3.Vec{}, r3.Vec{X: 1}, r3.Vec{Y: 3}, r3.Vec{X: 1, Y: 3}, 3},
		{"in line", r3.Vec{}, r3.Vec{X: 1}, r3.Vec{X: 3}, r3.Vec{X: 4}, 2},
		{"two points", r3.Vec{}, r3.Vec{}, r3.Vec{X: 3, Y: 4}, r3.Vec{X: 3, Y: 4}, 5},
		{"point and segment", r3.Vec{X: 0.5, Y: 1}, r3.Vec{X: 0.5, Y: 1}, r3.Vec{}, r3.Vec{X: 1}, 1},
	} {
		if got := segments(c.a, c.b, c.c, c.d); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := func(n string) r3.Vec {
			c := rapid.Float64Range(-1, 1)
			return r3.Vec{X: c.Draw(t, n+"x"), Y: c.Draw(t, n+"y"), Z: c.Draw(t, n+"z")}
		}
		a, b, c, d := v("a"), v("b"), v("c"), v("d")
		least := math.Inf(1)
		const n = 60
		for i := range n + 1 {
			p := r3.Add(a, r3.Scale(float64(i)/n, r3.Sub(b, a)))
			for k := range n + 1 {
				q := r3.Add(c, r3.Scale(float64(k)/n, r3.Sub(d, c)))
				least = math.Min(least, math.Sqrt(r3.Norm2(r3.Sub(p, q))))
			}
		}
		got := segments(a, b, c, d)
		if got > least+1e-7 || got < least-4./n {
			t.Fatalf("distance %v, a grid has %v", got, least)
		}
		if other := segments(d, c, a, b); math.Abs(other-got) > 1e-7 {
			t.Fatalf("distance %v one way, %v the other", got, other)
		}
	})
}

// TestGapNamesThePair: a leg whose mount is moved to its neighbour's touches it,
// and check says which, as it would of an octopod with a mistyped mount.
func TestGapNamesThePair(t *testing.T) {
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	p := control.DefaultParams(r)
	p.Gaits = p.Gaits[:1]
	rep, err := Check(r, p)
	if err != nil {
		t.Fatal(err)
	}
	g := rep.Gaits[0].Worst.Gap
	if !(g.Value > 0.02 && g.Value < 0.2) || r.Groups.Adjacent[g.Legs[0]]>>g.Legs[1]&1 == 0 {
		t.Errorf("gap %+v, want 20 to 200 mm between adjacent legs", g)
	}
	var b bones
	s := &control.NewStates(r, 1)[0]
	s.Q = r.RestPose(s.Q)
	least := noGap()
	b.gap(&least, r, s, 0)
	lm, _ := r.Find("lm")
	lr, _ := r.Find("lr")
	r.Legs[lm].Joints[0].Origin.P = r.Legs[lr].Joints[0].Origin.P
	touching := noGap()
	b.gap(&touching, r, s, 0)
	if touching.Value >= 0 || least.Value <= 0 {
		t.Errorf("gap %+v, with two legs on one mount %+v", least, touching)
	}
}
