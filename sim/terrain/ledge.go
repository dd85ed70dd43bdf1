package terrain

import "math"

var ledgeDefault = Spec{Start: 4, Height: 3}

// buildLedge makes level ground that drops by Height at x = Start (rises when
// negative).
func buildLedge(t *Terrain, s *Spec) error {
	t.column(math.Inf(-1), s.Start, 0, s.Material)
	t.column(s.Start, math.Inf(1), -s.Height, Stone)
	return nil
}
