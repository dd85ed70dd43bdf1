package mjcf

import (
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	space "legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Options are what a rig does not say about its physics. The zero value chooses
// all of it.
type Options struct {
	Step     float64 // s, of the integration; 0 = 2 ms
	Friction float64 // sliding, of the ground and the feet; 0 = 0.8
	Give     float64 // rad by which a joint yields to its whole torque: kp = torque/Give; 0 = 0.15
	KP       float64 // Nm/rad of every actuator; 0 = by Give
	Damping  float64 // Nm s/rad of every joint; 0 = torque/speed
	Torque   float64 // Nm of joints whose torque is unknown; 0 = weight times the longest leg
	Armature float64 // kg m2, inertia of the motors; 0 = by torque
	Drop     float64 // m above the ground at the start
}

// chosen returns the options with everything filled in.
func (o Options) chosen(r *rig.Rig) Options {
	set := func(v *float64, to float64) {
		if *v == 0 {
			*v = to
		}
	}
	set(&o.Step, 0.002)
	set(&o.Friction, 0.8)
	set(&o.Give, 0.15)
	set(&o.Torque, r.Mass()*r.G()*r.L())
	return o
}

// Write writes r, which must be validated, as a MuJoCo model that stands in
// neutral stance over a plane at height 0.
func Write(w io.Writer, r *rig.Rig, o Options) error {
	if r == nil || len(r.Legs) == 0 {
		return errors.New("mjcf: no rig")
	}
	for _, v := range [8]float64{o.Step, o.Friction, o.Give, o.KP, o.Damping, o.Torque, o.Armature, o.Drop} {
		if !(v >= 0 && v < 1e6) {
			return fmt.Errorf("mjcf: option is %v, must be from 0 to 1e6", v)
		}
	}
	m := build(r, o.chosen(r))
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("mjcf: %w", err)
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(m); err != nil {
		return fmt.Errorf("mjcf: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func build(r *rig.Rig, o Options) *model {
	m := &model{
		Name:     r.Name,
		Compiler: compiler{Angle: "radian", AutoLimits: true},
		Option:   option{Step: num(o.Step), Gravity: nums(0, 0, -r.G()), Integrator: "implicitfast"},
	}
	m.World = world{
		Light:  light{Pos: "0 0 3", Dir: "0 0 -1"},
		Ground: geom{Name: "ground", Type: "plane", Size: "0 0 0.05", Friction: friction(o), Type2: 1, With: 1, RGBA: "0.8 0.8 0.8 1"},
		Body:   trunk(r, o),
	}
	m.Sensors = sensors{Gyro: []sensor{{"gyro", "imu"}}, Accel: []sensor{{"accel", "imu"}}}
	key := keyPose{Name: "rest", QPos: nums(0, 0, r.Height+o.Drop, 1, 0, 0, 0)}
	for i := range r.Legs {
		l := &r.Legs[i]
		m.World.Body.Bodies = append(m.World.Body.Bodies, chain(r, l, 0, o))
		m.Sensors.Touch = append(m.Sensors.Touch, sensor{l.Name, l.Name + "_foot"})
		for j := range l.Joints {
			k := &l.Joints[j]
			key.QPos += " " + num(k.Rest)
			if k.Mimic >= 0 {
				m.Mimic = append(m.Mimic, couple{k.Name, l.Joints[k.Mimic].Name, nums(k.Offset, k.Factor, 0, 0, 0)})
				continue
			}
			key.Ctrl += " " + num(k.Rest)
			m.Actuator = append(m.Actuator, position(k, o))
		}
	}
	key.Ctrl = strings.TrimSpace(key.Ctrl)
	m.Keys = []keyPose{key}
	return m
}

// trunk is the body without its legs.
func trunk(r *rig.Rig, o Options) entity {
	b := &r.Body
	s := r3.Scale(2, b.Box)
	diag := func(a, c float64) float64 { return max(b.Mass*(a*a+c*c)/12, 1e-9) }
	return entity{
		Name: "body", Pos: nums(0, 0, r.Height+o.Drop), Free: &struct{}{},
		Inertia: inertia{Pos: vec(b.CoM), Mass: num(b.Mass), Diag: nums(diag(s.Y, s.Z), diag(s.X, s.Z), diag(s.X, s.Y))},
		Geoms: []geom{{
			Name: "trunk", Type: "box", Size: vec(atLeast(b.Box, 1e-4)), Pos: vec(b.Mid), Friction: friction(o), Type2: 1, RGBA: rgba(b.Tint),
		}},
		Sites: []site{{"imu", "0 0 0", "0.005"}},
	}
}

// chain is joint j of a leg with all that hangs on it.
func chain(r *rig.Rig, l *rig.Leg, j int, o Options) entity {
	k := &l.Joints[j]
	e := entity{Name: k.Name, Pos: vec(k.Origin.P), Quat: turn(k.Origin.Q)}
	e.Hinge = &hinge{
		Name: k.Name, Type: "hinge", Axis: vec(k.Axis), Range: nums(k.Min, k.Max),
		Damping: num(damping(k, o)), Armature: num(armature(k, o)),
	}
	last := j == len(l.Joints)-1
	end := l.Foot
	if !last {
		end = l.Joints[j+1].Origin.P
	}
	e.Inertia = rod(&k.Link, end)
	size := k.Link.Radius
	if last {
		radius := max(l.FootRadius, 1e-3*r.L())
		end = inward(end, radius)
		e.Geoms = append(e.Geoms, geom{Name: l.Name + "_foot", Type: "sphere", Size: num(radius), Pos: vec(end), Friction: friction(o), Type2: 1, RGBA: rgba(k.Link.Tint)})
		e.Sites = []site{{l.Name + "_foot", vec(end), num(1.1*radius + 1e-4)}}
		size = min(size, 0.9*radius) // the foot, not the link, is to touch first
	} else {
		e.Bodies = []entity{chain(r, l, j+1, o)}
	}
	if math.Sqrt(r3.Norm2(end)) > 1e-6 && size > 0 {
		e.Geoms = append(e.Geoms, geom{Name: k.Name + "_link", Type: "capsule", Size: num(size), FromTo: "0 0 0 " + vec(end), Friction: friction(o), Type2: 1, RGBA: rgba(k.Link.Tint)})
	}
	return e
}

// inward returns the point of a leg's end that is r short of it.
func inward(end r3.Vec, r float64) r3.Vec {
	n := math.Sqrt(r3.Norm2(end))
	if n <= r {
		return end
	}
	return r3.Scale(1-r/n, end)
}

// rod is the inertia of a solid cylinder along the link. MuJoCo wants a mass of
// every moving body, so that a link without one gets a tenth of a gram.
func rod(k *rig.Link, end r3.Vec) inertia {
	m := max(k.Mass, 1e-4)
	n := math.Sqrt(r3.Norm2(end))
	along := max(m*k.Radius*k.Radius/2, 1e-9)
	across := max(m*(3*k.Radius*k.Radius+n*n)/12, along)
	i := inertia{Pos: vec(k.CoM), Mass: num(m), Diag: nums(across, across, along)}
	if n > 1e-9 {
		i.Quat = turn(onto(r3.Scale(1/n, end)))
	}
	return i
}

// onto returns the shortest turn of z onto the unit vector u.
func onto(u r3.Vec) quat.Number {
	if u.Z < -0.999999 {
		return quat.Number{Imag: 1}
	}
	return space.Unit(quat.Number{Real: 1 + u.Z, Imag: -u.Y, Jmag: u.X})
}

func position(k *rig.Joint, o Options) drive {
	t := torque(k, o)
	kp := o.KP
	if kp == 0 {
		kp = t / o.Give
	}
	return drive{Name: k.Name, Joint: k.Name, KP: num(kp), Force: nums(-t, t), Ctrl: nums(k.Min, k.Max)}
}

func torque(k *rig.Joint, o Options) float64 {
	if k.Torque > 0 {
		return k.Torque
	}
	return o.Torque
}

func damping(k *rig.Joint, o Options) float64 {
	if o.Damping > 0 {
		return o.Damping
	}
	return torque(k, o) / k.Speed
}

// armature defaults to what a hobby servo's gears make of its motor: about 0.6
// g m2 a newton metre.
func armature(k *rig.Joint, o Options) float64 {
	if o.Armature > 0 {
		return o.Armature
	}
	return 6e-4 * torque(k, o)
}

func friction(o Options) string { return nums(o.Friction, 0.005, 0.0001) }

func atLeast(v r3.Vec, low float64) r3.Vec {
	return r3.Vec{X: max(v.X, low), Y: max(v.Y, low), Z: max(v.Z, low)}
}

func rgba(c color.RGBA) string {
	if c.A == 0 {
		return ""
	}
	return nums(float64(c.R)/255, float64(c.G)/255, float64(c.B)/255, float64(c.A)/255)
}

// turn writes a rotation, and nothing for none.
func turn(q quat.Number) string {
	q = space.Unit(q)
	if q == (quat.Number{Real: 1}) {
		return ""
	}
	return nums(q.Real, q.Imag, q.Jmag, q.Kmag)
}

func num(v float64) string { return strconv.FormatFloat(v, 'g', 9, 64) }

func nums(v ...float64) string {
	s := make([]string, len(v))
	for i := range v {
		s[i] = num(v[i])
	}
	return strings.Join(s, " ")
}

func vec(v r3.Vec) string { return nums(v.X, v.Y, v.Z) }
