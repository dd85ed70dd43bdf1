package blend

import (
	"fmt"
	"math"

	"legctl/geom"
)

// Pivot is movement that turns the body to where it goes and then walks ahead.
type Pivot struct {
	Rate float64 // rad/s, > 0: how fast the body may turn
}

// Turning is the state of a pivot and its answer. Start with Yaw at the body's
// heading. Plain data.
type Turning struct {
	Yaw  float64 // heading, radians in (-pi, pi]
	Turn float64 // of the last step over what Rate allows, -1 (right) to 1 (left): the weight of lean and turn layers
	Side int8    // +1 or -1 while a turn of about 180 degrees is under way
}

// backSide is how near to straight behind a direction keeps the side it is
// turned to, radians, so that noise does not flip it.
const backSide = 0.2

// Step turns the heading towards a direction of the same frame for dt seconds.
// Straight behind it goes by the left. Numbers that are not finite, dt < 0 and
// a Rate that is not positive are errors and change nothing.
func (p Pivot) Step(s *Turning, toward, dt float64) error {
	if !(math.Abs(toward) < largest) || !(dt >= 0 && dt < largest) || !(p.Rate > 0 && p.Rate < largest) {
		return fmt.Errorf("blend: pivot towards %v rad for %v s at %v rad/s, want finite numbers, dt >= 0 and a rate > 0", toward, dt, p.Rate)
	}
	d := keepSide(geom.WrapAngle(toward-s.Yaw), &s.Side)
	most := p.Rate * dt
	step := max(-most, min(d, most))
	s.Yaw, s.Turn = geom.WrapAngle(s.Yaw+step), 0
	if most > 0 {
		s.Turn = step / most
	}
	return nil
}

// keepSide returns an angle in [-2 pi, 2 pi] that stays on the side it was on
// while it is about straight behind.
func keepSide(d float64, side *int8) float64 {
	if math.Abs(d) < math.Pi-backSide {
		*side = 0
		return d
	}
	if *side == 0 {
		*side = 1
		if d < 0 && !sideless(d) {
			*side = -1
		}
	}
	if d*float64(*side) < 0 {
		d += float64(*side) * 2 * math.Pi
	}
	return d
}

// Aim is a grid of additive poses over yaw and pitch: pose number
// i*len(Pitch)+j is authored for Yaw[i] and Pitch[j], radians, both ascending.
// A pose for (0, 0) is usually the empty layer.
type Aim struct {
	Yaw, Pitch []float64
}

// Check says what is wrong with the grid: an axis that is empty, not finite,
// not strictly ascending, or a yaw outside (-pi, pi].
func (a *Aim) Check() error {
	for _, axis := range []struct {
		name string
		at   []float64
	}{{"yaw", a.Yaw}, {"pitch", a.Pitch}} {
		if len(axis.at) == 0 {
			return fmt.Errorf("blend: aim set with 0 values of %s, want at least 1", axis.name)
		}
		for i, v := range axis.at {
			if !(v > -math.Pi && v <= math.Pi) || i > 0 && v <= axis.at[i-1] {
				return fmt.Errorf("blend: aim %s %d is %v rad, want ascending values in (-pi, pi]", axis.name, i, v)
			}
		}
	}
	return nil
}

// Len returns the number of poses.
func (a *Aim) Len() int { return len(a.Yaw) * len(a.Pitch) }

// Weights writes the weights of the poses, which sum to one, for a direction
// to look in, radians, and reports whether it lies within the grid; outside the
// nearest edge plays, behind the side it came from (side, owned by the caller,
// 0 at first). Numbers that are not finite and a dst that is not Len long are
// errors and change nothing; the grid is taken to pass Check.
func (a *Aim) Weights(dst []float64, side *int8, yaw, pitch float64) (covered bool, err error) {
	if !(math.Abs(yaw) < largest) || !(math.Abs(pitch) < largest) || len(dst) != a.Len() || len(dst) == 0 {
		return false, fmt.Errorf("blend: aim at yaw %v, pitch %v rad into %d weights, want finite numbers and %d weights", yaw, pitch, len(dst), a.Len())
	}
	yaw = keepSide(geom.WrapAngle(yaw), side)
	i, u, inYaw := bracket(a.Yaw, yaw)
	j, v, inPitch := bracket(a.Pitch, pitch)
	for k := range dst {
		dst[k] = 0
	}
	n := len(a.Pitch)
	for di, wi := range [2]float64{1 - u, u} {
		for dj, wj := range [2]float64{1 - v, v} {
			if w := wi * wj; w > 0 {
				dst[(i+di)*n+j+dj] = w
			}
		}
	}
	return inYaw && inPitch, nil
}

// bracket returns the place of x in ascending values: between at[i] and at[i+1]
// with part of the way done, and whether x is within them.
func bracket(at []float64, x float64) (i int, part float64, within bool) {
	last := len(at) - 1
	switch {
	case x < at[0]:
		return 0, 0, false
	case x >= at[last]:
		return last, 0, x == at[last]
	}
	for x >= at[i+1] {
		i++
	}
	return i, (x - at[i]) / (at[i+1] - at[i]), true
}
