package space

import (
	"math"

	"legctl/blend"
	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

func floor(x float64) float64                  { return math.Floor(x) }
func sincos(x float64) (sin, cos float64)      { return math.Sincos(x) }
func bit(i int) uint64                         { return 1 << uint(i) }
func addScaled(s *r3.Vec, w float64, v r3.Vec) { s.X, s.Y, s.Z = s.X+w*v.X, s.Y+w*v.Y, s.Z+w*v.Z }

// mixture is which clips play with which weights.
type mixture struct {
	n    int
	clip [live]int
	w    [live]float64
}

func (m *mixture) add(clip int, w float64) {
	if w <= 0 {
		return
	}
	for i := range m.n {
		if m.clip[i] == clip {
			m.w[i] += w
			return
		}
	}
	m.clip[m.n], m.w[m.n] = clip, w
	m.n++
}

// settle moves weights and blend values by dt and says which clips play: of
// the group with most weight, each motion by the two clips about its value.
func (s *Space) settle(st *State, dt float64) (mix mixture, switched bool) {
	n := len(s.Motions)
	_, _ = blend.Approach(st.Weights[:n], st.Target[:n], s.Rate, dt)
	var group [MaxMotions]float64
	for i := range n {
		st.Blend[i] = Follow(st.Blend[i], st.Final[i], s.Rate, dt)
		group[s.Motions[i].Group] += st.Weights[i]
	}
	best := int(st.Group)
	for g, w := range group {
		if w > group[best]+blend.SomeHysteresis {
			best = g
		}
	}
	switched = best != int(st.Group)
	st.Group = int16(best) //nolint:gosec // below MaxMotions
	total := group[best]
	lead := int(st.Lead)
	if s.Motions[lead].Group != best {
		lead = -1
	}
	for i := range n {
		if s.Motions[i].Group != best {
			continue
		}
		w := weightOf(st.Weights[i] / total)
		if w == 0 {
			continue
		}
		a, b, share := s.Motions[i].bracket(st.Blend[i])
		mix.add(s.c.first[i]+a, w*(1-share))
		mix.add(s.c.first[i]+b, w*share)
		if lead < 0 || st.Weights[i] > st.Weights[lead]+blend.SomeHysteresis {
			lead = i
		}
	}
	st.Lead = int16(lead) //nolint:gosec // below MaxMotions
	return mix, switched
}

// pace returns passes a second: of the clips of the dominant motion, or of all.
func (s *Space) pace(mix *mixture, lead int) float64 {
	sum, w := 0.0, 0.0
	first, last := 0, len(s.c.clips)
	if s.Advance == blend.Dominant {
		first = s.c.first[lead]
		last = first + len(s.Motions[lead].Clips)
	}
	for i := range mix.n {
		if k := mix.clip[i]; k >= first && k < last {
			sum, w = sum+mix.w[i]/s.c.clips[k].period, w+mix.w[i]
		}
	}
	return sum / w
}

// paceChange is how long a change of the dominant motion takes to be heard in
// the pace, seconds.
const paceChange = 0.2

// Step plays a space for dt seconds, backwards if dt is negative: it moves
// weights, blend values, phase and place, and writes the pose and what the root
// did to dst, which needs a foot a leg. Body and feet are in the root's frame at
// the end of the step. A dt that is not finite, or beyond 1000 passes, does
// nothing. Nothing is allocated.
func (s *Space) Step(dst *blend.Pose, st *State, dt float64) {
	if !(math.Abs(dt) < 1e4) {
		return
	}
	mix, switched := s.settle(st, math.Abs(dt))
	pace := s.pace(&mix, int(st.Lead))
	if st.Pace == 0 {
		st.Pace = pace
	}
	if step := math.Abs(dt) / paceChange * max(pace, st.Pace); s.Advance == blend.Dominant && math.Abs(pace-st.Pace) > step {
		pace = st.Pace + math.Copysign(step, pace-st.Pace)
	}
	st.Pace = pace
	from := st.Phase
	to := from + dt*pace
	var duty, mid [MaxFeet]float64
	first := !st.Feet[0].Known // nobody comes down in the first step
	s.root(dst, &mix, from, to, s.stood(st))
	st.Phase = wrap01(to)
	st.Place = st.Place.After(dst.Root)
	down := uint64(0)
	for c := range s.c.cycles {
		s.timing(&mix, c, &duty, &mid)
		s.hold(st, to-from, &duty, &mid)
		down |= s.feet(dst, &mix, c, st.Phase, &duty, &mid)
	}
	if !first {
		st.Touched, st.Lifted = down&^st.Down, st.Down&^down
	}
	st.Down = down
	s.body(dst, &mix, st.Phase)
	s.show(dst, st, switched, dt)
}

// stood returns the mean share of the pass the feet stand, as played; 0 where it
// is not known.
func (s *Space) stood(st *State) float64 {
	if s.c.cycles > 1 || !st.Feet[0].Known {
		return 0
	}
	sum := 0.0
	for f := range st.Feet {
		sum += st.Feet[f].Duty
	}
	return sum / float64(len(st.Feet))
}

// root writes what the root does: the clips' own steps, so weighted that the
// sweep of the feet under it is the blend of theirs; stood is the share of the
// pass they stand, 0 for that of the blend.
func (s *Space) root(dst *blend.Pose, mix *mixture, from, to, stood float64) {
	dst.Root = blend.RootMotion{}
	if from == to {
		return
	}
	meanD := stood
	for i := 0; stood == 0 && i < mix.n; i++ {
		meanD += mix.w[i] * s.c.clips[mix.clip[i]].meanD
	}
	for i := range mix.n {
		c := &s.c.clips[mix.clip[i]]
		a, b := c.warp(from), c.warp(to)
		f := mix.w[i] * c.meanD / meanD * (to - from) / (b - a)
		m := c.moved(a, b)
		addScaled(&dst.Root.Move, f, m.Move)
		dst.Root.Yaw += f * m.Yaw
	}
}

// timing blends when each foot stands in cycle c: middle and share of the pass.
func (s *Space) timing(mix *mixture, c int, duty, mid *[MaxFeet]float64) {
	for f := range s.c.feet {
		k := f*s.c.cycles + c
		d, o := 0.0, 0.0
		for i := range mix.n {
			x := &s.c.clips[mix.clip[i]]
			d, o = d+mix.w[i]*x.duty[k], o+mix.w[i]*x.off[k]
		}
		duty[f], mid[f] = d, s.c.mids[k]+o
	}
}

// shiftShare is how fast a leg's own phase may change while it swings, against
// the phase of all.
const shiftShare = 0.5

// hold keeps the timing of a standing foot and lets that of a swinging one
// follow the blend, so that a change of gait moves no foot on the ground. With
// several cycles in a pass it does nothing: their gaits have one order.
func (s *Space) hold(st *State, du float64, duty, mid *[MaxFeet]float64) {
	if s.c.cycles > 1 {
		return
	}
	most := shiftShare * math.Abs(du)
	for f := range st.Feet {
		k := &st.Feet[f]
		if !k.Known {
			k.Mid, k.Duty = mid[f], duty[f]
			continue
		}
		if x := wrap01(st.Phase - (k.Mid - k.Duty/2)); x >= k.Duty || k.Duty >= 1 {
			d := wrapHalf(mid[f] - k.Mid)
			k.Mid = wrap01(k.Mid + max(-most, min(d, most)))
			k.Duty += max(-most, min(duty[f]-k.Duty, most))
			// A swing that is under way does not end by it.
			if now := wrap01(st.Phase - (k.Mid - k.Duty/2)); now < k.Duty && k.Duty < 1 && x < 1-2*most {
				k.Mid = wrap01(st.Phase - k.Duty/2 - 1e-9)
			}
		}
		mid[f], duty[f] = k.Mid, k.Duty
	}
}

// feet places the feet that are in cycle c, each clip's at the same share of
// its stance or swing, and returns which of them stand.
func (s *Space) feet(dst *blend.Pose, mix *mixture, c int, phase float64, duty, mid *[MaxFeet]float64) uint64 {
	down := uint64(0)
	for f := range s.c.feet {
		k := f*s.c.cycles + c
		swing := 0.0
		for i := range mix.n {
			swing += mix.w[i] * s.c.clips[mix.clip[i]].next[k]
		}
		x := wrap01(phase - (mid[f] - duty[f]/2))
		stance := x < duty[f]
		if !stance && s.c.cycles > 1 && x >= duty[f]+swing {
			continue // in another cycle
		}
		var p r3.Vec
		for i := range mix.n {
			l := &s.c.clips[mix.clip[i]]
			at := l.mid[k] + l.duty[k]*(x/duty[f]-0.5)
			if !stance {
				at = l.mid[k] + l.duty[k]/2 + l.next[k]*min((x-duty[f])/max(swing, 1e-9), 1)
			}
			l.foot(&p, f, s.c.feet, at, mix.w[i])
		}
		dst.Feet[f], dst.Ground[f] = p, 0
		if stance {
			down |= bit(f)
			dst.Ground[f] = 1
		}
	}
	return down
}

func (s *Space) body(dst *blend.Pose, mix *mixture, phase float64) {
	var sum [bodyNumbers]float64
	for i := range mix.n {
		c := &s.c.clips[mix.clip[i]]
		c.addBody(&sum, c.warp(phase), mix.w[i])
	}
	dst.Body = geom.Pose{
		P: r3.Vec{X: sum[0], Y: sum[1], Z: sum[2]},
		Q: geom.Unit(quat.Number{Real: sum[3], Imag: sum[4], Jmag: sum[5], Kmag: sum[6]}),
	}
}

// switchTime is how long the inertia of a switch lasts, seconds.
const switchTime = 0.3

// show carries the feet over a switch of groups without a jump.
func (s *Space) show(dst *blend.Pose, st *State, switched bool, dt float64) {
	for f := range st.Feet {
		k := &st.Feet[f]
		if switched && k.Known {
			k.Ease.Begin(r3.Sub(k.Shown, dst.Feet[f]), k.Pace, switchTime)
		}
		shown := r3.Add(dst.Feet[f], k.Ease.Step(math.Abs(dt)))
		if k.Known && dt != 0 {
			k.Pace = r3.Scale(1/math.Abs(dt), r3.Sub(shown, k.Shown))
		}
		k.Shown, k.Known = shown, true
		dst.Feet[f] = shown
	}
}

// Lock holds the standing feet of a pose that Step wrote where they came down,
// and lets go of one that is pulled further than 0.15 of the leg; both without
// a jump. Feet stay in the root's frame. A dt that is not positive does
// nothing.
func (s *Space) Lock(dst *blend.Pose, st *State, dt float64) {
	if !(dt > 0) {
		return
	}
	sin, cos := sincos(st.Place.Yaw)
	at := st.Place.At
	p := blend.LockParams{Pull: lockShare * s.Length, Over: switchTime}
	for f := range st.Feet {
		v := dst.Feet[f]
		w := r3.Vec{X: at.X + cos*v.X - sin*v.Y, Y: at.Y + sin*v.X + cos*v.Y, Z: at.Z + v.Z}
		w, _ = st.Feet[f].Lock.Step(w, st.Down&bit(f) != 0, at.Z, p, dt)
		d := r3.Sub(w, at)
		dst.Feet[f] = r3.Vec{X: cos*d.X + sin*d.Y, Y: -sin*d.X + cos*d.Y, Z: d.Z}
	}
}

// lockShare is how far a locked foot may be pulled, in leg lengths.
const lockShare = 0.15
