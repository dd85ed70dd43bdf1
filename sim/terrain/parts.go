package terrain

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// Box is one solid of a terrain as a drawing needs it: a box in W, metres, with
// endless sides at infinity, cut to the points p with Plane . p <= Offset; a
// zero plane cuts nothing.
type Box struct {
	Min, Max r3.Vec
	Plane    r3.Vec
	Offset   float64
	Material uint8
	Block    int  // its number when it can be removed, else -1
	Gone     bool // removed
}

// Boxes returns all solids, removed blocks included.
func (t *Terrain) Boxes() []Box {
	list := make([]Box, len(t.solids))
	for i := range t.solids {
		s := &t.solids[i]
		list[i] = Box{Min: s.min, Max: s.max, Plane: s.plane, Offset: s.offset, Material: s.material, Block: -1, Gone: t.gone[i]}
		if i < t.blocks {
			list[i].Block = i
		}
	}
	return list
}

// Floor returns the height of the endless level floor, W, metres, if there is one.
func (t *Terrain) Floor() (z float64, ok bool) { return t.floor, !math.IsInf(t.floor, -1) }

// Cell returns the side of the cells of the height field, metres, 0 without a
// field. Cell i, j has its lower corner at i Cell, j Cell.
func (t *Terrain) Cell() float64 {
	if t.field == nil {
		return 0
	}
	return t.field.cell
}

// Corner returns the height of the field at i Cell, j Cell, W, metres; without
// a field 0. It does not change over the life of a terrain.
func (t *Terrain) Corner(i, j int) float64 {
	if t.field == nil {
		return 0
	}
	return t.field.corner(i, j)
}
