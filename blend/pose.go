package blend

import (
	"fmt"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Pose is how a body holds itself at one moment and what its root did to get
// there. Plain data: the slices belong to whoever made it, NewPoses cuts them.
type Pose struct {
	Root   RootMotion
	Body   geom.Pose     // body in the root's frame: height, sway, tilt; metres
	Joints []quat.Number // ball joints, each in its parent's frame; need not be of unit length
	Angles []float64     // one-axis joints, radians
	Feet   []r3.Vec      // in the root's frame, metres
	Ground []float64     // per foot: share of the weight that has it on the ground, 0 to 1
}

// Shape is the number of ball joints, one-axis joints and feet of a pose.
type Shape struct {
	Joints, Angles, Feet int
}

// NewPoses returns n neutral poses of one shape, cut from one block a field.
// Numbers below 0 count as 0.
func NewPoses(s Shape, n int) []Pose {
	n, s = max(n, 0), Shape{max(s.Joints, 0), max(s.Angles, 0), max(s.Feet, 0)}
	joints, angles := make([]quat.Number, n*s.Joints), make([]float64, n*s.Angles)
	feet, ground := make([]r3.Vec, n*s.Feet), make([]float64, n*s.Feet)
	out := make([]Pose, n)
	for i := range out {
		out[i] = Pose{
			Joints: joints[i*s.Joints : (i+1)*s.Joints : (i+1)*s.Joints],
			Angles: angles[i*s.Angles : (i+1)*s.Angles : (i+1)*s.Angles],
			Feet:   feet[i*s.Feet : (i+1)*s.Feet : (i+1)*s.Feet],
			Ground: ground[i*s.Feet : (i+1)*s.Feet : (i+1)*s.Feet],
		}
		out[i].Reset()
	}
	return out
}

// Shape returns the shape of the pose.
func (p *Pose) Shape() Shape { return Shape{len(p.Joints), len(p.Angles), len(p.Feet)} }

// Reset makes the pose neutral: nothing turned, nothing moved, no foot down.
func (p *Pose) Reset() {
	p.Root, p.Body = RootMotion{}, geom.Identity()
	for i := range p.Joints {
		p.Joints[i] = quat.Number{Real: 1}
	}
	clear(p.Angles)
	clear(p.Feet)
	clear(p.Ground)
}

// Copy copies src to dst, whose shape must be the same.
func Copy(dst, src *Pose) error {
	if err := sameShape(dst, src); err != nil {
		return err
	}
	dst.Root, dst.Body = src.Root, src.Body
	copy(dst.Joints, src.Joints)
	copy(dst.Angles, src.Angles)
	copy(dst.Feet, src.Feet)
	copy(dst.Ground, src.Ground)
	return nil
}

func sameShape(a, b *Pose) error {
	if s, t := a.Shape(), b.Shape(); s != t || len(a.Ground) != len(a.Feet) || len(b.Ground) != len(b.Feet) {
		return fmt.Errorf("blend: pose of %d joints, %d angles, %d feet with %d contacts against %d, %d, %d with %d, want the same shape",
			s.Joints, s.Angles, s.Feet, len(a.Ground), t.Joints, t.Angles, t.Feet, len(b.Ground))
	}
	return nil
}

// Check says what is wrong with the numbers of a pose: one that is not finite,
// a rotation without a length, or a foot without a contact.
func (p *Pose) Check() error {
	if len(p.Ground) != len(p.Feet) {
		return fmt.Errorf("blend: pose of %d feet with %d contacts, want one each", len(p.Feet), len(p.Ground))
	}
	if !geom.FiniteVec(p.Root.Move) || p.Root.Yaw-p.Root.Yaw != 0 || !geom.FiniteVec(p.Body.P) || !lengthOK(p.Body.Q) {
		return fmt.Errorf("blend: root %v or body %v, want finite numbers and a rotation longer than %g", p.Root, p.Body, zeroLength)
	}
	for i, q := range p.Joints {
		if !lengthOK(q) {
			return fmt.Errorf("blend: joint %d is %v, want finite numbers longer than %g", i, q, zeroLength)
		}
	}
	for i, a := range p.Angles {
		if a-a != 0 {
			return fmt.Errorf("blend: angle %d is %v, want a finite number", i, a)
		}
	}
	for i, f := range p.Feet {
		if !geom.FiniteVec(f) || p.Ground[i]-p.Ground[i] != 0 {
			return fmt.Errorf("blend: foot %d at %v with contact %v, want finite numbers", i, f, p.Ground[i])
		}
	}
	return nil
}

// dot is the cosine of half the angle between two unit quaternions.
func dot(a, b quat.Number) float64 {
	return a.Real*b.Real + a.Imag*b.Imag + a.Jmag*b.Jmag + a.Kmag*b.Kmag
}

// lengthOK reports whether q is finite and long enough to be a rotation.
func lengthOK(q quat.Number) bool {
	n := dot(q, q)
	return n > zeroLength*zeroLength && n < largest
}

// turnBetween returns the angle of the short way from a to b, radians.
func turnBetween(a, b quat.Number) float64 {
	q := shortFrom(a, b)
	return 2 * math.Atan2(math.Sqrt(q.Imag*q.Imag+q.Jmag*q.Jmag+q.Kmag*q.Kmag), q.Real)
}

func distance(a, b r3.Vec) float64 { return math.Sqrt(r3.Norm2(r3.Sub(a, b))) }
