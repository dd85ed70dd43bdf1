package retarget

import (
	"fmt"

	"legctl/blend"
	"legctl/blend/clip"
	"legctl/blend/space"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// AsClip returns one pass of a loop as a clip of the rig's own skeleton: root,
// body, every joint and a bone at each foot, solved for the loop's feet. Export
// writes it for programs that show motion.
func AsClip(l *space.Loop, r *rig.Rig) (*clip.Clip, error) {
	if err := l.Validate(); err != nil {
		return nil, err
	}
	if l.Feet() != len(r.Legs) {
		return nil, fmt.Errorf("retarget: %q of %d feet for rig %s of %d legs, want as many", l.Name, l.Feet(), r.Name, len(r.Legs))
	}
	p := planOf(l)
	p.feet = p.wish
	f := newFitting(r)
	f.planar = true
	if !f.try(p) {
		return nil, fmt.Errorf("retarget: %q does not fit rig %s: %s", l.Name, r.Name, f.fault)
	}
	c := &clip.Clip{Name: l.Name, Format: "legctl", Cycles: l.Cycles, Bones: skeleton(r)}
	times := make([]float64, p.n+1)
	for k := range times {
		times[k] = l.Period * float64(k) / float64(p.n)
	}
	track := func(bone int, part clip.Part) clip.Track { return clip.Track{Bone: bone, Part: part, Times: times} }
	rootAt, rootTurn, bodyAt, bodyTurn := track(0, clip.Move), track(0, clip.Turn), track(1, clip.Move), track(1, clip.Turn)
	var at blend.Place
	for k := range times {
		if k > 0 {
			at = at.After(l.Frames[k].Root)
		}
		rootAt.Vecs, rootTurn.Turns = append(rootAt.Vecs, at.At), append(rootTurn.Turns, at.Pose().Q)
		bodyAt.Vecs, bodyTurn.Turns = append(bodyAt.Vecs, l.Frames[k].Body.P), append(bodyTurn.Turns, l.Frames[k].Body.Q)
	}
	c.Tracks = append(c.Tracks, rootAt, rootTurn, bodyAt, bodyTurn)
	bone := 2
	for i := range r.Legs {
		leg := &r.Legs[i]
		for j := range leg.Joints {
			t := track(bone, clip.Turn)
			for k := range times {
				t.Turns = append(t.Turns, quat.Mul(leg.Joints[j].Origin.Q, geom.AxisAngle(leg.Joints[j].Axis, f.q[k%p.n][leg.First+j])))
			}
			c.Tracks = append(c.Tracks, t)
			bone++
		}
		c.Contacts = append(c.Contacts, clip.Contact{Foot: r.Legs[i].Name, Down: downs(l, i)})
		bone++ // the foot's own bone does not move
	}
	return c, c.Validate()
}

// skeleton returns the bones of a rig: root, body, then the joints of each leg
// and its foot.
func skeleton(r *rig.Rig) []clip.Bone {
	at := func(p r3.Vec, q quat.Number) clip.Local {
		l := clip.Still()
		l.Move, l.Turn = p, q
		return l
	}
	one := quat.Number{Real: 1}
	bones := []clip.Bone{{Name: "root", Parent: -1, Rest: clip.Still()}, {Name: "body", Parent: 0, Rest: at(r3.Vec{Z: r.Height}, one)}}
	for i := range r.Legs {
		parent := 1
		for j := range r.Legs[i].Joints {
			k := &r.Legs[i].Joints[j]
			bones = append(bones, clip.Bone{Name: k.Name, Parent: parent, Rest: at(k.Origin.P, geom.Unit(k.Origin.Q))})
			parent = len(bones) - 1
		}
		bones = append(bones, clip.Bone{Name: r.Legs[i].Name + ".foot", Parent: parent, Rest: at(r.Legs[i].Foot, one)})
	}
	return bones
}

// downs returns when a foot stands, seconds.
func downs(l *space.Loop, foot int) [][2]float64 {
	var out [][2]float64
	for _, s := range l.Stances[foot] {
		from, to := s.Touch*l.Period, (s.Touch+s.Duty)*l.Period
		if to > l.Period+1e-9 {
			out = append(out, [2]float64{from, l.Period}, [2]float64{0, to - l.Period})
			continue
		}
		out = append(out, [2]float64{from, to})
	}
	return out
}
