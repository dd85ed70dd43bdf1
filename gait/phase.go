package gait

import (
	"errors"
	"fmt"
	"math"

	"legctl/rig"
)

// Gait is a phase table: for every leg, by index, the share of the cycle it
// stands and the cycle phase at which it touches down. The zero value is not a
// gait; Validate says why.
type Gait struct {
	Name   string
	Duty   []float64 // stance time over cycle time, (0, 1]; 1 never swings
	Offset []float64 // cycle phase of touchdown, [0, 1)
	Period float64   // cycle in k of the rig, >= 0; 0 = as its swing needs
	Shape  Shape     // how feet swing
}

// Validate returns all that is wrong with g as one error, nil if nothing is.
func (g *Gait) Validate() error {
	var errs []error
	n := len(g.Duty)
	if len(g.Offset) != n {
		errs = append(errs, fmt.Errorf("gait: %q: %d offsets for %d duty factors: give one of each a leg", g.Name, len(g.Offset), n))
	}
	if n < rig.MinLegs || n > rig.MaxLegs {
		errs = append(errs, fmt.Errorf("gait: %q: %d legs, want %d to %d", g.Name, n, rig.MinLegs, rig.MaxLegs))
	}
	for i, d := range g.Duty {
		if !(d > 0 && d <= 1) {
			errs = append(errs, fmt.Errorf("gait: %q: duty factor of leg %d is %v, want more than 0 and at most 1", g.Name, i, d))
		}
	}
	for i, o := range g.Offset {
		if !(o >= 0 && o < 1) {
			errs = append(errs, fmt.Errorf("gait: %q: offset of leg %d is %v, want 0 or more and less than 1", g.Name, i, o))
		}
	}
	if !(g.Period >= 0 && g.Period <= maxPeriod) {
		errs = append(errs, fmt.Errorf("gait: %q: period is %v k, want 0 to %v", g.Name, g.Period, maxPeriod))
	}
	if err := g.Shape.Validate(); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// maxPeriod is the longest cycle of a gait, k.
const maxPeriod = 1000

func unknown(name string) error { return fmt.Errorf("gait: %q: no such gait", name) }

// At says whether a leg stands at a cycle phase, and which fraction, [0, 1), of
// its stance or swing is done. phase may be any finite number; only its
// fractional part counts. g must be valid and leg one of its legs.
func (g *Gait) At(phase float64, leg int) (stance bool, fraction float64) {
	p := Frac(phase - g.Offset[leg])
	d := g.Duty[leg]
	if p < d {
		return true, p / d
	}
	return false, (p - d) / (1 - d)
}

// Stance returns the bit set of legs that stand at a cycle phase.
func (g *Gait) Stance(phase float64) uint64 {
	var set uint64
	for leg := range g.Duty {
		if down, _ := g.At(phase, leg); down {
			set |= 1 << leg
		}
	}
	return set
}

// LiftOff returns the cycle phase at which a leg lifts off, [0, 1).
func (g *Gait) LiftOff(leg int) float64 { return Frac(g.Offset[leg] + g.Duty[leg]) }

// Frac returns x minus the largest integer not above it, in [0, 1); NaN for a
// NaN or an infinity.
func Frac(x float64) float64 {
	f := x - math.Floor(x)
	if f >= 1 {
		// A negative x smaller than half an ulp of 1 rounds up to it.
		return 0
	}
	return f
}
