package balance

import (
	"fmt"
	"math"

	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Level turns the ground under the feet into the roll and pitch it asks of the
// body. It is made once a rig by NewLevel and never changes.
//
// A rig with rows is read by two vectors: fore, from the mean of its last row
// to the mean of its first, and side, the sum over all pairs of left minus
// right. The slopes along both fix a plane, and the body's roll and pitch are
// those of that plane: for a level plane across, pitch = -atan2(fore.z,
// |fore.xy|), as in the step rules, and alike for roll. Where both slope the
// plane is met exactly, which two separate angles do not do. A radial rig, and
// one whose rows do not fix a plane (one row, or no pair), takes the least-
// squares plane through all ground points instead; what the feet leave open (a
// biped's pitch) stays level.
type Level struct {
	fore, side []float64 // weights a leg
	rows       bool
}

// NewLevel reads the leg groups of a validated rig.
func NewLevel(r *rig.Rig) (*Level, error) {
	n := len(r.Legs)
	g := &r.Groups
	if len(g.Row) != n || len(g.Side) != n || len(g.Partner) != n {
		return nil, fmt.Errorf("balance: rig %q: leg groups of %d legs, want %d: call Validate first", r.Name, len(g.Row), n)
	}
	l := &Level{fore: make([]float64, n), side: make([]float64, n)}
	if g.Ring || n == 0 {
		return l, nil
	}
	first, last := g.Row[0], g.Row[0]
	for _, row := range g.Row {
		first, last = min(first, row), max(last, row)
	}
	nf, nl, pairs := count(g.Row, first), count(g.Row, last), 0
	for i := range l.fore {
		if g.Row[i] == first {
			l.fore[i] += 1 / nf
		}
		if g.Row[i] == last {
			l.fore[i] -= 1 / nl
		}
		if g.Partner[i] >= 0 {
			l.side[i] = float64(g.Side[i])
			pairs++
		}
	}
	l.rows = first != last && pairs > 0
	return l, nil
}

func count(rows []int, row int) float64 {
	n := 0
	for _, r := range rows {
		if r == row {
			n++
		}
	}
	return float64(n)
}

// Ask returns the roll and pitch, radians, that the ground asks for, as
// geom.FromRPY takes them: positive roll raises the left side, negative pitch
// the front. ground has one point a leg, in a frame whose z is against gravity
// and whose x is the heading: the ground scanned for that leg, or its neutral
// foot where nothing was found. Both are within +-pi/2. Fewer points than legs,
// or points that are not finite, give 0, 0.
func (l *Level) Ask(ground []r3.Vec) (roll, pitch float64) {
	if len(ground) < len(l.fore) {
		return 0, 0
	}
	ground = ground[:len(l.fore)]
	a, b, ok := 0.0, 0.0, false
	if l.rows {
		a, b, ok = l.rowSlope(ground)
	}
	if !ok {
		a, b = planeSlope(ground)
	}
	if a-a != 0 || b-b != 0 {
		return 0, 0
	}
	return math.Atan2(b, math.Sqrt(1+a*a)), -math.Atan(a)
}

// rowSlope returns dz/dx and dz/dy of the plane that holds fore and side; not
// ok when the two point the same way.
func (l *Level) rowSlope(ground []r3.Vec) (a, b float64, ok bool) {
	var f, s r3.Vec
	for i, p := range ground {
		f = r3.Add(f, r3.Scale(l.fore[i], p))
		s = r3.Add(s, r3.Scale(l.side[i], p))
	}
	det := f.X*s.Y - f.Y*s.X
	if det*det <= thin*(f.X*f.X+f.Y*f.Y)*(s.X*s.X+s.Y*s.Y) {
		return 0, 0, false
	}
	return (f.Z*s.Y - s.Z*f.Y) / det, (f.X*s.Z - s.X*f.Z) / det, true
}

// thin is the square of the sine below which two directions count as one.
const thin = 1e-4

// planeSlope returns dz/dx and dz/dy of the least-squares plane through the
// points; across a line of points the slope is 0.
func planeSlope(p []r3.Vec) (a, b float64) {
	var mean r3.Vec
	for _, v := range p {
		mean = r3.Add(mean, v)
	}
	mean = r3.Scale(1/float64(len(p)), mean)
	var xx, xy, yy, xz, yz float64
	for _, v := range p {
		d := r3.Sub(v, mean)
		xx += d.X * d.X
		xy += d.X * d.Y
		yy += d.Y * d.Y
		xz += d.X * d.Z
		yz += d.Y * d.Z
	}
	sum, det := xx+yy, xx*yy-xy*xy
	if det > thin*sum*sum {
		return (yy*xz - xy*yz) / det, (xx*yz - xy*xz) / det
	}
	if !(sum > 0) {
		return 0, 0
	}
	// All points lie along one direction (ex, ey).
	ex, ey := xx, xy
	if yy > xx {
		ex, ey = xy, yy
	}
	t := (ex*xz + ey*yz) / ((ex*ex + ey*ey) * sum)
	return t * ex, t * ey
}

// Residual returns the share of an old roll or pitch that is left after one
// tick of dt seconds on a rig with time unit k, seconds: 0.09 after dt = k, as
// in the step rules, and exp(-dt/T) with T = k/ln(1/0.09) for any dt. It is to
// be called when a controller is made, not in the tick: math.Exp may give other
// bits on another processor. dt <= 0 keeps all, k <= 0 nothing.
func Residual(dt, k float64) float64 {
	if !(dt > 0) {
		return 1
	}
	if !(k > 0) {
		return 0
	}
	return math.Exp(math.Log(0.09) * dt / k)
}

// Ease moves an angle from old to ask, keeping the share residual of the
// difference.
func Ease(old, ask, residual float64) float64 { return ask + residual*(old-ask) }
