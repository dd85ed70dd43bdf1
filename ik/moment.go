package ik

import (
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// moment is the mass moment a leg had when it was last solved.
type moment struct {
	mass float64
	sum  r3.Vec
}

func (o *moment) of(m *model, angles []float64) {
	o.mass, o.sum = rig.LegMoment(m.leg, angles)
}

// Moment returns the mass of a leg, kg, and the sum of mass times position of
// its links in B, kg m, at the angles its last solve ended with. It equals
// rig.LegMoment of those angles to rounding and costs no trigonometry.
// A leg never solved, solved Invalid, or out of range gives the last valid
// values, at first zero.
func (s *Solver) Moment(leg int) (mass float64, sum r3.Vec) {
	if uint(leg) >= uint(len(s.moment)) {
		return 0, r3.Vec{}
	}
	o := &s.moment[leg]
	return o.mass, o.sum
}
