package ik_test

import (
	"math"
	"testing"

	"legctl/configs"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// presets are the body plans of section 1 of the gait rules.
var presets = []string{"biped", "quadruped", "hexapod", "octopod", "quadbot", "hexbot", "octobot"}

// Property 31: at rest every interior joint lies above the straight line from
// root to foot, and the pose is a pure function of the foot.
func TestPresetsBendUpward(t *testing.T) {
	for _, name := range presets {
		r, err := configs.LoadRig(name)
		if err != nil {
			t.Fatal(err)
		}
		s := ik.NewSolver(r, ik.DefaultParams())
		for i := range r.Legs {
			l := &r.Legs[i]
			q, again := r.RestPose(nil), make([]float64, r.Joints())
			res := s.SolveCold(q, i, ik.Target{Foot: l.Neutral})
			if res.Status != ik.Reached {
				t.Errorf("%s leg %d: %+v at its neutral foot", name, i, res)
				continue
			}
			var frames [rig.MaxJoints]rig.Frame
			rig.Frames(frames[:len(l.Joints)], l, r.Slice(q, i))
			root, line := frames[0].P, r3.Sub(l.Neutral, frames[0].P)
			for j := range l.Joints {
				v := r3.Sub(frames[j].P, root)
				if r3.Norm(v) < 1e-6*l.Length {
					continue // shares the root's centre
				}
				share := r3.Dot(v, line) / r3.Norm2(line)
				if above := v.Z - share*line.Z; above <= 0 {
					t.Errorf("%s leg %d: joint %d lies %g below the line", name, i, j, -above)
				}
			}
			s.SolveCold(again, 0, ik.Target{Foot: r3.Vec{X: 9}})
			s.SolveCold(again, i, ik.Target{Foot: l.Neutral})
			for j, a := range r.Slice(q, i) {
				if b := r.Slice(again, i)[j]; math.Float64bits(a) != math.Float64bits(b) {
					t.Errorf("%s leg %d joint %d: %v, then %v", name, i, j, a, b)
				}
			}
		}
	}
}

// Property 30 on chains as the presets have them, from the pose laid 80
// degrees above the foot: lengths to 1e-9, a fixed root, one iteration at rest,
// and the distance left over beyond reach.
func TestPresetChains(t *testing.T) {
	lift := 80 * math.Pi / 180
	for _, c := range []struct {
		name    string
		x, z    float64 // the foot, ahead of and above the root
		lengths []float64
	}{
		{"biped", 1, -1.1, []float64{1, 1, 1}},
		{"quadruped front", 1.27, -1.1, []float64{0.9, 0.9, 0.9}},
		{"hexapod rear", 2.25, -1.1, []float64{1.6, 1.6, 1.6}},
		{"octopod rear", 2.6, -1.1, []float64{1.6, 1.6, 1.6}},
		{"hexbot front", 1.56, -0.75, []float64{0.385, 0.616, 0.77, 0.77}},
	} {
		target := r3.Vec{X: c.x, Z: c.z}
		laid := func() []r3.Vec {
			s, cos := math.Sincos(math.Atan2(c.z, c.x) + lift)
			p := []r3.Vec{{}}
			for i, l := range c.lengths {
				p = append(p, r3.Add(p[i], r3.Vec{X: l * cos, Z: l * s}))
			}
			return p
		}
		p := laid()
		res := ik.Fabrik(p, c.lengths, target, ik.Options{MaxSweeps: -1})
		if res.Status != ik.Reached || res.Iterations != 1 || r3.Norm(r3.Sub(p[len(p)-1], target)) > 0.003 {
			t.Errorf("%s: %+v, foot at %v", c.name, res, p[len(p)-1])
		}
		far := r3.Scale(4, target)
		sum := 0.0
		for i, l := range c.lengths {
			sum += l
			if off := math.Abs(r3.Norm(r3.Sub(p[i+1], p[i])) - l); off > 1e-9 || p[0] != (r3.Vec{}) {
				t.Errorf("%s: link %d is %g off, root at %v", c.name, i, off, p[0])
			}
		}
		res = ik.Fabrik(p, c.lengths, far, ik.Options{})
		if off := math.Abs(res.Residual - (r3.Norm(far) - sum)); res.Status != ik.OutOfReach || off > 1e-9 {
			t.Errorf("%s: %+v for a foot %g too far", c.name, res, r3.Norm(far)-sum)
		}
		p = laid()
		if res = ik.Fabrik(p, c.lengths, r3.Vec{}, ik.Options{}); math.IsNaN(p[1].X+p[2].Z+res.Residual) || r3.Norm(p[len(p)-1]) > 1e-9 {
			t.Errorf("%s: target at the root ends at %v, %+v", c.name, p, res)
		}
	}
}
