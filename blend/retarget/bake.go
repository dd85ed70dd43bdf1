package retarget

import (
	"fmt"
	"math"

	"legctl/blend"
	"legctl/blend/space"
	"legctl/gait"
	"legctl/geom"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Bake makes a clip of a style for a rig: one cycle of its phase table at a
// steady pace, the root turning by turn radians in a pass. Strides and steps
// the rig cannot do are made smaller, and a pace its joints cannot keep slower;
// the report says by how much.
func Bake(r *rig.Rig, s *Style, turn float64) (*space.Loop, *Report, error) {
	if err := s.Validate(); err != nil {
		return nil, nil, err
	}
	if !(math.Abs(turn) < math.Pi) {
		return nil, nil, fmt.Errorf("retarget: style %q turning %v rad a pass, want less than half a turn", s.Name, turn)
	}
	b := newBakery(r, s)
	f := newFitting(r)
	f.planar = true
	rep := &Report{Name: s.Name, Scale: 1, Sway: 1, Sweep: 1, Tempo: 1}
	for _, t := range bakeTrials {
		p := b.plan(turn, t)
		if !f.try(p) {
			continue
		}
		rep.Reach, rep.Clearance, rep.Sway = t.reach, t.clearance, t.sway
		if f.peak > 0.95 {
			rep.Tempo = 0.95 / f.peak
			p.period /= rep.Tempo
			f.peak = 0.95
		}
		rep.Peak, rep.Class, rep.Margin = f.peak, f.class(), f.least()
		st := &steps{name: name(s, turn), cycles: 1}
		rep.Lean = st.lean(p, f, Options{}, rep)
		rep.Slip = f.slip / r.L()
		l := p.loop(st, rep.Class)
		rep.Flight = l.Flight()
		rep.Playback = rep.Flight > 0 && rep.Tempo < 0.8
		l.Playback = rep.Playback
		rep.warn(l)
		return l, rep, l.Validate()
	}
	return nil, nil, fmt.Errorf("retarget: style %q does not fit rig %s, even with strides of a quarter: %s", s.Name, r.Name, f.fault)
}

func name(s *Style, turn float64) string {
	switch {
	case turn > 0:
		return s.Name + ".left"
	case turn < 0:
		return s.Name + ".right"
	}
	return s.Name
}

// bakeTrials are tried in order.
var bakeTrials = []trial{{1, 1, 1}, {1, 1, .85}, {.5, .8, .85}, {.5, .8, .7}, {0, .7, .55}, {0, .6, .4}, {0, .5, .25}}

// turns are the yaws in a pass that a set tries, radians, hardest first.
var turns = []float64{60, 50, 40, 30, 20, 12, 6}

// BakeSet returns the clips of a style that steering needs, hardest right turn
// first: right, straight, left. The turn is the hardest the rig does whose
// circle is no wider than its body is long, or the tightest it can.
func BakeSet(r *rig.Rig, s *Style) ([]*space.Loop, []*Report, error) {
	straight, rep, err := Bake(r, s, 0)
	if err != nil {
		return nil, nil, err
	}
	for _, deg := range turns {
		a := deg * math.Pi / 180
		left, lrep, err1 := Bake(r, s, a)
		right, rrep, err2 := Bake(r, s, -a)
		if err1 != nil || err2 != nil || lrep.Reach < 0.7*rep.Reach || rrep.Reach < 0.7*rep.Reach {
			continue
		}
		return []*space.Loop{right, straight, left}, []*Report{rrep, rep, lrep}, nil
	}
	return nil, nil, fmt.Errorf("retarget: style %q: rig %s cannot turn by %v degrees in a pass", s.Name, r.Name, turns[len(turns)-1])
}

// bakery is what baking a style on a rig needs to know.
type bakery struct {
	rig   *rig.Rig
	style *Style
	table *gait.Gait
	sweep float64 // of a stance, metres
	unit  float64 // sqrt(h/g)
}

func newBakery(r *rig.Rig, s *Style) *bakery {
	solver := ik.NewSolver(r, ik.DefaultParams())
	comfort := math.Inf(1)
	for i := range r.Legs {
		comfort = min(comfort, ik.Comfort(solver, i, r.Legs[i].Neutral))
	}
	return &bakery{rig: r, style: s, table: s.Table(r), sweep: s.Stride * 2 * comfort, unit: math.Sqrt(r.Height / r.G())}
}

// plan lays out one cycle: feet pinned on the ground while they stand and led
// from pin to pin by the swing of the gaits, which leaves and meets the ground
// at its own speed.
func (b *bakery) plan(turn float64, t trial) *plan {
	n := framesPerCycle
	duty := 0.0
	for _, d := range b.table.Duty {
		duty += d / float64(len(b.table.Duty))
	}
	p := &plan{n: n, period: b.style.Period * b.unit}
	p.inc.Move.X = b.sweep * t.reach / duty / float64(n)
	p.inc.Yaw = turn / float64(n)
	var stances [][]space.Stance
	for i := range b.rig.Legs {
		stances = append(stances, []space.Stance{{Touch: b.table.Offset[i], Duty: b.table.Duty[i]}})
	}
	p.stance = runs(stances, n)
	p.body = b.body(n, t.sway)
	for i := range b.rig.Legs {
		p.feet = append(p.feet, b.foot(p, i, t))
	}
	p.wish = p.feet
	return p
}

// foot returns the path of a foot over a pass, in the root's frame.
func (b *bakery) foot(p *plan, i int, t trial) []r3.Vec {
	out := make([]r3.Vec, p.n)
	run := p.stance[i][0]
	neutral := b.rig.Legs[i].Neutral
	neutral.Z = 0
	mid := run.touch + run.long/2
	pin := p.place(mid).Pose().Apply(neutral)
	next := p.place(mid + p.n).Pose().Apply(neutral)
	lift := b.style.Lift * b.rig.Height * t.clearance
	if i == 0 {
		lift *= 1 - 0.7*b.style.Limp
	}
	for k := run.touch; k < run.touch+p.n; k++ {
		w := pin
		if over := k - run.touch - run.long; over > 0 {
			u := float64(over) / float64(p.n-run.long)
			u += b.style.Flick * u * (1 - u) * (u - 0.5) * 2 // dwells in the middle, hurries at the ends
			w = gait.SwingPoint(pin, next, lift, u)
		}
		out[mod(k, p.n)] = p.inRoot(k, w)
	}
	return out
}

// body returns the body over a pass.
func (b *bakery) body(n int, share float64) []geom.Pose {
	s, h := b.style, b.rig.Height
	out := make([]geom.Pose, n)
	for k := range out {
		once := 2 * math.Pi * (float64(k)/float64(n) - b.table.Offset[0])
		sin, cos := math.Sincos(once)
		sin2, cos2 := math.Sincos(2 * once)
		out[k] = geom.Pose{
			P: r3.Vec{Y: share * s.Sway * h * sin, Z: h * (1 - share*s.Crouch + share*s.Heave*cos2)},
			Q: geom.FromRPY(share*s.Roll*cos, share*(s.Lean+s.Pitch*sin2), 0),
		}
	}
	return out
}

// PlanFor returns a plan for a space of a rig's clips, without motions: names
// and lengths, and which leg is whose mirror image.
func PlanFor(r *rig.Rig, name string) space.Plan {
	p := space.Plan{Name: name, Length: r.L(), Mirror: MirrorOf(r)}
	for i := range r.Legs {
		p.Legs = append(p.Legs, r.Legs[i].Name)
	}
	return p
}

// MirrorOf returns which leg of a rig is which on the other side, nil where a
// leg has no partner and does not stand in the middle.
func MirrorOf(r *rig.Rig) *blend.Mirror {
	m := &blend.Mirror{}
	for i := range r.Legs {
		k := r.Groups.Partner[i]
		if k < 0 {
			if r.Groups.Side[i] != 0 {
				return nil
			}
			k = i
		}
		m.Feet = append(m.Feet, k)
	}
	return m
}
