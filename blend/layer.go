package blend

import (
	"fmt"
	"math"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Mask says, part by part, how much of a layer to take: factors that multiply
// the layer's weight, usually 0 to 1. A nil slice is 1 everywhere; so is a nil
// *Mask. Body applies to body and root motion and has to be said: 0 is none.
type Mask struct {
	Joints, Angles, Feet []float64
	Body                 float64
}

// FullMask returns a mask of ones for a shape, to be written on.
func FullMask(s Shape) *Mask {
	m := &Mask{Joints: make([]float64, s.Joints), Angles: make([]float64, s.Angles), Feet: make([]float64, s.Feet), Body: 1}
	for _, part := range [][]float64{m.Joints, m.Angles, m.Feet} {
		for i := range part {
			part[i] = 1
		}
	}
	return m
}

func (m *Mask) check(s Shape) error {
	if m == nil {
		return nil
	}
	for _, part := range []struct {
		got  []float64
		want int
	}{{m.Joints, s.Joints}, {m.Angles, s.Angles}, {m.Feet, s.Feet}} {
		if part.got != nil && len(part.got) != part.want {
			return fmt.Errorf("blend: mask with %d joints, %d angles, %d feet against a pose of %d, %d, %d", len(m.Joints), len(m.Angles), len(m.Feet), s.Joints, s.Angles, s.Feet)
		}
		for i, x := range part.got {
			if x-x != 0 {
				return fmt.Errorf("blend: mask factor %d is %v, want a finite number", i, x)
			}
		}
	}
	if m.Body-m.Body != 0 {
		return fmt.Errorf("blend: mask factor of the body is %v, want a finite number", m.Body)
	}
	return nil
}

// part returns factor i of a part.
func part(of []float64, i int) float64 {
	if of == nil {
		return 1
	}
	return of[i]
}

// parts returns the parts of a mask; those of nil are all 1.
func (m *Mask) parts() Mask {
	if m == nil {
		return Mask{Body: 1}
	}
	return *m
}

// Delta writes the additive layer that turns ref into p to dst: rotations
// ref^-1 p, differences for the rest. Built against another reference than it
// is meant for, a layer adds that difference as well. dst may be p or ref; it is
// written only when the error is nil (unequal shapes, see Pose.Check).
func Delta(dst, ref, p *Pose) error {
	if err := layerOf(dst, ref, p, 0, nil); err != nil {
		return err
	}
	dst.Root = RootMotion{Move: r3.Sub(p.Root.Move, ref.Root.Move), Yaw: p.Root.Yaw - ref.Root.Yaw}
	dst.Body = geom.Pose{P: r3.Sub(p.Body.P, ref.Body.P), Q: shortFrom(ref.Body.Q, p.Body.Q)}
	for i := range dst.Joints {
		dst.Joints[i] = shortFrom(ref.Joints[i], p.Joints[i])
	}
	for i := range dst.Angles {
		dst.Angles[i] = p.Angles[i] - ref.Angles[i]
	}
	for i := range dst.Feet {
		dst.Feet[i] = r3.Sub(p.Feet[i], ref.Feet[i])
		dst.Ground[i] = 0
	}
	return nil
}

// layerOf checks what all layers ask for.
func layerOf(dst, a, b *Pose, w float64, m *Mask) error {
	if w-w != 0 {
		return fmt.Errorf("blend: layer weight %v, want a finite number", w)
	}
	for _, p := range [2]*Pose{a, b} {
		if err := sameShape(dst, p); err != nil {
			return err
		}
		if err := p.Check(); err != nil {
			return err
		}
	}
	return m.check(dst.Shape())
}

// shortFrom returns a^-1 b on the short way.
func shortFrom(a, b quat.Number) quat.Number {
	q := quat.Mul(quat.Conj(unit(a)), unit(b))
	if q.Real < 0 {
		q = quat.Scale(-1, q)
	}
	return q
}

// partOf returns w of the rotation q: its axis, w times its angle.
func partOf(q quat.Number, w float64) quat.Number {
	if q.Real < 0 {
		q = quat.Scale(-1, q)
	}
	v := r3.Vec{X: q.Imag, Y: q.Jmag, Z: q.Kmag}
	s := math.Sqrt(r3.Norm2(v))
	if s <= noSum {
		return quat.Number{Real: 1}
	}
	return geom.AxisAngle(r3.Scale(1/s, v), 2*w*math.Atan2(s, q.Real))
}

// Add puts w of an additive layer on base: every rotation is base's followed,
// in its own frame, by w of the layer's (base * slerp(1, layer, w)); the rest is
// base plus w of the layer. Contacts are base's. w may be negative or above 1;
// m scales it part by part. dst may be base; it is written only when the error
// is nil (unequal shapes, a mask of another shape, see Pose.Check).
func Add(dst, base, layer *Pose, w float64, m *Mask) error {
	if err := layerOf(dst, base, layer, w, m); err != nil {
		return err
	}
	k := m.parts()
	b := k.Body * w
	dst.Root = RootMotion{Move: r3.Add(base.Root.Move, r3.Scale(b, layer.Root.Move)), Yaw: base.Root.Yaw + b*layer.Root.Yaw}
	dst.Body = geom.Pose{P: r3.Add(base.Body.P, r3.Scale(b, layer.Body.P)), Q: geom.Unit(quat.Mul(base.Body.Q, partOf(layer.Body.Q, b)))}
	for i := range dst.Joints {
		dst.Joints[i] = geom.Unit(quat.Mul(base.Joints[i], partOf(layer.Joints[i], w*part(k.Joints, i))))
	}
	for i := range dst.Angles {
		dst.Angles[i] = base.Angles[i] + w*part(k.Angles, i)*layer.Angles[i]
	}
	for i := range dst.Feet {
		dst.Feet[i] = r3.Add(base.Feet[i], r3.Scale(w*part(k.Feet, i), layer.Feet[i]))
		dst.Ground[i] = base.Ground[i]
	}
	return nil
}

// Override replaces the parts of base that the mask names by w of the layer:
// each is base's moved to the layer's by the factor w times the mask's, held to
// 0 to 1, whatever the weights of other layers. dst may be base; it is written
// only when the error is nil (see Add).
func Override(dst, base, layer *Pose, w float64, m *Mask) error {
	if err := layerOf(dst, base, layer, w, m); err != nil {
		return err
	}
	k := m.parts()
	b := share01(w * k.Body)
	dst.Root = RootMotion{Move: toward(base.Root.Move, layer.Root.Move, b), Yaw: base.Root.Yaw + b*(layer.Root.Yaw-base.Root.Yaw)}
	dst.Body = geom.Pose{P: toward(base.Body.P, layer.Body.P, b), Q: turnTo(base.Body.Q, layer.Body.Q, b)}
	for i := range dst.Joints {
		dst.Joints[i] = turnTo(base.Joints[i], layer.Joints[i], share01(w*part(k.Joints, i)))
	}
	for i := range dst.Angles {
		dst.Angles[i] = base.Angles[i] + share01(w*part(k.Angles, i))*geom.WrapAngle(layer.Angles[i]-base.Angles[i])
	}
	for i := range dst.Feet {
		f := share01(w * part(k.Feet, i))
		dst.Feet[i] = toward(base.Feet[i], layer.Feet[i], f)
		dst.Ground[i] = base.Ground[i] + f*(layer.Ground[i]-base.Ground[i])
	}
	return nil
}

func share01(w float64) float64 { return max(0, min(w, 1)) }

func toward(a, b r3.Vec, w float64) r3.Vec { return r3.Add(a, r3.Scale(w, r3.Sub(b, a))) }

// turnTo returns the rotation w of the short way from a to b.
func turnTo(a, b quat.Number, w float64) quat.Number {
	a = unit(a)
	return geom.Unit(addTo(addTo(quat.Number{}, a, a, 1-w), a, unit(b), w))
}
