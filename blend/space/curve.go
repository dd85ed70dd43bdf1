package space

import "sort"

// At returns the value of a registration curve at a moment, in frames, between
// its points along straight lines; outside, its ends. It panics, as a slice
// does, on a curve without points.
func At(curve []float64, x float64) float64 {
	last := len(curve) - 1
	if !(x > 0) {
		return curve[0]
	}
	if x >= float64(last) {
		return curve[last]
	}
	k := int(x)
	return curve[k] + (x-float64(k))*(curve[k+1]-curve[k])
}

// Inverse returns the moment, in frames, at which a curve that rises strictly
// has the value y; outside its values, the ends. It panics, as a slice does, on
// a curve without points. At(Inverse(y)) is y within rounding.
func Inverse(curve []float64, y float64) float64 {
	last := len(curve) - 1
	if !(y > curve[0]) {
		return 0
	}
	if y >= curve[last] {
		return float64(last)
	}
	k := sort.SearchFloat64s(curve, y) // the first at or above y: 1 to last
	return float64(k-1) + (y-curve[k-1])/(curve[k]-curve[k-1])
}
