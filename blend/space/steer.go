package space

import (
	"fmt"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
)

// Fans is a slice of a goal-space table: where the body is after the horizon,
// as seen from where it is at the start, by the blend value it starts with and
// the one it goes to. Metres.
type Fans struct {
	Starts []float64  // blend values at the start, ascending
	Finals []float64  // blend values gone to
	Places [][]r2.Vec // Places[y][z] for Starts[y] and Finals[z]
}

// largest bounds numbers so that their squares are finite.
const largest = 1e100

// Check says what is wrong with the table: empty, not of one size, starts not
// ascending, a number that is not finite. Choose takes a table that passes.
func (f *Fans) Check() error {
	if len(f.Starts) == 0 || len(f.Finals) == 0 || len(f.Places) != len(f.Starts) {
		return fmt.Errorf("space: %d starts with %d fans and %d finals, want one fan a start and at least one of each", len(f.Starts), len(f.Places), len(f.Finals))
	}
	for y, s := range f.Starts {
		if !(math.Abs(s) < largest) || y > 0 && s <= f.Starts[y-1] {
			return fmt.Errorf("space: start %d is %v, want finite ascending values", y, s)
		}
		if len(f.Places[y]) != len(f.Finals) {
			return fmt.Errorf("space: fan %d has %d places, want %d, one a final", y, len(f.Places[y]), len(f.Finals))
		}
		for z, p := range f.Places[y] {
			if !finite(p) || !(math.Abs(f.Finals[z]) < largest) {
				return fmt.Errorf("space: fan %d, place %d at (%v, %v) for final %v, want finite numbers", y, z, p.X, p.Y, f.Finals[z])
			}
		}
	}
	return nil
}

func finite(p r2.Vec) bool { return math.Abs(p.X) < largest && math.Abs(p.Y) < largest }

// Metric is what nearness to the goal means.
type Metric uint8

// Metrics of a choice.
const (
	ByAngle Metric = iota // least angle to the ray from the body to the goal
	ByPoint               // least distance to the goal itself
)

// Select is how many places the choice is made of.
type Select uint8

// Selections of places.
const (
	Bracket  Select = iota // the nearest on each side of the ray if they are less than pi apart, else the nearest alone; ByPoint has no sides and takes the two nearest
	Nearest2               // the two nearest
	Nearest1               // the nearest alone
)

// Choice is what Choose found: the blend value to go to, the places it comes
// from, nearest first (Picked[:N]), or that the goal is reached.
type Choice struct {
	Final   float64
	Picked  [2]int
	N       int
	Arrived bool
}

// reached is the distance of a goal that needs no steering, metres.
const reached = 1e-9

// Choose returns the blend value that brings the body to a goal, metres in its
// own frame, from the present blend value. The value is brought into the table;
// the fans about it are interpolated place by place, radius linearly and angle
// the short way; of two chosen places the nearer weighs more, by distance.
// A number that is not finite is an error. fan is scratch of one entry a final,
// owned by the caller. Nothing is allocated.
func (f *Fans) Choose(fan []r2.Vec, blend float64, goal r2.Vec, m Metric, s Select) (Choice, error) {
	if !(math.Abs(blend) < largest) || !finite(goal) || len(fan) != len(f.Finals) || m > ByPoint || s > Nearest1 {
		return Choice{}, fmt.Errorf("space: goal (%v, %v) at blend %v, metric %d, select %d with room for %d places, want finite numbers and room for %d",
			goal.X, goal.Y, blend, m, s, len(fan), len(f.Finals))
	}
	if r2.Norm2(goal) <= reached*reached {
		return Choice{Final: blend, Arrived: true}, nil
	}
	f.interpolate(fan, blend)
	c := pick(fan, goal, m, s)
	d1 := math.Abs(off(fan[c.Picked[0]], goal, m))
	c.Final = f.Finals[c.Picked[0]]
	if c.N == 2 {
		d2 := math.Abs(off(fan[c.Picked[1]], goal, m))
		if sum := d1 + d2; sum > 1e-12 {
			c.Final = (c.Final*d2 + f.Finals[c.Picked[1]]*d1) / sum
		}
	}
	return c, nil
}

// interpolate writes the fan of a blend value: X is the radius, Y the angle.
func (f *Fans) interpolate(fan []r2.Vec, blend float64) {
	y, t := 0, 0.0
	if n := len(f.Starts); n > 1 {
		blend = max(f.Starts[0], min(blend, f.Starts[n-1]))
		for y < n-2 && blend > f.Starts[y+1] {
			y++
		}
		t = (blend - f.Starts[y]) / (f.Starts[y+1] - f.Starts[y])
	}
	for z := range fan {
		fan[z] = polar(f.Places[y][z])
		if t > 0 {
			b := polar(f.Places[y+1][z])
			fan[z].X += t * (b.X - fan[z].X)
			fan[z].Y = geom.WrapAngle(fan[z].Y + t*geom.WrapAngle(b.Y-fan[z].Y))
		}
	}
}

// polar returns radius and angle.
func polar(p r2.Vec) r2.Vec { return r2.Vec{X: math.Sqrt(r2.Norm2(p)), Y: math.Atan2(p.Y, p.X)} }

// off returns how far a place, radius and angle, is from the goal: with its
// side by angle, without by point.
func off(place, goal r2.Vec, m Metric) float64 {
	if m == ByAngle {
		return geom.WrapAngle(place.Y - math.Atan2(goal.Y, goal.X))
	}
	s, c := math.Sincos(place.Y)
	return math.Sqrt(r2.Norm2(r2.Sub(r2.Vec{X: place.X * c, Y: place.X * s}, goal)))
}

// pick selects places of a fan.
func pick(fan []r2.Vec, goal r2.Vec, m Metric, s Select) Choice {
	first, second, left, right := -1, -1, -1, -1
	var dFirst, dSecond, dLeft, dRight float64
	for z, p := range fan {
		side := off(p, goal, m)
		d := math.Abs(side)
		switch {
		case first < 0 || d < dFirst:
			second, dSecond = first, dFirst
			first, dFirst = z, d
		case second < 0 || d < dSecond:
			second, dSecond = z, d
		}
		if side > 0 && (left < 0 || d < dLeft) {
			left, dLeft = z, d
		}
		if side < 0 && (right < 0 || d < dRight) {
			right, dRight = z, d
		}
	}
	c := Choice{Picked: [2]int{first, -1}, N: 1}
	if s == Bracket && m == ByAngle {
		if dFirst == 0 || left < 0 || right < 0 || dLeft+dRight >= math.Pi {
			return c
		}
		second = left + right - first
	} else if s == Nearest1 {
		return c
	}
	if second >= 0 {
		c.Picked[1], c.N = second, 2
	}
	return c
}

// Follow moves a blend value towards the one chosen, by at most rate units per
// second for dt seconds. It returns the value as it is for numbers that are not
// finite or below 0.
func Follow(blend, final, rate, dt float64) float64 {
	step := rate * dt
	if !(step >= 0 && step < largest) || !(math.Abs(final-blend) < largest) {
		return blend
	}
	return blend + max(-step, min(final-blend, step))
}
