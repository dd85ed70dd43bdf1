package rig

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// The tolerances of the grouping rule (design, section 5), in units of L or of
// the even azimuth gap.
const (
	centreBand = 0.05 // |y| of a centre leg's neutral foot
	pairReach  = 0.25 // distance of a foot from its partner's mirror image
	ringGap    = 0.20 // deviation of an azimuth gap from the even one
)

// NewGroups derives the leg groups of a rig from its neutral feet by the rule
// of the design, section 5. A ring is used when asked for, or when the number
// of legs is odd and their azimuths are even within 20 %. Index must have run.
func NewGroups(r *Rig, ring bool) Groups {
	n := len(r.Legs)
	if ring || (n%2 == 1 && evenRing(r)) {
		return ringGroups(r)
	}
	side := sides(r)
	partner := partners(r, side)
	return ladder(r, side, partner, rows(r, partner))
}

// NewRows derives the groups of a rig whose rows are given, front to rear:
// each row holds one or two leg indices, the left one first. Every leg must be
// in exactly one row.
func NewRows(r *Rig, given [][]int) (Groups, error) {
	n := len(r.Legs)
	partner, row := fill(n, -1), fill(n, -1)
	for i, legs := range given {
		if len(legs) < 1 || len(legs) > 2 {
			return Groups{}, fmt.Errorf("rig: row %d has %d legs, want 1 or 2", i, len(legs))
		}
		for _, l := range legs {
			if l < 0 || l >= n || row[l] >= 0 {
				return Groups{}, fmt.Errorf("rig: row %d: leg %d is unknown or in two rows, want each of 0 to %d once", i, l, n-1)
			}
			row[l] = i
		}
		if len(legs) == 2 {
			partner[legs[0]], partner[legs[1]] = legs[1], legs[0]
		}
	}
	if l := slices.Index(row, -1); l >= 0 {
		return Groups{}, fmt.Errorf("rig: leg %s is in no row, want each leg in one", r.Legs[l].Name)
	}
	side := sides(r)
	for _, legs := range given {
		if len(legs) == 2 {
			side[legs[0]], side[legs[1]] = 1, -1
		}
	}
	return ladder(r, side, partner, row), nil
}

func sides(r *Rig) []int8 {
	side := make([]int8, len(r.Legs))
	band := centreBand * r.L()
	for i := range r.Legs {
		switch y := r.Legs[i].Neutral.Y; {
		case y > band:
			side[i] = 1
		case y < -band:
			side[i] = -1
		}
	}
	return side
}

// partners pairs legs whose feet are each other's nearest mirror image.
func partners(r *Rig, side []int8) []int {
	n := len(r.Legs)
	nearest := fill(n, -1)
	for i := range r.Legs {
		best := pairReach * r.L()
		for k := range r.Legs {
			if int(side[i])*int(side[k]) != -1 {
				continue
			}
			a, b := r.Legs[i].Neutral, r.Legs[k].Neutral
			d := math.Sqrt((a.X-b.X)*(a.X-b.X) + (a.Y+b.Y)*(a.Y+b.Y))
			if d < best || (d == best && nearest[i] < 0) {
				best, nearest[i] = d, k
			}
		}
	}
	partner := fill(n, -1)
	for i, k := range nearest {
		if k >= 0 && nearest[k] == i {
			partner[i] = k
		}
	}
	return partner
}

// rows numbers pairs and single legs from front to rear by mean x. Rows at the
// same x keep the order of their first legs.
func rows(r *Rig, partner []int) []int {
	type line struct {
		x   float64
		leg int
	}
	var lines []line
	for i, k := range partner {
		x := r.Legs[i].Neutral.X
		switch {
		case k < 0:
			lines = append(lines, line{x, i})
		case i < k:
			lines = append(lines, line{(x + r.Legs[k].Neutral.X) / 2, i})
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.x, a.x) })
	row := make([]int, len(partner))
	for i, l := range lines {
		row[l.leg] = i
		if k := partner[l.leg]; k >= 0 {
			row[k] = i
		}
	}
	return row
}

// ladder finishes the groups of a rig with sides and rows.
func ladder(r *Rig, side []int8, partner, row []int) Groups {
	g := Groups{Side: side, Row: row, Partner: partner, Adjacent: make([]uint64, len(row))}
	for i := range row {
		if k := partner[i]; k >= 0 {
			g.join(i, k)
		}
		if side[i] == 0 {
			g.joinCentre(r, i)
		} else if k := g.behind(i); k >= 0 {
			g.join(i, k)
		}
	}
	g.finish()
	return g
}

// behind returns the leg of the next row that has one on the same side, or -1.
func (g *Groups) behind(i int) int {
	best := -1
	for k := range g.Row {
		if g.Side[k] == g.Side[i] && g.Row[k] > g.Row[i] && (best < 0 || g.Row[k] < g.Row[best]) {
			best = k
		}
	}
	return best
}

// joinCentre makes a centre leg adjacent to all legs of the row nearest in x;
// of two equally near rows the front one counts.
func (g *Groups) joinCentre(r *Rig, i int) {
	mean := func(k int) float64 {
		x := r.Legs[k].Neutral.X
		if p := g.Partner[k]; p >= 0 {
			x = (x + r.Legs[p].Neutral.X) / 2
		}
		return x
	}
	best, at := math.Inf(1), -1
	for k := range g.Row {
		d := math.Abs(mean(k) - r.Legs[i].Neutral.X)
		if g.Row[k] != g.Row[i] && (d < best || (d == best && g.Row[k] < at)) {
			best, at = d, g.Row[k]
		}
	}
	for k := range g.Row {
		if g.Row[k] == at {
			g.join(i, k)
		}
	}
}

func (g *Groups) join(i, k int) {
	g.Adjacent[i] |= 1 << uint(k)
	g.Adjacent[k] |= 1 << uint(i)
}

func fill(n, v int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = v
	}
	return s
}
