package ik

import (
	"testing"
	"time"
)

func TestComfortAndNeutral(t *testing.T) {
	for _, r := range testRigs() {
		s := NewSolver(r, DefaultParams())
		begin := time.Now()
		for i := range r.Legs {
			c := Comfort(s, i, r.Legs[i].Neutral)
			t.Log(r.Name, len(r.Legs[i].Joints), i, c/r.Legs[i].Length)
		}
		d1 := time.Since(begin)
		begin = time.Now()
		foot, q, ok := Neutral(s, 0, -r.Legs[0].Neutral.Z)
		t.Log(foot, r.Legs[0].Neutral, q, ok, Comfort(s, 0, foot)/r.Legs[0].Length, "comfort", d1, "neutral", time.Since(begin))
	}
}
