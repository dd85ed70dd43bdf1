package preflight

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"
)

// Loss is what becomes of a walk when legs stop doing what they are told.
type Loss struct {
	Legs     uint64  // bit set of the legs lost, all in the same tick
	Walks    bool    // the rest goes on, with the margin at its floor or above after one cycle
	LiesDown bool    // none is left that can walk, and the rig lies down
	Speed    float64 // before, m/s
	Left     float64 // share of it that is left, the worst of the moments tried
	Margin   float64 // least margin from one cycle after the loss on, metres
	First    float64 // least margin within that cycle, metres
}

// Steady reports whether the loss ends well: walking on or lying down.
func (l *Loss) Steady() bool { return l.Walks || l.LiesDown }

const (
	// moments of one period of the walk at which legs are lost.
	lossMoments = 4
	// settleTime is the cycle that a rig has to find another gait, at least, and
	// keepTime how long it is watched after it, both in k.
	settleTime = 60
	keepTime   = 240
)

// Lose rehearses the loss of sets of legs (bit sets) while gait i of c walks
// forward as fast as it is allowed: each set is lost at four moments of a
// cycle, and the worst is kept. The margin may dip in the cycle after a loss;
// beyond it must stay at the floor or above. It is an error when the gait is not
// offered or a set is empty or has legs the rig has not.
func Lose(c *control.Controller, i int, sets []uint64) ([]Loss, error) {
	if ok, why := c.Offers(i); !ok {
		return nil, fmt.Errorf("preflight: no gait to lose legs in: %s", why)
	}
	a := c.Allowed(i)
	h := 0
	for h < control.Headings-1 && a.Linear[h] == 0 {
		h++
	}
	w, err := newRunner(c, i)
	if err != nil {
		return nil, err
	}
	period := w.run(heading(h, a.Linear[h], 0), false).Period
	if !(period > 0) {
		return nil, errors.New("preflight: the gait takes no steps to lose legs in")
	}
	w.c = c // with its other gaits: some are for when legs are lost
	var out []Loss
	for _, set := range sets {
		if set == 0 || bits.Len64(set) > len(c.Rig().Legs) {
			return nil, fmt.Errorf("preflight: legs %b lost of %d, want 1 or more that the rig has", set, len(c.Rig().Legs))
		}
		l := Loss{Legs: set, Speed: a.Linear[h], Walks: true, LiesDown: true, Left: math.Inf(1), Margin: math.Inf(1), First: math.Inf(1)}
		for k := range lossMoments {
			w.lose(&l, i, heading(h, a.Linear[h], 0), period*(4+float64(k)/lossMoments))
		}
		out = append(out, l)
	}
	return out, nil
}

// lose walks, loses legs after some seconds, and notes what follows.
func (w *runner) lose(l *Loss, gait int, twist [3]float64, at float64) {
	s, out, dt, k := w.s, w.out, w.c.Params().Dt, w.c.Sizing(gait).K
	w.c.Start(s, nil, w.plane, true)
	s.Gait = uint16(gait)
	cmd := &control.Command{Kind: control.KindTwist, Vx: twist[0], Vy: twist[1], Wz: twist[2], TTL: 3600}
	lost := int(at / dt)
	settled := lost + int(settleTime*k/dt)
	end := settled + int(keepTime*k/dt)
	var from [2]float64
	walks := true
	for tick := range end {
		var obs *rig.Observation
		if tick == lost {
			obs = &rig.Observation{Faults: l.Legs}
		}
		w.c.Step(out, s, cmd, obs, w.plane)
		cmd = nil
		switch {
		case tick < lost:
		case s.Mode != mode.Walk && s.Mode != mode.Stand:
			// It lies down, or has: no margin is asked of that.
			walks = false
		case tick < settled:
			l.First = math.Min(l.First, out.Margin)
		default:
			if tick == settled {
				from = [2]float64{s.BaseW.X, s.BaseW.Y}
			}
			l.Margin = math.Min(l.Margin, out.Margin)
		}
	}
	l.LiesDown = l.LiesDown && !walks
	if !walks {
		l.Walks, l.Left = false, 0
		return
	}
	way := math.Sqrt((s.BaseW.X-from[0])*(s.BaseW.X-from[0]) + (s.BaseW.Y-from[1])*(s.BaseW.Y-from[1]))
	left := way / (float64(end-settled) * dt) / l.Speed
	l.Left = math.Min(l.Left, left)
	floor := lossFloor * w.c.Sizing(gait).L
	l.Walks = l.Walks && left > leastLeft && l.Margin >= floor
}

const (
	leastLeft = 0.01 // of the speed: less is standing still
	// lossFloor is a tenth below the static floor of 0.02 L: the guard of a
	// leaning body has that leeway.
	lossFloor = 0.9 * staticFloor
)

// Singles returns every set of one leg.
func Singles(legs int) []uint64 {
	out := make([]uint64, legs)
	for i := range out {
		out[i] = 1 << i
	}
	return out
}

// Pairs returns every set of two legs.
func Pairs(legs int) []uint64 {
	var out []uint64
	for i := range legs {
		for k := range i {
			out = append(out, 1<<k|1<<i)
		}
	}
	return out
}
