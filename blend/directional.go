package blend

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r2"
)

// Way is one clip of a directional set: the direction it moves in relative to
// the facing, radians, left positive, and its speed, m/s, >= 0.
type Way struct {
	Angle, Speed float64
}

// Directional blends movement in any direction while the facing stays:
// neighbouring clips of a semicircle share by angle. Clips ahead and clips
// behind are sets of their own, never blended with each other, because a
// strafe that meets a forward walk crosses the legs the other way than one
// that meets a backward walk.
type Directional struct {
	sets       [2][]Way // ahead, behind (angles relative to straight back)
	order      [2][]int // by angle
	hysteresis float64
}

// Heading is the state of a directional set, and its answer. The zero value
// faces ahead and has not answered yet. Plain data, owned by the caller.
type Heading struct {
	Behind   bool   // the backward set is active
	Known    bool   // there has been an answer: weights mean something
	Covered  bool   // the direction lies within the arc of the active set
	Held     bool   // the speed was zero: the answer before was kept
	Velocity r2.Vec // of the weighted clips, relative to the facing, m/s
}

// zeroSpeed is what counts as standing, m/s; sameAngle tells a bound from the
// rounding of degrees turned to radians.
const (
	zeroSpeed = 1e-9
	sameAngle = 1e-12
)

// NewDirectional returns a set of clips ahead (at least one) and, unless it is
// empty, another behind. It goes behind when the direction is more than 90
// degrees plus hysteresis (radians, 0 to pi/2) off the facing, and ahead again
// below 90 degrees less it. Angles wrap and must differ within a set.
func NewDirectional(ahead, behind []Way, hysteresis float64) (*Directional, error) {
	if len(ahead) == 0 {
		return nil, fmt.Errorf("blend: directional set with 0 clips ahead, want at least 1")
	}
	if !(hysteresis >= 0 && hysteresis <= math.Pi/2) {
		return nil, fmt.Errorf("blend: directional hysteresis %v rad, want 0 to pi/2", hysteresis)
	}
	d := &Directional{hysteresis: hysteresis}
	for k, set := range [2][]Way{ahead, behind} {
		for i, w := range set {
			if !(math.Abs(w.Angle) < largest) || !(w.Speed >= 0 && w.Speed < largest) {
				return nil, fmt.Errorf("blend: directional clip %d at %v rad with %v m/s, want finite numbers and a speed >= 0", i, w.Angle, w.Speed)
			}
			w.Angle = geom.WrapAngle(geom.WrapAngle(w.Angle) - float64(k)*math.Pi)
			d.sets[k], d.order[k] = append(d.sets[k], w), append(d.order[k], i)
		}
		slices.SortFunc(d.order[k], func(i, j int) int { return cmp.Compare(d.sets[k][i].Angle, d.sets[k][j].Angle) })
		for n := 1; n < len(d.order[k]); n++ {
			i, j := d.order[k][n-1], d.order[k][n]
			if d.sets[k][j].Angle-d.sets[k][i].Angle <= sameAngle {
				return nil, fmt.Errorf("blend: directional clips %d and %d both at %v rad, want different angles", i, j, set[i].Angle)
			}
		}
	}
	return d, nil
}

// Len returns the number of clips of a set; that of the larger one is what a
// buffer of weights needs.
func (d *Directional) Len(behind bool) int { return len(d.sets[index(behind)]) }

func index(behind bool) int {
	if behind {
		return 1
	}
	return 0
}

// Step answers for a direction of movement relative to the facing, radians,
// and a speed, m/s: it writes the weights of the active set, h.Behind, to the
// first Len(h.Behind) places of dst and updates h. At standstill (<= 1e-9) the
// direction means nothing and everything stays as it was, with Held set. The
// direction outside the arc gives the nearer end alone, straight opposite the
// left one. A number that is not finite, a negative speed or a dst shorter than
// the larger set is an error and changes nothing. Nothing is allocated.
func (d *Directional) Step(dst []float64, h *Heading, direction, speed float64) error {
	if !(math.Abs(direction) < largest) || !(speed >= 0 && speed < largest) {
		return fmt.Errorf("blend: direction %v rad at %v m/s, want finite numbers and a speed >= 0", direction, speed)
	}
	if most := max(len(d.sets[0]), len(d.sets[1])); len(dst) < most {
		return fmt.Errorf("blend: directional set of %d clips into %d weights", most, len(dst))
	}
	if h.Held = speed <= zeroSpeed; h.Held {
		return nil
	}
	direction = geom.WrapAngle(direction)
	h.Behind = d.behind(h.Behind, math.Abs(direction))
	k := index(h.Behind)
	toward := geom.WrapAngle(direction - float64(k)*math.Pi)
	h.Covered = arc(dst, d.sets[k], d.order[k], toward)
	h.Known, h.Velocity = true, r2.Vec{}
	for i, w := range d.sets[k] {
		s, c := math.Sincos(w.Angle + float64(k)*math.Pi)
		h.Velocity = r2.Add(h.Velocity, r2.Scale(dst[i]*w.Speed, r2.Vec{X: c, Y: s}))
	}
	return nil
}

// behind returns which set is next for an angle off the facing, in [0, pi].
func (d *Directional) behind(now bool, off float64) bool {
	switch {
	case len(d.sets[1]) == 0:
		return false
	case now:
		return !(off < math.Pi/2-d.hysteresis-sameAngle)
	}
	return off > math.Pi/2+d.hysteresis+sameAngle
}

// arc writes the weights of one set and reports whether it covers the angle.
func arc(dst []float64, set []Way, order []int, toward float64) bool {
	for i := range set {
		dst[i] = 0
	}
	right, left := order[0], order[len(order)-1]
	if toward < set[right].Angle-sameAngle || toward > set[left].Angle+sameAngle {
		toRight := math.Abs(geom.WrapAngle(toward - set[right].Angle))
		toLeft := math.Abs(geom.WrapAngle(toward - set[left].Angle))
		if toLeft <= toRight+zeroLength {
			right = left
		}
		dst[right] = 1
		return false
	}
	for n := 1; n < len(order); n++ {
		a, b := order[n-1], order[n]
		if toward <= set[b].Angle || n == len(order)-1 {
			part := (toward - set[a].Angle) / (set[b].Angle - set[a].Angle)
			part = max(0, min(part, 1))
			dst[a], dst[b] = 1-part, part
			return true
		}
	}
	dst[right] = 1
	return true
}

// The bounds of PlayRate: beyond them a clip no longer looks like itself.
const (
	slowest = 0.7
	fastest = 1.4
)

// PlayRate returns how much faster than authored blended clips have to play to
// move at the wanted speed, m/s, when they move at got: two clips 90 degrees
// apart reach 0.71 of their speed halfway. The answer is within 0.7 and 1.4;
// 1 when the clips stand.
func PlayRate(wanted float64, got r2.Vec) float64 {
	v := math.Sqrt(r2.Norm2(got))
	if !(v > zeroSpeed) || !(wanted >= 0) {
		return 1
	}
	return max(slowest, min(wanted/v, fastest))
}
