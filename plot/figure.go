package plot

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"legctl/control"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// Figure is a rig in one pose in the world: what View and Scene draw.
type Figure struct {
	Rig    *rig.Rig // validated
	Q      []float64
	PoseWB geom.Pose
	Stance uint64 // bit set of legs that stand
}

// Posed is the figure of a rig as a tick intends it: its commanded joint angles
// and its intended pose. It shares nothing with out.
func Posed(r *rig.Rig, out *control.Output) Figure {
	f := Figure{Rig: r, Q: slices.Clone(out.Set.Q), PoseWB: out.PoseWB}
	for i := range out.Legs {
		if out.Legs[i].Stance {
			f.Stance |= 1 << i
		}
	}
	return f
}

// check returns what is wrong with f.
func (f *Figure) check() error {
	switch {
	case f.Rig == nil || len(f.Rig.Legs) == 0:
		return fmt.Errorf("plot: figure without a rig: give one with legs")
	case len(f.Q) != f.Rig.Joints():
		return fmt.Errorf("plot: figure of rig %q has %d joint angles, want %d", f.Rig.Name, len(f.Q), f.Rig.Joints())
	case !geom.FiniteVec(f.PoseWB.P) || f.PoseWB.Q != geom.Unit(f.PoseWB.Q) && math.Abs(norm(f.PoseWB)-1) > 1e-6:
		return fmt.Errorf("plot: figure of rig %q has the pose %v, want it finite with a unit quaternion", f.Rig.Name, f.PoseWB)
	}
	for i, q := range f.Q {
		if !finite(q) {
			return fmt.Errorf("plot: figure of rig %q: joint angle %d is %v, want it finite", f.Rig.Name, i, q)
		}
	}
	return nil
}

func norm(p geom.Pose) float64 {
	q := p.Q
	return math.Sqrt(q.Real*q.Real + q.Imag*q.Imag + q.Jmag*q.Jmag + q.Kmag*q.Kmag)
}

// limb is one link as a capsule in W.
type limb struct {
	a, b   r3.Vec
	radius float64 // at a, metres
	last   float64 // at b: the foot's where b is the foot
	tint   color.NRGBA
	leg    int
}

// limbs returns the links of all legs, from the body outward. Joints with one
// centre leave no link between them.
func (f *Figure) limbs() []limb {
	var out []limb
	var frames [rig.MaxJoints]rig.Frame
	r := f.Rig
	turn := geom.RotOf(f.PoseWB.Q)
	world := func(b r3.Vec) r3.Vec { return r3.Add(f.PoseWB.P, turn.Apply(b)) }
	for i := range r.Legs {
		l := &r.Legs[i]
		n := len(l.Joints)
		rig.Frames(frames[:n], l, r.Slice(f.Q, i))
		for j := range l.Joints {
			k := &l.Joints[j].Link
			end, last := rig.LegFoot(l, r.Slice(f.Q, i)), thick(r, k.Radius)
			if j+1 < n {
				end = frames[j+1].P
			} else {
				last = min(last, max(l.FootRadius, 0.4*last))
			}
			if norm3(r3.Sub(end, frames[j].P)) < 1e-9 {
				continue
			}
			out = append(out, limb{a: world(frames[j].P), b: world(end), radius: thick(r, k.Radius), last: last, tint: tinted(k.Tint, linkTint(j, n)), leg: i})
		}
	}
	return out
}

// foot returns the foot of a leg in W.
func (f *Figure) foot(leg int) r3.Vec { return f.PoseWB.Apply(rig.Foot(f.Rig, leg, f.Q)) }

// com returns the centre of mass in W.
func (f *Figure) com() r3.Vec { return f.PoseWB.Apply(rig.CoM(f.Rig, f.Q)) }

// thick is the radius of a link as drawn: its own, or 3 % of the leg length.
func thick(r *rig.Rig, radius float64) float64 {
	if radius > 0 {
		return radius
	}
	return 0.03 * r.L()
}

// corners returns the eight corners of the body box in W: bit 0, 1, 2 of the
// index choose the far side along x, y, z. A rig without a box gets one about
// its hips.
func (f *Figure) corners() [8]r3.Vec {
	half, mid := f.Rig.Body.Box, f.Rig.Body.Mid
	if half.X <= 0 || half.Y <= 0 || half.Z <= 0 {
		half, mid = f.hipBox()
	}
	var c [8]r3.Vec
	for i := range c {
		v := half
		if i&1 == 0 {
			v.X = -v.X
		}
		if i&2 == 0 {
			v.Y = -v.Y
		}
		if i&4 == 0 {
			v.Z = -v.Z
		}
		c[i] = f.PoseWB.Apply(r3.Add(mid, v))
	}
	return c
}

func (f *Figure) hipBox() (half, mid r3.Vec) {
	x, y, z := empty(), empty(), empty()
	for i := range f.Rig.Legs {
		h := f.Rig.Legs[i].Joints[0].Origin.P
		x.add(h.X)
		y.add(h.Y)
		z.add(h.Z)
	}
	least := 0.12 * f.Rig.L()
	x, y, z = x.padded(0, least), y.padded(0, least), z.padded(0, least)
	mid = r3.Vec{X: (x.lo + x.hi) / 2, Y: (y.lo + y.hi) / 2, Z: (z.lo + z.hi) / 2}
	return r3.Vec{X: (x.hi - x.lo) / 2, Y: (y.hi - y.lo) / 2, Z: (z.hi - z.lo) / 2}, mid
}

// extent is how far the figure reaches along x and y, W.
func (f *Figure) extent() (x, y span) {
	x, y = empty(), empty()
	put := func(p r3.Vec, r float64) {
		x.add(p.X - r)
		x.add(p.X + r)
		y.add(p.Y - r)
		y.add(p.Y + r)
	}
	for _, l := range f.limbs() {
		put(l.a, l.radius)
		put(l.b, l.last)
	}
	for _, p := range f.corners() {
		put(p, 0)
	}
	return x, y
}

func norm3(v r3.Vec) float64 { return math.Sqrt(r3.Norm2(v)) }

// tinted is the rig's own colour, or the given one where it has none.
func tinted(c color.RGBA, other color.NRGBA) color.NRGBA {
	if c.A == 0 {
		return other
	}
	return color.NRGBAModel.Convert(c).(color.NRGBA)
}

// linkTint goes from dark at the body to light at the foot.
func linkTint(j, n int) color.NRGBA {
	shades := [...]color.NRGBA{
		{R: 0x3a, G: 0x45, B: 0x54, A: 0xff}, {R: 0x2f, G: 0x6d, B: 0xb0, A: 0xff}, {R: 0xe0, G: 0x8a, B: 0x2e, A: 0xff},
	}
	if n <= 1 {
		return shades[1]
	}
	if j == n-1 {
		return shades[2]
	}
	return shades[j%2]
}

func bodyTint(r *rig.Rig) color.NRGBA {
	return tinted(r.Body.Tint, color.NRGBA{R: 0x4a, G: 0x55, B: 0x66, A: 0xff})
}
