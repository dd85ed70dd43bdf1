package blend

import (
	"fmt"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Inertia carries a body over a switch of motion: the new motion plays at once,
// and the difference to what was shown dies out, beginning with its own
// velocity, so that neither place nor speed jumps. It covers joints, body and
// feet; root motion and contacts switch at once. A switch during another one
// starts from what is shown, so offsets add up instead of popping. Make one
// with NewInertia; it keeps its buffers.
type Inertia struct {
	t      float64 // seconds since the switch
	until  float64
	body   offset
	turn   offset
	joints []offset
	angles []offset
	feet   []offset
}

// offset is a difference along one direction; for rotations along the axis.
type offset struct {
	along r3.Vec
	d     decay
}

// NewInertia returns an inertia for poses of a shape, at rest.
func NewInertia(s Shape) *Inertia {
	return &Inertia{joints: make([]offset, s.Joints), angles: make([]offset, s.Angles), feet: make([]offset, s.Feet)}
}

// Moment is a pose now and dt seconds before.
type Moment struct {
	Now, Before *Pose
}

// Switch starts a transition of at most over seconds from what was shown to
// what is wanted. Where the past of the wanted motion is not known, give its
// pose now for both. The last pose shown and the first of the wanted motion
// belong to the same instant; Apply with dt 0 then shows the old pose. On an
// error (other shapes, see Pose.Check, dt or over not positive) nothing
// changes. Nothing is allocated.
func (n *Inertia) Switch(shown, wanted Moment, dt, over float64) error {
	if !(dt > 0 && dt < largest) || !(over > 0 && over < largest) {
		return fmt.Errorf("blend: switch within %v s at steps of %v s, want both > 0", over, dt)
	}
	for _, p := range [4]*Pose{shown.Now, shown.Before, wanted.Now, wanted.Before} {
		if err := n.fits(p); err != nil {
			return err
		}
		if err := p.Check(); err != nil {
			return err
		}
	}
	a, a0, b, b0 := shown.Now, shown.Before, wanted.Now, wanted.Before
	n.t, n.until = 0, over
	n.body = apart(a.Body.P, a0.Body.P, b.Body.P, b0.Body.P, dt, over)
	n.turn = apartTurn(a.Body.Q, a0.Body.Q, b.Body.Q, b0.Body.Q, dt, over)
	for i := range n.joints {
		n.joints[i] = apartTurn(a.Joints[i], a0.Joints[i], b.Joints[i], b0.Joints[i], dt, over)
	}
	for i := range n.feet {
		n.feet[i] = apart(a.Feet[i], a0.Feet[i], b.Feet[i], b0.Feet[i], dt, over)
	}
	for i := range n.angles {
		now := geom.WrapAngle(a.Angles[i] - b.Angles[i])
		before := geom.WrapAngle(a0.Angles[i] - b0.Angles[i])
		n.angles[i] = apart(r3.Vec{X: now}, r3.Vec{X: before}, r3.Vec{}, r3.Vec{}, dt, over)
	}
	return nil
}

func (n *Inertia) fits(p *Pose) error {
	if s := p.Shape(); s != (Shape{len(n.joints), len(n.angles), len(n.feet)}) || len(p.Ground) != s.Feet {
		return fmt.Errorf("blend: pose of %d joints, %d angles, %d feet for an inertia of %d, %d, %d", s.Joints, s.Angles, s.Feet, len(n.joints), len(n.angles), len(n.feet))
	}
	return nil
}

// apart returns the offset from b to a that dies out.
func apart(a, a0, b, b0 r3.Vec, dt, over float64) offset {
	x := r3.Sub(a, b)
	return dying(x, r3.Scale(1/dt, r3.Sub(x, r3.Sub(a0, b0))), over)
}

// dying returns the offset x with velocity v that dies out.
func dying(x, v r3.Vec, over float64) offset {
	long := math.Sqrt(r3.Norm2(x))
	if long <= noSum {
		return offset{}
	}
	along := r3.Scale(1/long, x)
	return offset{along: along, d: newDecay(long, r3.Dot(along, v), over)}
}

// apartTurn is apart for rotations: the offset is put before the wanted one.
// Its velocity is taken about its own axis.
func apartTurn(a, a0, b, b0 quat.Number, dt, over float64) offset {
	now := shortFrom(quat.Conj(unit(a)), quat.Conj(unit(b)))
	before := quat.Mul(unit(a0), quat.Conj(unit(b0)))
	v := r3.Vec{X: now.Imag, Y: now.Jmag, Z: now.Kmag}
	s := math.Sqrt(r3.Norm2(v))
	if s <= noSum {
		return offset{}
	}
	axis := r3.Scale(1/s, v)
	angle := 2 * math.Atan2(s, now.Real)
	about := 2 * math.Atan2(r3.Dot(axis, r3.Vec{X: before.Imag, Y: before.Jmag, Z: before.Kmag}), before.Real)
	return offset{along: axis, d: newDecay(angle, geom.WrapAngle(angle-about)/dt, over)}
}

// Active reports whether an offset is left.
func (n *Inertia) Active() bool { return n.t < n.until }

// Apply lets dt seconds pass and puts what is left of the offset on p, the pose
// wanted now. On an error (another shape, dt < 0 or not finite) nothing
// changes. Nothing is allocated.
func (n *Inertia) Apply(p *Pose, dt float64) error {
	if !(dt >= 0 && dt < largest) {
		return fmt.Errorf("blend: inertia step of %v s, want a finite number >= 0", dt)
	}
	if err := n.fits(p); err != nil {
		return err
	}
	if !n.Active() {
		return nil
	}
	n.t += dt
	p.Body.P = r3.Add(p.Body.P, n.body.left(n.t))
	p.Body.Q = n.turn.put(p.Body.Q, n.t)
	for i := range p.Joints {
		p.Joints[i] = n.joints[i].put(p.Joints[i], n.t)
	}
	for i := range p.Angles {
		p.Angles[i] += n.angles[i].left(n.t).X
	}
	for i := range p.Feet {
		p.Feet[i] = r3.Add(p.Feet[i], n.feet[i].left(n.t))
	}
	return nil
}

// left returns what is left of an offset after t seconds.
func (o *offset) left(t float64) r3.Vec { return r3.Scale(o.d.at(t), o.along) }

// pace returns how fast it changes.
func (o *offset) pace(t float64) r3.Vec { return r3.Scale(o.d.speed(t), o.along) }

// put turns q by what is left of an offset.
func (o *offset) put(q quat.Number, t float64) quat.Number {
	x := o.d.at(t)
	if x == 0 {
		return q
	}
	return geom.Unit(quat.Mul(geom.AxisAngle(o.along, x), q))
}
