package retarget

import (
	"fmt"
	"math"

	"legctl/blend"
	"legctl/blend/clip"
	"legctl/blend/space"

	"gonum.org/v1/gonum/spatial/r3"
)

// framesPerCycle is how many frames a loop has per cycle: a round number for
// gaits of many parts.
const framesPerCycle = 96

// The rule of closing: a loop's last key may be so many keys before its first.
const (
	mostKeys  = 1.5
	leastKeys = 0.1
)

// closed makes one pass of a clip that is a loop already: its last key is its
// first again, or is missing. The missing time is the gap of the feet over
// their mean speed. ok is false for a clip that does not end where it began.
func (s *source) closed(c *clip.Clip, n int) (st *steps, closing float64, ok bool) {
	pace := s.pace()
	if !(pace > 0) {
		return nil, 0, false
	}
	last := s.samples() - 1
	closing = s.gap(0, last) / pace
	key := c.Length / float64(max(c.Keys-1, 1))
	if closing > mostKeys*key {
		return nil, closing, false
	}
	if closing < leastKeys*key {
		closing = 0
	}
	return s.cut(c.Name, 0, last, closing, n, key), closing, true
}

// even takes the corners out of a path between keys that are width samples
// apart: a running mean over one key, twice, round the pass.
func even(v []r3.Vec, width int) []r3.Vec {
	if width = min(width, len(v)/8); width < 2 {
		return v
	}
	for range 2 {
		out := make([]r3.Vec, len(v))
		for k := range v {
			for d := -width / 2; d <= width/2; d++ {
				out[k] = r3.Add(out[k], r3.Scale(1/float64(2*(width/2)+1), at(v, k+d)))
			}
		}
		v = out
	}
	return v
}

// cut makes a pass of the samples from a to b, where b shows what a shows, or
// would closing seconds later. What is left of a gap is spread over the pass.
func (s *source) cut(name string, a, b int, closing float64, n int, key float64) *steps {
	span := float64(b-a) * s.step
	st := &steps{name: name, period: span + closing, cycles: 1, tall: s.tall, still: s.still}
	st.pass = between(s.root[a], s.root[b])
	if closing > 0 { // the root goes on as it did
		st.pass = st.pass.Scale(1 + closing/span)
	}
	inc := divide(st.pass, n)
	width := int(math.Round(key / st.period * float64(n)))
	for i := range s.feet {
		st.hips = append(st.hips, even(s.resample(s.hips[i], a, b, closing, n, inc), width))
		st.feet = append(st.feet, even(s.resample(s.feet[i], a, b, closing, n, inc), width))
	}
	return st
}

// resample returns n samples of v at even phases, seen from a root that goes
// evenly along the pass's arc.
func (s *source) resample(v []r3.Vec, a, b int, closing float64, n int, inc blend.RootMotion) []r3.Vec {
	out := make([]r3.Vec, n)
	span := float64(b - a)
	open := r3.Sub(v[b], v[a])
	for k := range out {
		x := float64(k) / float64(n) * (span + closing/s.step)
		if x > span { // the time that is missing: straight to the first key
			out[k] = lerp(v[b], v[a], (x-span)*s.step/closing)
			continue
		}
		i := min(int(x), b-a-1)
		p := lerp(v[a+i], v[a+i+1], x-float64(i))
		if !s.still {
			root := blend.Place{At: lerp(s.root[a+i].At, s.root[a+i+1].At, x-float64(i)), Yaw: s.root[a+i].Yaw + (x-float64(i))*(s.root[a+i+1].Yaw-s.root[a+i].Yaw)}
			even := s.root[a].After(inc.Times(k))
			p = even.Pose().Inverse().Apply(root.Pose().Apply(p))
		}
		if closing == 0 {
			p = r3.Sub(p, r3.Scale(float64(k)/float64(n), open))
		}
		out[k] = p
	}
	return out
}

// between returns the one step that leads from one place to another.
func between(a, b blend.Place) blend.RootMotion {
	yaw := b.Yaw - a.Yaw
	d := r3.Sub(b.At, a.At)
	s, c := math.Sincos(-(a.Yaw + yaw/2))
	return blend.RootMotion{Move: r3.Vec{X: c*d.X - s*d.Y, Y: s*d.X + c*d.Y, Z: d.Z}, Yaw: yaw}
}

// divide returns the step that does m when done n times: equal pieces of the
// circle that m is a chord of.
func divide(m blend.RootMotion, n int) blend.RootMotion {
	part := blend.RootMotion{Yaw: m.Yaw / float64(n), Move: r3.Scale(1/float64(n), m.Move)}
	if whole := part.Times(n); r3.Norm2(whole.Move) > 0 {
		f := math.Sqrt(r3.Norm2(m.Move) / r3.Norm2(whole.Move))
		if !math.IsInf(f, 0) && f == f && f < 10 {
			part.Move = r3.Scale(f, part.Move)
		}
	}
	return part
}

// extract finds N cycles within a clip that repeats: of the stretches that many
// periods long the one with the most alike ends in which every foot stands N
// times. Where there is none such, the most alike.
func (s *source) extract(c *clip.Clip, cycles, n int) (*steps, error) {
	cloud := s.cloud()
	lags, err := space.Repetitions(cloud, s.step)
	if err != nil {
		return nil, fmt.Errorf("retarget: clip %q: %w", c.Name, err)
	}
	if len(lags) < cycles {
		return nil, fmt.Errorf("retarget: clip %q repeats %d times in %.3g s, want %d cycles: ask for fewer, or declare that it is one loop (cycles: 1)", c.Name, len(lags), c.Length, cycles)
	}
	cuts, err := space.Cuts(cloud, s.step, lags[cycles-1], 0)
	if err != nil {
		return nil, fmt.Errorf("retarget: clip %q: %w", c.Name, err)
	}
	made := func(cut space.Cut) *steps {
		return s.cut(c.Name, cut.From, cut.To, 0, n*cycles, c.Length/float64(max(c.Keys-1, 1)))
	}
	for _, low := range lowShares {
		for _, cut := range cuts {
			if cut.Cost > cutWorse*cuts[0].Cost {
				break
			}
			if st := made(cut); st.counted(cycles, low) {
				return st, nil
			}
		}
	}
	return made(cuts[0]), nil
}

// cutWorse is how many times less alike than the best a cut may be that is taken
// for its steps.
const cutWorse = 4

// cloud is the clip as points whose distance tells how alike two moments are:
// feet and hips, labelled, relative to the root.
func (s *source) cloud() *space.Cloud {
	out := &space.Cloud{}
	for range s.feet {
		out.Weights = append(out.Weights, 1, 0.3)
	}
	for k := range s.root {
		var row []r3.Vec
		for i := range s.feet {
			row = append(row, s.feet[i][k], s.hips[i][k])
		}
		out.Points = append(out.Points, row)
	}
	return out
}

// declared returns the contacts the clip itself names, for each leg of the
// pass; nil for those it does not.
func declared(c *clip.Clip, limbs []limb, names []string, period float64) [][]space.Stance {
	out := make([][]space.Stance, len(limbs))
	for _, k := range c.Contacts {
		for i, l := range limbs {
			if k.Foot != names[i] && k.Foot != c.Bones[l.foot].Name {
				continue
			}
			for _, d := range k.Down {
				out[i] = append(out[i], space.Stance{Touch: (d[0] - c.Begin) / period, Duty: (d[1] - d[0]) / period})
			}
			out[i] = joined(out[i])
		}
	}
	return out
}

// joined puts a stance that ends with the pass and one that begins it together.
func joined(s []space.Stance) []space.Stance {
	n := len(s)
	if n < 2 || s[0].Touch > 1e-9 || s[n-1].Touch+s[n-1].Duty < 1-1e-9 {
		return s
	}
	s[n-1].Duty += s[0].Duty
	return s[1:]
}
