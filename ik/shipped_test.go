package ik_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"legctl/configs"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

func shipped(t *testing.T) []*rig.Rig {
	t.Helper()
	var out []*rig.Rig
	for _, name := range configs.Rigs() {
		r, err := configs.LoadRig(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		t.Fatal("no rigs shipped")
	}
	return out
}

// drawLeg draws angles of one leg inside its limits, mimic joints included.
func drawLeg(d *rand.Rand, l *rig.Leg) []float64 {
	q := make([]float64, len(l.Joints))
	for {
		ok := true
		for j := range l.Joints {
			o := &l.Joints[j]
			q[j] = o.Min + (o.Max-o.Min)*d.Float64()
		}
		for j := range l.Joints {
			if o := &l.Joints[j]; o.Mimic >= 0 {
				q[j] = o.Factor*q[o.Mimic] + o.Offset
				ok = ok && q[j] >= o.Min && q[j] <= o.Max
			}
		}
		if ok {
			return q
		}
	}
}

// Every foot that the limits of a shipped leg allow is found, from a cold and
// from a warm start, in FABRIK's way and in closed form, and all agree.
func TestShippedLegs(t *testing.T) {
	const count = 100
	for _, r := range shipped(t) {
		t.Run(r.Name, func(t *testing.T) {
			d := rand.New(rand.NewPCG(11, 12))
			fab, closed := ik.NewSolver(r, ik.DefaultParams()), ik.NewSolver(r, ik.Params{Closed: true})
			warm, cold, shut := r.RestPose(nil), r.RestPose(nil), r.RestPose(nil)
			flipped, differ := 0, 0
			for i := range r.Legs {
				l := &r.Legs[i]
				for range count {
					want := rig.LegFoot(l, drawLeg(d, l))
					copy(r.Slice(warm, i), drawLeg(d, l))
					a := fab.Solve(warm, i, ik.Target{Foot: want})
					b := fab.SolveCold(cold, i, ik.Target{Foot: want})
					c := closed.Solve(shut, i, ik.Target{Foot: want})
					for how, q := range map[string][]float64{"warm": warm, "cold": cold, "closed": shut} {
						if miss := r3.Norm(r3.Sub(rig.Foot(r, i, q), want)); !(miss <= 1e-6*l.Length) {
							t.Fatalf("leg %d %s: misses by %g L; %+v %+v %+v", i, how, miss/l.Length, a, b, c)
						}
					}
					if a.Flipped {
						flipped++
					}
					if r3.Norm(r3.Sub(want, l.Joints[0].Origin.P)) > 0.999*l.Length {
						continue // angles are not determined well enough on the last stretch
					}
					for j := range l.Joints {
						x, y, z := r.Slice(warm, i)[j], r.Slice(cold, i)[j], r.Slice(shut, i)[j]
						if math.Abs(x-y) > 1e-6 || math.Abs(x-z) > 1e-6 {
							differ++
							t.Logf("leg %d: warm %v cold %v closed %v", i, r.Slice(warm, i), r.Slice(cold, i), r.Slice(shut, i))
							break
						}
					}
				}
			}
			t.Logf("%d of %d off the bend's branch, %d differ", flipped, count*len(r.Legs), differ)
			if differ > 0 {
				t.Errorf("%d of %d answers depend on the start", differ, count*len(r.Legs))
			}
		})
	}
}
