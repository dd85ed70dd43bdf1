package ik

import (
	"math"
	"testing"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// drawAngles draws the whole rig inside its limits, margin a share of ranges.
func (d drawer) drawAngles(r *rig.Rig, margin float64) []float64 {
	var q []float64
	for i := range r.Legs {
		l := &r.Legs[i]
		own := make([]float64, len(l.Joints))
		for again := true; again; {
			again = false
			for j := range l.Joints {
				o := &l.Joints[j]
				w := margin * (o.Max - o.Min)
				own[j] = o.Min + w + (o.Max-o.Min-2*w)*d.Float64()
			}
			for j := range l.Joints {
				if o := &l.Joints[j]; o.Mimic >= 0 {
					own[j] = o.Factor*own[o.Mimic] + o.Offset
					again = again || own[j] < o.Min || own[j] > o.Max
				}
			}
		}
		q = append(q, own...)
	}
	return q
}

func checkLimits(t *testing.T, r *rig.Rig, q []float64) {
	t.Helper()
	for i := range r.Legs {
		for j, a := range r.Slice(q, i) {
			o := &r.Legs[i].Joints[j]
			if !(a >= o.Min-1e-12 && a <= o.Max+1e-12) {
				t.Errorf("%s leg %d joint %d: %g is outside %g..%g", r.Name, i, j, a, o.Min, o.Max)
			}
		}
	}
}

// Every foot that limits allow is found, warm, cold and in closed form.
func TestSolveReachesEverything(t *testing.T) {
	for _, r := range testRigs() {
		d := draw(4)
		fab, closed := NewSolver(r, DefaultParams()), NewSolver(r, Params{Closed: true})
		warm, cold, shut := r.RestPose(nil), r.RestPose(nil), r.RestPose(nil)
		for range 800 / len(r.Legs) {
			drawn := d.drawAngles(r, 0)
			for i := range r.Legs {
				want := rig.Foot(r, i, drawn)
				results := map[string]Result{
					"warm": fab.Solve(warm, i, Target{Foot: want}), "cold": fab.SolveCold(cold, i, Target{Foot: want}),
					"closed": closed.Solve(shut, i, Target{Foot: want}),
				}
				for how, q := range map[string][]float64{"warm": warm, "cold": cold, "closed": shut} {
					miss := r3.Norm(r3.Sub(rig.Foot(r, i, q), want))
					if !(miss <= 1e-6*r.Legs[i].Length) || results[how].Status != Reached {
						t.Errorf("%s %s leg %d: misses by %g L, %+v; drawn %v", r.Name, how, i, miss/r.Legs[i].Length, results[how], r.Slice(drawn, i))
					}
				}
			}
			checkLimits(t, r, warm)
			checkLimits(t, r, cold)
			checkLimits(t, r, shut)
			if t.Failed() {
				break
			}
		}
	}
}

// onBranch draws angles of one leg on the bend's branch.
func onBranch(d drawer, s *Solver, i int) []float64 {
	m := &s.legs[i]
	var z [maxJoints]float64
	for k := range m.free {
		z[k] = m.branch.lo[k] + (m.branch.hi[k]-m.branch.lo[k])*d.Float64()
	}
	q := make([]float64, m.n)
	m.spreadAngles(q, &z)
	return q
}

// Warm starts anywhere, the cold start and the closed form give one answer.
func TestSolveHasOneAnswer(t *testing.T) {
	for _, r := range testRigs() {
		d := draw(5)
		fab, closed := NewSolver(r, DefaultParams()), NewSolver(r, Params{Closed: true})
		worst, count, bad := 0.0, 0, 0
		for range 120 {
			for i := range r.Legs {
				m := &fab.legs[i]
				want := rig.LegFoot(&r.Legs[i], onBranch(d, fab, i))
				if norm(r3.Sub(want, m.at[0])) > 0.999*m.length {
					continue
				}
				cold, warm, shut := r.RestPose(nil), r.RestPose(nil), r.RestPose(nil)
				copy(r.Slice(warm, i), onBranch(d, fab, i))
				a := fab.SolveCold(cold, i, Target{Foot: want})
				b := fab.Solve(warm, i, Target{Foot: want})
				c := closed.Solve(shut, i, Target{Foot: want})
				if a.Status != Reached || b.Status != Reached || c.Status != Reached {
					t.Fatalf("%s leg %d: %v, %v, %v", r.Name, i, a, b, c)
				}
				count++
				off := 0.0
				for j := range r.Slice(cold, i) {
					off = math.Max(off, math.Abs(r.Slice(cold, i)[j]-r.Slice(warm, i)[j]))
					off = math.Max(off, math.Abs(r.Slice(cold, i)[j]-r.Slice(shut, i)[j]))
				}
				worst = math.Max(worst, off)
				if off > 1e-6 {
					bad++
				}
			}
		}
		t.Logf("%s: worst %g rad, %d of %d beyond 1e-6", r.Name, worst, bad, count)
		if bad > 0 {
			t.Errorf("%s: warm, cold and closed differ by up to %g rad, %d of %d", r.Name, worst, bad, count)
		}
	}
}
