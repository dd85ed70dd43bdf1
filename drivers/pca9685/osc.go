package pca9685

import (
	"fmt"

	"legctl/drivers/servo"
)

// oscillator is what a setup believes of a board's.
func oscillator(p servo.Pulses, board int) float64 {
	if board < len(p.OscHz) && p.OscHz[board] != 0 {
		return p.OscHz[board]
	}
	return NominalHz
}

// Oscillators a chip can have, Hz: those reported differ from 25 MHz by up to 8 %.
const (
	LeastOscHz = 20e6
	MostOscHz  = 30e6
)

// MeasuredOsc returns the oscillator of a board in Hz from what an instrument shows
// while the board, set up by p, is told to make pulses of us microseconds: their
// length in microseconds, or with hz their frequency.
func MeasuredOsc(p servo.Pulses, board int, us, measured float64, hz bool) (float64, error) {
	believed := oscillator(p, board)
	scale, err := Prescale(rate(p), believed)
	if err != nil {
		return 0, err
	}
	ticks, err := Ticks(us, scale, believed)
	if err != nil {
		return 0, err
	}
	osc := float64(ticks) * 1e6 * (float64(scale) + 1) / measured
	if hz {
		osc = measured * Period * (float64(scale) + 1)
	}
	if !(osc >= LeastOscHz && osc <= MostOscHz) {
		return 0, fmt.Errorf("pca9685: a pulse of %g us told, %g measured: an oscillator of %.2f MHz, want 20 to 30: measure the high part of the pulse again", us, measured, osc/1e6)
	}
	return osc, nil
}
