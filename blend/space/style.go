package space

import (
	"fmt"
	"math"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// styleKnots are the intervals of a style's tables.
const styleKnots = 32

// styleCap is the largest offset of a foot, in leg lengths.
const styleCap = 0.2

// Style lays the way a space's motions are gone over any gait: what each
// motion's straightest clip does beyond what the space's reference does, at
// the same share of each leg's swing and at the same phase of the body. Read
// only once made; plain tables.
type Style struct {
	legs, motions int
	feet          []r3.Vec // of each motion, leg and knot of the swing, eased at both ends
	body          []bodyOffset
}

type bodyOffset struct{ move, turn r3.Vec }

// NewStyle works out the offsets of a validated space. Foot offsets are those of
// the clip's pose from the reference's times 16 s2 (1-s)2 over the swing s, so
// that lift-off, touchdown and foothold stay; they are capped at 0.2 of the leg,
// which the warnings tell, as they do where the two differ in more than style.
func NewStyle(s *Space) (*Style, []string, error) {
	if s.c == nil {
		return nil, nil, fmt.Errorf("space: style of a space that is not validated")
	}
	y := &Style{legs: len(s.Legs), motions: len(s.Motions)}
	ref := s.Motions[s.Ref].refLoop()
	var warnings []string
	for i := range s.Motions {
		m := &s.Motions[i]
		l := m.refLoop()
		worst := 0.0
		for f := range s.Legs {
			for k := range styleKnots + 1 {
				d, size := footOffset(ref, l, f, float64(k)/styleKnots, styleCap*s.Length)
				worst = max(worst, size)
				y.feet = append(y.feet, d)
			}
		}
		if worst > styleCap*s.Length {
			warnings = append(warnings, fmt.Sprintf("style %q: foot offsets of up to %.2f L are cut to %.2f L", m.Name, worst/s.Length, styleCap))
		}
		if m.Link != ByCurve || math.Abs(meanDuty(l)-meanDuty(ref)) > 0.1 {
			warnings = append(warnings, fmt.Sprintf("style %q differs from %q in its footfalls or duty factor, not only in style: its swings are matched leg by leg", m.Name, s.Motions[s.Ref].Name))
		}
		y.bodies(s, i, ref)
	}
	return y, warnings, nil
}

func meanDuty(l *Loop) float64 {
	d := 0.0
	for _, s := range l.Stances {
		for _, x := range s {
			d += x.Duty / float64(len(l.Stances))
		}
	}
	return d
}

// swingAt returns a foot a share of the way through its first swing.
func (l *Loop) swingAt(f int, share float64) r3.Vec {
	s := l.Stances[f]
	from := s[0].Lift()
	long := wrap01(s[1%len(s)].Touch - from)
	if len(s) == 1 {
		long = 1 - s[0].Duty
	}
	return l.footAt(f, from+share*long)
}

// footOffset returns the eased and capped offset of a foot, and its largest
// size before the cap.
func footOffset(ref, l *Loop, f int, share, most float64) (r3.Vec, float64) {
	d := r3.Sub(l.swingAt(f, share), ref.swingAt(f, share))
	w := 16 * share * share * (1 - share) * (1 - share)
	d = r3.Scale(w, d)
	size := r3.Norm(d)
	if size > most {
		d = r3.Scale(most/size, d)
	}
	return d, size
}

// bodies works out the offsets of the body of motion i at even generic phases.
func (y *Style) bodies(s *Space, i int, ref *Loop) {
	l := s.Motions[i].refLoop()
	w, wr := s.curveOf(i, s.Motions[i].Ref), s.curveOf(s.Ref, s.Motions[s.Ref].Ref)
	for k := range styleKnots + 1 {
		u := float64(k) / styleKnots
		a, b := l.bodyAt(w.At(u)), ref.bodyAt(wr.At(u))
		roll, pitch, yaw := geom.RPY(quat.Mul(quat.Conj(b.Q), a.Q))
		y.body = append(y.body, bodyOffset{r3.Sub(a.P, b.P), r3.Vec{X: roll, Y: pitch, Z: yaw}})
	}
}

// bodyAt returns the body at a phase, between frames.
func (l *Loop) bodyAt(phase float64) geom.Pose {
	n := l.Intervals()
	x := wrap01(phase) * float64(n)
	k := min(int(x), n-1)
	a, b, part := l.Frames[k].Body, l.Frames[k+1].Body, x-float64(k)
	if a.Q.Real*b.Q.Real+a.Q.Imag*b.Q.Imag+a.Q.Jmag*b.Q.Jmag+a.Q.Kmag*b.Q.Kmag < 0 {
		b.Q = quat.Scale(-1, b.Q)
	}
	return geom.Pose{
		P: r3.Add(r3.Scale(1-part, a.P), r3.Scale(part, b.P)),
		Q: geom.Unit(quat.Add(quat.Scale(1-part, a.Q), quat.Scale(part, b.Q))),
	}
}

// Motions returns the number of weights a style takes.
func (y *Style) Motions() int { return y.motions }

// Any reports whether a weight is positive: where none is, a tick may leave the
// style out.
func (y *Style) Any(weights []float64) bool {
	for _, w := range weights {
		if w > 0 {
			return true
		}
	}
	return false
}

// Foot returns the offset of a leg's foot a share swing, 0 to 1, through its
// swing, metres in the root's frame, for weights of the motions; 0 at both
// ends. Weights that are not positive count as 0. Nothing is allocated.
func (y *Style) Foot(leg int, swing float64, weights []float64) r3.Vec {
	var sum r3.Vec
	if !(swing > 0 && swing < 1) || leg < 0 || leg >= y.legs {
		return sum
	}
	x := swing * styleKnots
	k := int(x)
	part := x - float64(k)
	for i, w := range weights {
		if !(w > 0) || i >= y.motions {
			continue
		}
		row := y.feet[(i*y.legs+leg)*(styleKnots+1)+k:]
		a, b := &row[0], &row[1]
		wa, wb := w*(1-part), w*part
		sum.X += wa*a.X + wb*b.X
		sum.Y += wa*a.Y + wb*b.Y
		sum.Z += wa*a.Z + wb*b.Z
	}
	return sum
}

// Body returns the offset of the body at a cycle phase: metres in the root's
// frame, and roll, pitch and yaw, radians.
func (y *Style) Body(phase float64, weights []float64) (move, turn r3.Vec) {
	if !(math.Abs(phase) < largest) {
		return move, turn
	}
	x := wrap01(phase) * styleKnots
	k := min(int(x), styleKnots-1)
	part := x - float64(k)
	for i, w := range weights {
		if !(w > 0) || i >= y.motions {
			continue
		}
		row := y.body[i*(styleKnots+1)+k:]
		a, b := &row[0], &row[1]
		wa, wb := w*(1-part), w*part
		addScaled(&move, wa, a.move)
		addScaled(&move, wb, b.move)
		addScaled(&turn, wa, a.turn)
		addScaled(&turn, wb, b.turn)
	}
	return move, turn
}

// Class returns the class a mixture of motions has: the least safe of those
// that have a weight.
func (s *Space) Class(weights []float64) rig.Class {
	worst := rig.Static
	for i, w := range weights {
		if w > 0 && i < len(s.Motions) {
			for k := range s.Motions[i].Clips {
				worst = max(worst, s.Motions[i].Clips[k].Loop.Class)
			}
		}
	}
	return worst
}
