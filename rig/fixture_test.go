package rig_test

import (
	"fmt"
	"math"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// The fixture leg: 5 cm coxa, 12 cm femur raised 30 degrees, 18 cm tibia
// hanging straight down.
const (
	coxa, femur, tibia = 0.05, 0.12, 0.18
	raise              = -math.Pi / 6
)

// foot is where the fixture leg's foot stands from its mount, along the leg.
func foot() (out, down float64) {
	return coxa + femur*math.Cos(raise), tibia + femur*math.Sin(raise)
}

// leg returns a leg of three joints whose mount is at (x, y) and which points
// along yaw, standing at rest.
func leg(name string, x, y, yaw float64) rig.Leg {
	joint := func(part string, axis r3.Vec, origin geom.Pose, rest float64) rig.Joint {
		return rig.Joint{
			Name: name + "_" + part, Origin: origin, Axis: axis, Min: -2.5, Max: 2.5, Rest: rest,
			Speed: 6, Torque: 2, Mimic: -1, Link: rig.Link{Mass: 0.05, Radius: 0.01},
		}
	}
	along := func(v float64) geom.Pose { return geom.Pose{P: r3.Vec{X: v}, Q: geom.Identity().Q} }
	mount := geom.Pose{P: r3.Vec{X: x, Y: y}, Q: geom.FromRPY(0, 0, yaw)}
	out, down := foot()
	s, c := math.Sincos(yaw)
	return rig.Leg{
		Name: name,
		Joints: []rig.Joint{
			joint("coxa", r3.Vec{Z: 1}, mount, 0),
			joint("femur", r3.Vec{Y: 1}, along(coxa), raise),
			joint("tibia", r3.Vec{Y: 1}, along(femur), math.Pi/2-raise),
		},
		Foot: r3.Vec{X: tibia}, FootRadius: 0.005,
		Neutral: r3.Vec{X: x + c*out, Y: y + s*out, Z: -down},
	}
}

// pairs returns a rig of n mirrored pairs, front to rear, left before right.
func pairs(n int) *rig.Rig {
	_, down := foot()
	r := &rig.Rig{Name: "fixture", Height: down, Body: rig.Body{Mass: 2, Box: r3.Vec{X: 0.1, Y: 0.1, Z: 0.03}}}
	for i := range n {
		x := 0.2 * (float64(n-1)/2 - float64(i))
		r.Legs = append(r.Legs,
			leg(fmt.Sprintf("l%d", i), x, 0.05, math.Pi/2),
			leg(fmt.Sprintf("r%d", i), x, -0.05, -math.Pi/2))
	}
	return r
}

// star returns a rig of n equal legs round the body.
func star(n int) *rig.Rig {
	r := pairs(1)
	r.Legs = nil
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		r.Legs = append(r.Legs, leg(fmt.Sprintf("a%d", i), 0.05*math.Cos(a), 0.05*math.Sin(a), a))
	}
	return r
}
