package show

import (
	"image/color"
	"math"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// The frames every run has.
const (
	World = "world"
	Base  = "base"
)

// FootTint is the colour of feet.
var FootTint = color.RGBA{R: 45, G: 55, B: 72, A: 255}

// body returns the entities of a rig: one for the trunk and one a link, each
// locked to the frame it moves with.
func body(r *rig.Rig, at Time) Update {
	u := Update{Deletions: []Deletion{}}
	trunk := newEntity(at, Base, "body")
	trunk.Locked = true
	trunk.Cubes = append(trunk.Cubes, Cube{
		Pose: Pose{vectorOf(r.Body.Mid), still.Orientation}, Size: vectorOf(r3.Scale(2, r.Body.Box)), Color: colorOf(Solid(r.Body.Tint)),
	})
	u.Entities = append(u.Entities, trunk)
	for i := range r.Legs {
		l := &r.Legs[i]
		for j := range l.Joints {
			u.Entities = append(u.Entities, link(r, l, j, at))
		}
	}
	return u
}

// link returns the entity of a link: a ball at its joint, a bar to the next one,
// and a ball for a foot.
func link(r *rig.Rig, l *rig.Leg, j int, at Time) Entity {
	e := newEntity(at, l.Joints[j].Name, l.Joints[j].Name)
	e.Locked = true
	end, last := l.Foot, j == len(l.Joints)-1
	if !last {
		end = l.Joints[j+1].Origin.P
	}
	radius := Thick(r, l.Joints[j].Link.Radius)
	tint := colorOf(Solid(l.Joints[j].Link.Tint))
	e.Spheres = append(e.Spheres, ball(r3.Vec{}, 1.15*radius, tint))
	if length := math.Sqrt(r3.Norm2(end)); length > 0 {
		mid := geom.Pose{P: r3.Scale(0.5, end), Q: Along(end)}
		e.Cylinders = append(e.Cylinders, Cylinder{
			Pose: poseOf(mid), Size: Vector{2 * radius, 2 * radius, length}, Bottom: 1, Top: 1, Color: tint,
		})
	}
	if last {
		e.Spheres = append(e.Spheres, ball(l.Foot, max(l.FootRadius, radius), colorOf(FootTint)))
	}
	return e
}

func ball(at r3.Vec, radius float64, c Color) Sphere {
	d := 2 * radius
	return Sphere{Pose: Pose{vectorOf(at), still.Orientation}, Size: Vector{d, d, d}, Color: c}
}

// Solid returns a colour that can be seen.
func Solid(c color.RGBA) color.RGBA {
	if c.A == 0 {
		return color.RGBA{R: 160, G: 174, B: 192, A: 255}
	}
	return c
}

// Thick returns the radius at which a link is drawn: its own, or a share of the
// rig's size when it has none.
func Thick(r *rig.Rig, radius float64) float64 {
	if radius > 0 {
		return radius
	}
	return max(0.015*r.L(), 1e-4)
}

// Along returns the turn that brings z along v, which must have a length.
func Along(v r3.Vec) quat.Number {
	v = r3.Scale(1/math.Sqrt(r3.Norm2(v)), v)
	if v.Z < -1+1e-9 {
		return quat.Number{Imag: 1} // half a turn about x
	}
	q := quat.Number{Real: 1 + v.Z, Imag: -v.Y, Jmag: v.X}
	return quat.Scale(1/quat.Abs(q), q)
}

// Turn returns the pose of a joint's frame in the one before it at an angle.
func Turn(j *rig.Joint, angle float64) geom.Pose {
	s, c := math.Sincos(angle / 2)
	turn := quat.Number{Real: c, Imag: s * j.Axis.X, Jmag: s * j.Axis.Y, Kmag: s * j.Axis.Z}
	return geom.Pose{P: j.Origin.P, Q: quat.Mul(j.Origin.Q, turn)}
}
