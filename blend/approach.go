package blend

import (
	"fmt"
	"math"
)

// SomeRate is the usual limit on how fast weights move, units per second: 0.1
// per frame of a film with 30 a second.
const SomeRate = 3.0

// Approach moves weights along the straight line to target, so that the one
// with the longest way moves at rate units per second for dt seconds: the sum
// stays what it is, which limiting every weight by itself would not keep. It
// reports whether the target is reached. w belongs to the caller and is changed
// in place, only when the error is nil: unequal lengths, a number that is not
// finite, rate or dt below 0.
func Approach(w, target []float64, rate, dt float64) (reached bool, err error) {
	if len(w) != len(target) || !(rate >= 0 && rate < largest) || !(dt >= 0 && dt < largest) {
		return false, fmt.Errorf("blend: %d weights towards %d at %v/s for %v s, want equal lengths and finite numbers >= 0", len(w), len(target), rate, dt)
	}
	far := 0.0
	for i := range w {
		d := math.Abs(target[i] - w[i])
		if !(d < largest) {
			return false, fmt.Errorf("blend: weight %d from %v to %v, want finite numbers", i, w[i], target[i])
		}
		far = max(far, d)
	}
	step := rate * dt
	// What rounding left of the last step is no step of its own.
	if far <= step*(1+zeroLength) {
		copy(w, target)
		return true, nil
	}
	for i := range w {
		w[i] += (target[i] - w[i]) * (step / far)
	}
	return false, nil
}
