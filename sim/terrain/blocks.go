package terrain

import "gonum.org/v1/gonum/spatial/r3"

var blocksDefault = Spec{Run: 0.75, Depth: 4, Count: 12}

// buildBlocks makes a square pit, Depth deep, about the origin, filled by
// Count x Count blocks of side Run whose tops are level with the ground round
// it. Block 0 is at the lowest x and y; numbers run along x first.
func buildBlocks(t *Terrain, s *Spec) error {
	t.floor = -s.Depth
	half := s.Run * float64(s.Count) / 2
	for j := range s.Count {
		for i := range s.Count {
			b := endless(0, Wood)
			b.min = r3.Vec{X: s.Run*float64(i) - half, Y: s.Run*float64(j) - half, Z: -s.Depth}
			b.max.X, b.max.Y = s.Run*float64(i+1)-half, s.Run*float64(j+1)-half
			t.solids = append(t.solids, b)
		}
	}
	t.blocks = len(t.solids)
	t.rim(half, s.Material)
	return nil
}

// rim adds the endless ground round a square pit.
func (t *Terrain) rim(half float64, material uint8) {
	var r [4]solid
	for i := range r {
		r[i] = endless(0, material)
	}
	r[0].max.X = -half
	r[1].min.X = half
	r[2].min.X, r[2].max.X, r[2].max.Y = -half, half, -half
	r[3].min.X, r[3].max.X, r[3].min.Y = -half, half, half
	t.solids = append(t.solids, r[:]...)
}
