package estimate

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// PostureParams are the settings of fall detection.
type PostureParams struct {
	Tilt    float64 // rad from the vertical that is a fall, > 0
	Back    float64 // rad below which it is over, < Tilt
	Hold    float64 // s each must last, >= 0
	Gravity float64 // m/s2
	Weight  float64 // share of gravity below which the body falls freely, (0, 1)
	Free    float64 // s of it that are a fall; longer than a gait's flight
}

// DefaultPosture returns 60 and 45 degrees for 0.05 s, and less than 0.3 of
// gravity for 0.15 s.
func DefaultPosture() PostureParams {
	return PostureParams{Tilt: math.Pi / 3, Back: math.Pi / 4, Hold: 0.05, Gravity: 9.81, Weight: 0.3, Free: 0.15}
}

// Posture is the memory of fall detection.
type Posture struct {
	Tipped  bool    // the tilt is beyond its limit
	Falling bool    // nothing carries the body
	Tilt    float64 // rad
	Held    float64 // s the tilt has been on the other side
	Free    float64 // s without weight
}

// Update takes the attitude of one tick and reports whether a fact changed. An
// attitude that is not OK leaves the facts as they are.
func (s *Posture) Update(p *PostureParams, a *Attitude, dt float64) (changed bool) {
	if !a.OK() {
		return false
	}
	was := *s
	up := a.Up()
	s.Tilt = math.Atan2(math.Sqrt(up.X*up.X+up.Y*up.Y), up.Z)
	other := s.Tilt > p.Tilt
	if s.Tipped {
		other = s.Tilt < p.Back
	}
	if s.Held += dt; !other {
		s.Held = 0
	} else if s.Held >= p.Hold-1e-9 {
		s.Tipped, s.Held = !s.Tipped, 0
	}
	if s.Free += dt; r3.Norm2(a.Force) > square(p.Weight*p.Gravity) {
		s.Free = 0
	}
	s.Falling = s.Free > 0 && s.Free >= p.Free-1e-9
	return s.Tipped != was.Tipped || s.Falling != was.Falling
}
