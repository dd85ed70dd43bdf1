package control

import "math"

// Headings is how many directions of travel an AllowedTwist holds.
const Headings = 16

// AllowedTwist is the largest twist a gait can keep up, by heading in B.
// Entry i of Linear is for travel at angle 2 pi i / Headings. preflight fills
// it; without one New takes the speed of the rules at neutral stance.
type AllowedTwist struct {
	Linear     [Headings]float64 // m/s
	LinearBind [Headings]Binding // what sets it
	Turn       float64           // rad/s
	TurnBind   Binding
}

// Limit returns the share in [0, 1] of the wish (vx, vy, wz) that may be had
// and what binds it. The direction of the wish is kept: straight and turning
// parts share one budget.
func (a *AllowedTwist) Limit(vx, vy, wz float64) (float64, Binding) {
	v := math.Sqrt(vx*vx + vy*vy)
	if v == 0 && wz == 0 {
		return 1, BindNone
	}
	use, bind := 0.0, BindNone
	if v > 0 {
		allowed, b := a.at(math.Atan2(vy, vx))
		use, bind = v/allowed, b
	}
	if wz != 0 {
		turn := math.Abs(wz) / a.Turn
		if turn > use {
			bind = a.TurnBind
		}
		use += turn
	}
	switch {
	case use <= 1:
		return 1, BindNone
	case math.IsInf(use, 1) || math.IsNaN(use):
		return 0, bind
	}
	return 1 / use, bind
}

// at interpolates the linear speed at an angle in B.
func (a *AllowedTwist) at(angle float64) (float64, Binding) {
	t := angle / (2 * math.Pi) * Headings
	if t < 0 {
		t += Headings
	}
	f := math.Floor(t)
	i := int(f) % Headings
	j := (i + 1) % Headings
	t -= f
	bind := a.LinearBind[i]
	if t > 0.5 {
		bind = a.LinearBind[j]
	}
	return a.Linear[i] + t*(a.Linear[j]-a.Linear[i]), bind
}
