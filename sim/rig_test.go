package sim

import (
	"context"
	"math"
	"testing"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// spec is a rig of yaw-pitch-pitch legs for the tests, sizes at U = 1 m.
type spec struct {
	name  string
	feet  []r3.Vec // neutral, mirrored left to right by the caller
	mass  float64  // of each link; the body has 1 kg
	tall  float64
	speed float64 // of the joints, rad/s
}

const coxa, femur, tibia = 0.3, 1.0, 1.4

func hexapod() spec {
	return spec{name: "hexapod", tall: 1.1, speed: 60, feet: mirrored(r3.Vec{X: 1.2, Y: 1.2}, r3.Vec{Y: 1.5}, r3.Vec{X: -1.2, Y: 1.2})}
}

func quadruped() spec {
	return spec{name: "quadruped", tall: 1.1, speed: 60, feet: mirrored(r3.Vec{X: 1.2, Y: 1}, r3.Vec{X: -1.2, Y: 1})}
}

func mirrored(left ...r3.Vec) []r3.Vec {
	var all []r3.Vec
	for _, v := range left {
		all = append(all, v, r3.Vec{X: v.X, Y: -v.Y})
	}
	return all
}

// build makes the rig, every length times u.
func (c spec) build(t testing.TB, u float64) *rig.Rig {
	t.Helper()
	r := &rig.Rig{Name: c.name, Height: c.tall * u, Body: rig.Body{Mass: 1, Box: r3.Vec{X: 0.3 * u, Y: 0.2 * u, Z: 0.1 * u}}}
	for i, f := range c.feet {
		f.Z = -c.tall
		heading := math.Atan2(f.Y, f.X)
		mount := geom.Pose{P: r3.Vec{X: 0.2 * u * math.Cos(heading), Y: 0.2 * u * math.Sin(heading)}, Q: geom.FromRPY(0, 0, heading)}
		ahead := func(x float64) geom.Pose { return geom.Pose{P: r3.Vec{X: x * u}, Q: geom.FromRPY(0, 0, 0)} }
		l := rig.Leg{Name: string(rune('a' + i)), Foot: r3.Vec{X: tibia * u}, FootRadius: 0.02 * u, Neutral: r3.Scale(u, f)}
		for j, o := range []geom.Pose{mount, ahead(coxa), ahead(femur)} {
			axis := r3.Vec{Y: 1}
			if j == 0 {
				axis = r3.Vec{Z: 1}
			}
			l.Joints = append(l.Joints, rig.Joint{
				Name: l.Name + string(rune('0'+j)), Origin: o, Axis: axis, Min: -3, Max: 3, Speed: c.speed, Mimic: -1,
				Link: rig.Link{Mass: c.mass, CoM: r3.Vec{X: 0.3 * u}, Radius: 0.03 * u},
			})
		}
		q := reachFoot(&l, l.Neutral, u)
		for j := range l.Joints {
			l.Joints[j].Rest = q[j]
		}
		r.Legs = append(r.Legs, l)
	}
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	return r
}

// reachFoot is the closed form of the test legs: knee up.
func reachFoot(l *rig.Leg, footB r3.Vec, u float64) [3]float64 {
	v := l.Joints[0].Origin.Inverse().Apply(footB)
	yaw := math.Atan2(v.Y, v.X)
	rho := math.Hypot(v.X, v.Y) - coxa*u
	f, b := femur*u, tibia*u
	c := (rho*rho + v.Z*v.Z - f*f - b*b) / (2 * f * b)
	phi := math.Acos(math.Max(-1, math.Min(1, c)))
	up := math.Atan2(v.Z, rho) + math.Atan2(b*math.Sin(phi), f+b*math.Cos(phi))
	return [3]float64{yaw, -up, phi}
}

// driver is a clocked gait that knows nothing of the simulator: an intended
// pose, stance feet fixed in the world, swing feet on a raised path.
type driver struct {
	r      *rig.Rig
	u      float64
	period float64 // seconds
	duty   float64
	offset []float64 // cycle phase of touchdown
	lift   float64
	ground geom.Ground

	at      geom.Pose
	v       r3.Vec // W
	yawRate float64
	time    float64
	feet    []r3.Vec // W
	from    []r3.Vec // of the swing
	sp      *rig.Setpoint
}

func newDriver(s *Sim, u, period, duty float64, offset ...float64) *driver {
	d := &driver{r: s.rig, u: u, period: period, duty: duty, offset: offset, lift: 0.35 * u, ground: s.Ground(), at: s.Pose(), sp: rig.NewSetpoint(s.rig)}
	for i := range d.r.Legs {
		d.feet = append(d.feet, d.at.Apply(d.r.Legs[i].Neutral))
	}
	d.from = append(d.from, d.feet...)
	return d
}

func (d *driver) phase(leg int, t float64) float64 {
	p := math.Mod(t/d.period-d.offset[leg], 1)
	if p < 0 {
		p++
	}
	return p
}

// tick moves the intent by dt and returns the setpoint.
func (d *driver) tick(dt float64) *rig.Setpoint {
	ease := math.Min(1, d.time/(2*d.period)) // the first strides are short
	v := r3.Scale(ease, d.v)
	d.at.P = r3.Add(d.at.P, r3.Scale(dt, v))
	d.at.Q = turned(d.at.Q, r3.Vec{Z: ease * d.yawRate * dt})
	d.time += dt
	for i := range d.feet {
		p, was := d.phase(i, d.time), d.phase(i, d.time-dt)
		if p < d.duty {
			if was >= d.duty { // touchdown
				d.feet[i].Z = d.under(d.feet[i])
			}
			d.from[i] = d.feet[i]
			continue
		}
		s := (p - d.duty) / (1 - d.duty)
		rest := d.at.Apply(d.r.Legs[i].Neutral)
		left := (1 - s) * (1 - d.duty) * d.period // until touchdown
		target := r3.Add(rest, r3.Scale(left+d.duty*d.period/2, v))
		e := s * s * (3 - 2*s)
		d.feet[i] = r3.Add(d.from[i], r3.Scale(e, r3.Sub(target, d.from[i])))
		d.feet[i].Z = d.from[i].Z + e*(d.under(target)-d.from[i].Z) + d.lift*math.Sin(math.Pi*s)
	}
	d.solve()
	return d.sp
}

// under is the height of the ground the driver knows of.
func (d *driver) under(p r3.Vec) float64 {
	p.Z += 2 * d.u
	h, ok := d.ground.Cast(p, r3.Vec{Z: -1}, 4*d.u)
	if !ok {
		return p.Z - 2*d.u
	}
	return h.Point.Z
}

// solve turns the intent into joint angles.
func (d *driver) solve() {
	inv := d.at.Inverse()
	for i := range d.feet {
		l := &d.r.Legs[i]
		q := reachFoot(l, inv.Apply(d.feet[i]), d.u)
		copy(d.sp.Q[l.First:], q[:])
	}
}

func tripod() []float64 { return []float64{0, 0.5, 0.5, 0, 0, 0.5} }

func newSim(t testing.TB, r *rig.Rig, g geom.Ground, p Params, c Scale, dt float64) *Sim {
	t.Helper()
	s, err := New(r, g, p, c, dt, 1)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func apply(t testing.TB, s *Sim, sp *rig.Setpoint) {
	t.Helper()
	if err := s.Apply(context.Background(), sp); err != nil {
		t.Fatal(err)
	}
}
