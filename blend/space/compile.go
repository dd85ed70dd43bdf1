package space

import (
	"math"

	"legctl/blend"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// compiled is a space as a tick reads it: everything in flat rows.
type compiled struct {
	feet, cycles int
	clips        []track
	first        []int     // of each motion: index of its first clip
	mids         []float64 // of each foot and cycle: middle of the reference's stance
}

// bodyNumbers are the numbers of a body's pose in a row: place, turn.
const bodyNumbers = 7

// warpKnots are the knots of a clip's curve at even phases.
const warpKnots = 192

// track is a clip in flat rows.
type track struct {
	period float64
	n      int
	feet   []float64          // of each frame, each foot: x, y, z
	body   []float64          // of each frame
	sums   []blend.RootMotion // from the first frame to each
	root   []blend.RootMotion // since the frame before
	even   bool               // all increments are alike
	chord  float64            // sine of half the yaw of one; 0 on a straight line
	curve  [warpKnots + 1]float64
	same   bool      // the curve is the identity
	off    []float64 // of each foot and cycle: middle of the stance less the reference's, the short way
	duty   []float64 // of each foot and cycle
	mid    []float64 // of each foot and cycle, in the clip's own phase
	next   []float64 // of each foot and cycle: length of the swing that follows
	meanD  float64   // mean duty of a stance
}

func compile(s *Space) *compiled {
	c := &compiled{feet: len(s.Legs)}
	ref := s.Motions[s.Ref].Clips[s.Motions[s.Ref].Ref].Loop
	c.cycles = ref.Cycles
	for f := range ref.Stances {
		for _, x := range ref.Stances[f] {
			c.mids = append(c.mids, x.Mid())
		}
	}
	for i := range s.Motions {
		c.first = append(c.first, len(c.clips))
		for k := range s.Motions[i].Clips {
			c.clips = append(c.clips, c.flatten(s, i, k))
		}
	}
	return c
}

func (c *compiled) flatten(s *Space, motion, clip int) track {
	l := s.Motions[motion].Clips[clip].Loop
	f := track{period: l.Period, n: l.Intervals(), even: true}
	f.fill(l)
	w := s.curveOf(motion, clip)
	f.same = true
	for k := range f.curve {
		u := float64(k) / warpKnots
		f.curve[k] = w.At(u)
		f.same = f.same && f.curve[k] == u
	}
	shift := 0.0 // of the curve, on the mean
	for k := range warpKnots {
		shift += (f.curve[k] - float64(k)/warpKnots) / warpKnots
	}
	for foot := range l.Stances {
		for k := range l.Stances[foot] {
			f.keys(l, foot, c.matched(l, foot, k, w), c.mids[foot*c.cycles+k], shift)
		}
	}
	f.meanD /= float64(len(f.duty))
	return f
}

// matched returns which stance of a foot corresponds to stance k of the
// reference: the one whose middle is nearest through the curve.
func (c *compiled) matched(l *Loop, foot, k int, w Warp) int {
	best, near := 0, 2.0
	at := w.At(c.mids[foot*c.cycles+k])
	for j, x := range l.Stances[foot] {
		if d := wrapHalf(x.Mid() - at); d*d < near {
			best, near = j, d*d
		}
	}
	return best
}

func (f *track) keys(l *Loop, foot, k int, mid, shift float64) {
	s := l.Stances[foot]
	x := s[k]
	f.mid = append(f.mid, x.Mid())
	f.duty = append(f.duty, x.Duty)
	f.off = append(f.off, wrapHalf(x.Mid()-shift-mid))
	swing := wrap01(s[(k+1)%len(s)].Touch - x.Lift())
	if len(s) == 1 {
		swing = 1 - x.Duty
	}
	f.next = append(f.next, swing)
	f.meanD += x.Duty
}

func (f *track) fill(l *Loop) {
	f.sums = make([]blend.RootMotion, len(l.Frames))
	f.root = make([]blend.RootMotion, len(l.Frames))
	var before quat.Number
	for k := range l.Frames {
		p := &l.Frames[k]
		for _, v := range p.Feet {
			f.feet = append(f.feet, v.X, v.Y, v.Z)
		}
		q := p.Body.Q
		if k == 0 {
			before = quat.Number{Real: 1}
		}
		if q.Real*before.Real+q.Imag*before.Imag+q.Jmag*before.Jmag+q.Kmag*before.Kmag < 0 {
			q = quat.Scale(-1, q)
		}
		before = q
		f.body = append(f.body, p.Body.P.X, p.Body.P.Y, p.Body.P.Z, q.Real, q.Imag, q.Jmag, q.Kmag)
		f.root[k] = p.Root
		if k > 0 {
			f.sums[k] = f.sums[k-1].Then(p.Root)
			f.even = f.even && p.Root == l.Frames[1].Root
		}
	}
	if s := math.Sin(f.root[1].Yaw / 2); math.Abs(s) > 1e-9 {
		f.chord = s
	}
}

// warp returns the clip's phase for a generic phase of any pass, not wrapped.
func (f *track) warp(u float64) float64 {
	if f.same {
		return u
	}
	turn := floor(u)
	x := (u - turn) * warpKnots
	k := min(int(x), warpKnots-1)
	return turn + f.curve[k] + (x-float64(k))*(f.curve[k+1]-f.curve[k])
}

// find returns the frame before a phase and how much of the way to the next is
// done.
func (f *track) find(phase float64) (int, float64) {
	x := wrap01(phase) * float64(f.n)
	k := min(int(x), f.n-1)
	return k, min(x-float64(k), 1)
}

// foot adds w of a foot at a phase of the clip to sum.
func (f *track) foot(sum *r3.Vec, foot, feet int, phase, w float64) {
	k, part := f.find(phase)
	i := 3 * (k*feet + foot)
	a, b := f.feet[i:i+3:i+3], f.feet[i+3*feet:i+3*feet+3:i+3*feet+3]
	wa, wb := w*(1-part), w*part
	sum.X += wa*a[0] + wb*b[0]
	sum.Y += wa*a[1] + wb*b[1]
	sum.Z += wa*a[2] + wb*b[2]
}

// addBody adds w of the body at a phase of the clip to sum.
func (f *track) addBody(sum *[bodyNumbers]float64, phase, w float64) {
	k, part := f.find(phase)
	a := f.body[k*bodyNumbers:][:bodyNumbers:bodyNumbers]
	b := f.body[(k+1)*bodyNumbers:][:bodyNumbers:bodyNumbers]
	wa, wb := w*(1-part), w*part
	for i := range sum {
		sum[i] += wa*a[i] + wb*b[i]
	}
}

// moved returns what the root does between two phases of the clip, of any pass.
func (f *track) moved(from, to float64) blend.RootMotion {
	if !f.even {
		return f.between(from, to)
	}
	// Equal pieces of one circle: so many of them are a chord of it.
	d := (to - from) * float64(f.n)
	k := d
	if f.chord != 0 {
		k = math.Sin(d*f.root[1].Yaw/2) / f.chord
	}
	m := f.root[1]
	return blend.RootMotion{Move: r3.Vec{X: k * m.Move.X, Y: k * m.Move.Y, Z: d * m.Move.Z}, Yaw: d * m.Yaw}
}

func (f *track) between(from, to float64) blend.RootMotion {
	whole := f.sums[f.n].Times(int(floor(to) - floor(from)))
	return f.until(from).Inverse().Then(whole).Then(f.until(to))
}

func (f *track) until(phase float64) blend.RootMotion {
	k, part := f.find(phase)
	return f.sums[k].Then(f.root[k+1].Scale(part))
}
