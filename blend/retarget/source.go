package retarget

import (
	"fmt"
	"math"

	"legctl/blend"
	"legctl/blend/clip"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// source is a clip seen as legs: where hips and feet are in the root's frame,
// at even times.
type source struct {
	step  float64 // seconds between samples
	root  []blend.Place
	hips  [][]r3.Vec // of each leg, then each sample
	feet  [][]r3.Vec
	floor []float64 // least height of each foot
	tall  float64   // mean height of the hips over their feet's floor: the clip's L
	still bool      // the clip runs in place
}

func (s *source) samples() int { return len(s.root) }

// follow samples the legs of a clip n times, evenly from its first key to its
// last, both included.
func follow(c *clip.Clip, limbs []limb, m *Map, r *rig.Rig, n int) (*source, error) {
	if n < 2 || !(c.Length > 0) {
		return nil, fmt.Errorf("retarget: clip %q has a single pose, want a motion", c.Name)
	}
	s := &source{step: c.Length / float64(n-1), root: make([]blend.Place, n)}
	for range limbs {
		s.hips, s.feet = append(s.hips, make([]r3.Vec, n)), append(s.feet, make([]r3.Vec, n))
	}
	frames, locals := make([]clip.Frame, len(c.Bones)), make([]clip.Local, len(c.Bones))
	hips := make([]r3.Vec, len(limbs))
	for k := range n {
		c.Frames(frames, locals, c.Begin+s.step*float64(k))
		var mid r3.Vec
		for i, l := range limbs {
			hips[i] = frames[l.hip].P
			s.hips[i][k], s.feet[i][k] = hips[i], frames[l.foot].P
			mid = r3.Add(mid, r3.Scale(1/float64(len(limbs)), hips[i]))
		}
		yaw := heading(hips, r)
		if k > 0 {
			yaw = s.root[k-1].Yaw + geom.WrapAngle(yaw-s.root[k-1].Yaw)
		}
		s.root[k] = blend.Place{At: r3.Vec{X: mid.X, Y: mid.Y}, Yaw: yaw}
	}
	s.stand()
	s.settle(m.Facing)
	s.relative()
	return s, nil
}

// stand finds the floor under each foot and how tall the body is.
func (s *source) stand() {
	s.floor = make([]float64, len(s.feet))
	for i := range s.feet {
		s.floor[i] = math.Inf(1)
		for _, p := range s.feet[i] {
			s.floor[i] = min(s.floor[i], p.Z)
		}
		for _, p := range s.hips[i] {
			s.tall += (p.Z - s.floor[i]) / float64(len(s.feet)*s.samples())
		}
	}
}

// settle makes the root's path. A clip in place keeps one root for all of its
// time, which faces where the file does; another one's is the mean of its hips
// with its steps' sway taken out.
func (s *source) settle(facing float64) {
	n := s.samples()
	low, high, turn := s.root[0].At, s.root[0].At, [2]float64{s.root[0].Yaw, s.root[0].Yaw}
	var mean r3.Vec
	for _, p := range s.root {
		low = r3.Vec{X: min(low.X, p.At.X), Y: min(low.Y, p.At.Y)}
		high = r3.Vec{X: max(high.X, p.At.X), Y: max(high.Y, p.At.Y)}
		turn = [2]float64{min(turn[0], p.Yaw), max(turn[1], p.Yaw)}
		mean = r3.Add(mean, r3.Scale(1/float64(n), p.At))
	}
	// Hips twist with every step; only a heading that does not come back turns.
	net := math.Abs(s.root[n-1].Yaw - s.root[0].Yaw)
	s.still = r3.Norm(r3.Sub(high, low)) < 0.6*s.tall && turn[1]-turn[0] < 1.6 && net < 0.35
	if s.still {
		for k := range s.root {
			s.root[k] = blend.Place{At: mean, Yaw: facing}
		}
		return
	}
	half := int(0.25 / s.step)
	raw := append([]blend.Place(nil), s.root...)
	for k := range s.root {
		h := min(half, k, n-1-k)
		var at r3.Vec
		yaw := 0.0
		for i := k - h; i <= k+h; i++ {
			at, yaw = r3.Add(at, raw[i].At), yaw+raw[i].Yaw
		}
		w := 1 / float64(2*h+1)
		s.root[k] = blend.Place{At: r3.Scale(w, at), Yaw: w*yaw + facing}
	}
}

// relative turns hips and feet into the root's frame, feet above their floor.
func (s *source) relative() {
	for k, p := range s.root {
		inv := p.Pose().Inverse()
		for i := range s.feet {
			s.hips[i][k], s.feet[i][k] = inv.Apply(s.hips[i][k]), inv.Apply(s.feet[i][k])
			s.feet[i][k].Z -= s.floor[i]
			s.hips[i][k].Z -= s.floor[i]
		}
	}
}

// pace returns the mean speed of the feet, relative to the root, m/s.
func (s *source) pace() float64 {
	sum, n := 0.0, 0
	for i := range s.feet {
		for k := 1; k < s.samples(); k++ {
			sum += r3.Norm(r3.Sub(s.feet[i][k], s.feet[i][k-1]))
			n++
		}
	}
	return sum / (float64(n) * s.step)
}

// gap returns the distance of two samples: root mean square over the feet.
func (s *source) gap(a, b int) float64 {
	sum := 0.0
	for i := range s.feet {
		sum += r3.Norm2(r3.Sub(s.feet[i][a], s.feet[i][b]))
	}
	return math.Sqrt(sum / float64(len(s.feet)))
}
