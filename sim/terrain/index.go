package terrain

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// index is a uniform grid over x and y that lists the solids of each cell.
// Points beyond it count to the nearest border cell, and so do solids that
// reach beyond, endless ones included.
type index struct {
	x, y   float64 // lower corner
	perX   float64 // cells a metre
	perY   float64
	nx, ny int
	first  []int32 // of each cell, and one behind the last
	list   []int32
	solids int
}

const indexSide = 48 // most cells a side

func newIndex(solids []solid) index {
	ix := index{nx: 1, ny: 1, solids: len(solids)}
	ix.x, ix.perX, ix.nx = axisCells(solids, func(s *solid) (float64, float64) { return s.min.X, s.max.X })
	ix.y, ix.perY, ix.ny = axisCells(solids, func(s *solid) (float64, float64) { return s.min.Y, s.max.Y })
	cells := make([][]int32, ix.nx*ix.ny)
	for i := range solids {
		s := &solids[i]
		x0, y0 := ix.cell(s.min.X, s.min.Y)
		x1, y1 := ix.cell(s.max.X, s.max.Y)
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				cells[y*ix.nx+x] = append(cells[y*ix.nx+x], int32(i))
			}
		}
	}
	ix.first = make([]int32, 1, len(cells)+1)
	for _, c := range cells {
		ix.list = append(ix.list, c...)
		ix.first = append(ix.first, int32(len(ix.list)))
	}
	return ix
}

// axisCells chooses the grid along one axis from the finite edges.
func axisCells(solids []solid, edges func(*solid) (float64, float64)) (lo, per float64, n int) {
	lo, hi, finite := math.Inf(1), math.Inf(-1), 0
	for i := range solids {
		a, b := edges(&solids[i])
		for _, e := range [2]float64{a, b} {
			if !math.IsInf(e, 0) {
				lo, hi = min(lo, e), max(hi, e)
				finite++
			}
		}
	}
	if finite < 2 || !(hi > lo) {
		return 0, 0, 1
	}
	n = min(indexSide, finite)
	return lo, float64(n) / (hi - lo), n
}

func (ix *index) cell(x, y float64) (int, int) {
	return clampCell((x-ix.x)*ix.perX, ix.nx), clampCell((y-ix.y)*ix.perY, ix.ny)
}

// clampCell is the cell of a position in cells; NaN (0 times infinity on an
// axis that has one cell) is cell 0.
func clampCell(u float64, n int) int {
	if !(u > 0) {
		return 0
	}
	if u >= float64(n) {
		return n - 1
	}
	return int(u)
}

// at returns the solids that may be over x, y.
func (ix *index) at(x, y float64) []int32 {
	if ix.solids == 0 {
		return nil
	}
	cx, cy := ix.cell(x, y)
	c := cy*ix.nx + cx
	return ix.list[ix.first[c]:ix.first[c+1]]
}

// walk goes over the solids near a ray: those of the cells of its bounding
// rectangle, or all of them where that is less work. One may come twice.
type walk struct {
	ix           *index
	x0, x1, x, y int
	y1           int
	list         []int32
	all, to      int
}

func (ix *index) along(from, dir r3.Vec, limit float64) walk {
	if ix.solids == 0 {
		return walk{}
	}
	x0, y0 := ix.cell(from.X, from.Y)
	x1, y1 := ix.cell(reach(from.X, dir.X, limit), reach(from.Y, dir.Y, limit))
	w := walk{ix: ix, x0: min(x0, x1), x1: max(x0, x1), y: min(y0, y1), y1: max(y0, y1)}
	if (w.x1-w.x0+1)*(w.y1-w.y+1) > 4+ix.solids/4 {
		return walk{to: ix.solids}
	}
	w.x = w.x0
	w.list = ix.cellList(w.x, w.y)
	return w
}

// reach is from + dir limit without 0 times infinity.
func reach(from, dir, limit float64) float64 {
	if dir == 0 {
		return from
	}
	return from + dir*limit
}

func (ix *index) cellList(x, y int) []int32 {
	c := y*ix.nx + x
	return ix.list[ix.first[c]:ix.first[c+1]]
}

func (w *walk) next() (int, bool) {
	if w.ix == nil {
		w.all++
		return w.all - 1, w.all <= w.to
	}
	for len(w.list) == 0 {
		if w.x++; w.x > w.x1 {
			w.x = w.x0
			if w.y++; w.y > w.y1 {
				return 0, false
			}
		}
		w.list = w.ix.cellList(w.x, w.y)
	}
	i := w.list[0]
	w.list = w.list[1:]
	return int(i), true
}
