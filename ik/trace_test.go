package ik

import (
	"testing"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// A trace's moves chain up, one point at a time, and lead to the answer.
func TestTraceLeadsToTheAnswer(t *testing.T) {
	d := draw(40)
	for _, lengths := range [][]float64{leg3, ten10} {
		for k := range 200 {
			start := d.crooked(lengths)
			target := d.within(lengths, 0, 1.3)
			want := append([]r3.Vec(nil), start...)
			a := Fabrik(want, lengths, target, Options{MaxSweeps: 3})
			points, joints := append([]r3.Vec(nil), start...), append([]r3.Vec(nil), start...)
			count, sweep := 0, 0
			b := Trace(joints, lengths, target, Options{MaxSweeps: 3}, func(m Move) {
				if points[m.Joint] != m.From || m.Joint == 0 || m.Sweep < sweep {
					t.Fatalf("%d: move %+v does not follow on %v", k, m, points)
				}
				points[m.Joint], sweep = m.To, m.Sweep
				count++
			})
			if count == 0 || a.Status != b.Status {
				t.Fatalf("%d: %d moves, %v and %v", k, count, a, b)
			}
			for i := range want {
				if off := r3.Norm(r3.Sub(want[i], points[i])); off > 1e-6 || points[i] != joints[i] {
					if r3.Norm(r3.Sub(target, start[len(lengths)])) > 0.05 { // else Fabrik followed
						t.Errorf("%d: point %d ends %g off", k, i, off)
					}
				}
			}
		}
	}
	if res := Trace(nil, nil, r3.Vec{}, Options{}, nil); res.Status != Invalid {
		t.Errorf("no chain: %v", res.Status)
	}
}

func TestTraceOfALeg(t *testing.T) {
	for _, r := range testRigs() {
		s := NewSolver(r, Params{})
		d := draw(41)
		for range 20 {
			q, plain := r.RestPose(nil), r.RestPose(nil)
			foot := r3.Add(r.Legs[0].Joints[0].Origin.P, r3.Scale(r.L()*d.Float64(), d.dir()))
			var last [maxJoints + 1]r3.Vec
			passes := map[Pass]int{}
			a := s.Trace(q, 0, Target{Foot: foot}, func(m Move) {
				last[m.Joint] = m.To
				passes[m.Pass]++
			})
			b := s.Solve(plain, 0, Target{Foot: foot})
			if a != b {
				t.Errorf("%s: %+v traced, %+v solved", r.Name, a, b)
			}
			for j := range q {
				if q[j] != plain[j] {
					t.Errorf("%s: joint %d is %g traced, %g solved", r.Name, j, q[j], plain[j])
				}
			}
			if off := r3.Norm(r3.Sub(last[len(r.Legs[0].Joints)], rig.Foot(r, 0, q))); off > 1e-9 || passes[PassFinish] == 0 {
				t.Errorf("%s: the foot ends %g off after %v", r.Name, off, passes)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for s := Reached; s < Statuses; s++ {
		if s.String() == "unknown" {
			t.Errorf("status %d has no name", s)
		}
	}
	for p := PassBackward; p <= PassFinish; p++ {
		if p.String() == "unknown" {
			t.Errorf("pass %d has no name", p)
		}
	}
	if Status(99).String() != "unknown" || Pass(99).String() != "unknown" {
		t.Error("names for what is not there")
	}
}
