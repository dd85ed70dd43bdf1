package preflight

import (
	"math"

	"legctl/control"
	"legctl/rig"
)

// open sets the table to what the sweep of a stance allows by its length alone:
// a clocked gait has no speed of its own. Headings that a planar rig cannot go
// stay closed, and a gait whose support does not hold the body on average keeps
// to the speed of the rules: what it can do is no matter of reach alone.
func (k *cycle) open(a *control.AllowedTwist) {
	if k.g.Class(k.r, k.com) == rig.Ballistic {
		return
	}
	v := 2 * k.reach / (k.g.MostDuty() * k.period)
	for i := range a.Linear {
		if a.Linear[i] > 0 {
			a.Linear[i], a.LinearBind[i] = v, control.BindReach
		}
	}
	if a.Turn > 0 {
		a.Turn, a.TurnBind = v/k.far, control.BindReach
	}
}

// fill works the whole table of a clocked gait out as geometry. same: the rig
// and its duties are mirrored, so one half of the table is the image of the
// other.
func (k *cycle) fill(a *control.AllowedTwist, same bool) {
	const n, mixes = control.Headings, control.Mixes
	for i, most := range a.Linear {
		if m := (n - i) % n; same && m < i {
			a.Linear[i], a.LinearBind[i] = a.Linear[m], a.LinearBind[m]
			continue
		}
		if v, bind := search(heading(i, 1, 0), most, k.grain.halvings, k.sustains); v < most {
			a.Linear[i], a.LinearBind[i] = v, bind
		}
	}
	k.turn(a, same)
	for i := 0; i < n; i += k.grain.every {
		for m := range a.Mix[i] {
			from := (n - i) % n
			if same && (from < i || from == i && m > mixes/2) {
				a.Mix[i][m], a.MixBind[i][m] = a.Mix[from][mixes-1-m], a.MixBind[from][mixes-1-m]
				continue
			}
			a.Mix[i][m] = 1
			if m == 0 || m == mixes/2 || m == mixes-1 || a.Linear[i] == 0 || a.Turn == 0 {
				continue
			}
			f, bind := search(point(a, i, m, 1), box(m), k.grain.halvings, k.sustains)
			a.Mix[i][m], a.MixBind[i][m] = math.Max(f, leastMix), bind
		}
	}
	if k.grain.every > 1 {
		between(a)
	}
}

// between fills every second heading from its neighbours.
func between(a *control.AllowedTwist) {
	const n = control.Headings
	for i := 1; i < n; i += 2 {
		for m := range a.Mix[i] {
			a.Mix[i][m] = math.Min(a.Mix[i-1][m], a.Mix[(i+1)%n][m])
			a.MixBind[i][m] = a.MixBind[i-1][m]
		}
	}
}

// turn works the fastest turning out as geometry.
func (k *cycle) turn(a *control.AllowedTwist, same bool) {
	most := a.Turn
	left, bind := search([3]float64{0, 0, 1}, most, k.grain.halvings, k.sustains)
	right, br := left, bind
	if !same {
		right, br = search([3]float64{0, 0, -1}, most, k.grain.halvings, k.sustains)
	}
	if a.Turn = math.Min(left, right); a.Turn < most {
		if a.TurnBind = bind; right < left {
			a.TurnBind = br
		}
	}
}

// prove walks a table that geometry gave, start included, at every heading,
// turning, and at two mixes, and scales down what the controller does not keep
// up; the mixes all by the same. With rigs that cost much to walk every fourth
// heading speaks for its neighbours, and mixes are not walked.
func (w *runner) prove(a *control.AllowedTwist, same bool, g grain) {
	const n = control.Headings
	w.keeps, w.begin = provedShare, provedBegin
	defer func() { w.keeps, w.begin = walkShare, 0 }()
	for i := 0; i < n; i += g.prove {
		if m := (n - i) % n; same && m < i {
			continue
		}
		s, b := 1.0, control.BindNone
		if v := a.Linear[i]; v > 0 {
			s, b = w.largest(heading(i, v, 0), 1, g.halvings-2)
		}
		for k := i - g.prove/2; s < 1 && k <= i+g.prove/2; k++ {
			k := (k + n) % n
			a.Linear[k], a.LinearBind[k] = s*a.Linear[k], named(b)
		}
	}
	for i := range n {
		if m := (n - i) % n; same && m < i {
			a.Linear[i], a.LinearBind[i] = a.Linear[m], a.LinearBind[m]
		}
	}
	if a.Turn > 0 {
		if s, b := w.largest([3]float64{0, 0, a.Turn}, 1, g.halvings-2); s < 1 {
			a.Turn, a.TurnBind = s*a.Turn, named(b)
		}
	}
	if g.prove == 1 {
		w.proveMix(a)
	}
}

// proveMix is prove for half travel, half turning, forward and to the side.
func (w *runner) proveMix(a *control.AllowedTwist) {
	const m = control.Mixes/2 + 2
	share, bind := 1.0, control.BindNone
	for _, h := range [2]int{0, control.Headings / 4} {
		if a.Linear[h] == 0 || a.Turn == 0 {
			continue
		}
		if s, b := w.largest(point(a, h, m, a.Mix[h][m]), 1, mixHalvings); s < share {
			share, bind = s, named(b)
		}
	}
	for i := range a.Mix {
		for m := range a.Mix[i] {
			if m == 0 || m == control.Mixes/2 || m == control.Mixes-1 {
				continue
			}
			// Not more than the shared budget: only two mixes were walked.
			if f := math.Min(share*a.Mix[i][m], 1); f < a.Mix[i][m] {
				a.Mix[i][m] = math.Max(f, leastMix)
				if share < 1 {
					a.MixBind[i][m] = bind
				}
			}
		}
	}
}

// provedShare is how much of an allowed twist a clocked gait must have had once
// every leg has stepped more than provedBegin times: it has no reason to wait.
const (
	provedShare = 0.96
	provedBegin = 2
)

// named is the limit that slowed a run in which none was hit: a clocked gait
// waits for nothing but feet that would leave their circle.
func named(b control.Binding) control.Binding {
	if b == control.BindNone {
		return control.BindReach
	}
	return b
}
