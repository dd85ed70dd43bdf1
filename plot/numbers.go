package plot

import (
	"math"
	"strconv"
)

// number prints x with a fixed number of places and without a minus zero.
func number(x float64, places int) string {
	s := strconv.FormatFloat(x, 'f', places, 64)
	if v, err := strconv.ParseFloat(s, 64); err == nil && v == 0 {
		return strconv.FormatFloat(0, 'f', places, 64)
	}
	return s
}

// finite reports whether x is neither NaN nor infinite.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// span is a range of values.
type span struct{ lo, hi float64 }

func empty() span { return span{math.Inf(1), math.Inf(-1)} }

// add widens s to hold x, if x is finite.
func (s *span) add(x float64) {
	if finite(x) {
		s.lo, s.hi = min(s.lo, x), max(s.hi, x)
	}
}

// padded returns s widened by a share of itself at both ends, and to at least
// least; an empty span becomes -least ... least.
func (s span) padded(share, least float64) span {
	if !(s.lo <= s.hi) {
		return span{-least, least}
	}
	mid, half := (s.lo+s.hi)/2, max((s.hi-s.lo)*(0.5+share), least/2)
	return span{mid - half, mid + half}
}
