package ik

import "gonum.org/v1/gonum/spatial/r3"

// Target is where a foot is wanted.
type Target struct {
	Foot      r3.Vec  // B, metres
	Dir       r3.Vec  // B: wanted direction of the last link, unit; only with DirWeight
	DirWeight float64 // against one full joint range off the rest pose; 0 ignores Dir. Legs of four joints and more
}

// Params choose how legs are solved. The zero value is the default.
type Params struct {
	Closed    bool    // closed forms where a leg has one, instead of FABRIK
	Tolerance float64 // share of the leg's length at which a foot has arrived; 0 = 1e-10
	MaxSweeps int     // FABRIK sweeps before the finish; 0 = 12
}

// DefaultParams returns FABRIK for every leg, to 1e-10 of its length.
func DefaultParams() Params { return Params{Tolerance: 1e-10, MaxSweeps: 12} }

// filled returns p with defaults for what is zero, negative or NaN.
func (p Params) filled() Params {
	d := DefaultParams()
	if !(p.Tolerance > 0) || p.Tolerance > 1e-3 {
		p.Tolerance = d.Tolerance
	}
	if p.MaxSweeps <= 0 {
		p.MaxSweeps = d.MaxSweeps
	}
	return p
}
