package gait

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// ScanRay returns the main ray of Scan below the look-ahead point ahead: its
// start, W, and how far down it reaches, metres. For those who draw it.
func (s *Sized) ScanRay(z *Zones, ahead r3.Vec) (from r3.Vec, reach float64) {
	return r3.Vec{X: ahead.X, Y: ahead.Y, Z: ahead.Z + scanUp*z.Height}, scanDown * z.Height
}

// ComfortZone returns the cylinder of InComfort: the height of its middle, W,
// and half its height, metres. Its axis goes through rest, its radius is
// Comfort. For those who draw it.
func (s *Sized) ComfortZone(rest r3.Vec, bodyZ float64) (mid, half float64) {
	return (rest.Z + bodyZ) / 2, s.Rules.ComfortVertical*s.Scale.U + math.Max(0, bodyZ-rest.Z)
}
