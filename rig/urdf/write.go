package urdf

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Write writes r, which must be validated, as a URDF robot. A joint whose
// torque is unknown gets what carries the rig on its longest leg.
func Write(w io.Writer, r *rig.Rig) error {
	if r == nil || len(r.Legs) == 0 {
		return errors.New("urdf: no rig")
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("urdf: %w", err)
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(build(r)); err != nil {
		return fmt.Errorf("urdf: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func build(r *rig.Rig) *robot {
	b := &robot{Name: r.Name, Links: []link{trunk(&r.Body)}}
	spare := r.Mass() * r.G() * r.L()
	for i := range r.Legs {
		l := &r.Legs[i]
		parent := "body"
		for j := range l.Joints {
			b.Joints = append(b.Joints, hinge(l, j, parent, spare))
			b.Links = append(b.Links, limb(l, j))
			parent = linkName(l, j)
		}
		b.addFoot(r, l, parent)
	}
	return b
}

func linkName(l *rig.Leg, j int) string { return l.Joints[j].Name + "_link" }

func trunk(b *rig.Body) link {
	size := r3.Scale(2, b.Box)
	s := shape{origin{vec(b.Mid), "0 0 0"}, geometry{Box: &box{vec(size)}}}
	diag := func(a, c float64) string { return num(b.Mass * (a*a + c*c) / 12) }
	return link{
		Name: "body", Visual: []shape{s}, Collision: []shape{s},
		Inertial: &inertial{origin{vec(b.CoM), "0 0 0"}, value{num(b.Mass)},
			inertia{XX: diag(size.Y, size.Z), YY: diag(size.X, size.Z), ZZ: diag(size.X, size.Y), XY: "0", XZ: "0", YZ: "0"}},
	}
}

func hinge(l *rig.Leg, j int, parent string, spare float64) joint {
	k := &l.Joints[j]
	effort := k.Torque
	if effort == 0 {
		effort = spare
	}
	h := joint{
		Name: k.Name, Type: "revolute", Origin: place(k.Origin), Parent: other{parent}, Child: other{linkName(l, j)},
		Axis: &axis{vec(k.Axis)}, Limit: &limit{num(k.Min), num(k.Max), num(effort), num(k.Speed)},
	}
	if k.Mimic >= 0 {
		h.Mimic = &mimic{l.Joints[k.Mimic].Name, num(k.Factor), num(k.Offset)}
	}
	return h
}

// limb is the link that joint j moves: a cylinder to the next joint or the foot.
func limb(l *rig.Leg, j int) link {
	k := &l.Joints[j]
	end := l.Foot
	if j < len(l.Joints)-1 {
		end = l.Joints[j+1].Origin.P
	}
	n := math.Sqrt(r3.Norm2(end))
	m := link{Name: linkName(l, j), Inertial: rod(&k.Link, end, n)}
	if n > 1e-6 && k.Link.Radius > 0 {
		s := shape{
			origin{vec(r3.Scale(0.5, end)), rpy(onto(r3.Scale(1/n, end)))},
			geometry{Cylinder: &cylinder{num(k.Link.Radius), num(n)}},
		}
		m.Visual, m.Collision = []shape{s}, []shape{s}
	}
	return m
}

// rod is the inertia of a solid cylinder, and nil for a link without mass.
func rod(k *rig.Link, end r3.Vec, n float64) *inertial {
	if k.Mass == 0 {
		return nil
	}
	o := origin{vec(k.CoM), "0 0 0"}
	if n > 1e-9 {
		o.RPY = rpy(onto(r3.Scale(1/n, end)))
	}
	along := max(k.Mass*k.Radius*k.Radius/2, 1e-9)
	across := max(k.Mass*(3*k.Radius*k.Radius+n*n)/12, along)
	return &inertial{o, value{num(k.Mass)}, inertia{XX: num(across), YY: num(across), ZZ: num(along), XY: "0", XZ: "0", YZ: "0"}}
}

// addFoot hangs the foot on the last link of a leg.
func (b *robot) addFoot(r *rig.Rig, l *rig.Leg, parent string) {
	radius := max(l.FootRadius, 1e-3*r.L())
	at := l.Foot
	if n := math.Sqrt(r3.Norm2(at)); n > radius {
		at = r3.Scale(1-radius/n, at)
	}
	s := shape{origin{"0 0 0", "0 0 0"}, geometry{Sphere: &sphere{num(radius)}}}
	name := l.Name + "_foot"
	b.Links = append(b.Links, link{Name: name, Visual: []shape{s}, Collision: []shape{s}})
	b.Joints = append(b.Joints, joint{Name: name, Type: "fixed", Origin: origin{vec(at), "0 0 0"}, Parent: other{parent}, Child: other{name}})
}

// onto returns the shortest turn of z onto the unit vector u.
func onto(u r3.Vec) quat.Number {
	if u.Z < -0.999999 {
		return quat.Number{Imag: 1}
	}
	return geom.Unit(quat.Number{Real: 1 + u.Z, Imag: -u.Y, Jmag: u.X})
}

func place(p geom.Pose) origin { return origin{vec(p.P), rpy(p.Q)} }

// rpy writes a rotation as URDF does: about the fixed axes x, y, z in turn.
func rpy(q quat.Number) string {
	roll, pitch, yaw := geom.RPY(geom.Unit(q))
	return vec(r3.Vec{X: roll, Y: pitch, Z: yaw})
}

func num(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }

func vec(v r3.Vec) string { return strings.Join([]string{num(v.X), num(v.Y), num(v.Z)}, " ") }
