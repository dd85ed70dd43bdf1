package terrain

import (
	"fmt"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Terrain is a ground made from a Spec. Casts may run at the same time as one
// another, but not with Remove or RestoreState. A Terrain that New made has no
// hole a ray could slip through.
type Terrain struct {
	spec    Spec
	plain   bool    // nothing but the floor
	floor   float64 // height of the level floor, -Inf = none
	field   *field  // nil = none
	solids  []solid
	gone    []bool // of the solids
	blocks  int    // the first solids are blocks that can be removed
	index   index
	version uint64
}

// New makes the terrain that s describes, or says everything that is wrong
// with s.
func New(s Spec) (*Terrain, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	t := &Terrain{spec: s, floor: math.Inf(-1), version: 1}
	k, _ := find(s.Kind)
	if err := k.build(t, &s); err != nil {
		return nil, err
	}
	t.gone = make([]bool, len(t.solids))
	t.index = newIndex(t.solids)
	t.plain = t.field == nil && len(t.solids) == 0
	return t, nil
}

// Spec returns the description the terrain was made from. The image bytes are
// shared and not to be changed.
func (t *Terrain) Spec() Spec { return t.spec }

// Version implements geom.Ground: it changes with every removed block.
func (t *Terrain) Version() uint64 { return t.version }

// Cast implements geom.Ground. A direction with no length, or a ray that is not
// finite, meets nothing.
func (t *Terrain) Cast(from, dir r3.Vec, max float64) (hit geom.Hit, ok bool) {
	switch {
	case t.plain:
		ok = t.castFloor(&hit, from, dir, max)
	case dir.X == 0 && dir.Y == 0 && dir.Z == -1:
		ok = t.castDown(&hit, from, max)
	default:
		ok = t.castAny(&hit, from, dir, max)
	}
	return hit, ok
}

// castFloor meets the level floor alone.
func (t *Terrain) castFloor(hit *geom.Hit, from, dir r3.Vec, max float64) bool {
	h := from.Z - t.floor
	if h <= 0 {
		*hit = geom.Hit{Point: from, Normal: r3.Scale(-1, dir), Material: t.spec.Material}
		return true
	}
	d := -h / dir.Z
	x, y := from.X+d*dir.X, from.Y+d*dir.Y
	if !(dir.Z < 0 && d <= max) || x-x != 0 || y-y != 0 { // beyond, or not finite
		return false
	}
	hit.Point = r3.Vec{X: x, Y: y, Z: t.floor}
	hit.Normal = r3.Vec{Z: 1}
	hit.Material = t.spec.Material
	return true
}

// castDown meets the highest top below from.
func (t *Terrain) castDown(hit *geom.Hit, from r3.Vec, max float64) bool {
	top := t.floor
	hit.Normal, hit.Material = r3.Vec{Z: 1}, t.spec.Material
	if t.field != nil {
		if h, n := t.field.at(from.X, from.Y); h > top {
			top, hit.Normal = h, n
		}
	}
	for _, i := range t.index.at(from.X, from.Y) {
		s := &t.solids[i]
		if t.gone[i] || !s.over(from.X, from.Y) || s.min.Z > from.Z {
			continue
		}
		if h, n := s.top(from.X, from.Y); h > top {
			top, hit.Normal, hit.Material = h, n, s.material
		}
	}
	if from.X-from.X != 0 || from.Y-from.Y != 0 { // not finite
		return false
	}
	if top >= from.Z {
		hit.Point, hit.Normal = from, r3.Vec{Z: 1}
		return true
	}
	hit.Point = r3.Vec{X: from.X, Y: from.Y, Z: top}
	return from.Z-top <= max
}

// castAny meets the nearest of all parts.
func (t *Terrain) castAny(hit *geom.Hit, from, dir r3.Vec, max float64) bool {
	if !geom.FiniteVec(from) || !geom.FiniteVec(dir) || math.IsNaN(max) || r3.Norm2(dir) == 0 {
		return false
	}
	found := false
	if !math.IsInf(t.floor, -1) && t.castFloor(hit, from, dir, max) {
		found, max = true, r3.Dot(r3.Sub(hit.Point, from), dir)
	}
	if t.field != nil {
		if d, n, ok := t.field.cast(from, dir, max); ok {
			*hit = hitAt(from, dir, d, n, t.spec.Material)
			found, max = true, d
		}
	}
	cells := t.index.along(from, dir, max)
	for i, ok := cells.next(); ok; i, ok = cells.next() {
		if t.gone[i] {
			continue
		}
		s := &t.solids[i]
		if d, n, ok := s.cast(from, dir, max); ok && (d < max || !found) {
			*hit = hitAt(from, dir, d, n, s.material)
			found, max = true, d
		}
	}
	return found
}

func hitAt(from, dir r3.Vec, d float64, n r3.Vec, material uint8) geom.Hit {
	return geom.Hit{Point: r3.Add(from, r3.Scale(d, dir)), Normal: n, Material: material}
}

// Blocks returns the number of blocks, removed ones included; they are
// numbered from 0.
func (t *Terrain) Blocks() int { return t.blocks }

// BlockAt returns the number of the block over which x, y (W, metres) lies, if
// there is one that was not removed.
func (t *Terrain) BlockAt(x, y float64) (int, bool) {
	for i := range t.blocks {
		if !t.gone[i] && t.solids[i].over(x, y) {
			return i, true
		}
	}
	return 0, false
}

// Remove takes a block away and changes Version. An unknown or already removed
// block is an error and changes nothing.
func (t *Terrain) Remove(block int) error {
	if block < 0 || block >= t.blocks {
		return fmt.Errorf("terrain: block %d, the %s terrain has %d", block, t.spec.Kind, t.blocks)
	}
	if t.gone[block] {
		return fmt.Errorf("terrain: block %d is removed already", block)
	}
	t.gone[block] = true
	t.version++
	return nil
}
