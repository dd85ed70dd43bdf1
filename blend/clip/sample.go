package clip

import (
	"math"
	"sort"

	"legctl/geom"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Frame is where a bone is in W: its origin, metres, and its axes as columns,
// which are not of unit length where something is stretched.
type Frame struct {
	P r3.Vec
	M geom.Rot
}

// Apply returns the point v of the bone's frame in W.
func (f *Frame) Apply(v r3.Vec) r3.Vec { return r3.Add(f.P, f.M.Apply(v)) }

// Turn returns the direction of the frame as a rotation, its axes brought to
// unit length and square to each other; identity for a flat one.
func (f *Frame) Turn() quat.Number {
	x := r3.Unit(f.M.X)
	z := r3.Cross(x, f.M.Y)
	if n := r3.Norm(z); !(n > 0) || x.X != x.X {
		return quat.Number{Real: 1}
	}
	z = r3.Unit(z)
	return fromAxes(x, r3.Cross(z, x), z)
}

// fromAxes returns the rotation whose matrix has these columns.
func fromAxes(x, y, z r3.Vec) quat.Number {
	// The largest of the four squares keeps the division well away from 0.
	var q quat.Number
	switch t := x.X + y.Y + z.Z; {
	case t > 0:
		s := 2 * math.Sqrt(t+1)
		q = quat.Number{Real: s / 4, Imag: (y.Z - z.Y) / s, Jmag: (z.X - x.Z) / s, Kmag: (x.Y - y.X) / s}
	case x.X >= y.Y && x.X >= z.Z:
		s := 2 * math.Sqrt(1+x.X-y.Y-z.Z)
		q = quat.Number{Real: (y.Z - z.Y) / s, Imag: s / 4, Jmag: (y.X + x.Y) / s, Kmag: (z.X + x.Z) / s}
	case y.Y >= z.Z:
		s := 2 * math.Sqrt(1+y.Y-x.X-z.Z)
		q = quat.Number{Real: (z.X - x.Z) / s, Imag: (y.X + x.Y) / s, Jmag: s / 4, Kmag: (z.Y + y.Z) / s}
	default:
		s := 2 * math.Sqrt(1+z.Z-x.X-y.Y)
		q = quat.Number{Real: (x.Y - y.X) / s, Imag: (z.X + x.Z) / s, Jmag: (z.Y + y.Z) / s, Kmag: s / 4}
	}
	return geom.Unit(q)
}

// Locals writes the transforms of all bones at time t, seconds, to dst, which
// needs one entry a bone. Outside its keys the clip holds still; a t that is
// not a number counts as the beginning.
func (c *Clip) Locals(dst []Local, t float64) {
	for i := range c.Bones {
		dst[i] = c.Bones[i].Rest
	}
	for i := range c.Tracks {
		k := &c.Tracks[i]
		switch k.Part {
		case Move:
			dst[k.Bone].Move = k.vec(t)
		case Stretch:
			dst[k.Bone].Stretch = k.vec(t)
		case Turn:
			dst[k.Bone].Turn = k.turn(t)
		}
	}
}

// Frames writes where all bones are at time t to dst; locals is scratch. Both
// need one entry a bone and belong to the caller.
func (c *Clip) Frames(dst []Frame, locals []Local, t float64) {
	c.Locals(locals, t)
	for i := range c.Bones {
		f := locals[i].frame()
		if p := c.Bones[i].Parent; p >= 0 {
			f = Frame{P: dst[p].Apply(f.P), M: dst[p].M.Mul(f.M)}
		}
		dst[i] = f
	}
}

// RestFrames returns where all bones are when nothing moves them.
func (c *Clip) RestFrames() []Frame {
	out := make([]Frame, len(c.Bones))
	for i := range c.Bones {
		out[i] = c.Bones[i].Rest.frame()
		if p := c.Bones[i].Parent; p >= 0 {
			out[i] = Frame{P: out[p].Apply(out[i].P), M: out[p].M.Mul(out[i].M)}
		}
	}
	return out
}

func (l *Local) frame() Frame {
	m := geom.RotOf(l.Turn)
	m.X, m.Y, m.Z = r3.Scale(l.Stretch.X, m.X), r3.Scale(l.Stretch.Y, m.Y), r3.Scale(l.Stretch.Z, m.Z)
	return Frame{P: l.Move, M: m}
}

// find returns the key at or before t, how much of the way to the next is
// done, and the seconds between the two; 0 of the way at either end.
func (k *Track) find(t float64) (i int, part, step float64) {
	n := len(k.Times)
	i = sort.SearchFloat64s(k.Times, t)
	switch {
	case i == n:
		return n - 1, 0, 0
	case k.Times[i] == t || i == 0 || t != t:
		return min(i, n-1), 0, 0
	}
	step = k.Times[i] - k.Times[i-1]
	return i - 1, (t - k.Times[i-1]) / step, step
}

func (k *Track) vec(t float64) r3.Vec {
	i, part, step := k.find(t)
	if k.How == Cubic {
		if part == 0 {
			return k.Vecs[3*i+1]
		}
		h := hermite(part, step)
		v := r3.Add(r3.Scale(h[0], k.Vecs[3*i+1]), r3.Scale(h[1], k.Vecs[3*i+2]))
		return r3.Add(v, r3.Add(r3.Scale(h[2], k.Vecs[3*i+4]), r3.Scale(h[3], k.Vecs[3*i+3])))
	}
	if part == 0 || k.How == Step {
		return k.Vecs[i]
	}
	return r3.Add(k.Vecs[i], r3.Scale(part, r3.Sub(k.Vecs[i+1], k.Vecs[i])))
}

func (k *Track) turn(t float64) quat.Number {
	i, part, step := k.find(t)
	if k.How == Cubic {
		if part == 0 {
			return geom.Unit(k.Turns[3*i+1])
		}
		h := hermite(part, step)
		q := quat.Add(quat.Scale(h[0], k.Turns[3*i+1]), quat.Scale(h[1], k.Turns[3*i+2]))
		return geom.Unit(quat.Add(q, quat.Add(quat.Scale(h[2], k.Turns[3*i+4]), quat.Scale(h[3], k.Turns[3*i+3]))))
	}
	if part == 0 || k.How == Step {
		return geom.Unit(k.Turns[i])
	}
	return slerp(geom.Unit(k.Turns[i]), geom.Unit(k.Turns[i+1]), part)
}

// hermite returns the weights of the value and tangent of a key and of the
// value and tangent of the next, a share s of the way along (glTF 2.0, C).
func hermite(s, step float64) [4]float64 {
	s2, s3 := s*s, s*s*s
	return [4]float64{2*s3 - 3*s2 + 1, step * (s3 - 2*s2 + s), 3*s2 - 2*s3, step * (s3 - s2)}
}

// slerp returns the rotation a share s along the shorter arc from a to b.
func slerp(a, b quat.Number, s float64) quat.Number {
	d := a.Real*b.Real + a.Imag*b.Imag + a.Jmag*b.Jmag + a.Kmag*b.Kmag
	if d < 0 {
		b, d = quat.Scale(-1, b), -d
	}
	wa, wb := 1-s, s
	if d < 1-1e-9 {
		angle := math.Atan2(math.Sqrt(1-d*d), d)
		over := 1 / math.Sin(angle)
		wa, wb = math.Sin((1-s)*angle)*over, math.Sin(s*angle)*over
	}
	return geom.Unit(quat.Add(quat.Scale(wa, a), quat.Scale(wb, b)))
}
