package ik

import (
	"math"

	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

var (
	axisX = r3.Vec{X: 1}
	axisY = r3.Vec{Y: 1}
	axisZ = r3.Vec{Z: 1}
)

// hinge is one joint of a test leg, degrees.
type hinge struct {
	at            r3.Vec // in the frame before
	axis          r3.Vec
	min, max, rst float64
}

// leg builds a leg whose mount is turned by yaw degrees.
func leg(name string, yaw float64, foot r3.Vec, hs ...hinge) rig.Leg {
	l := rig.Leg{Name: name, Foot: foot}
	for i, h := range hs {
		j := rig.Joint{
			Name: name, Origin: geom.Pose{P: h.at, Q: geom.Identity().Q}, Axis: h.axis,
			Min: rad(h.min), Max: rad(h.max), Rest: rad(h.rst), Speed: 5, Mimic: -1,
			Link: rig.Link{Mass: 0.02 * float64(i+1), CoM: r3.Vec{X: 0.01, Y: 0.003, Z: -0.02}},
		}
		if i == 0 {
			j.Origin.Q = geom.AxisAngle(axisZ, rad(yaw))
		}
		l.Joints = append(l.Joints, j)
	}
	return l
}

func rad(deg float64) float64 { return deg * math.Pi / 180 }

// body finishes a rig of legs as Validate would.
func body(name string, legs ...rig.Leg) *rig.Rig {
	r := &rig.Rig{Name: name, Legs: legs}
	r.Body.Mass = 1
	first := 0
	for i := range r.Legs {
		l := &r.Legs[i]
		l.First = first
		first += len(l.Joints)
		for j := range l.Joints {
			end := l.Foot
			if j+1 < len(l.Joints) {
				end = l.Joints[j+1].Origin.P
			}
			l.Length += r3.Norm(end)
		}
		var rest []float64
		for j := range l.Joints {
			rest = append(rest, l.Joints[j].Rest)
		}
		l.Neutral = rig.LegFoot(l, rest)
	}
	return r
}

// hexapodLeg is a PhantomX-like leg: yaw, pitch, pitch; bent 20 up, 80 down.
func hexapodLeg(name string, at r3.Vec, yaw float64) rig.Leg {
	return leg(name, yaw, r3.Vec{X: 0.133},
		hinge{at, axisZ, -75, 75, 0}, hinge{r3.Vec{X: 0.052}, axisY, -100, 100, -20}, hinge{r3.Vec{X: 0.066}, axisY, -67, 102, 80})
}

func hexapod() *rig.Rig {
	return body("hexapod",
		hexapodLeg("lf", r3.Vec{X: 0.125, Y: 0.06}, 45), hexapodLeg("rf", r3.Vec{X: 0.125, Y: -0.06}, -45),
		hexapodLeg("lm", r3.Vec{Y: 0.1}, 90), hexapodLeg("rm", r3.Vec{Y: -0.1}, -90),
		hexapodLeg("lr", r3.Vec{X: -0.125, Y: 0.06}, 135), hexapodLeg("rr", r3.Vec{X: -0.125, Y: -0.06}, -135))
}

// quadruped is A1-like: roll, then two pitch joints with a lateral offset.
func quadruped() *rig.Rig {
	side := func(name string, x, y float64) rig.Leg {
		return leg(name, 0, r3.Vec{Z: -0.2},
			hinge{r3.Vec{X: x, Y: 0.047 * y}, axisX, -46, 46, 0}, hinge{r3.Vec{Y: 0.0838 * y}, axisY, -60, 240, 45},
			hinge{r3.Vec{Z: -0.2}, axisY, -154.5, -52.5, -90})
	}
	return body("quadruped", side("lf", 0.18, 1), side("rf", 0.18, -1), side("lr", -0.18, 1), side("rr", -0.18, -1))
}

// planar legs have two parallel pitch joints, as Bittle's.
func planarRig() *rig.Rig {
	side := func(name string, x, y float64) rig.Leg {
		return leg(name, 0, r3.Vec{Y: 0.0075 * y, Z: -0.0485},
			hinge{r3.Vec{X: x, Y: 0.0485 * y}, axisY, -80, 200, 40}, hinge{r3.Vec{Z: -0.046}, axisY, -200, 80, -80})
	}
	return body("planar", side("lf", 0.05, 1), side("rf", 0.05, -1), side("lr", -0.05, 1), side("rr", -0.05, -1))
}

// fiveRig has CSIRO Bullet-like legs: yaw, tilt of the leg's plane, three pitches.
func fiveRig() *rig.Rig {
	side := func(name string, yaw float64) rig.Leg {
		return leg(name, yaw, r3.Vec{X: 0.173},
			hinge{r3.Vec{X: 0.19, Z: 0.05}, axisZ, -90, 90, 0}, hinge{r3.Vec{X: -0.047, Z: 0.06}, axisX, -135, 135, 0},
			hinge{r3.Vec{X: 0.035}, axisY, -83, 90, -30}, hinge{r3.Vec{X: 0.114}, axisY, 0, 135, 60}, hinge{r3.Vec{X: 0.114}, axisY, -135, 135, 50})
	}
	return body("five", side("lm", 90), side("rm", -90))
}

// spiderRig has radial legs: yaw and pitch with one centre, then n-1 pitches.
func spiderRig(n int, restKnown bool) *rig.Rig {
	side := func(name string, yaw float64) rig.Leg {
		link := r3.Vec{X: 1.1}
		hs := []hinge{{r3.Vec{X: 0.1}, axisZ, -80, 80, 0}, {r3.Vec{}, axisY, -100, 80, -60}}
		for i := 1; i < n; i++ {
			rst := 120 / float64(n-1)
			hs = append(hs, hinge{link, axisY, -20, 120, rst})
		}
		if !restKnown {
			for i := range hs {
				hs[i].rst = 0
			}
		}
		return leg(name, yaw, link, hs...)
	}
	return body("spider", side("lm", 90), side("rm", -90), side("lf", 50), side("rf", -50))
}

// mimicRig has a leg whose last joint copies half the knee.
func mimicRig() *rig.Rig {
	r := body("mimic",
		leg("l", 90, r3.Vec{X: 0.06}, hinge{r3.Vec{X: 0.1}, axisZ, -70, 70, 0}, hinge{r3.Vec{X: 0.05}, axisY, -100, 100, -30},
			hinge{r3.Vec{X: 0.08}, axisY, -10, 120, 60}, hinge{r3.Vec{X: 0.08}, axisY, -100, 100, 35}))
	r.Legs[0].Joints[3].Mimic = 2
	r.Legs[0].Joints[3].Factor = 0.5
	r.Legs[0].Joints[3].Offset = rad(5)
	return r
}

// skewRig has three joints about axes square to nothing.
func skewRig() *rig.Rig {
	return body("skew", leg("l", 20, r3.Vec{X: 0.11, Z: -0.05},
		hinge{r3.Vec{X: 0.1}, r3.Unit(r3.Vec{X: 0.2, Y: 0.1, Z: 1}), -70, 70, 0},
		hinge{r3.Vec{X: 0.05, Z: 0.01}, r3.Unit(r3.Vec{X: 0.2, Y: 1, Z: 0.1}), -90, 90, -30},
		hinge{r3.Vec{X: 0.08}, r3.Unit(r3.Vec{X: 0.1, Y: 1, Z: -0.2}), 5, 120, 70}))
}

func testRigs() []*rig.Rig {
	return []*rig.Rig{hexapod(), quadruped(), planarRig(), fiveRig(), spiderRig(3, true), spiderRig(6, true), spiderRig(11, true), mimicRig(), skewRig()}
}
