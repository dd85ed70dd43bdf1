package ik

import (
	"math"
	"testing"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// A cold solve depends on leg and target alone, bit for bit: whatever the
// solver and the angles have been through. A warm solve depends on them and on
// the leg's own angles, never on what the solver did before.
func TestSolvesArePure(t *testing.T) {
	for _, r := range testRigs() {
		for _, p := range []Params{{}, {Closed: true}} {
			d := draw(30)
			used, q, warm := NewSolver(r, p), r.RestPose(nil), r.RestPose(nil)
			for k := range 60 {
				i := k % len(r.Legs)
				l := &r.Legs[i]
				foot := r3.Add(l.Joints[0].Origin.P, r3.Scale(1.1*l.Length*d.Float64(), d.dir()))
				copy(r.Slice(q, i), onBranch(d, used, i))
				copy(warm, q)
				a := used.SolveCold(q, i, Target{Foot: foot})
				fresh, clean, again := NewSolver(r, p), r.RestPose(nil), r.RestPose(nil)
				copy(again, warm)
				b := fresh.SolveCold(clean, i, Target{Foot: foot})
				c := used.Solve(warm, i, Target{Foot: foot})
				e := fresh.Solve(again, i, Target{Foot: foot})
				same(t, r, i, q, clean, a, b)
				same(t, r, i, warm, again, c, e)
			}
		}
	}
}

func same(t *testing.T, r *rig.Rig, i int, p, q []float64, a, b Result) {
	t.Helper()
	if a != b {
		t.Errorf("%s leg %d: %+v and %+v", r.Name, i, a, b)
	}
	for j := range r.Slice(p, i) {
		if x, y := r.Slice(p, i)[j], r.Slice(q, i)[j]; math.Float64bits(x) != math.Float64bits(y) {
			t.Errorf("%s leg %d joint %d: %v and %v", r.Name, i, j, x, y)
		}
	}
}

func TestSolveAllocatesNothing(t *testing.T) {
	for _, r := range testRigs() {
		for _, p := range []Params{{}, {Closed: true}} {
			d := draw(31)
			s, q := NewSolver(r, p), r.RestPose(nil)
			n := testing.AllocsPerRun(50, func() {
				foot := r3.Add(r.Legs[1%len(r.Legs)].Joints[0].Origin.P, r3.Scale(1.1*r.L()*d.Float64(), d.dir()))
				s.Solve(q, 1%len(r.Legs), Target{Foot: foot})
				s.SolveCold(q, 1%len(r.Legs), Target{Foot: foot, Dir: r3.Vec{Z: -1}, DirWeight: 1})
				s.Moment(1 % len(r.Legs))
			})
			if n != 0 {
				t.Errorf("%s: %g allocations a solve", r.Name, n)
			}
		}
	}
}

func TestSolveBadInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, r := range testRigs() {
		s := NewSolver(r, Params{})
		rest := r.RestPose(nil)
		broken := r.RestPose(nil)
		broken[len(r.Legs[0].Joints)-1] = nan
		for _, c := range []struct {
			name string
			q    []float64
			leg  int
			foot r3.Vec
			cold bool
		}{
			{"NaN foot", rest, 0, r3.Vec{X: nan}, false},
			{"infinite foot", rest, 0, r3.Vec{Y: -inf}, false},
			{"NaN foot, cold", rest, 0, r3.Vec{Z: nan}, true},
			{"NaN angle", broken, 0, r.Legs[0].Neutral, false},
			{"leg below", rest, -1, r.Legs[0].Neutral, false},
			{"leg beyond", rest, len(r.Legs), r.Legs[0].Neutral, true},
			{"short angles", rest[:1], 0, r.Legs[0].Neutral, false},
			{"no angles", nil, 0, r.Legs[0].Neutral, true},
		} {
			before := append([]float64(nil), c.q...)
			res := Result{}
			if c.cold {
				res = s.SolveCold(c.q, c.leg, Target{Foot: c.foot})
			} else {
				res = s.Solve(c.q, c.leg, Target{Foot: c.foot})
			}
			if res.Status != Invalid {
				t.Errorf("%s, %s: %v, want invalid", r.Name, c.name, res.Status)
			}
			for j := range before {
				if math.Float64bits(before[j]) != math.Float64bits(c.q[j]) {
					t.Errorf("%s, %s: angle %d changed", r.Name, c.name, j)
				}
			}
		}
		// A cold solve does not look at the angles, so it mends broken ones.
		if res := s.SolveCold(broken, 0, Target{Foot: r.Legs[0].Neutral}); res.Status != Reached {
			t.Errorf("%s: cold over NaN angles: %v", r.Name, res.Status)
		}
	}
}

// Feet in singular places, huge and tiny ones end with finite angles within
// the limits.
func TestSolveOddTargets(t *testing.T) {
	for _, r := range testRigs() {
		s := NewSolver(r, Params{})
		for i := range r.Legs {
			m := &s.legs[i]
			for j := 0; j <= m.n; j++ {
				for _, off := range []r3.Vec{{}, {Z: 1e-13}, {X: 1e-9}, {Z: -1e-300}, {X: 1e10}, {Y: -1e200}, {Z: 1e300}} {
					q := r.RestPose(nil)
					foot := r3.Add(m.at[j], off)
					res := s.Solve(q, i, Target{Foot: foot})
					checkLimits(t, r, q)
					if !finiteAngles(q) || !(res.Residual >= 0) || math.IsInf(res.Residual, 0) {
						t.Errorf("%s leg %d to centre %d + %v: %+v, %v", r.Name, i, j, off, res, r.Slice(q, i))
					}
				}
			}
		}
	}
}

func FuzzSolve(f *testing.F) {
	f.Add(uint8(0), 0.2, 0.1, -0.1, 0.1, 0.2, 0.3)
	f.Add(uint8(3), 1e300, -1e300, 5e-324, math.NaN(), 1.0, 2.0)
	f.Add(uint8(4), 0.0, 3.0, -1.0, 1e9, -1e9, 0.0)
	rigs := testRigs()
	f.Fuzz(func(t *testing.T, n uint8, x, y, z, a, b, c float64) {
		r := rigs[int(n)%len(rigs)]
		s := NewSolver(r, Params{Closed: n > 127})
		q := r.RestPose(nil)
		copy(q, []float64{a, b})
		q[len(r.Legs[0].Joints)-1] = c
		res := s.Solve(q, 0, Target{Foot: r3.Vec{X: x, Y: y, Z: z}, Dir: r3.Vec{X: a, Y: b, Z: c}, DirWeight: x})
		if res.Status == Invalid {
			return
		}
		checkLimits(t, r, q)
		if !(res.Residual >= 0) {
			t.Errorf("%+v", res)
		}
	})
}
