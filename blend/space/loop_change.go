package space

import (
	"fmt"
	"math"
	"sort"

	"legctl/blend"

	"gonum.org/v1/gonum/spatial/r3"
)

// Entry is how a clip is played in a space: the changes made to its loop when
// the space is built. The zero value leaves it as it is.
type Entry struct {
	Rate    float64       // times its own speed; 0 = 1
	Mirror  *blend.Mirror // played left for right
	Reverse bool          // played backwards: travels the other way
	Offset  float64       // passes it begins later
}

// Apply returns the loop as the entry has it played. The frames are new.
func (e Entry) Apply(l *Loop) (*Loop, error) {
	rate := e.Rate
	if rate == 0 {
		rate = 1
	}
	if !(rate > 1e-3 && rate < 1e3) || !(math.Abs(e.Offset) < 1e6) {
		return nil, fmt.Errorf("space: %q at rate %v from %v passes, want a rate of 0.001 to 1000 and a finite offset", l.Name, rate, e.Offset)
	}
	out := clone(l)
	if e.Mirror != nil {
		for k := range out.Frames {
			if err := e.Mirror.Apply(&out.Frames[k], &l.Frames[k]); err != nil {
				return nil, fmt.Errorf("space: %q: %w", l.Name, err)
			}
		}
		for f, other := range e.Mirror.Feet {
			out.Stances[f] = append([]Stance(nil), l.Stances[other]...)
		}
	}
	if e.Reverse {
		out = reversed(out)
	}
	out.Period /= rate
	return Rotate(out, e.Offset), nil
}

func clone(l *Loop) *Loop {
	out := *l
	out.Frames = blend.NewPoses(l.Frames[0].Shape(), len(l.Frames))
	for k := range l.Frames {
		_ = blend.Copy(&out.Frames[k], &l.Frames[k])
	}
	out.Stances = make([][]Stance, len(l.Stances))
	for f := range l.Stances {
		out.Stances[f] = append([]Stance(nil), l.Stances[f]...)
	}
	return &out
}

func reversed(l *Loop) *Loop {
	out, n := clone(l), l.Intervals()
	for k := range out.Frames {
		_ = blend.Copy(&out.Frames[k], &l.Frames[n-k])
		if k > 0 {
			out.Frames[k].Root = l.Frames[n-k+1].Root.Inverse()
		}
	}
	out.Frames[0].Root = out.Frames[n].Root
	for f, s := range l.Stances {
		for i, x := range s {
			out.Stances[f][len(s)-1-i] = Stance{Touch: wrap01(-x.Touch - x.Duty), Duty: x.Duty}
		}
		inOrder(out.Stances[f])
	}
	return out
}

// Rotate returns the loop begun at another phase: what was at phase offset is
// now at 0. The offset is brought to the nearest frame, so that every frame and
// every increment stays what it was.
func Rotate(l *Loop, offset float64) *Loop {
	n := l.Intervals()
	first := int(math.Round(wrap01(offset)*float64(n))) % n
	if first == 0 {
		return l
	}
	out := clone(l)
	for k := range out.Frames {
		from := (first + k) % n
		_ = blend.Copy(&out.Frames[k], &l.Frames[from])
		if from == 0 { // the increment that leads into frame 0 is the last one
			out.Frames[k].Root = l.Frames[n].Root
		}
	}
	for f, s := range l.Stances {
		for i, x := range s {
			out.Stances[f][i] = Stance{Touch: wrap01(x.Touch - float64(first)/float64(n)), Duty: x.Duty}
		}
		inOrder(out.Stances[f])
	}
	return out
}

// inOrder turns stances round so that the first mid-stance comes first.
func inOrder(s []Stance) {
	first := 0
	for i := range s {
		if s[i].Mid() < s[first].Mid() {
			first = i
		}
	}
	turned := append(append([]Stance(nil), s[first:]...), s[:first]...)
	copy(s, turned)
}

// Seam is how well a loop closes.
type Seam struct {
	Joints, Feet float64 // gap of the pose from the last frame to the first: rad and m
	Velocity     float64 // largest change of a foot's or the body's velocity across the seam, m/s
	Within       float64 // the median of the largest such change at every other frame, m/s
	Contacts     bool    // the same feet stand on both sides
}

// SeamOf measures the seam of a loop.
func SeamOf(l *Loop) Seam {
	n := l.Intervals()
	var s Seam
	for j := range l.Frames[0].Joints {
		s.Joints = max(s.Joints, blend.Gap(&blend.Pose{Body: l.Frames[0].Body, Joints: l.Frames[0].Joints[j : j+1]}, &blend.Pose{Body: l.Frames[0].Body, Joints: l.Frames[n].Joints[j : j+1]}))
	}
	for f := range l.Stances {
		s.Feet = max(s.Feet, r3.Norm(r3.Sub(l.Frames[n].Feet[f], l.Frames[0].Feet[f])))
	}
	var jumps []float64
	for k := range n {
		if j := l.jump(k); k == 0 {
			s.Velocity = j
		} else {
			jumps = append(jumps, j)
		}
	}
	s.Within = median(jumps)
	s.Contacts = true
	for f := range l.Stances {
		s.Contacts = s.Contacts && l.Frames[0].Ground[f] == l.Frames[n].Ground[f]
	}
	return s
}

// jump returns the largest change of velocity, m/s, of a foot or the body at
// frame k, relative to the root.
func (l *Loop) jump(k int) float64 {
	n := l.Intervals()
	before, at, after := &l.Frames[(k+n-1)%n], &l.Frames[k], &l.Frames[k+1]
	step := l.Period / float64(n)
	bend := func(a, b, c r3.Vec) float64 {
		return r3.Norm(r3.Add(r3.Sub(c, b), r3.Sub(a, b))) / step
	}
	worst := bend(before.Body.P, at.Body.P, after.Body.P)
	for f := range at.Feet {
		worst = max(worst, bend(before.Feet[f], at.Feet[f], after.Feet[f]))
	}
	return worst
}

// median returns the middle of the values, 0 for none; v is put in order.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	sort.Float64s(v)
	return v[len(v)/2]
}

// Order puts the stances of each foot in the order of the pass.
func (l *Loop) Order() {
	for _, s := range l.Stances {
		inOrder(s)
	}
}
