package space

import (
	"fmt"
	"math"
)

// Path is the cheapest way through a table of costs.
type Path struct {
	Cells [][2]int // row and column, from (0, 0) to the last of both
	Total float64  // of the costs of all cells
}

// The ways to step into a cell, in the order that breaks ties.
const (
	diagonal = iota
	down
	right
	waysIn
)

// warp is a search for a path: cost of the best way into each state. A state is
// a cell, the way into it and the length of the run of that way.
type warp struct {
	n, m, runs int
	best       []float64
	from       []int32
}

// at returns the state of a cell, a way into it and a run of 1 to runs; after
// a diagonal the run is 1.
func (w *warp) at(i, j, way, run int) int {
	return ((i*w.m+j)*waysIn+way)*w.runs + run - 1
}

// Register finds the path of least total cost through cost[i][j], the distance
// of frame i of one clip and frame j of another: from both beginnings to both
// ends, by steps of one in the one, the other or both, with at most limit steps
// in a row that leave one clip standing. Ties go to the diagonal, then to a
// step in i. ok is false when no path keeps to the limit: one clip is more
// than about limit+1 times the other. A table that is empty, not a rectangle,
// has a number that is not finite or a limit below 0 is an error; with limit 0
// both clips always step. It allocates;
// it is for building spaces.
func Register(cost [][]float64, limit int) (p Path, ok bool, err error) {
	if len(cost) == 0 || len(cost[0]) == 0 || limit < 0 {
		return p, false, fmt.Errorf("space: registration of %d frames with limit %d, want at least 1 frame and a limit >= 0", len(cost), limit)
	}
	n, m := len(cost), len(cost[0])
	runs := max(1, min(limit, n+m))
	if n > math.MaxInt32/m || n*m > math.MaxInt32/(waysIn*runs) {
		return p, false, fmt.Errorf("space: registration of %d by %d frames with limit %d, want at most %d states", n, m, limit, math.MaxInt32)
	}
	for i, row := range cost {
		if len(row) != m {
			return p, false, fmt.Errorf("space: row %d of the costs has %d columns, want %d", i, len(row), m)
		}
		for j, c := range row {
			if !(math.Abs(c) < largest) {
				return p, false, fmt.Errorf("space: cost of frames %d and %d is %v, want a finite number", i, j, c)
			}
		}
	}
	w := warp{n: n, m: m, runs: runs, best: make([]float64, n*m*waysIn*runs), from: make([]int32, n*m*waysIn*runs)}
	w.fill(cost, limit > 0)
	return w.trace()
}

// fill works out the best way into every state; alone allows steps in one clip.
func (w *warp) fill(cost [][]float64, alone bool) {
	for s := range w.best {
		w.best[s] = math.Inf(1)
	}
	start := w.at(0, 0, diagonal, 1)
	w.best[start], w.from[start] = cost[0][0], -1
	for i := range w.n {
		for j := range w.m {
			c := cost[i][j]
			if i > 0 && j > 0 {
				s := w.cheapest(i-1, j-1, waysIn)
				w.enter(w.at(i, j, diagonal, 1), s, c)
			}
			if alone && i > 0 {
				w.straight(i, j, i-1, j, down, c)
			}
			if alone && j > 0 {
				w.straight(i, j, i, j-1, right, c)
			}
		}
	}
}

// straight enters a cell by a step in one clip alone: a new run after any
// other way, or one more step of a run.
func (w *warp) straight(i, j, i0, j0, way int, c float64) {
	w.enter(w.at(i, j, way, 1), w.cheapest(i0, j0, way), c)
	for run := 2; run <= w.runs; run++ {
		w.enter(w.at(i, j, way, run), w.at(i0, j0, way, run-1), c)
	}
}

// cheapest returns the best state of a cell, those of one way left out.
func (w *warp) cheapest(i, j, without int) int {
	best := -1
	for way := range waysIn {
		if way == without {
			continue
		}
		for run := 1; run <= w.runs; run++ {
			if s := w.at(i, j, way, run); best < 0 || w.best[s] < w.best[best] {
				best = s
			}
		}
	}
	return best
}

func (w *warp) enter(to, from int, c float64) {
	if v := w.best[from] + c; v < w.best[to] {
		w.best[to], w.from[to] = v, int32(from) //nolint:gosec // bounded in Register
	}
}

// trace reads the path back from the last cell.
func (w *warp) trace() (p Path, ok bool, err error) {
	s := w.cheapest(w.n-1, w.m-1, waysIn)
	if p.Total = w.best[s]; math.IsInf(p.Total, 1) {
		return Path{}, false, nil
	}
	for ; s >= 0; s = int(w.from[s]) {
		cell := s / (waysIn * w.runs)
		p.Cells = append(p.Cells, [2]int{cell / w.m, cell % w.m})
	}
	for i, j := 0, len(p.Cells)-1; i < j; i, j = i+1, j-1 {
		p.Cells[i], p.Cells[j] = p.Cells[j], p.Cells[i]
	}
	return p, true, nil
}

// straightShare is the share of the straight line in a curve, which makes it
// rise strictly.
const straightShare = 0.05

// Curve returns the registration curve of a path: for every frame of the one
// clip the moment of the other, in frames. It rises strictly, so it can be
// inverted. nil for a path without cells.
func Curve(p Path) []float64 {
	if len(p.Cells) == 0 {
		return nil
	}
	last := p.Cells[len(p.Cells)-1]
	curve, count := make([]float64, last[0]+1), make([]float64, last[0]+1)
	for _, c := range p.Cells {
		curve[c[0]] += float64(c[1])
		count[c[0]]++
	}
	for i := range curve {
		curve[i] /= count[i]
	}
	curve[0] = 0
	if last[0] == 0 {
		return curve
	}
	curve[last[0]] = float64(last[1])
	for i := range curve {
		curve[i] = (1-straightShare)*curve[i] + straightShare*float64(i)*float64(last[1])/float64(last[0])
	}
	return curve
}
