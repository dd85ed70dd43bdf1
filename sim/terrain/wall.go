package terrain

var wallDefault = Spec{Start: 4, Height: 4, Run: 0.5}

// buildWall makes a wall on level ground: its face at x = Start, Run thick,
// Height high, Width long about y = 0 (0: endless).
func buildWall(t *Terrain, s *Spec) error {
	t.floor = 0
	w := endless(s.Height, Stone)
	w.min.X, w.max.X = s.Start, s.Start+s.Run
	if s.Width > 0 {
		w.min.Y, w.max.Y = -s.Width/2, s.Width/2
	}
	t.solids = append(t.solids, w)
	return nil
}
