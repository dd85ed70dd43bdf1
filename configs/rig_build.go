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

// rigBuilder turns a rigFile into a rig.Rig. It keeps where each leg and joint
// came from, so that a fault found by rig.Validate can be shown in the file.
type rigBuilder struct {
	*report
	f     *rigFile
	r     *rig.Rig
	from  []legFrom // one a leg
	masse []bool    // one a joint of the rig: its link's mass was given
	bare  bool      // a leg has no joints because the whole file has none
}

// legFrom is where a leg of the rig stands in the file.
type legFrom struct {
	at, mount, neutral pos
	joints             []*jointFile
	legs               *legFile
	given              bool // neutral foot given
	bend               bool // every rest angle given
	image              bool // mirror image of the leg before it
}

// build assembles the rig without feet: legs, joints, body, groups.
func (b *rigBuilder) build() {
	f := b.f
	b.r = &rig.Rig{
		Name: f.Name.V, Gravity: f.Gravity.V, Height: f.Height.V,
		Asymmetric: f.Asymmetric.V, Class: b.class(),
	}
	if f.Expect.V == "refused" {
		b.r.Refused = cmp.Or(f.Reason.V, "the file expects it")
	}
	legs := f.Legs
	if f.Ring != nil {
		if len(legs) > 0 {
			b.add(f.Ring.at, "ring and legs together, want one of them")
			return
		}
		legs = f.Ring.legs()
		b.r.Groups.Ring = true
	}
	b.r.Groups.Ring = b.r.Groups.Ring || f.Groups.ring
	for i := range legs {
		b.leg(&legs[i])
	}
	b.r.Index()
}

func (b *rigBuilder) class() rig.Class {
	switch b.f.Class.V {
	case "dynamic":
		return rig.Dynamic
	case "ballistic":
		return rig.Ballistic
	case "static":
		return rig.Static
	}
	if b.legCount() == 2 {
		return rig.Dynamic
	}
	return rig.Static
}

// legCount is the number of legs the file describes, mirror images included.
func (b *rigBuilder) legCount() int {
	if b.f.Ring != nil {
		return b.f.Ring.Count.V
	}
	n := 0
	for i := range b.f.Legs {
		n++
		if b.f.Legs[i].Mirror.Set {
			n++
		}
	}
	return n
}

// legs writes a ring out as legs.
func (g *ringFile) legs() []legFile {
	n := max(1, g.Count.V)
	legs := make([]legFile, n)
	for i := range legs {
		a := g.First.V + 2*math.Pi*float64(i)/float64(n)
		s, c := math.Sincos(a)
		l := &legs[i]
		l.at = g.at
		l.Name = val[string]{V: "leg" + strconv.Itoa(i+1), Set: true, at: g.at}
		l.Mount = val[[3]float64]{V: [3]float64{g.Radius.V * c, g.Radius.V * s, g.Z.V}, Set: true, at: g.Radius.at}
		l.Yaw = val[float64]{V: a, Set: true, at: g.at}
		if g.Neutral.Set {
			l.Neutral = val[[2]float64]{V: [2]float64{g.Neutral.V * c, g.Neutral.V * s}, Set: true, at: g.Neutral.at}
		}
	}
	return legs
}

// leg adds one leg and, if asked for, its mirror image.
func (b *rigBuilder) leg(l *legFile) {
	joints := b.joints(l)
	if len(joints) == 0 {
		if !b.bare {
			b.add(l.at, "leg without joints, want 1 to %d of them or a segments template", rig.MaxJoints)
		}
		b.bare = b.bare || len(b.f.Joints) == 0 // every other leg would say the same
		return
	}
	built := rig.Leg{Name: l.Name.V, FootRadius: b.f.FootRadius.V}
	origin := geom.Pose{P: vec3(l.Mount.V), Q: geom.FromRPY(0, 0, b.yaw(l))}
	for _, j := range joints {
		built.Joints = append(built.Joints, b.joint(l, j, joints, origin))
		origin = geom.Pose{P: j.Link.V.Vec, Q: geom.Identity().Q}
	}
	built.Foot = origin.P
	if l.Neutral.Set {
		built.Neutral = r3.Vec{X: l.Neutral.V[0], Y: l.Neutral.V[1], Z: -b.r.Height}
	}
	b.overrides(l, joints)
	b.append(built, l, joints)
	if l.Mirror.Set {
		b.append(mirrorLeg(&built, l.Mirror.V), l, joints)
		b.from[len(b.from)-1].image = true
	}
}

// append names the joints after the leg and adds it to the rig.
func (b *rigBuilder) append(leg rig.Leg, l *legFile, joints []*jointFile) {
	from := legFrom{
		at: l.at, mount: l.Mount.at, neutral: l.Neutral.at, joints: joints, legs: l,
		given: l.Neutral.Set, bend: true,
	}
	for i, j := range joints {
		leg.Joints[i].Name = leg.Name + "_" + j.Name.V
		_, own := l.Rest[j.Name.V]
		from.bend = from.bend && (own || j.Rest.Set || j.Mimic != nil)
		b.masse = append(b.masse, j.Mass.Set || b.f.Joint.Mass.Set)
	}
	b.r.Legs = append(b.r.Legs, leg)
	b.from = append(b.from, from)
}

// joints returns the joints of a leg: its own, its template's, or the rig's.
func (b *rigBuilder) joints(l *legFile) []*jointFile {
	list, seg := l.Joints, l.Segments
	if len(list) > 0 && seg != nil {
		b.add(seg.at, "joints and segments together, want one of them")
	}
	if len(list) == 0 && seg == nil {
		list, seg = b.f.Joints, b.f.Segments
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
		out = append(out, part("s"+strconv.Itoa(i+1), axes["pitch"], ratio*g.Length.V, limits))
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
