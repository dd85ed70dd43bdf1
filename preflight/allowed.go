package preflight

import (
	"math"

	"legctl/control"
	"legctl/rig"
)

// halvings of the search for the largest speed a heading sustains.
const halvings = 5

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
// heading, and turning, the largest twist that it sustains without a limit hit
// or a wait, at most the rule's own speed.
func Allowed(c *control.Controller, gait int) (control.AllowedTwist, error) {
	w, err := newRunner(c, gait)
	if err != nil {
		return control.AllowedTwist{}, err
	}
	neutral := c.Allowed(gait)
	a := neutral
	for i := range a.Linear {
		if neutral.Linear[i] == 0 {
			continue
		}
		sn, cs := math.Sincos(2 * math.Pi * float64(i) / control.Headings)
		v, bind := w.largest([3]float64{cs, sn, 0}, neutral.Linear[i])
		a.Linear[i] = v
		if v < neutral.Linear[i] {
			a.LinearBind[i] = bind
		}
	}
	left, bl := w.largest([3]float64{0, 0, 1}, neutral.Turn)
	right, br := w.largest([3]float64{0, 0, -1}, neutral.Turn)
	if a.Turn = math.Min(left, right); a.Turn < neutral.Turn {
		if a.TurnBind = bl; right < left {
			a.TurnBind = br
		}
	}
	return a, nil
}

// largest returns the largest share of most along the unit twist dir that is
// sustained, and what bound above it.
func (w *runner) largest(dir [3]float64, most float64) (float64, control.Binding) {
	at := func(v float64) [3]float64 { return [3]float64{dir[0] * v, dir[1] * v, dir[2] * v} }
	top := w.run(at(most), true)
	if top.Steady && top.Walks {
		return most, control.BindNone
	}
	bind := top.Bind
	lo, hi := 0.0, 1.0
	for range halvings {
		mid := (lo + hi) / 2
		if res := w.run(at(mid*most), true); res.Steady && res.Walks {
			lo = mid
		} else {
			hi = mid
			if res.Bind != control.BindNone {
				bind = res.Bind
			}
		}
	}
	return lo * most, bind
}
