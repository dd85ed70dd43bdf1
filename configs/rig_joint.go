package configs

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// joints returns the joints of a leg: its own, its template's, or the rig's.
func (b *rigBuilder) joints(l *legFile) []*jointFile {
	list, seg := l.Joints, l.Segments
	if len(list) == 0 && seg == nil {
		list, seg = b.f.Joints, b.f.Segments
	}
	if len(list) > 0 && seg != nil {
		b.add(seg.at, "joints and segments together, want one of them")
	}
	if len(list) == 0 && seg != nil {
		return seg.joints()
	}
	out := make([]*jointFile, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// joints writes a template out: coxa (yaw, no length), then s1 to sn.
func (g *segmentFile) joints() []*jointFile {
	n := g.Count.or(3)
	def := func(v val[[2]float64], lo, hi float64) val[[2]float64] {
		if !v.Set {
			v.V = [2]float64{lo * math.Pi / 180, hi * math.Pi / 180}
		}
		return val[[2]float64]{V: v.V, Set: true, at: v.at}
	}
	part := func(name string, axis r3.Vec, length float64, limits val[[2]float64]) *jointFile {
		j := &jointFile{placed: g.placed, Limits: limits}
		j.Name.V, j.Axis.V.Vec, j.Link.V.X = name, axis, length
		return j
	}
	out := []*jointFile{part("coxa", axes["yaw"], 0, def(g.Yaw, -100, 100))}
	for i := range n {
		ratio := 1.0
		if k := len(g.Ratios); k > 0 {
			ratio = g.Ratios[min(i, k-1)]
		}
		limits := def(g.Hinge, -30, 160)
		if i == 0 {
			limits = def(g.Hip, -110, 110)
		}
		j := part("s"+strconv.Itoa(i+1), axes["pitch"], ratio*g.Length.V, limits)
		if k := len(g.Colours); k > 0 {
			j.Colour = val[string]{V: g.Colours[min(i, k-1)], Set: true, at: g.at}
		}
		out = append(out, j)
	}
	return out
}

// yaw returns the heading of the leg's frame.
func (b *rigBuilder) yaw(l *legFile) float64 {
	template := len(l.Joints) == 0 && (l.Segments != nil || len(b.f.Joints) == 0)
	if l.Yaw.Set || !template || !l.Neutral.Set {
		return l.Yaw.V
	}
	return math.Atan2(l.Neutral.V[1]-l.Mount.V[1], l.Neutral.V[0]-l.Mount.V[0])
}

// joint converts one joint.
func (b *rigBuilder) joint(l *legFile, j *jointFile, all []*jointFile, origin geom.Pose) rig.Joint {
	base := &b.f.Joint
	limits, rest := j.Limits.V, j.Rest.V
	if v, ok := l.Limits[j.Name.V]; ok {
		limits = v.V
	}
	if v, ok := l.Rest[j.Name.V]; ok {
		rest = v.V
	}
	out := rig.Joint{
		Origin: origin, Axis: j.Axis.V.Vec, Min: limits[0], Max: limits[1], Rest: rest,
		Speed: j.Speed.or(base.Speed.or(6)), Torque: j.Torque.or(base.Torque.V), Mimic: -1,
		Link: rig.Link{
			Mass: j.Mass.or(base.Mass.V), Radius: j.Radius.or(base.Radius.V),
			CoM: r3.Scale(0.5, j.Link.V.Vec), Tint: b.tint(pick(j.Colour, base.Colour), "#a0aec0"),
		},
	}
	if j.CoM.Set {
		out.Link.CoM = vec3(j.CoM.V)
	}
	if m := j.Mimic; m != nil {
		out.Factor, out.Offset = m.Factor.or(1), m.Offset.V
		out.Mimic = len(all)
		for i, o := range all {
			if o.Name.V == m.Joint.V {
				out.Mimic = i
			}
		}
		if out.Mimic == len(all) {
			b.add(m.Joint.at, "%q is no joint of this leg", clip(m.Joint.V))
		}
	}
	return out
}

// overrides refuses per-leg limits and rests of joints the leg does not have.
func (b *rigBuilder) overrides(l *legFile, joints []*jointFile) {
	known := make(map[string]bool, len(joints))
	var names []string
	for _, j := range joints {
		known[j.Name.V] = true
		names = append(names, j.Name.V)
	}
	for name, v := range l.Limits {
		if !known[name] {
			b.add(v.at, "%q is no joint of this leg; did you mean %s?", clip(name), cmp.Or(nearest(name, names), names[0]))
		}
	}
	for name, v := range l.Rest {
		if !known[name] {
			b.add(v.at, "%q is no joint of this leg; did you mean %s?", clip(name), cmp.Or(nearest(name, names), names[0]))
		}
	}
}

// pick returns the first value that was given.
func pick[T any](a, b val[T]) val[T] {
	if a.Set {
		return a
	}
	return b
}

// tint reads #rrggbb.
func (b *rigBuilder) tint(v val[string], def string) color.RGBA {
	var c color.RGBA
	if n, err := fmt.Sscanf(v.or(def), "#%02x%02x%02x", &c.R, &c.G, &c.B); n != 3 || err != nil || len(v.or(def)) != 7 {
		b.add(v.at, "%q is no colour, want #rrggbb", clip(v.V))
	}
	c.A = 255
	return c
}

func vec3(v [3]float64) r3.Vec { return r3.Vec{X: v[0], Y: v[1], Z: v[2]} }
