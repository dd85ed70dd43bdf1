package gait

import (
	"fmt"
	"math"
	"slices"
)

// Jump is what a rig can do to leave the ground, with every foot that pushes at
// its neutral place. A bound of 0 is not known and does not bind.
type Jump struct {
	Rate float64 // fastest vertical speed of the body over standing feet, m/s
	Push float64 // largest force of the feet over mass, m/s2
	Sink float64 // how far the body may go down over standing feet, metres
}

// Bound is the figure of a flight that a rig does not give.
type Bound uint8

// The bounds. The zero value is BoundNone.
const (
	BoundNone Bound = iota
	BoundRate       // body speed over its feet, m/s
	BoundPush       // push of the feet, m/s2
	BoundSink       // depth of the push, metres
	BoundPull       // feet would have to pull, m/s2
	Bounds
)

// String returns the words for b, with the unit of its figures.
func (b Bound) String() string {
	switch b {
	case BoundRate:
		return "body speed over its feet, m/s"
	case BoundPush:
		return "push of the feet, m/s2"
	case BoundSink:
		return "depth of the push, m"
	case BoundPull:
		return "pull of the feet, m/s2"
	}
	return "nothing"
}

// Fitted is a gait with flight as a rig can jump it.
type Fitted struct {
	Gait   Gait    // the table, its duties raised; the arrays are its own
	Flight Flight  // zero where no flight is left
	Period float64 // seconds
	Swing  float64 // share of the nominal swing time, and so of its step and lift, (0, 1]
	Raised float64 // share of each swing that became stance, [0, 1)

	// What bound the gait as written; BoundNone when nothing did.
	By           Bound
	Asked, Gives float64 // the figure the gait as written asks for, and the rig's
}

const (
	leastSwing  = 0.3  // a step below this share of the nominal is none
	raiseMost   = 0.95 // of a swing that may become stance
	fitHalvings = 24
)

// Fit shortens the flight of a valid gait until the rig can jump it: each duty
// factor is raised by the same share of its swing, about mid-stance; where that
// does not help, as in the pronk, whose flight is its swing, the swing itself
// is made shorter, with a shorter step and lift. swing is the nominal swing
// time, seconds, k the rig's time unit, seconds, gravity in m/s2.
//
// A gait without flight comes back as it is. The error names the figure that
// even the shortest step asks too much of.
func Fit(g *Gait, swing, k, gravity float64, j Jump) (Fitted, error) {
	out, by := try(g, swing, k, gravity, j, 0, 1)
	if by == BoundNone {
		return out, nil
	}
	out.By, out.Asked, out.Gives = by, asked(&out.Flight, by), j.gives(by)
	for share := 1.0; share >= leastSwing; share -= 0.1 {
		if f, ok := raise(g, swing, k, gravity, j, share); ok {
			f.By, f.Asked, f.Gives = out.By, out.Asked, out.Gives
			return f, nil
		}
	}
	return out, fmt.Errorf("gait: %s: a flight of %.3f s asks for %.3g of %v, the rig gives %.3g", g.Name, out.Flight.Longest(), out.Asked, by, out.Gives)
}

// raise finds the least raise of the duties that fits at a share of the swing.
func raise(g *Gait, swing, k, gravity float64, j Jump, share float64) (Fitted, bool) {
	best, by := try(g, swing, k, gravity, j, 0, share)
	if by == BoundNone {
		return best, true
	}
	lo, hi := 0.0, raiseMost
	// The first raise that fits, coarsely, then halved in on: what fits is not
	// one stretch where a period grows with the duty.
	found := false
	const steps = 38
	for i := 1; i <= steps && !found; i++ {
		x := raiseMost * float64(i) / steps
		if f, by := try(g, swing, k, gravity, j, x, share); by == BoundNone {
			best, hi, found = f, x, true
		} else {
			lo = x
		}
	}
	if !found {
		return Fitted{}, false
	}
	for range fitHalvings {
		mid := (lo + hi) / 2
		if f, by := try(g, swing, k, gravity, j, mid, share); by == BoundNone {
			best, hi = f, mid
		} else {
			lo = mid
		}
	}
	return best, true
}

// try plans the gait with raised duties and a share of the swing, and says what
// of it the rig does not give.
func try(g *Gait, swing, k, gravity float64, j Jump, raised, share float64) (Fitted, Bound) {
	f := Fitted{Gait: g.Raised(raised), Swing: share, Raised: raised}
	f.Gait.Period *= share
	f.Period = f.Gait.Time(share*swing, k)
	var ok bool
	if f.Flight, ok = NewFlight(&f.Gait, f.Period, gravity); !ok {
		return f, BoundNone
	}
	for _, b := range [...]Bound{BoundRate, BoundPush, BoundSink} {
		if most := j.gives(b); most > 0 && asked(&f.Flight, b) > most {
			return f, b
		}
	}
	if f.Flight.Pull < -1e-9*gravity {
		return f, BoundPull
	}
	return f, BoundNone
}

func (j *Jump) gives(b Bound) float64 {
	switch b {
	case BoundRate:
		return j.Rate
	case BoundPush:
		return j.Push
	case BoundSink:
		return j.Sink
	}
	return 0
}

func asked(f *Flight, b Bound) float64 {
	switch b {
	case BoundRate:
		return f.Rate
	case BoundPush:
		return f.Push
	case BoundSink:
		return f.Sink
	case BoundPull:
		return -f.Pull
	}
	return 0
}

// Raised returns the gait with a share of every swing turned into stance, about
// the middle of the stance. The arrays are its own.
func (g *Gait) Raised(share float64) Gait {
	out := *g
	out.Duty, out.Offset = slices.Clone(g.Duty), slices.Clone(g.Offset)
	for i, d := range g.Duty {
		out.Duty[i] = d + share*(1-d)
		out.Offset[i] = Frac(g.Offset[i] - (out.Duty[i]-d)/2)
	}
	return out
}

// Aloft returns the time the gait flies in one cycle, seconds.
func (f *Flight) Aloft() float64 {
	t := 0.0
	for _, a := range f.spans[:f.n] {
		if a.fly {
			t += a.length * f.Period
		}
	}
	return math.Max(t, 0)
}
