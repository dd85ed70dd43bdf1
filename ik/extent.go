package ik

import "gonum.org/v1/gonum/spatial/r3"

// Extent returns how far, metres and at most most, a leg's foot may go from
// footB (B, metres) straight along the unit vector dirB so that every point up
// to there is reached within its limits, on its bend's branch and on the rest
// pose's side of its first hinge: the rule of Comfort, which is the least Extent
// round a foot. 0 when footB itself is not reached, leg is out of range, or a
// number is not finite.
func Extent(s *Solver, leg int, footB, dirB r3.Vec, most float64) float64 {
	if uint(leg) >= uint(len(s.legs)) || !finite(footB) || !finite(dirB) || !(most > 0) {
		return 0
	}
	m := &s.legs[leg]
	g := grower{s: s, m: m, foot: footB, best: min(most, 2*m.length), home: m.start}
	g.now = g.home
	if !g.reaches(footB) {
		return 0
	}
	g.home = g.now
	// Marks near each other: a hole in the reach ends the way.
	const parts = 4
	whole := g.best
	for k := 1; k <= parts; k++ {
		g.best = whole * float64(k) / parts
		before := g.best
		if g.ray(dirB); g.best < before {
			return g.best
		}
	}
	return whole
}
