package retarget

import (
	"fmt"
	"math"

	"legctl/blend"
	"legctl/blend/space"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// stretched returns the pass with every stance made longer or shorter about its
// middle, to a share duty of its cycle. Feet keep their paths, so the sweep of
// a stance stays and the speed changes by old over new duty.
func (s *steps) stretched(duty float64) *steps {
	out := *s
	n := s.n()
	out.feet, out.stance = make([][]r3.Vec, len(s.feet)), make([][]space.Stance, len(s.stance))
	old := 0.0
	for i := range s.feet {
		for _, c := range s.stance[i] {
			old += c.Duty * float64(s.cycles) / float64(len(s.feet)*len(s.stance[i]))
			d := duty / float64(s.cycles)
			out.stance[i] = append(out.stance[i], space.Stance{Touch: wrap01(c.Touch + c.Duty/2 - d/2), Duty: d})
		}
		out.feet[i] = make([]r3.Vec, n)
		for k := range n {
			out.feet[i][k] = sampleAt(s.feet[i], remap(float64(k)/float64(n), out.stance[i], s.stance[i]))
		}
	}
	out.pass.Move = r3.Scale(old/duty, s.pass.Move)
	return &out
}

// remap returns the phase of one timing that is as far in its stance or swing
// as phase is in the other's.
func remap(phase float64, now, then []space.Stance) float64 {
	for c := range now {
		next := (c + 1) % len(now)
		if f := wrap01(phase - now[c].Touch); f < now[c].Duty {
			return then[c].Touch + f/now[c].Duty*then[c].Duty
		}
		air, gap := wrap01(phase-now[c].Lift()), wrap01(now[next].Touch-now[c].Lift())
		if gap > 0 && air < gap {
			return then[c].Lift() + air/gap*wrap01(then[next].Touch-then[c].Lift())
		}
	}
	return phase
}

func wrap01(x float64) float64 { return x - math.Floor(x) }

// suggest finds the smallest duties that make the pass dynamic and static.
func (s *steps) suggest(r *rig.Rig, o Options, rep *Report) {
	trial := *rep
	for d := 0.5; d < 0.93 && rep.Static == 0; d += 0.05 {
		p, f, err := s.stretched(d).fit(r, o, &trial)
		if err != nil {
			return
		}
		class := f.class()
		if lean := s.lean(p, f, o, &Report{Class: class}); lean > 0 {
			class = rig.Static
		}
		if class <= rig.Dynamic && rep.Dynamic == 0 && rep.Class == rig.Ballistic {
			rep.Dynamic = d
		}
		if class == rig.Static {
			rep.Static = d
		}
	}
}

// Bend returns a turning sibling of a loop: the root's path becomes an arc that
// turns by yaw more in a pass, the stance feet are pinned anew on it and the
// timing stays, so that the two register as they are. The rig must reach it.
// moved is how far planted feet are off those of the loop, L.
func Bend(l *space.Loop, r *rig.Rig, yaw float64) (out *space.Loop, moved float64, err error) {
	if err := l.Validate(); err != nil {
		return nil, 0, err
	}
	if l.Feet() != len(r.Legs) || !(math.Abs(yaw) < math.Pi) {
		return nil, 0, fmt.Errorf("retarget: %q of %d feet bent by %v rad for rig %s of %d legs, want as many and less than half a turn", l.Name, l.Feet(), yaw, r.Name, len(r.Legs))
	}
	p := planOf(l)
	p.inc.Yaw += yaw / float64(p.n)
	p.plant()
	f := newFitting(r)
	if !f.try(p) {
		return nil, 0, fmt.Errorf("retarget: %q bent by %.0f degrees a pass does not fit rig %s: %s", l.Name, yaw*180/math.Pi, r.Name, f.fault)
	}
	if f.peak > 1 {
		p.period *= f.peak
	}
	st := &steps{name: fmt.Sprintf("%s%+.0f", l.Name, yaw*180/math.Pi), cycles: l.Cycles}
	out = p.loop(st, f.class())
	out.Playback = l.Playback
	return out, p.moved / r.L(), out.Validate()
}

// planOf takes a loop apart into a plan whose wish is the loop as it is. The
// root's own unevenness is taken out: it is on an arc already or as good as.
func planOf(l *space.Loop) *plan {
	n := l.Intervals()
	step := l.Step()
	p := &plan{n: n, period: l.Period, stance: runs(l.Stances, n)}
	p.inc = blend.RootMotion{Move: divide(step, n).Move, Yaw: step.Yaw / float64(n)}
	for i := range l.Stances {
		row := make([]r3.Vec, n)
		for k := range row {
			row[k] = l.Frames[k].Feet[i]
		}
		p.wish = append(p.wish, row)
	}
	for k := range n {
		p.body = append(p.body, l.Frames[k].Body)
	}
	return p
}

// warn notes what an operator should know of a loop.
func (rep *Report) warn(l *space.Loop) {
	add := func(format string, args ...any) { rep.Warnings = append(rep.Warnings, fmt.Sprintf(format, args...)) }
	if rep.Tempo < 1 {
		add("tempo %.2f: joints are not faster", rep.Tempo)
	}
	if rep.Clearance < 1 {
		add("clearance x %.1f: higher steps are out of reach", rep.Clearance)
	}
	if rep.Reach < 1 {
		add("strides x %.1f: longer ones are out of reach", rep.Reach)
	}
	if rep.Playback {
		add("flight at tempo %.2f cannot be real: playback only", rep.Tempo)
	}
	if math.Abs(rep.Sweep-1) > 0.05 {
		add("stance sweep is %.2f of speed times stance time: the clip itself slides", rep.Sweep)
	}
	for i, s := range l.Stances {
		for _, c := range s {
			if c.Duty*float64(l.Cycles) < 0.12 {
				add("foot %d stands for %.2f of its cycle: contacts are doubtful", i, c.Duty*float64(l.Cycles))
			}
		}
	}
}
