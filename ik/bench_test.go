package ik

import (
	"math"
	"testing"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// cases of bare chains: where the targets lie and how the chain starts.
var chainCases = []struct {
	name string
	from func(d drawer, lengths []float64) r3.Vec
}{
	{"random", func(d drawer, l []float64) r3.Vec { return d.within(l, 0.05, 0.97) }},
	{"near", func(d drawer, l []float64) r3.Vec { return d.within(l, 0.99, 0.9999) }},
	{"inner", func(d drawer, l []float64) r3.Vec { return d.within(l, 0.0001, 0.01) }},
	{"collinear", func(d drawer, l []float64) r3.Vec {
		return r3.Scale(0.3+0.6*d.Float64(), r3.Vec{X: 0.35 + 0.65*lap(l)})
	}},
	{"far", func(d drawer, l []float64) r3.Vec { return d.within(l, 1.05, 2) }},
}

func lap(l []float64) float64 {
	if len(l) > 3 {
		return 1
	}
	return 0
}

func BenchmarkFabrik(b *testing.B) {
	for _, chain := range []struct {
		name    string
		lengths []float64
	}{{"leg3", leg3}, {"ten10", ten10}} {
		for _, c := range chainCases {
			b.Run(chain.name+"/"+c.name, func(b *testing.B) {
				d := draw(8)
				targets := make([]r3.Vec, 1024)
				for i := range targets {
					targets[i] = c.from(d, chain.lengths)
				}
				start := bent(chain.lengths)
				if c.name == "collinear" {
					start = straight(chain.lengths, r3.Vec{X: 1})
				}
				joints := append([]r3.Vec(nil), start...)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					copy(joints, start)
					Fabrik(joints, chain.lengths, targets[i%1024], Options{})
				}
			})
		}
		b.Run(chain.name+"/track", func(b *testing.B) {
			targets := track(chain.lengths)
			joints := bent(chain.lengths)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				Fabrik(joints, chain.lengths, targets[i%len(targets)], Options{})
			}
		})
	}
}

// bent is a start with a small zigzag, as the vectors use.
func bent(lengths []float64) []r3.Vec {
	out := make([]r3.Vec, len(lengths)+1)
	for i, l := range lengths {
		u := r3.Unit(r3.Vec{X: 1, Z: 0.8 * float64(1-2*(i%2)) * float64(min(i, 1))})
		out[i+1] = r3.Add(out[i], r3.Scale(l, u))
	}
	return out
}

// track is a closed foot path at 1 kHz: two steps a second.
func track(lengths []float64) []r3.Vec {
	_, hi := reaches(lengths)
	out := make([]r3.Vec, 500)
	for i := range out {
		s, c := math.Sincos(2 * math.Pi * float64(i) / 500)
		out[i] = r3.Vec{X: 0.6 * hi, Y: 0.15 * hi * c, Z: -0.3*hi + 0.1*hi*s}
	}
	return out
}

func BenchmarkLeg(b *testing.B) {
	for _, c := range []struct {
		name string
		r    *rig.Rig
		p    Params
	}{
		{"hexapod/fabrik", hexapod(), DefaultParams()},
		{"hexapod/closed", hexapod(), Params{Closed: true}},
		{"quadruped/fabrik", quadruped(), DefaultParams()},
		{"quadruped/closed", quadruped(), Params{Closed: true}},
		{"planar/fabrik", planarRig(), DefaultParams()},
		{"spider3", spiderRig(3, true), DefaultParams()},
		{"spider6", spiderRig(6, true), DefaultParams()},
		{"five", fiveRig(), DefaultParams()},
		{"mimic", mimicRig(), DefaultParams()},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := NewSolver(c.r, c.p)
			q := c.r.RestPose(nil)
			l := &c.r.Legs[0]
			targets := make([]r3.Vec, 500)
			for i := range targets {
				sin, cos := math.Sincos(2 * math.Pi * float64(i) / 500)
				targets[i] = r3.Add(l.Neutral, r3.Vec{X: 0.06 * l.Length * cos, Z: 0.03 * l.Length * (1 + sin)})
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if res := s.Solve(q, 0, Target{Foot: targets[i%500]}); res.Status != Reached {
					b.Fatal(res)
				}
			}
		})
	}
	for _, r := range []*rig.Rig{hexapod(), spiderRig(3, true), spiderRig(6, true), fiveRig()} {
		b.Run(r.Name+"/missed", func(b *testing.B) {
			d := draw(9)
			s := NewSolver(r, Params{})
			q := r.RestPose(nil)
			l := &r.Legs[0]
			b.ReportAllocs()
			for b.Loop() {
				s.Solve(q, 0, Target{Foot: r3.Add(l.Joints[0].Origin.P, r3.Scale(1.3*l.Length*d.Float64(), d.dir()))})
			}
		})
	}
	b.Run("moment", func(b *testing.B) {
		r := hexapod()
		s := NewSolver(r, Params{})
		q := r.RestPose(nil)
		s.Solve(q, 0, Target{Foot: r.Legs[0].Neutral})
		for b.Loop() {
			s.Moment(0)
		}
	})
}
