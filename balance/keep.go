package balance

import (
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

// Offset is a commanded displacement of the body from its levelled pose: Move
// in metres, Turn as roll, pitch and yaw in radians, both along the axes of
// the levelled pose. The zero value asks for nothing.
type Offset struct {
	Move, Turn r3.Vec
}

// Part returns the offset scaled by factor; 0 gives no offset, 1 all of it.
func (o Offset) Part(factor float64) Offset {
	return Offset{Move: r3.Scale(factor, o.Move), Turn: r3.Scale(factor, o.Turn)}
}

// IsZero reports whether the offset asks for nothing.
func (o Offset) IsZero() bool { return o == Offset{} }

// Pose returns the levelled pose with the offset put on it.
func (o Offset) Pose(levelled geom.Pose) geom.Pose {
	q := geom.FromRPY(o.Turn.X, o.Turn.Y, o.Turn.Z)
	return levelled.Mul(geom.Pose{P: o.Move, Q: q})
}

// A Fit says whether the body may have a share of its commanded offset: every
// foot within reach, and, for a static gait, the margin at its floor.
// It is asked several times a tick with factor in [0, 1] and must not keep what
// it works out: the same factor gives the same answer. Let the controller own
// one struct that implements it and pass its pointer, so that no tick
// allocates.
type Fit interface {
	Fits(factor float64) bool
}

// KeepSteps is the number of halvings that Keep does when told 0: the factor is
// then within 1/1024 of the end of what fits.
const KeepSteps = 10

// Keep returns the share of the commanded body offset, in [0, 1], that fits,
// and whether that share does fit. It asks for all of the offset first, then
// for none, then bisects. The factor returned has always been asked for and
// found to fit, whatever the shape of the set of factors that do: for a set
// that is one interval from 0 it is the end of it, less 2^-steps; for others
// the end of one of its parts. When not even 0 fits it returns 0 and false: the
// levelled pose itself is at fault and the caller has to say so.
//
// steps is the number of halvings; 0 or less means KeepSteps.
func Keep(f Fit, steps int) (factor float64, ok bool) {
	if f.Fits(1) {
		return 1, true
	}
	if !f.Fits(0) {
		return 0, false
	}
	if steps <= 0 {
		steps = KeepSteps
	}
	good, bad := 0.0, 1.0
	for range steps {
		mid := (good + bad) / 2
		if f.Fits(mid) {
			good = mid
		} else {
			bad = mid
		}
	}
	return good, true
}
