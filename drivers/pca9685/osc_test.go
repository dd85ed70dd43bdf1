package pca9685

import (
	"math"
	"testing"

	"legctl/drivers/servo"
)

// TestMeasuredOscFindsTheClock: whatever a setup believes, what an instrument shows
// of a board leads to its true oscillator.
func TestMeasuredOscFindsTheClock(t *testing.T) {
	for _, believed := range []float64{0, 24e6, 26.5e6} {
		for _, truth := range []float64{23e6, 25e6, 27e6} {
			p := servo.Pulses{Hz: 50, OscHz: []float64{25e6, believed}}
			scale, err := Prescale(50, oscillator(p, 1))
			if err != nil {
				t.Fatal(err)
			}
			ticks, err := Ticks(1500, scale, oscillator(p, 1))
			if err != nil {
				t.Fatal(err)
			}
			for _, shown := range []struct {
				v  float64
				hz bool
			}{{float64(ticks) * 1e6 * (float64(scale) + 1) / truth, false}, {ActualHz(scale, truth), true}} {
				got, err := MeasuredOsc(p, 1, 1500, shown.v, shown.hz)
				if err != nil || math.Abs(got-truth) > 1 {
					t.Errorf("believed %g, true %g, shown %+v: %g, %v", believed, truth, shown, got, err)
				}
			}
		}
	}
	for _, v := range []float64{0, -1, 15, 3000, math.NaN(), math.Inf(1)} {
		if got, err := MeasuredOsc(servo.Pulses{}, 0, 1500, v, false); err == nil {
			t.Errorf("%g us is an oscillator of %g", v, got)
		}
	}
}
