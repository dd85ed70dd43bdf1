package ik

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"
)

var (
	leg3  = []float64{0.05, 0.12, 0.18}
	ten10 = []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}
)

// random directions and targets from a seeded stream.
type drawer struct{ *rand.Rand }

func draw(seed uint64) drawer { return drawer{rand.New(rand.NewPCG(seed, 7))} }

func (d drawer) dir() r3.Vec {
	for {
		v := r3.Vec{X: 2*d.Float64() - 1, Y: 2*d.Float64() - 1, Z: 2*d.Float64() - 1}
		if n := r3.Norm2(v); n > 1e-3 && n < 1 {
			return r3.Unit(v)
		}
	}
}

// within draws a point between shares a and b of the reach of the chain,
// counted from its inner radius.
func (d drawer) within(lengths []float64, a, b float64) r3.Vec {
	lo, hi := reaches(lengths)
	return r3.Scale(lo+(hi-lo)*(a+(b-a)*d.Float64()), d.dir())
}

func reaches(lengths []float64) (lo, hi float64) {
	top := 0.0
	for _, l := range lengths {
		hi += l
		top = math.Max(top, l)
	}
	return math.Max(0, 2*top-hi), hi
}

func straight(lengths []float64, u r3.Vec) []r3.Vec {
	out := make([]r3.Vec, len(lengths)+1)
	for i, l := range lengths {
		out[i+1] = r3.Add(out[i], r3.Scale(l, u))
	}
	return out
}

func (d drawer) crooked(lengths []float64) []r3.Vec {
	out := make([]r3.Vec, len(lengths)+1)
	for i, l := range lengths {
		out[i+1] = r3.Add(out[i], r3.Scale(l, d.dir()))
	}
	return out
}

func TestFabrikReachesEverything(t *testing.T) {
	const count = 10000
	for name, lengths := range map[string][]float64{"leg3": leg3, "ten10": ten10} {
		d := draw(1)
		warm := straight(lengths, r3.Vec{X: 1})
		for k := range count {
			target := d.within(lengths, 0, 1)
			starts := map[string][]r3.Vec{
				"straight": straight(lengths, r3.Vec{X: 1}), "at target": straight(lengths, r3.Unit(target)),
				"random": d.crooked(lengths), "warm": warm,
			}
			for from, joints := range starts {
				res := Fabrik(joints, lengths, target, Options{})
				if miss := r3.Norm(r3.Sub(joints[len(lengths)], target)); !(miss <= 1e-6) || res.Status != Reached {
					t.Fatalf("%s %d from %s: misses by %g, %v", name, k, from, miss, res.Status)
				}
				checkChain(t, fmt.Sprintf("%s %d from %s", name, k, from), joints, lengths, r3.Vec{})
			}
		}
	}
}

func TestFabrikAnyChain(t *testing.T) {
	d := draw(2)
	for k := range 20000 {
		lengths := make([]float64, 2+d.IntN(19))
		for i := range lengths {
			lengths[i] = 0.05 * (1 + 19*d.Float64())
		}
		lo, hi := reaches(lengths)
		radius := lo + (hi-lo)*d.Float64()
		switch k % 4 {
		case 0:
			radius = hi * (1 - 1e-9)
		case 1:
			radius = lo + hi*1e-9
		}
		target := r3.Scale(radius, d.dir())
		joints := d.crooked(lengths)
		if k%3 == 0 {
			joints = straight(lengths, r3.Unit(target))
		}
		Fabrik(joints, lengths, target, Options{})
		if miss := r3.Norm(r3.Sub(joints[len(lengths)], target)); !(miss <= 1e-6) {
			t.Fatalf("%d: %d links, radius %g of %g..%g: misses by %g", k, len(lengths), radius, lo, hi, miss)
		}
		checkChain(t, fmt.Sprint(k), joints, lengths, r3.Vec{})
	}
}

func TestFabrikFollowsAPath(t *testing.T) {
	for name, lengths := range map[string][]float64{"leg3": leg3, "ten10": ten10} {
		_, hi := reaches(lengths)
		joints := straight(lengths, r3.Vec{X: 1})
		worst := 0.0
		var before []r3.Vec
		for k := range 4000 {
			a := float64(k) * 2e-3
			target := r3.Vec{X: 0.6 * hi, Y: 0.1 * hi * math.Sin(a), Z: 0.1 * hi * math.Cos(a)}
			before = append(before[:0], joints...)
			if res := Fabrik(joints, lengths, target, Options{}); res.Residual > 1e-6 || res.Status != Reached {
				t.Fatalf("%s %d: %+v", name, k, res)
			}
			checkChain(t, name, joints, lengths, r3.Vec{})
			if k > 0 {
				for i := range joints {
					worst = math.Max(worst, r3.Norm(r3.Sub(joints[i], before[i])))
				}
			}
		}
		// The target moves 0.2 mm per metre of reach a step; no point may jump.
		if worst > 2e-3*hi {
			t.Errorf("%s: a point moved %g m in one step", name, worst)
		}
	}
}

func TestFabrikBadInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name    string
		joints  []r3.Vec
		lengths []float64
		target  r3.Vec
	}{
		{"NaN target", straight(leg3, r3.Vec{X: 1}), leg3, r3.Vec{X: nan}},
		{"infinite target", straight(leg3, r3.Vec{X: 1}), leg3, r3.Vec{Z: -inf}},
		{"NaN joint", []r3.Vec{{}, {Y: nan}, {}, {}}, leg3, r3.Vec{X: 0.2}},
		{"infinite root", []r3.Vec{{X: inf}, {}, {}, {}}, leg3, r3.Vec{X: 0.2}},
		{"zero length", straight(leg3, r3.Vec{X: 1}), []float64{0.05, 0, 0.18}, r3.Vec{X: 0.2}},
		{"negative length", straight(leg3, r3.Vec{X: 1}), []float64{0.05, -0.12, 0.18}, r3.Vec{X: 0.2}},
		{"NaN length", straight(leg3, r3.Vec{X: 1}), []float64{0.05, nan, 0.18}, r3.Vec{X: 0.2}},
		{"huge length", straight(leg3, r3.Vec{X: 1}), []float64{0.05, 1e200, 0.18}, r3.Vec{X: 0.2}},
		{"too few joints", make([]r3.Vec, 3), leg3, r3.Vec{X: 0.2}},
		{"no joints", nil, nil, r3.Vec{X: 0.2}},
	} {
		before := append([]r3.Vec(nil), c.joints...)
		if res := Fabrik(c.joints, c.lengths, c.target, Options{}); res.Status != Invalid {
			t.Errorf("%s: %v, want invalid", c.name, res.Status)
		}
		for i := range before {
			if fmt.Sprint(before[i]) != fmt.Sprint(c.joints[i]) {
				t.Errorf("%s: joint %d changed", c.name, i)
			}
		}
	}
}

func TestFabrikOddStarts(t *testing.T) {
	for name, start := range map[string][]r3.Vec{
		"all at root":  make([]r3.Vec, 4),
		"far away":     {{}, {X: 1e200}, {Y: -1e250}, {Z: 1e300}},
		"denormal":     {{}, {X: 5e-324}, {X: 5e-324}, {Y: 5e-324}},
		"on target":    {{}, {X: 0.2}, {X: 0.2}, {X: 0.2}},
		"behind":       {{}, {X: -1}, {X: -2}, {X: -3}},
		"along the up": {{}, {Y: 1}, {Y: 2}, {Y: 3}},
	} {
		for _, target := range []r3.Vec{{X: 0.2}, {Y: 0.2}, {X: 0.35}, {X: 0.01}, {X: 1e-320}, {}, {X: 1e300}, {Y: -1e10}} {
			joints := append([]r3.Vec(nil), start...)
			res := Fabrik(joints, leg3, target, Options{})
			checkChain(t, fmt.Sprintf("%s to %v", name, target), joints, leg3, r3.Vec{})
			if !finite(joints[3]) || math.IsNaN(res.Residual) || math.IsInf(res.Residual, 0) {
				t.Errorf("%s to %v: %v, %+v", name, target, joints, res)
			}
		}
	}
}

func TestFabrikAllocatesNothing(t *testing.T) {
	for name, lengths := range map[string][]float64{"leg3": leg3, "ten10": ten10} {
		joints := straight(lengths, r3.Vec{X: 1})
		d := draw(3)
		if n := testing.AllocsPerRun(100, func() { Fabrik(joints, lengths, d.within(lengths, 0, 1.2), Options{}) }); n != 0 {
			t.Errorf("%s: %g allocations a solve", name, n)
		}
	}
}

func FuzzFabrik(f *testing.F) {
	f.Add(0.2, 0.0, 0.0, 0.05, 0.12, 0.18, 0.0, 0.0, 0.0)
	f.Add(0.35, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0)
	f.Add(math.Inf(1), 0.0, math.NaN(), 1e-99, 1e99, 1.0, 1e300, -1e300, 5e-324)
	f.Fuzz(func(t *testing.T, x, y, z, a, b, c, u, v, w float64) {
		joints := []r3.Vec{{}, {X: u}, {Y: v}, {Z: w}}
		lengths := []float64{a, b, c}
		res := Fabrik(joints, lengths, r3.Vec{X: x, Y: y, Z: z}, Options{})
		if res.Status == Invalid {
			return
		}
		_, hi := reaches(lengths)
		for i, l := range lengths {
			if d := math.Abs(norm(r3.Sub(joints[i+1], joints[i])) - l); !(d <= 1e-9*hi) {
				t.Errorf("link %d is %g off its length %g", i, d, l)
			}
		}
	})
}
