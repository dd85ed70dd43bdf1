package preflight

import (
	"math"

	"legctl/control"
	"legctl/rig"
)

// halvings of the search for the largest speed a heading sustains by runs;
// mixHalvings of that for a mix of travel and turning, which cost as much each.
const (
	halvings    = 5
	mixHalvings = 3
)

// Fill returns params with the allowed twist of every gait the rig is offered
// worked out by sweeps.
func Fill(r *rig.Rig, p control.Params) (control.Params, error) {
	c, err := control.New(r, p)
	if err != nil {
		return p, err
	}
	p.Gaits = append([]control.Plan(nil), p.Gaits...)
	for i := range p.Gaits {
		if ok, _ := c.Offers(i); !ok || p.Gaits[i].Allowed != nil {
			continue
		}
		a, err := Allowed(c, i)
		if err != nil {
			return p, err
		}
		p.Gaits[i].Allowed = &a
	}
	return p, nil
}

// Allowed sweeps one gait of a controller that has no table for it: per
// heading, turning, and for mixes of both, the largest twist that it sustains
// without a limit hit or a wait. Step rules, and clocked gaits that wait for the
// body to lean, are walked, at most at the speed of the rules; other clocked gaits are worked out as geometry, from reach, joint speed,
// stance and swing time (and the margin, where the gait is static), and then
// walked at a few twists that must hold.
func Allowed(c *control.Controller, gait int) (control.AllowedTwist, error) {
	w, err := newRunner(c, gait)
	if err != nil {
		return control.AllowedTwist{}, err
	}
	a := c.Allowed(gait)
	plan := &c.Params().Gaits[gait]
	if plan.Clocked() && plan.Rules.Shift == 0 {
		k := newCycle(c, gait)
		k.open(&a)
		same := mirrored(c.Rig(), k.g.Duty)
		k.fill(&a, same)
		w.prove(&a, same, k.grain)
		return a, nil
	}
	w.fill(&a)
	if !plan.Clocked() {
		w.mixes(&a)
		return a, nil
	}
	for i := range a.LinearBind {
		if a.LinearBind[i] == control.BindNone {
			a.LinearBind[i] = control.BindGate // it waited for the body to lean
		}
	}
	return a, nil
}

// fill works headings and turning out by walking. The image of a heading of a
// mirrored rig is not walked again.
func (w *runner) fill(a *control.AllowedTwist) {
	same := mirrored(w.r, nil)
	for i, most := range a.Linear {
		if m := (control.Headings - i) % control.Headings; same && m < i {
			a.Linear[i], a.LinearBind[i] = a.Linear[m], a.LinearBind[m]
			continue
		}
		if most == 0 {
			continue
		}
		v, bind := w.largest(heading(i, 1, 0), most, halvings)
		if v < most {
			a.Linear[i], a.LinearBind[i] = v, bind
		}
	}
	w.turn(a)
}

// mixes works the mixes of step rules out by walking.
func (w *runner) mixes(a *control.AllowedTwist) {
	// Mixes are walked at half and half, in the four main headings; twists
	// between these and a single part are on the chord, which is allowed where
	// the set of allowed twists is convex.
	const half = 2
	quarter := control.Headings / 4
	same := mirrored(w.r, nil)
	var at [4][2]mixed
	for h := range at {
		for side := range at[h] {
			if m := (4 - h) % 4; same && (m < h || m == h && side > 0) {
				at[h][side] = at[m][1-side]
				continue
			}
			at[h][side] = w.mix(a, h*quarter, control.Mixes/2+half*(2*side-1))
		}
	}
	for i := range a.Mix {
		h, t := i/quarter, float64(i%quarter)/float64(quarter)
		for side := range 2 {
			from, to := at[h][side], at[(h+1)%4][side]
			f := from.factor + t*(to.factor-from.factor)
			bind := from.bind
			if t > 0.5 {
				bind = to.bind
			}
			spread(a, i, side, mixed{f, bind})
		}
	}
}

// mixed is the factor of one mix and what sets it.
type mixed struct {
	factor float64
	bind   control.Binding
}

// turn works the fastest turning out by walking.
func (w *runner) turn(a *control.AllowedTwist) {
	most := a.Turn
	left, bl := w.largest([3]float64{0, 0, 1}, most, halvings)
	right, br := w.largest([3]float64{0, 0, -1}, most, halvings)
	if a.Turn = math.Min(left, right); a.Turn < most {
		if a.TurnBind = bl; right < left {
			a.TurnBind = br
		}
	}
}

// mix works the factor of one mix at one heading out by walking.
func (w *runner) mix(a *control.AllowedTwist, i, m int) mixed {
	if a.Linear[i] == 0 || a.Turn == 0 {
		return mixed{1, control.BindNone}
	}
	f, bind := w.largest(point(a, i, m, 1), box(m), mixHalvings)
	return mixed{math.Max(f, leastMix), bind}
}

// leastMix is the factor that stands for none: 0 would mean 1.
const leastMix = 0.05

// heading is the twist of a speed at heading i, and a yaw rate.
func heading(i int, v, wz float64) [3]float64 {
	sn, cs := math.Sincos(2 * math.Pi * float64(i) / control.Headings)
	return [3]float64{v * cs, v * sn, wz}
}

// point is the twist of mix m at heading i whose parts share f budgets.
func point(a *control.AllowedTwist, i, m int, f float64) [3]float64 {
	y, x := parts(m)
	f /= math.Abs(y) + x
	return heading(i, f*x*a.Linear[i], f*y*a.Turn)
}

// parts are sine and cosine of the angle of a mix.
func parts(m int) (sn, cs float64) {
	sn, cs = math.Sincos(float64(m-control.Mixes/2) * math.Pi / (control.Mixes - 1))
	if m == 0 || m == control.Mixes-1 {
		cs = 0
	}
	return sn, cs
}

// box is the factor at which one part of a mix is all of its own limit.
func box(m int) float64 {
	y, x := parts(m)
	return (math.Abs(y) + x) / math.Max(math.Abs(y), x)
}

// spread sets the three mixes of one side (0 right, 1 left) at heading i from
// the factor of the middle one: the others lie on the chords to a single part.
func spread(a *control.AllowedTwist, i, side int, middle mixed) {
	const centre, half = control.Mixes / 2, 2
	sign := 2*side - 1
	tan, cs := parts(centre + 1)
	tan /= cs
	s := tan / (middle.factor/2 + tan*(1-middle.factor/2))
	a.Mix[i][centre+half*sign] = middle.factor
	a.MixBind[i][centre+half*sign] = middle.bind
	for _, m := range [2]int{centre + sign, centre + 3*sign} {
		a.Mix[i][m] = math.Max(1+s*(middle.factor-1), leastMix)
	}
}

// mirrored reports whether the left half of a rig is the image of the right,
// duty factors (nil: none) included.
func mirrored(r *rig.Rig, duty []float64) bool {
	if r.Asymmetric {
		return false
	}
	for i, k := range r.Groups.Partner {
		if k < 0 && r.Groups.Side[i] != 0 || r.Groups.Ring {
			return false
		}
		if k >= 0 && duty != nil && duty[i] != duty[k] {
			return false
		}
	}
	return true
}

// largest returns the largest share of most along the unit twist dir that is
// sustained, and what bound above it.
func (w *runner) largest(dir [3]float64, most float64, n int) (float64, control.Binding) {
	return search(dir, most, n, func(twist [3]float64) (bool, control.Binding) {
		res := w.run(twist, true)
		return res.Steady && res.Walks, res.Bind
	})
}

// search returns the largest v up to most for which v dir holds, found by n
// halvings, and the last limit that was hit above it.
func search(dir [3]float64, most float64, n int, holds func([3]float64) (bool, control.Binding)) (float64, control.Binding) {
	at := func(v float64) [3]float64 { return [3]float64{dir[0] * v, dir[1] * v, dir[2] * v} }
	ok, bind := holds(at(most))
	if ok {
		return most, control.BindNone
	}
	lo, hi := 0.0, 1.0
	for range n {
		mid := (lo + hi) / 2
		ok, b := holds(at(mid * most))
		if ok {
			lo = mid
			continue
		}
		hi = mid
		if b != control.BindNone {
			bind = b
		}
	}
	return lo * most, bind
}
