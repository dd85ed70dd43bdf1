package rig

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"legctl/geom"
)

// finish derives colours, diagonals, dominance and order from adjacency.
func (g *Groups) finish() {
	n := len(g.Row)
	g.Colour = g.colours()
	g.Diagonal = make([]uint64, n)
	g.Dominant = make([]bool, n)
	for i := range g.Row {
		for k := range g.Row {
			if i != k && g.Colour[i] == g.Colour[k] && g.neighbouring(i, k) {
				g.Diagonal[i] |= 1 << uint(k)
			}
		}
		p := g.Partner[i]
		g.Dominant[i] = p < 0 || g.Colour[i] < g.Colour[p]
	}
	g.Order = make([]int, n)
	for i := range g.Order {
		g.Order[i] = i
	}
	slices.SortFunc(g.Order, func(a, b int) int {
		return cmp.Or(cmp.Compare(g.Colour[a], g.Colour[b]), g.tie(a, b))
	})
}

// neighbouring reports whether two legs are in neighbouring rows. On a ring
// next-door legs never share a colour, so there the legs next door but one
// take the part of the diagonals.
func (g *Groups) neighbouring(i, k int) bool {
	d := g.Row[i] - g.Row[k]
	if d < 0 {
		d = -d
	}
	if g.Ring {
		return d == 2 || len(g.Row)-d == 2
	}
	return d == 1
}

// tie orders legs by row, then left before centre before right, then index.
func (g *Groups) tie(a, b int) int {
	return cmp.Or(cmp.Compare(g.Row[a], g.Row[b]), cmp.Compare(g.Side[b], g.Side[a]), cmp.Compare(a, b))
}

// colours gives adjacent legs different colours: two where that can be done,
// else the first free one in order of row, then left.
func (g *Groups) colours() []uint8 {
	order := fill(len(g.Row), 0)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, g.tie)
	if c, ok := g.twoColours(order); ok {
		return c
	}
	c := make([]uint8, len(order))
	var done uint64
	for _, i := range order {
		var taken uint64
		for k := range c {
			if g.Adjacent[i]&done&(1<<uint(k)) != 0 {
				taken |= 1 << c[k]
			}
		}
		c[i] = uint8(bits.TrailingZeros64(^taken))
		done |= 1 << uint(i)
	}
	return c
}

// twoColours walks every connected part once from its first leg. A part starts
// with the colour its first leg would have on a full ladder, so that two
// unconnected parts still alternate.
func (g *Groups) twoColours(order []int) ([]uint8, bool) {
	c := make([]uint8, len(order))
	var done uint64
	for _, start := range order {
		if done&(1<<uint(start)) != 0 {
			continue
		}
		c[start] = uint8(g.Row[start]) & 1
		if g.Side[start] < 0 {
			c[start] ^= 1
		}
		done |= 1 << uint(start)
		for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
			i := queue[0]
			for rest := g.Adjacent[i]; rest != 0; rest &= rest - 1 {
				k := bits.TrailingZeros64(rest)
				if done&(1<<uint(k)) == 0 {
					c[k] = 1 - c[i]
					done |= 1 << uint(k)
					queue = append(queue, k)
				} else if c[k] == c[i] {
					return nil, false
				}
			}
		}
	}
	return c, true
}

// azimuth returns the heading of a leg's neutral foot from the origin of B.
func azimuth(l *Leg) float64 { return math.Atan2(l.Neutral.Y, l.Neutral.X) }

// byAzimuth returns the legs counter-clockwise, the foremost (nearest to
// straight ahead, of two the left one) first.
func byAzimuth(r *Rig) []int {
	order := fill(len(r.Legs), 0)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(azimuth(&r.Legs[a]), azimuth(&r.Legs[b]))
	})
	front := 0
	for i, leg := range order {
		a, b := azimuth(&r.Legs[leg]), azimuth(&r.Legs[order[front]])
		if d := math.Abs(a) - math.Abs(b); d < -1e-9 || (d <= 1e-9 && a > b) {
			front = i
		}
	}
	return append(slices.Clone(order[front:]), order[:front]...)
}

// evenRing reports whether all azimuth gaps are within 20 % of the even one.
func evenRing(r *Rig) bool {
	order := byAzimuth(r)
	even := 2 * math.Pi / float64(len(order))
	for i, leg := range order {
		next := order[(i+1)%len(order)]
		gap := geom.WrapAngle(azimuth(&r.Legs[next]) - azimuth(&r.Legs[leg]))
		if gap < 0 {
			gap += 2 * math.Pi
		}
		if math.Abs(gap-even) > ringGap*even {
			return false
		}
	}
	return true
}

// ringGroups groups legs by azimuth: rows count round the ring, adjacent means
// next door, nobody has a partner.
func ringGroups(r *Rig) Groups {
	n := len(r.Legs)
	g := Groups{
		Ring: true, Side: make([]int8, n), Row: make([]int, n),
		Partner: fill(n, -1), Adjacent: make([]uint64, n),
	}
	order := byAzimuth(r)
	for i, leg := range order {
		g.Row[leg] = i
		if next := order[(i+1)%n]; next != leg {
			g.join(leg, next)
		}
	}
	g.finish()
	return g
}

// groups checks groups that were given instead of derived.
func (c *checker) groups() {
	g, n := &c.r.Groups, len(c.r.Legs)
	if len(g.Side) != n || len(g.Row) != n || len(g.Partner) != n || len(g.Adjacent) != n ||
		len(g.Diagonal) != n || len(g.Colour) != n || len(g.Dominant) != n || len(g.Order) != n {
		c.add(-1, -1, "Groups", "given groups are incomplete", "", fmt.Sprintf("want one entry for each of %d legs", n))
		c.r.Groups = NewGroups(c.r, false)
		return
	}
	for i := range g.Row {
		for rest := g.Adjacent[i]; rest != 0; rest &= rest - 1 {
			k := bits.TrailingZeros64(rest)
			if k >= n || k == i || g.Adjacent[k]&(1<<uint(i)) == 0 || g.Colour[k] == g.Colour[i] {
				c.add(i, -1, "Groups", "given adjacency is wrong", fmt.Sprintf("leg %d", k), "want symmetric and of another colour")
			}
		}
		if g.Partner[i] < -1 || g.Partner[i] >= n {
			c.add(i, -1, "Groups", "given partner is unknown", fmt.Sprint(g.Partner[i]), fmt.Sprintf("want -1 to %d", n-1))
		}
	}
	sorted := slices.Sorted(slices.Values(g.Order))
	for i, v := range sorted {
		if v != i {
			c.add(-1, -1, "Groups", "given order is not a permutation", fmt.Sprint(g.Order), fmt.Sprintf("want each of 0 to %d once", n-1))
			return
		}
	}
}
