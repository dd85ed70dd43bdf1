package space

import (
	"math"
	"sort"
)

// Match is a cell of a web that is a local minimum: two moments that are alike.
type Match struct {
	I, J int
	Cost float64
}

// Matches returns the cells of a web with a cost of at most tau that are below
// both neighbours along their row or along their column, in order of rows.
func (w *Web) Matches(tau float64) []Match {
	var out []Match
	at := func(i, j int) float64 {
		if i < 0 || j < 0 || i >= len(w.Cost) || j >= len(w.Cost[i]) {
			return math.Inf(1)
		}
		return w.Cost[i][j]
	}
	for i, row := range w.Cost {
		for j, c := range row {
			along := c < at(i, j-1) && c < at(i, j+1)
			across := c < at(i-1, j) && c < at(i+1, j)
			if c <= tau && (along || across) {
				out = append(out, Match{i, j, c})
			}
		}
	}
	return out
}

// Threshold returns factor times the median of the least cost of each row that
// is at least off frames away from the main diagonal; off 0 is every cell.
func (w *Web) Threshold(factor float64, off int) float64 {
	var least []float64
	for i, row := range w.Cost {
		best := math.Inf(1)
		for j, c := range row {
			if off == 0 || j-i >= off || i-j >= off {
				best = min(best, c)
			}
		}
		if !math.IsInf(best, 1) {
			least = append(least, best)
		}
	}
	return factor * median(least)
}

// Chain is a row of matches that goes forward in both clips.
type Chain []Match

// Lag returns the mean of row less column: in a web of a clip with itself, how
// many frames apart the two moments are.
func (c Chain) Lag() float64 {
	sum := 0.0
	for _, m := range c {
		sum += float64(m.I - m.J)
	}
	return sum / float64(len(c))
}

// Long returns the number of rows a chain spans.
func (c Chain) Long() int { return c[len(c)-1].I - c[0].I + 1 }

// Chains links matches into chains, longest first: from one match to the next
// it goes forward in both by at most gap frames, and in one by at most slope
// times as much as in the other plus one. Chains shorter than least rows are
// left out; no match is in two.
func Chains(matches []Match, gap int, slope float64, least int) []Chain {
	ms := append([]Match(nil), matches...)
	sort.Slice(ms, func(a, b int) bool {
		if ms[a].I != ms[b].I {
			return ms[a].I < ms[b].I
		}
		return ms[a].J < ms[b].J
	})
	// A match is followed by the nearest that may; matches merge into chains.
	next, taken := make([]int, len(ms)), make([]bool, len(ms))
	for a := range ms {
		next[a] = -1
		best := math.Inf(1)
		for b := a + 1; b < len(ms) && ms[b].I-ms[a].I <= gap; b++ {
			di, dj := float64(ms[b].I-ms[a].I), float64(ms[b].J-ms[a].J)
			if dj < 0 || dj > float64(gap) || di+dj == 0 || di > slope*dj+1 || dj > slope*di+1 {
				continue
			}
			if d := di + dj + 2*math.Abs(di-dj); d < best {
				best, next[a] = d, b
			}
		}
	}
	var out []Chain
	for a := range ms {
		if taken[a] {
			continue
		}
		var c Chain
		for k := a; k >= 0 && !taken[k]; k = next[k] {
			taken[k] = true
			c = append(c, ms[k])
		}
		if c.Long() >= least {
			out = append(out, c)
		}
	}
	sort.SliceStable(out, func(a, b int) bool { return out[a].Long() > out[b].Long() })
	return out
}
