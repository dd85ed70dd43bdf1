package control

import (
	"math"

	"legctl/gait"
)

// Headings is how many directions of travel an AllowedTwist holds.
const Headings = 16

// Mixes is how many mixes of travel and turning it holds for each, from turning
// right alone over travel alone to turning left alone.
const Mixes = 9

// AllowedTwist is the largest twist a gait can keep up, by heading in B and by
// how much of it is turning. Entry i of Linear is for travel at angle
// 2 pi i / Headings. preflight fills it; without one New takes the speed of the
// rules at neutral stance.
//
// A twist is a point (x, y): x its speed over what Linear allows that way, y its
// yaw rate over Turn. Both parts share one budget, |x| + |y| <= 1, times
// Mix[i][m] for heading i and the angle (m - 4) pi/8 of the point from the x
// axis: travel alone is m = 4, turning right and left alone 0 and 8. Between
// entries the factor is interpolated both ways, so the limit has no steps. An
// entry of 0 counts as 1.
type AllowedTwist struct {
	Linear     [Headings]float64 // m/s
	LinearBind [Headings]Binding // what sets it
	Turn       float64           // rad/s
	TurnBind   Binding
	Mix        [Headings][Mixes]float64
	MixBind    [Headings][Mixes]Binding // what sets it; BindNone: what sets Linear or Turn
}

// Limit returns the share in [0, 1] of the wish (vx, vy, wz) that may be had
// and what binds it; of a NaN nothing. The direction of the wish is kept, turning included.
func (a *AllowedTwist) Limit(vx, vy, wz float64) (float64, Binding) {
	v := math.Sqrt(vx*vx + vy*vy)
	if v == 0 && wz == 0 {
		return 1, BindNone
	}
	if v != v || wz != wz {
		return 0, BindRule
	}
	i, j, t := 0, 0, 0.0
	x, y := 0.0, 0.0
	if v > 0 {
		i, j, t = headings(math.Atan2(vy, vx))
		x = v / (a.Linear[i] + t*(a.Linear[j]-a.Linear[i]))
	}
	if wz != 0 {
		y = wz / a.Turn
	}
	use := x + math.Abs(y)
	if math.IsInf(use, 1) || math.IsNaN(use) {
		return 0, a.bind(nearer(i, j, t), x, y, mixOf(x, y))
	}
	m := mixOf(x, y)
	use /= a.factor(i, j, t, m)
	if use <= 1 {
		return 1, BindNone
	}
	return 1 / use, a.bind(nearer(i, j, t), x, y, m)
}

// headings returns the two headings an angle in B lies between, and how far it is
// from the first to the second, [0, 1).
func headings(angle float64) (i, j int, t float64) {
	t = angle / (2 * math.Pi) * Headings
	if t < 0 {
		t += Headings
	}
	f := math.Floor(t)
	i = int(f) % Headings
	return i, (i + 1) % Headings, t - f
}

func nearer(i, j int, t float64) int {
	if t > 0.5 {
		return j
	}
	return i
}

// mixOf is the place of a twist's point among the mixes, [0, Mixes-1]. x is 0
// or more; NaN for two parts of which neither may be had.
func mixOf(x, y float64) float64 {
	const half = Mixes / 2
	return half + math.Atan2(y, x)/(math.Pi/2)*half
}

// factor interpolates what the shared budget is multiplied by.
func (a *AllowedTwist) factor(i, j int, t, m float64) float64 {
	k := min(max(int(m), 0), Mixes-2)
	f := m - float64(k)
	from, to := &a.Mix[i], &a.Mix[j]
	low := entry(from[k]) + t*(entry(to[k])-entry(from[k]))
	high := entry(from[k+1]) + t*(entry(to[k+1])-entry(from[k+1]))
	return low + f*(high-low)
}

// entry is a factor of the table, or 1 where it has none.
func entry(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

// bind names what sets the limit at the nearest entry.
func (a *AllowedTwist) bind(i int, x, y, m float64) Binding {
	k := Mixes / 2
	if m == m {
		k = min(max(int(m+0.5), 0), Mixes-1)
	}
	if b := a.MixBind[i][k]; b != BindNone {
		return b
	}
	if math.Abs(y) > x {
		return a.TurnBind
	}
	return a.LinearBind[i]
}

// Period returns the cycle of a clocked gait, seconds; 0 for step rules.
func (c *Controller) Period(i int) float64 { return c.gaits[i].period }

// Compass returns the tables of a clocked gait by way, as the rig walks them;
// the zero value for step rules. Do not change it.
func (c *Controller) Compass(i int) *gait.Compass { return &c.gaits[i].compass }
