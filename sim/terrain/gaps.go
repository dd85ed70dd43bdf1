package terrain

import "math"

var gapsDefault = Spec{Start: 4, Width: 0.4, Run: 2, Depth: 3, Count: 5}

// buildGaps makes Count gaps of Width across x from Start, with Run of ground
// between them and a bottom Depth below.
func buildGaps(t *Terrain, s *Spec) error {
	t.floor = -s.Depth
	x := math.Inf(-1)
	end := s.Start
	for range s.Count {
		t.column(x, end, 0, s.Material)
		x = end + s.Width
		end = x + s.Run
	}
	t.column(x, math.Inf(1), 0, s.Material)
	return nil
}
