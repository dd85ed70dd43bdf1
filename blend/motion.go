package blend

import (
	"fmt"
	"math"
)

// Motion is what a tree plays: a Cycle, a Still, another tree, or what a
// package above makes of clips.
type Motion interface {
	// Shape returns the shape of its poses; it never changes.
	Shape() Shape
	// Length returns the seconds one pass takes at present, 0 for a motion
	// without phase.
	Length() float64
	// Play writes the pose at the end of the span, and in its Root what the
	// root did during it, to dst. A span may run backwards or over many passes.
	Play(dst *Pose, s Span) error
}

// Span is a stretch of play: From and To in passes of the motion, not wrapped;
// Begin and End in seconds, for motions that keep their own time.
type Span struct {
	From, To   float64
	Begin, End float64
}

// Player is how far a motion has been played. The zero value begins. Plain
// data; it fits any motion.
type Player struct {
	Phase float64 // of the pass, in [0, 1)
	Clock float64 // seconds played
}

// Step plays m for dt seconds, backwards if dt is negative, and writes pose and
// root motion to dst. On an error, m's or a dt that is not finite, the player
// is as it was.
func (p *Player) Step(dst *Pose, m Motion, dt float64) error {
	if !(math.Abs(dt) < largest) {
		return fmt.Errorf("blend: play for %v s, want a finite number", dt)
	}
	s := Span{From: p.Phase, To: p.Phase, Begin: p.Clock, End: p.Clock + dt}
	if l := m.Length(); l > 0 {
		s.To += dt / l
	}
	if err := m.Play(dst, s); err != nil {
		return err
	}
	p.Phase, p.Clock = wrap01(s.To), s.End
	return nil
}

// wrap01 returns the part of a phase within its pass.
func wrap01(phase float64) float64 {
	f := phase - math.Floor(phase)
	if f >= 1 { // a tiny negative phase
		return 0
	}
	return f
}

// Still is a pose that is held: a motion without phase.
type Still struct {
	pose *Pose
}

// NewStill returns the pose as a motion; it is kept, not copied.
func NewStill(p *Pose) (*Still, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	return &Still{p}, nil
}

// Shape returns the shape of the pose.
func (s *Still) Shape() Shape { return s.pose.Shape() }

// Length returns 0: there is no phase.
func (s *Still) Length() float64 { return 0 }

// Play copies the pose; the root stands.
func (s *Still) Play(dst *Pose, _ Span) error {
	err := Copy(dst, s.pose)
	if err == nil {
		dst.Root = RootMotion{}
	}
	return err
}

// Cycle is a loop of poses at even times. The last frame repeats the pose of
// the first and is only ever an end to interpolate to, so that the loop does
// not pause there.
type Cycle struct {
	frames []Pose
	length float64
	sums   []RootMotion // from the first frame to each
}

// seam is how far the last frame of a cycle may be off its first.
const seam = 1e-6

// NewCycle returns a loop of frames, two or more, that takes length seconds.
// Frame k holds in its Root what the root did since frame k-1; that of frame 0
// is not looked at. The frames are kept, not copied. Unequal shapes, a last
// frame that is off the first by more than 1e-6, numbers that are not finite
// and a length that is not positive are errors.
func NewCycle(frames []Pose, length float64) (*Cycle, error) {
	if len(frames) < 2 || !(length > 0 && length < largest) {
		return nil, fmt.Errorf("blend: cycle of %d frames in %v s, want at least 2 and a finite length > 0", len(frames), length)
	}
	c := &Cycle{frames: frames, length: length, sums: make([]RootMotion, len(frames))}
	for k := range frames {
		if err := sameShape(&frames[0], &frames[k]); err != nil {
			return nil, fmt.Errorf("%w (frame %d)", err, k)
		}
		if err := frames[k].Check(); err != nil {
			return nil, fmt.Errorf("%w (frame %d)", err, k)
		}
		if k > 0 {
			c.sums[k] = c.sums[k-1].Then(frames[k].Root)
		}
	}
	if gap := Gap(&frames[0], &frames[len(frames)-1]); gap > seam {
		return nil, fmt.Errorf("blend: last frame of a cycle is %v off the first, want at most %g: repeat the first frame at the end", gap, seam)
	}
	return c, nil
}

// Shape returns the shape of the frames.
func (c *Cycle) Shape() Shape { return c.frames[0].Shape() }

// Length returns the seconds of one pass.
func (c *Cycle) Length() float64 { return c.length }

// Play writes the pose at the end of the span to dst and what the root did
// over it, whole passes included, exactly as the frames add up.
func (c *Cycle) Play(dst *Pose, s Span) error {
	if !(math.Abs(s.From) < largest) || !(math.Abs(s.To) < largest) {
		return fmt.Errorf("blend: cycle played from phase %v to %v, want finite numbers", s.From, s.To)
	}
	passes := math.Floor(s.To) - math.Floor(s.From)
	if !(math.Abs(passes) < math.MaxInt32) {
		return fmt.Errorf("blend: %v passes of a cycle at once, want at most %d", passes, math.MaxInt32)
	}
	k, part := c.find(s.To)
	w := [2]float64{1 - part, part}
	if err := Mix(dst, c.frames[k:k+2], w[:]); err != nil {
		return err
	}
	whole := c.sums[len(c.sums)-1].Times(int(passes))
	dst.Root = c.until(s.From).Inverse().Then(whole).Then(c.until(s.To))
	return nil
}

// find returns the frame before a phase and how much of the way to the next
// is done.
func (c *Cycle) find(phase float64) (k int, part float64) {
	last := len(c.frames) - 2
	x := wrap01(phase) * float64(last+1)
	k = min(int(x), last)
	return k, min(x-float64(k), 1)
}

// until returns what the root does from the start of a pass to the phase.
func (c *Cycle) until(phase float64) RootMotion {
	k, part := c.find(phase)
	return c.sums[k].Then(c.frames[k+1].Root.Scale(part))
}

// Gap returns the largest difference of two poses of one shape in what they
// hold: radians for rotations and angles, metres for body and feet. Root motion
// and contacts are not looked at.
func Gap(a, b *Pose) float64 {
	d := max(distance(a.Body.P, b.Body.P), turnBetween(a.Body.Q, b.Body.Q))
	for i := range min(len(a.Joints), len(b.Joints)) {
		d = max(d, turnBetween(a.Joints[i], b.Joints[i]))
	}
	for i := range min(len(a.Angles), len(b.Angles)) {
		d = max(d, math.Abs(a.Angles[i]-b.Angles[i]))
	}
	for i := range min(len(a.Feet), len(b.Feet)) {
		d = max(d, distance(a.Feet[i], b.Feet[i]))
	}
	return d
}
