package terrain

import "math"

var stairsDefault = Spec{Start: 4, Rise: 0.3, Run: 1.2, Count: 6}

// buildStairs makes Count steps along x from Start, each Run deep and Rise
// higher (lower when negative) than the one before; the last goes on for ever.
func buildStairs(t *Terrain, s *Spec) error {
	x := s.Start
	t.column(math.Inf(-1), x, 0, s.Material)
	for i := 1; i <= s.Count; i++ {
		end := x + s.Run
		if i == s.Count {
			end = math.Inf(1)
		}
		t.column(x, end, float64(i)*s.Rise, Stone)
		x = end
	}
	return nil
}

// column adds the solid between two x, endless across and down.
func (t *Terrain) column(x0, x1, top float64, material uint8) {
	c := endless(top, material)
	c.min.X, c.max.X = x0, x1
	t.solids = append(t.solids, c)
}
