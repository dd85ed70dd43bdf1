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
	Velocity     float64 // largest step of a foot's or the body's velocity at the seam, beyond what its neighbours show, m/s
	Within       float64 // the median over all frames of the largest change of velocity from key to key, m/s
	Share        float64 // Velocity over the largest speed of a foot
	Contacts     bool    // the same feet stand on both sides
}

// SeamOf measures the seam of a loop. Feet that come down or go up right there
// are left out: they turn there in every pass.
func SeamOf(l *Loop) Seam {
	n := l.Intervals()
	var s Seam
	first, last := &l.Frames[0], &l.Frames[n]
	for j := range first.Joints {
		s.Joints = max(s.Joints, blend.Gap(&blend.Pose{Body: first.Body, Joints: first.Joints[j : j+1]}, &blend.Pose{Body: first.Body, Joints: last.Joints[j : j+1]}))
	}
	top := 1e-9
	var jumps []float64
	for k := range n {
		worst := r3.Norm(l.jump(-1, k))
		for f := range l.Stances {
			if l.eventAt(f, k) {
				continue
			}
			worst = max(worst, r3.Norm(l.jump(f, k)))
			top = max(top, r3.Norm(r3.Sub(l.Frames[k+1].Feet[f], l.Frames[k].Feet[f]))*float64(n)/l.Period)
		}
		jumps = append(jumps, worst)
	}
	s.Within = median(jumps)
	s.Velocity, s.Contacts = l.excess(-1), true
	for f := range l.Stances {
		s.Feet = max(s.Feet, r3.Norm(r3.Sub(last.Feet[f], first.Feet[f])))
		s.Contacts = s.Contacts && first.Ground[f] == last.Ground[f]
		if !l.eventAt(f, 0) && !l.eventAt(f, 1) && !l.eventAt(f, n-1) {
			s.Velocity = max(s.Velocity, l.excess(f))
		}
	}
	s.Share = s.Velocity / top
	return s
}

// excess is how much the change of velocity at the seam differs from the mean of
// its neighbours', m/s; foot -1 is the body.
func (l *Loop) excess(f int) float64 {
	n := l.Intervals()
	mean := r3.Scale(0.5, r3.Add(l.jump(f, n-1), l.jump(f, 1)))
	return r3.Norm(r3.Sub(l.jump(f, 0), mean))
}

// eventAt reports whether a foot comes down or goes up within a frame of k.
func (l *Loop) eventAt(f, k int) bool {
	n := l.Intervals()
	for _, s := range l.Stances[f] {
		for _, at := range [2]float64{s.Touch, s.Lift()} {
			if d := math.Abs(wrapHalf(at - float64(k)/float64(n))); s.Duty < 1 && d < 1.01/float64(n) {
				return true
			}
		}
	}
	return false
}

// jump returns the change of velocity, m/s, of a foot, or of the body for -1,
// relative to the root at frame k.
func (l *Loop) jump(f, k int) r3.Vec {
	n := l.Intervals()
	at := func(k int) r3.Vec {
		p := &l.Frames[(k+n)%n]
		if f < 0 {
			return p.Body.P
		}
		return p.Feet[f]
	}
	step := l.Period / float64(n)
	return r3.Scale(1/step, r3.Add(r3.Sub(at(k+1), at(k)), r3.Sub(at(k-1), at(k))))
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
