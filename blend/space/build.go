package space

import (
	"fmt"
	"math"
	"sort"

	"legctl/blend"

	"gonum.org/v1/gonum/spatial/r3"
)

// Plan is what Build makes a space of.
type Plan struct {
	Name    string
	Legs    []string
	Length  float64       // of the longest leg, metres
	Mirror  *blend.Mirror // the rig's sides: for gaits that lead with the other foot; nil: never mirrored
	Motions []PlanMotion
	Advance blend.Advance
	Rate    float64 // units a second; 0 = blend.SomeRate
	// Reference is the motion whose phase all others follow and whose pose is
	// plain: styles are what others do beyond it. "" is the first.
	Reference string
	Poses     bool // register by the likeness of poses instead of key times
	Goals     GoalOptions
}

// PlanMotion is one motion space of a plan: loops that differ in how they turn,
// in any order.
type PlanMotion struct {
	Name  string
	Loops []*Loop
}

// Report is what Build found.
type Report struct {
	Motions  []MotionReport
	Warnings []string
}

// MotionReport is what Build found about one motion.
type MotionReport struct {
	Name     string
	Link     Link
	Shift    float64 // phase the motion is moved by
	Left     float64 // largest shift then left to a leg, passes
	Mirrored bool
	Clips    []ClipReport
	Back     float64 // largest reversal of the goal table, radians
}

// ClipReport is what Build found about one clip.
type ClipReport struct {
	Name   string
	Value  float64
	Seam   Seam
	Phase  float64 // largest error of a contact through the registration curve, passes
	Slide  float64 // furthest a standing foot moves over the ground in the clip itself, metres
	Radius float64
}

// Build makes a space of loops: it orders each motion's clips by how they turn,
// brings all into step, links the motions and works out the goal spaces. step,
// if not nil, is told what is done and the share that is. On an error nothing
// is returned.
func Build(p Plan, step func(what string, share float64)) (*Space, *Report, error) {
	if step == nil {
		step = func(string, float64) {}
	}
	if len(p.Motions) == 0 || len(p.Motions) > MaxMotions {
		return nil, nil, fmt.Errorf("space: plan %q of %d motions, want 1 to %d", p.Name, len(p.Motions), MaxMotions)
	}
	s := &Space{Name: p.Name, Legs: p.Legs, Length: p.Length, Advance: p.Advance, Rate: p.Rate}
	if s.Rate == 0 {
		s.Rate = blend.SomeRate
	}
	rep := &Report{}
	for i := range p.Motions {
		step("register "+p.Motions[i].Name, float64(i)/float64(len(p.Motions)+1))
		m, err := p.motion(&p.Motions[i])
		if err != nil {
			return nil, nil, err
		}
		s.Motions = append(s.Motions, *m)
	}
	var err error
	if s.Ref, err = p.reference(s); err != nil {
		return nil, nil, err
	}
	for i := range s.Motions {
		r, err := p.link(s, i)
		if err != nil {
			return nil, nil, err
		}
		rep.Motions = append(rep.Motions, *r)
	}
	s.Body = bodyLength(s.Motions[s.Ref].firstLoop())
	if err := s.Validate(); err != nil {
		return nil, nil, err
	}
	for i := range s.Motions {
		step("goal space of "+s.Motions[i].Name, float64(len(p.Motions)+i)/float64(2*len(p.Motions)))
		if err := p.goals(s, i, rep); err != nil {
			return nil, nil, err
		}
	}
	rep.fill(s)
	s.Notes = rep.Warnings
	step("done", 1)
	return s, rep, s.Validate()
}

// motion orders and registers the clips of one motion.
func (p *Plan) motion(from *PlanMotion) (*Motion, error) {
	if len(from.Loops) == 0 || len(from.Loops) > MaxClips {
		return nil, fmt.Errorf("space: motion %q of %d clips, want 1 to %d", from.Name, len(from.Loops), MaxClips)
	}
	loops := append([]*Loop(nil), from.Loops...)
	for _, l := range loops {
		if err := l.Validate(); err != nil {
			return nil, err
		}
	}
	sort.SliceStable(loops, func(a, b int) bool { return curvature(loops[a]) < curvature(loops[b]) })
	m := &Motion{Name: from.Name, Radius: math.MaxFloat64}
	low, high := curvature(loops[0]), curvature(loops[len(loops)-1])
	for i, l := range loops {
		v := 0.5
		if high > low {
			v = (curvature(l) - low) / (high - low)
		}
		if i > 0 && v <= m.Clips[i-1].Value {
			return nil, fmt.Errorf("space: %q and %q of motion %q turn alike: their blend means nothing", l.Name, loops[i-1].Name, m.Name)
		}
		m.Clips = append(m.Clips, Clip{Loop: l, Value: v})
		m.Radius = min(m.Radius, l.Radius())
		if math.Abs(curvature(l)) < math.Abs(curvature(loops[m.Ref])) {
			m.Ref = i
		}
	}
	if !(m.Radius < 1e6) {
		m.Radius = 0 // cannot turn
	}
	for i := range m.Clips {
		w, err := p.register(m.Clips[m.Ref].Loop, m.Clips[i].Loop)
		if err != nil {
			return nil, fmt.Errorf("%w (motion %q)", err, m.Name)
		}
		m.Clips[i].Curve = w
	}
	return m, nil
}

// curvature is the yaw of a loop for each metre of its way; for loops that turn
// in place their yaw rate counts.
func curvature(l *Loop) float64 {
	if v := l.Speed(); v > 1e-3 {
		return l.Turn() / v
	}
	return l.Turn()
}

func (p *Plan) register(ref, l *Loop) (Warp, error) {
	if ref == l {
		return Warp{}, nil
	}
	if !p.Poses {
		w, err := RegisterKeys(ref, l)
		if err == nil {
			return tidy(w), nil
		}
		if !sameCount(ref, l) {
			return Warp{}, err
		}
	}
	w, _, err := RegisterPoses(ref, l, 0, 2)
	if err != nil {
		return Warp{}, err
	}
	if e := contactError(ref, l, w); e > FarApart/2 {
		return Warp{}, fmt.Errorf("space: %q and %q do not register: contacts are up to %.2f of a pass apart", ref.Name, l.Name, e)
	}
	return w, nil
}

func sameCount(a, b *Loop) bool { return sameFeet(a, b) == nil }

// tidy returns the identity for a curve that is.
func tidy(w Warp) Warp {
	for i := range w.X {
		if math.Abs(w.X[i]-w.Y[i]) > 1e-12 {
			return w
		}
	}
	return Warp{}
}

// contactError returns the largest distance, in passes, between where a curve
// puts a touchdown or lift-off of the reference and where the loop has it.
func contactError(ref, l *Loop, w Warp) float64 {
	worst := 0.0
	for f := range ref.Stances {
		for _, a := range ref.Stances[f] {
			if a.Duty >= 1 {
				continue
			}
			near := [2]float64{1, 1}
			for _, b := range l.Stances[f] {
				near[0] = min(near[0], math.Abs(wrapHalf(w.At(a.Touch)-b.Touch)))
				near[1] = min(near[1], math.Abs(wrapHalf(w.At(a.Lift())-b.Lift())))
			}
			worst = max(worst, near[0], near[1])
		}
	}
	return worst
}

// reference returns the motion whose phase all others follow.
func (p *Plan) reference(s *Space) (int, error) {
	if p.Reference == "" {
		return 0, nil
	}
	i, ok := s.Find(p.Reference)
	if !ok {
		return 0, fmt.Errorf("space: reference %q is none of the motions of %q", p.Reference, p.Name)
	}
	return i, nil
}

func (m *Motion) refLoop() *Loop { return m.Clips[m.Ref].Loop }

// link registers a motion with the space's reference: by one curve where their
// feet follow one order, leg by leg where they do not but are near enough, as
// they are or mirrored, and else not at all.
func (p *Plan) link(s *Space, i int) (*MotionReport, error) {
	m, ref := &s.Motions[i], s.Motions[s.Ref].refLoop()
	r := &MotionReport{Name: m.Name}
	if i == s.Ref {
		return r, nil
	}
	if err := sameFeet(ref, m.refLoop()); err != nil {
		return nil, err
	}
	if w, err := RegisterKeys(ref, m.refLoop()); err == nil {
		m.Cross, m.Link = tidy(w), ByCurve
		m.direct(&s.Motions[s.Ref])
		return r, nil
	}
	shift, left := CommonShift(ref, m.refLoop())
	if p.Mirror != nil {
		other, err := Entry{Mirror: p.Mirror}.Apply(m.refLoop())
		if err != nil {
			return nil, err
		}
		if s2, l2 := CommonShift(ref, other); l2 < left-1e-9 {
			if err := p.mirrored(m); err != nil {
				return nil, err
			}
			shift, left, r.Mirrored = s2, l2, true
		}
	}
	r.Shift, r.Left = shift, left
	m.Cross, m.Link, r.Link = Shifted(shift), ByLegs, ByLegs
	if left > FarApart {
		m.Link, r.Link = ByFade, ByFade
		m.Group = s.groups()
	}
	return r, nil
}

// turns is the yaw in a pass from which a clip counts as turning, radians.
const turns = 0.05

// direct registers every turning clip with the clip of the space's reference
// that turns most like it.
func (m *Motion) direct(ref *Motion) {
	for k := range m.Clips {
		c := &m.Clips[k]
		yaw := c.Loop.Step().Yaw
		best := 0
		for j := range ref.Clips {
			if math.Abs(ref.Clips[j].Loop.Step().Yaw-yaw) < math.Abs(ref.Clips[best].Loop.Step().Yaw-yaw) {
				best = j
			}
		}
		like := &ref.Clips[best]
		if math.Abs(yaw) < turns || math.Abs(like.Loop.Step().Yaw) < turns {
			continue
		}
		if w, err := RegisterKeys(like.Loop, c.Loop); err == nil {
			c.Direct = like.Curve.Then(w)
		}
	}
}

func (s *Space) groups() int {
	n := 0
	for i := range s.Motions {
		n = max(n, s.Motions[i].Group+1)
	}
	return n
}

// mirrored turns all clips of a motion left for right.
func (p *Plan) mirrored(m *Motion) error {
	var loops []*Loop
	for _, c := range m.Clips {
		l, err := Entry{Mirror: p.Mirror}.Apply(c.Loop)
		if err != nil {
			return err
		}
		loops = append(loops, l)
	}
	n, err := p.motion(&PlanMotion{Name: m.Name, Loops: loops})
	if err != nil {
		return err
	}
	*m = *n
	return nil
}

// goals works out the goal space of a motion that can turn.
func (p *Plan) goals(s *Space, i int, rep *Report) error {
	m := &s.Motions[i]
	if m.Radius == 0 || len(m.Clips) < 2 {
		rep.Warnings = append(rep.Warnings, fmt.Sprintf("motion %q cannot turn: add bent or turning clips", m.Name))
		return nil
	}
	g, err := NewGoals(s, i, p.Goals)
	if err != nil {
		return fmt.Errorf("%w (motion %q)", err, m.Name)
	}
	m.Goals = g
	rep.Motions[i].Back = g.Reversals()
	if rep.Motions[i].Back > 2*math.Pi/180 {
		rep.Warnings = append(rep.Warnings, fmt.Sprintf("goal space of %q turns back by up to %.1f degrees as the final value grows", m.Name, rep.Motions[i].Back*180/math.Pi))
	}
	if s.Body > 0 && m.Radius > 1.5*s.Body {
		rep.Warnings = append(rep.Warnings, fmt.Sprintf("motion %q turns on a radius of %.2f m, %.1f body lengths: bend its clips more", m.Name, m.Radius, m.Radius/s.Body))
	}
	return nil
}

// bodyLength is the distance from the hindmost to the foremost foot, on the
// mean over a pass.
func bodyLength(l *Loop) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for f := range l.Stances {
		x := 0.0
		for k := range l.Intervals() {
			x += l.Frames[k].Feet[f].X / float64(l.Intervals())
		}
		low, high = min(low, x), max(high, x)
	}
	return high - low
}

// fill measures every clip.
func (rep *Report) fill(s *Space) {
	for i := range s.Motions {
		m := &s.Motions[i]
		for k := range m.Clips {
			c := &m.Clips[k]
			r := ClipReport{
				Name: c.Loop.Name, Value: c.Value, Seam: SeamOf(c.Loop), Radius: c.Loop.Radius(),
				Phase: contactError(m.refLoop(), c.Loop, c.Curve), Slide: c.Loop.Slide(),
			}
			rep.Motions[i].Clips = append(rep.Motions[i].Clips, r)
			if c.Loop.Playback {
				rep.Warnings = append(rep.Warnings, fmt.Sprintf("clip %q is for playback only: its flight is slower than gravity", c.Loop.Name))
			}
			if r.Slide > 0.05*c.Loop.Speed()*c.Loop.Period+1e-9 {
				rep.Warnings = append(rep.Warnings, fmt.Sprintf("clip %q: a standing foot slides %.1f mm: its sweep is not speed times stance time", c.Loop.Name, r.Slide*1e3))
			}
		}
	}
}

// Slide returns the furthest a standing foot moves over the ground within one
// stance, metres.
func (l *Loop) Slide() float64 {
	worst, n := 0.0, l.Intervals()
	for f, stances := range l.Stances {
		for _, x := range stances {
			first := int(math.Ceil(x.Touch*float64(n) - 1e-9))
			last := int(math.Floor((x.Touch+x.Duty)*float64(n) + 1e-9))
			var at blend.Place
			var pin r3.Vec
			for k := first; k <= min(last, first+n); k++ {
				if k > first {
					at = at.After(l.Frames[(k-1)%n+1].Root)
				}
				w := at.Pose().Apply(l.Frames[k%n].Feet[f])
				if k == first {
					pin = w
				}
				worst = max(worst, r3.Norm(r3.Sub(w, pin)))
			}
		}
	}
	return worst
}
