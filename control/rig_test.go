package control_test

import (
	"fmt"
	"math"
	"testing"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// legPlan is one leg of a rig built for tests: a hip, then hinges in a plane.
type legPlan struct {
	name     string
	mount    r3.Vec
	yaw      float64
	neutral  r3.Vec
	coxa     float64
	femur    float64
	tibia    float64
	femurUp  float64 // rest angles
	tibiaAt  float64
	hipLimit float64
}

// sixLegs returns a hexapod with the measures of a PhantomX MkIII.
func sixLegs(t testing.TB) *rig.Rig {
	t.Helper()
	r := &rig.Rig{Name: "six", Height: 0.09, Body: rig.Body{Mass: 1.3, Box: r3.Vec{X: 0.12, Y: 0.06, Z: 0.02}}}
	for _, side := range []float64{1, -1} {
		for row, m := range []r3.Vec{{X: 0.1248, Y: 0.0616}, {Y: 0.1034}, {X: -0.1248, Y: 0.0616}} {
			yaw := []float64{math.Pi / 4, math.Pi / 2, 3 * math.Pi / 4}[row] * side
			m.Y *= side
			n := r3.Vec{X: m.X + 0.15*math.Cos(yaw), Y: m.Y + 0.15*math.Sin(yaw), Z: -r.Height}
			name := string("lr"[int(1-side)/2]) + string("fmr"[row])
			r.Legs = append(r.Legs, hexLeg(name, m, yaw, n))
		}
	}
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	return r
}

func hexLeg(name string, mount r3.Vec, yaw float64, neutral r3.Vec) rig.Leg {
	at := geom.Pose{P: mount, Q: geom.FromRPY(0, 0, yaw)}
	ident := geom.Identity().Q
	// Knee up: femur raised, tibia down; rest from the triangle.
	l0, l1, l2 := 0.052, 0.066, 0.133
	d := r3.Sub(neutral, mount)
	rho := math.Sqrt(d.X*d.X+d.Y*d.Y) - l0
	h := -d.Z
	dist := math.Sqrt(rho*rho + h*h)
	a1 := math.Acos((l1*l1 + dist*dist - l2*l2) / (2 * l1 * dist))
	a2 := math.Acos((l1*l1 + l2*l2 - dist*dist) / (2 * l1 * l2))
	femur := math.Atan2(h, rho) - a1 // about +y, positive turns down
	tibia := math.Pi - a2
	joint := func(part string, o geom.Pose, axis r3.Vec, lo, hi, rest, mass, com float64) rig.Joint {
		return rig.Joint{
			Name: name + "_" + part, Origin: o, Axis: axis, Min: lo, Max: hi, Speed: 5.65, Torque: 1.5,
			Rest: rest, Mimic: -1, Link: rig.Link{Mass: mass, CoM: r3.Vec{X: com}, Radius: 0.01},
		}
	}
	return rig.Leg{
		Name: name, Neutral: neutral, Foot: r3.Vec{X: l2}, FootRadius: 0.005,
		Joints: []rig.Joint{
			joint("coxa", at, r3.Vec{Z: 1}, -1.309, 1.309, 0, 0.07, 0.026),
			joint("femur", geom.Pose{P: r3.Vec{X: l0}, Q: ident}, r3.Vec{Y: 1}, -1.745, 1.745, femur, 0.07, 0.033),
			joint("tibia", geom.Pose{P: r3.Vec{X: l1}, Q: ident}, r3.Vec{Y: 1}, -1.2, 2.6, tibia, 0.07, 0.06),
		},
	}
}

func bits(n uint64) string { return fmt.Sprintf("%06b", n) }
