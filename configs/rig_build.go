package configs

import (
	"cmp"
	"math"
	"strconv"

	"legctl/drivers/servo"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// rigBuilder turns a rigFile into a rig.Rig. It keeps where each leg and joint
// came from, so that a fault found by rig.Validate can be shown in the file.
type rigBuilder struct {
	*report
	f      *rigFile
	r      *rig.Rig
	from   []legFrom     // one a leg
	masse  []bool        // one a joint of the rig: its link's mass was given
	servos *servo.Config // of the servos section; nil without one
	bare   bool          // a leg has no joints because the whole file has none
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
