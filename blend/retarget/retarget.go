package retarget

import (
	"fmt"
	"math"

	"legctl/blend"
	"legctl/blend/clip"
	"legctl/blend/space"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Options are what may be asked of a retargeting. The zero value asks for
// nothing: legs guessed, the clip's own timing, straight.
type Options struct {
	Map    *Map    // which bones are which legs; nil: guessed
	Cycles int     // to cut out of a clip that repeats; 0 = the whole of a clip that is a loop, else 1
	Duty   float64 // share of its cycle every foot is to stand; 0 = the clip's own
	Turn   float64 // yaw of the root in a pass, radians, left positive: bends the path
	Sway   float64 // how much of the body's own motion to take: 0 = all of it, < 0 none
	Lean   float64 // how far the body may shift to make the clip static, metres; 0 = 0.15 L, < 0 not at all
}

// Report says what a retargeting did and found.
type Report struct {
	Name      string
	Map       *Map
	Scale     float64 // rig's hip height over the clip's
	Closing   float64 // seconds added for an end frame that is missing
	Travel    float64 // heading of the travel to the facing, radians
	Moved     float64 // furthest a planted foot is off the clip, L
	Sweep     float64 // stance sweep over speed times stance time, of the foot furthest from 1: the clip itself slides by the rest
	Tempo     float64 // of the clip's own, at most 1: joint speed
	Peak      float64 // largest joint speed over its limit, at that tempo
	Clearance float64 // share of the clip's that is kept
	Reach     float64 // share of the clip's strides that is kept
	Sway      float64 // share of the body's motion that is kept
	Lean      float64 // shift of the body that makes it static, metres
	Margin    float64 // least static margin, L; -Inf in flight
	Slip      float64 // furthest the feet of planar legs slip, L
	Flight    float64 // share of the pass without a foot down
	Class     rig.Class
	Playback  bool
	Dynamic   float64 // smallest duty that makes it dynamic; 0: none does, or it is
	Static    float64 // and static
	Warnings  []string
}

// Loop returns a rig's clip made of another body's: hips and feet followed,
// the loop closed or cut out, contacts found, scaled by the height of the hips,
// stance feet planted anew, fitted to what the rig reaches and how fast its
// joints are. On an error nothing is returned.
func Loop(c *clip.Clip, r *rig.Rig, o Options) (*space.Loop, *Report, error) {
	st, rep, err := read(c, r, o)
	if err != nil {
		return nil, nil, err
	}
	l, err := st.onto(r, o, rep)
	if err != nil {
		return nil, nil, err
	}
	if o.Duty == 0 && rep.Class != rig.Static {
		st.suggest(r, o, rep)
	}
	return l, rep, nil
}

// read makes one pass of a clip: its legs, its loop, its contacts.
func read(c *clip.Clip, r *rig.Rig, o Options) (*steps, *Report, error) {
	if err := c.Validate(); err != nil {
		return nil, nil, err
	}
	if !(o.Duty >= 0 && o.Duty < 1) || !(math.Abs(o.Turn) < math.Pi) || o.Cycles < 0 || o.Cycles > space.MaxCycles {
		return nil, nil, fmt.Errorf("retarget: duty %v, turn %v rad a pass, %d cycles, want [0, 1), less than half a turn and at most %d", o.Duty, o.Turn, o.Cycles, space.MaxCycles)
	}
	m := o.Map
	if m == nil {
		var err error
		if m, err = Guess(c, r); err != nil {
			return nil, nil, err
		}
	}
	limbs, err := m.resolve(c, r)
	if err != nil {
		return nil, nil, err
	}
	samples := 1 + int(math.Ceil(c.Length*max(60, c.Rate)))
	s, err := follow(c, limbs, m, r, min(max(samples, framesPerCycle), space.MaxFrames))
	if err != nil {
		return nil, nil, err
	}
	if !(s.tall > 0) {
		return nil, nil, fmt.Errorf("retarget: clip %q: hips %v above the feet, want them higher: map the legs", c.Name, s.tall)
	}
	rep := &Report{Name: c.Name, Map: m, Scale: r.Height / s.tall}
	st, err := s.pass(c, o.Cycles, rep)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for i := range r.Legs {
		names = append(names, r.Legs[i].Name)
	}
	if err := st.contacts(declared(c, limbs, names, st.period)); err != nil {
		return nil, nil, err
	}
	if st.low > lowShares[0] {
		rep.Warnings = append(rep.Warnings, fmt.Sprintf("feet count as standing up to %.2f of the hips' height: contacts are doubtful", st.low))
	}
	return st, rep, nil
}

// pass makes one pass of the clip: the whole of it where it is a loop, by its
// ends or because it is said to be one; else cut out. With cycles asked for by
// number it is cut out wherever it repeats.
func (s *source) pass(c *clip.Clip, cycles int, rep *Report) (*steps, error) {
	st, closing, isLoop := s.closed(c, framesPerCycle*max(1, c.Cycles))
	if cycles > 0 || !isLoop && c.Cycles == 0 {
		found, err := s.extract(c, max(cycles, 1), framesPerCycle)
		if err == nil || cycles > 1 || !isLoop && c.Cycles == 0 {
			return found, err
		}
	}
	if isLoop {
		rep.Closing = closing
		return st, nil
	}
	// Said to be a loop: the gap is spread.
	return s.cut(c.Name, 0, s.samples()-1, 0, framesPerCycle*c.Cycles, c.Length/float64(max(c.Keys-1, 1))), nil
}

// onto puts a pass on a rig.
func (s *steps) onto(r *rig.Rig, o Options, rep *Report) (*space.Loop, error) {
	if o.Duty > 0 {
		s = s.stretched(o.Duty)
	}
	p, f, err := s.fit(r, o, rep)
	if err != nil {
		return nil, err
	}
	move := s.motion().Move
	rep.Travel = math.Atan2(move.Y, move.X)
	rep.Sweep = s.sweepShare(move)
	rep.Moved = p.moved / r.L()
	rep.Tempo = 1
	if f.peak > 1 {
		rep.Tempo = 1 / f.peak
		p.period *= f.peak
	}
	rep.Peak = f.peak * rep.Tempo
	rep.Class, rep.Margin = f.class(), f.least()
	if lean := s.lean(p, f, o, rep); lean > 0 {
		rep.Lean = lean
	}
	l := p.loop(s, rep.Class)
	rep.Flight = l.Flight()
	rep.Playback = rep.Flight > 0 && rep.Tempo < 0.8
	l.Playback = rep.Playback
	rep.warn(l)
	return l, l.Validate()
}

// sweepShare returns stance sweep over what the speed needs, of the foot that
// is furthest from 1.
func (s *steps) sweepShare(move r3.Vec) float64 {
	v, worst := math.Sqrt(r3.Norm2(move)), 1.0
	for i := range s.feet {
		duty := 0.0
		for _, c := range s.stance[i] {
			duty += c.Duty
		}
		if x := s.sweep[i] * float64(s.cycles) / (v * duty); v > 0.01*s.tall && math.Abs(x-1) > math.Abs(worst-1) {
			worst = x
		}
	}
	return worst
}

// trial is one way to ask less of the rig.
type trial struct{ sway, clearance, reach float64 }

// trials are tried in this order: the body's own motion goes first, then
// clearance, then the length of strides.
func trials(sway float64) []trial {
	out := []trial{{sway, 1, 1}, {sway / 2, 1, 1}, {0, 1, 1}, {0, .5, 1}, {0, .3, 1}}
	for reach := 0.9; reach > 0.35; reach -= 0.1 {
		out = append(out, trial{0, .5, reach}, trial{0, .3, reach})
	}
	return out
}

// fit plans the pass as the rig can do it.
func (s *steps) fit(r *rig.Rig, o Options, rep *Report) (*plan, *fitting, error) {
	sway := 1.0
	if o.Sway < 0 {
		sway = 0
	} else if o.Sway > 0 {
		sway = o.Sway
	}
	f := newFitting(r)
	for _, t := range trials(sway) {
		p := s.plan(r, o, rep.Scale, t)
		p.plant()
		if f.try(p) {
			rep.Sway, rep.Clearance, rep.Reach = t.sway, t.clearance, t.reach
			return p, f, nil
		}
	}
	return nil, nil, fmt.Errorf("retarget: %q does not fit rig %s, even with low steps of a third of their length: %s", s.name, r.Name, f.fault)
}

// plan scales a pass to a rig: every foot about its neutral place.
func (s *steps) plan(r *rig.Rig, o Options, scale float64, t trial) *plan {
	n := s.n()
	p := &plan{n: n, period: s.period, stance: runs(s.stance, n)}
	pass := s.motion()
	pass.Move = r3.Scale(scale*t.reach, pass.Move)
	pass.Move.Z = 0
	pass.Yaw += o.Turn
	p.inc = arc(pass, n)
	for i := range s.feet {
		neutral := r.Legs[i].Neutral
		neutral.Z = 0
		mid := s.middle(i)
		row := make([]r3.Vec, n)
		for k, v := range s.feet[i] {
			d := r3.Scale(scale*t.reach, r3.Sub(v, mid))
			row[k] = r3.Add(neutral, r3.Vec{X: d.X, Y: d.Y, Z: scale * t.clearance * v.Z})
		}
		p.wish = append(p.wish, row)
	}
	p.body = s.sway(r, scale, t.sway)
	return p
}

// arc returns the increments of a path of the length of the pass's Move that
// turns by its Yaw.
func arc(pass blend.RootMotion, n int) blend.RootMotion {
	return blend.RootMotion{Move: r3.Scale(1/float64(n), pass.Move), Yaw: pass.Yaw / float64(n)}
}

// middle returns where a foot is in the middle of its stances, on the mean.
func (s *steps) middle(i int) r3.Vec {
	var sum r3.Vec
	for _, c := range s.stance[i] {
		sum = r3.Add(sum, r3.Scale(1/float64(len(s.stance[i])), sampleAt(s.feet[i], c.Mid())))
	}
	return r3.Vec{X: sum.X, Y: sum.Y}
}

// sway returns the body over a pass: the rig's own height, and the clip's
// heave, sway, roll and pitch about their means, read off its hips.
func (s *steps) sway(r *rig.Rig, scale, share float64) []geom.Pose {
	n := s.n()
	raw := make([][5]float64, n)
	var mean [5]float64
	for k := range raw {
		raw[k] = s.hipsAt(k)
		for j := range mean {
			mean[j] += raw[k][j] / float64(n)
		}
	}
	out := make([]geom.Pose, n)
	for k := range out {
		d := raw[k]
		for j := range d {
			d[j] = share * (d[j] - mean[j])
		}
		tilt := func(x float64) float64 { return max(-0.3, min(x, 0.3)) }
		out[k] = geom.Pose{
			P: r3.Vec{X: scale * d[0], Y: scale * d[1], Z: r.Height + scale*d[2]},
			Q: geom.FromRPY(tilt(math.Atan(d[3])), tilt(-math.Atan(d[4])), 0),
		}
	}
	return out
}

// hipsAt returns the mean place of the hips and their slopes along y and x.
func (s *steps) hipsAt(k int) [5]float64 {
	var m r3.Vec
	for i := range s.hips {
		m = r3.Add(m, r3.Scale(1/float64(len(s.hips)), s.hips[i][k]))
	}
	var xx, yy, xz, yz float64
	for i := range s.hips {
		d := r3.Sub(s.hips[i][k], m)
		xx, yy, xz, yz = xx+d.X*d.X, yy+d.Y*d.Y, xz+d.X*d.Z, yz+d.Y*d.Z
	}
	slope := func(a, b float64) float64 {
		if b < 0.01*s.tall*s.tall {
			return 0
		}
		return a / b
	}
	return [5]float64{m.X, m.Y, m.Z, slope(yz, yy), slope(xz, xx)}
}

// loop makes the clip of a plan.
func (p *plan) loop(s *steps, class rig.Class) *space.Loop {
	l := &space.Loop{Name: s.name, Period: p.period, Cycles: s.cycles, Class: class}
	l.Frames = blend.NewPoses(blend.Shape{Feet: len(p.feet)}, p.n+1)
	for k := range l.Frames {
		f := &l.Frames[k]
		f.Root, f.Body = p.inc, p.body[k%p.n]
		for i := range p.feet {
			f.Feet[i] = p.feet[i][k%p.n]
			if p.down(i, k) {
				f.Ground[i] = 1
			}
		}
	}
	for i := range p.stance {
		var row []space.Stance
		for _, r := range p.stance[i] {
			row = append(row, space.Stance{Touch: float64(r.touch) / float64(p.n), Duty: float64(r.long) / float64(p.n)})
		}
		l.Stances = append(l.Stances, row)
	}
	l.Order()
	return l
}
