package gait

import "math"

// LegPhase is where one leg is in its own cycle: 0 is touchdown, Duty is
// lift-off. A leg stands while Phase < Duty. The zero value has never stood;
// Enter makes one.
type LegPhase struct {
	Phase float64 // [0, 1)
	Duty  float64 // (0, 1]: of the cycle the leg is in
}

// Stance reports whether the leg stands by its phase.
func (p *LegPhase) Stance() bool { return p.Phase < p.Duty }

// Share returns the share of its stance or swing that is done, [0, 1].
func (p *LegPhase) Share() float64 {
	if p.Phase < p.Duty {
		return p.Phase / p.Duty
	}
	return (p.Phase - p.Duty) / (1 - p.Duty)
}

// LegEvent is what a leg's phase came to in a tick.
type LegEvent uint8

// The events. The zero value is LegGoes.
const (
	LegGoes   LegEvent = iota // nothing but time passed
	LegLifts                  // swing began
	LegLands                  // stance began
	LegWaits                  // it should have lifted and was not let
	LegEvents                 // how many there are
)

// Flow is how leg phases follow a table: each leg runs at its own rate, near
// the clock's, until it is where the table wants it. The same rule makes a
// steady gait, a start, a change of gait and of direction, and the catching up
// after a wait: whatever the phases are, they flow to the table's along the
// shorter way, never backward and never in a jump.
//
// The zero value does not move; DefaultFlow is the product.
type Flow struct {
	Cycles float64 // in which any phases reach any table's
	Slow   float64 // lowest rate, of the clock's, (0, 1)
	Fast   float64 // highest rate of a leg that stands, > 1
	Rush   float64 // highest rate of a leg that swings, >= 1: 1.25 leaves 0.8 of the time
	Gain   float64 // rate over error, a cycle
	Shift  float64 // fastest change of a duty factor, a cycle
}

// DefaultFlow returns the flow of the product: four cycles from anything to
// anything, no swing shorter than 0.8 of its own, no stance longer than 4/3.
func DefaultFlow() Flow {
	return Flow{Cycles: 4, Slow: 0.75, Fast: 1.5, Rush: 1.25, Gain: 6, Shift: 0.6}
}

// Enter sets a leg to where a table has it at a clock phase.
func (f *Flow) Enter(p *LegPhase, g *Gait, leg int, clock float64) {
	*p = LegPhase{Phase: Frac(clock - g.Offset[leg]), Duty: g.Duty[leg]}
}

// Late returns how far a leg is behind the table at a clock phase, cycles, the
// short way round: [-1/2, 1/2).
func (p *LegPhase) Late(g *Gait, leg int, clock float64) float64 {
	e := Frac(clock - g.Offset[leg] - p.Phase)
	if e >= 0.5 {
		e--
	}
	return e
}

// Tick moves one leg on by step cycles of the clock (dt over the period; at
// most a tenth) towards where the table has it at clock, the clock's phase after the
// tick. may says whether the leg may lift now: with false it ends its stance
// and waits there. Duty factors change while the leg stands; one that swings
// keeps its own to touchdown, so that its swing is never cut short.
//
// Phases never go back. A stance lasts at most 1/Slow of its own, waits apart,
// and a swing at least 1/Rush of it.
func (f *Flow) Tick(p *LegPhase, g *Gait, leg int, clock, step float64, may bool) LegEvent {
	rate := f.rate(p, p.Late(g, leg, clock-step), step)
	if p.Stance() {
		return f.stand(p, g.Duty[leg], rate*step, step, may)
	}
	p.Phase += rate * step
	if p.Phase < 1 {
		return LegGoes
	}
	p.Phase--
	// What is left of the tick belongs to the new stance.
	p.Phase = min(p.Phase, p.Duty/2)
	return LegLands
}

// stand is Tick for a leg that stands.
func (f *Flow) stand(p *LegPhase, duty, by, step float64, may bool) LegEvent {
	most := f.Shift * step
	next := p.Phase + by
	d := p.Duty + max(-most, min(most, duty-p.Duty))
	if next < d {
		p.Phase, p.Duty = next, d
		return LegGoes
	}
	if d >= 1 {
		// It never lifts: the stance goes round.
		p.Phase, p.Duty = Frac(next), d
		return LegGoes
	}
	if !may {
		return LegWaits
	}
	// A stance that its shrinking duty cuts short lifts now: the phase goes on
	// from the new lift-off, never back.
	p.Phase, p.Duty = max(next, d), d
	if p.Phase >= 1 {
		p.Phase = d
	}
	return LegLifts
}

// rate is how fast a leg runs for its lag.
func (f *Flow) rate(p *LegPhase, late, step float64) float64 {
	top := f.Fast
	if !p.Stance() {
		top = f.Rush
	}
	// Not past the goal in one tick.
	gain := min(f.Gain, 1/step)
	return max(f.Slow, min(top, 1+gain*late))
}

// Align returns the clock phase at which the legs are nearest to a table: the
// one of the legs' own that leaves the least sum of squares of lags, with a leg
// that is early, and must be held back, counting four times. Legs of off are
// not asked. A table of no leg gives 0.
func Align(g *Gait, legs []LegPhase, off uint64) float64 {
	best, at := math.Inf(1), 0.0
	for i := range legs {
		if off>>i&1 != 0 || g.Duty[i] >= 1 {
			continue
		}
		clock := Frac(legs[i].Phase + g.Offset[i])
		sum := 0.0
		for k := range legs {
			if off>>k&1 != 0 || g.Duty[k] >= 1 {
				continue
			}
			e := legs[k].Late(g, k, clock)
			w := e * e
			if e < 0 {
				w *= 4
			}
			sum += w
		}
		if sum < best {
			best, at = sum, clock
		}
	}
	return at
}

// Cycle returns the period of legs in the phases they have, seconds: every leg
// has at least swing seconds in the air by the duty factor it has now. g's own
// period, in k seconds, is the least. Between gaits it changes as duties do.
func Cycle(g *Gait, legs []LegPhase, swing, k float64) float64 {
	most := 0.0
	for i := range legs {
		if d := legs[i].Duty; d < 1 {
			most = max(most, d)
		}
	}
	return max(g.Period*k, swing/(1-most))
}
