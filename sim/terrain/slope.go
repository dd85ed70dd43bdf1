package terrain

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

var slopeDefault = Spec{Start: 3, Angle: 10 * math.Pi / 180}

// buildSlope makes a level start and, from Start along the heading Axis, a
// plane that climbs by Angle (falls when negative) for ever.
func buildSlope(t *Terrain, s *Spec) error {
	sa, ca := math.Sincos(s.Angle)
	sh, ch := math.Sincos(s.Axis)
	n := r3.Vec{X: -sa * ch, Y: -sa * sh, Z: ca}
	w := endless(0, s.Material)
	w.plane, w.offset = n, -sa*s.Start
	if s.Angle > 0 {
		t.floor = 0
		w.max.Z = math.Inf(1)
	}
	t.solids = append(t.solids, w)
	return nil
}

// endless is the half-space below top.
func endless(top float64, material uint8) solid {
	inf := math.Inf(1)
	return solid{
		min:      r3.Vec{X: -inf, Y: -inf, Z: -inf},
		max:      r3.Vec{X: inf, Y: inf, Z: top},
		material: material,
	}
}
