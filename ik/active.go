package ik

import "math"

const (
	longStep  = 0.4  // rad: longer Newton steps are shortened
	pullBack  = 1e-9 // a held variable that pulls back harder than this is freed
	settleMax = 40   // steps
)

// active is the active set of a search within a box, and its step.
type active struct {
	held  [maxJoints]bool
	idx   [maxJoints]int // the variables not held
	k     int            // how many
	dz    [maxJoints]float64
	slope [maxJoints]float64 // of the Lagrangian after the step
}

// begin puts z inside the box and holds the variables that sit on a bound
// with rest on it or beyond.
func (n *active) begin(count int, z, rest *[maxJoints]float64, b *box) {
	for k := range count {
		v := clamp(z[k], b.lo[k], b.hi[k])
		z[k] = v
		n.held[k] = (v <= b.lo[k] && rest[k] <= v) || (v >= b.hi[k] && rest[k] >= v)
	}
}

// list fills idx.
func (n *active) list(count int) {
	n.k = 0
	for k := range count {
		if !n.held[k] {
			n.idx[n.k] = k
			n.k++
		}
	}
}

// take adds the step to z, shortened to the longest allowed and to the first
// bound it meets, which it then holds. It returns the size of the whole step.
func (n *active) take(z *[maxJoints]float64, b *box) (size float64, blocked bool) {
	for _, k := range n.idx[:n.k] {
		size = max(size, math.Abs(n.dz[k]))
	}
	share, at, bound := 1.0, -1, 0.0
	if size > longStep {
		share = longStep / size
	}
	for _, k := range n.idx[:n.k] {
		v := z[k] + share*n.dz[k]
		if v < b.lo[k] {
			bound = b.lo[k]
			share, at = max(0, (bound-z[k])/n.dz[k]), k
		} else if v > b.hi[k] {
			bound = b.hi[k]
			share, at = max(0, (bound-z[k])/n.dz[k]), k
		}
	}
	for _, k := range n.idx[:n.k] {
		z[k] = clamp(z[k]+share*n.dz[k], b.lo[k], b.hi[k])
	}
	if at >= 0 {
		n.held[at] = true
		z[at] = bound // release tells the bounds apart by it
	}
	return size, at >= 0
}

// release frees the held variable that pulls hardest back into its range.
func (n *active) release(count int, z *[maxJoints]float64, b *box) bool {
	at, worst := -1, pullBack
	for k := range count {
		if !n.held[k] || b.hi[k] <= b.lo[k] {
			continue
		}
		pull := n.slope[k]
		if z[k] <= b.lo[k] {
			pull = -pull
		}
		if pull > worst {
			at, worst = k, pull
		}
	}
	if at < 0 {
		return false
	}
	n.held[at] = false
	return true
}
