package terrain

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

var worldDefault = Spec{
	Start: 3, Amplitude: 0.12, Cell: 0.9, Seed: 3,
	Rise: 0.25, Run: 1.3, Count: 4, Height: 0.3, Angle: 12 * math.Pi / 180, Width: 14,
}

// buildWorld makes rough ground and, ahead of the start, one course of Width
// about y = 0: Count steps up from x = 3 Start, a level of four Run, a ledge of
// Height down to a second level, and a slope of Angle down to the ground.
func buildWorld(t *Terrain, s *Spec) error {
	if err := buildRough(t, s); err != nil {
		return err
	}
	x, top := 3*s.Start, 0.0
	for range s.Count {
		top += s.Rise
		t.plank(x, x+s.Run, top, s.Width)
		x += s.Run
	}
	t.plank(x, x+3*s.Run, top, s.Width)
	x += 3 * s.Run
	if low := top - s.Height; low > 0 {
		t.plank(x, x+4*s.Run, low, s.Width)
		x, top = x+4*s.Run, low
	}
	t.ramp(x, top, s.Angle, s.Width, 2*s.Amplitude)
	return nil
}

// plank adds a box across x, endless downwards.
func (t *Terrain) plank(x0, x1, top, width float64) {
	b := endless(top, Stone)
	b.min.X, b.max.X = x0, x1
	b.min.Y, b.max.Y = -width/2, width/2
	t.solids = append(t.solids, b)
}

// ramp adds a wedge that falls from top at x to the depth below the ground.
func (t *Terrain) ramp(x, top, angle, width, below float64) {
	sa, ca := math.Sincos(math.Abs(angle))
	t.plank(x, x+(top+below)*ca/max(sa, 1e-3), top, width)
	w := &t.solids[len(t.solids)-1]
	w.plane = r3.Vec{X: sa, Z: ca}
	w.offset = sa*x + ca*top
}
