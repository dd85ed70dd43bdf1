package blend

import (
	"fmt"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Mirror tells which part is which on the other side: entry i is the partner
// of part i, i itself for one in the middle. Flip says for which one-axis
// joints the partner's angle has the other sign.
type Mirror struct {
	Joints, Angles, Feet []int
	Flip                 []bool
}

// Check says what is wrong with the pairs for a shape: a wrong number, a
// partner that does not exist or is somebody else's.
func (m *Mirror) Check(s Shape) error {
	for _, p := range []struct {
		name string
		of   []int
		want int
	}{{"joints", m.Joints, s.Joints}, {"angles", m.Angles, s.Angles}, {"feet", m.Feet, s.Feet}} {
		if len(p.of) != p.want {
			return fmt.Errorf("blend: mirror of %d %s, want %d", len(p.of), p.name, p.want)
		}
		for i, k := range p.of {
			if k < 0 || k >= p.want || p.of[k] != i {
				return fmt.Errorf("blend: mirror of %s: the partner of %d is %d, want 0 to %d and each other's", p.name, i, k, p.want-1)
			}
		}
	}
	if len(m.Flip) != s.Angles {
		return fmt.Errorf("blend: mirror with %d flips, want %d", len(m.Flip), s.Angles)
	}
	return nil
}

// Apply writes the mirror image of src about the plane y = 0 to dst, which must
// not share src's slices and must have its shape, as must m (see Check).
// Rotations of ball joints are taken to be in frames that mirror each other.
func (m *Mirror) Apply(dst, src *Pose) error {
	if err := sameShape(dst, src); err != nil {
		return err
	}
	if err := m.Check(src.Shape()); err != nil {
		return err
	}
	dst.Root = RootMotion{Move: otherSide(src.Root.Move), Yaw: -src.Root.Yaw}
	dst.Body = geom.Pose{P: otherSide(src.Body.P), Q: otherTurn(src.Body.Q)}
	for i, k := range m.Joints {
		dst.Joints[i] = otherTurn(src.Joints[k])
	}
	for i, k := range m.Angles {
		dst.Angles[i] = src.Angles[k]
		if m.Flip[i] {
			dst.Angles[i] = -src.Angles[k]
		}
	}
	for i, k := range m.Feet {
		dst.Feet[i], dst.Ground[i] = otherSide(src.Feet[k]), src.Ground[k]
	}
	return nil
}

func otherSide(v r3.Vec) r3.Vec { return r3.Vec{X: v.X, Y: -v.Y, Z: v.Z} }

// otherTurn mirrors a rotation about y = 0: its axis is a pseudovector.
func otherTurn(q quat.Number) quat.Number {
	return quat.Number{Real: q.Real, Imag: -q.Imag, Jmag: q.Jmag, Kmag: -q.Kmag}
}
