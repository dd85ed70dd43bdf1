package gait_test

import (
	"math"
	"testing"

	"legctl/configs"
	"legctl/gait"
	"legctl/geom"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// The numbers of the property tests are those of the step-rule notes, section
// 10; lengths in U, times in k.

// place is a world in which the properties hold: the reference, and two sizes
// under real gravity in units of their own.
type place struct {
	name    string
	size    string  // of the rig
	u, k, h float64 // metres, seconds; h in U
	dt      float64
}

var places = []place{
	{"reference", "", 1, 0.05, 1.1, 0.05},
	{"reference fine", "", 1, 0.05, 1.1, 0.01},
	{"6 cm at 100 Hz", "@0.06", 0.0064, 0.0206, 2.14, 0.01},
	{"6 cm at 50 Hz", "@0.06", 0.0064, 0.04, 2.14, 0.02},
	{"3 m at 100 Hz", "@3", 0.322, 0.0513, 2.14, 0.01},
	{"3 m at 50 Hz", "@3", 0.322, 0.0513, 2.14, 0.02},
}

// fixture is one rig's step rules with the body in some state.
type fixture struct {
	*gait.Sized
	rig  *rig.Rig
	body gait.Body
	legs []gait.LegState
}

// stand sizes rules for a shipped body plan and puts every foot where it rests.
func stand(t testing.TB, name string, p place, rules gait.Rules) *fixture {
	t.Helper()
	r, err := configs.LoadRig(name + p.size)
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{rig: r}
	f.Sized = gait.Size(r, rules, gait.Scale{U: p.u, K: p.k, H: p.h * p.u, L: r.L()}, p.dt, gait.StageAll)
	level := geom.RotOf(geom.Identity().Q)
	f.body = gait.Body{P: r3.Vec{Z: p.h * p.u}, Rot: level, Yaw: level}
	z := f.Zones(&f.body)
	for i := range r.Legs {
		foot := f.Rest(&f.body, &z, i)
		f.legs = append(f.legs, gait.LegState{
			Foot: foot, Target: foot, Touching: true, Grounded: true,
			SinceLift: math.MaxInt32 / 2, SinceLand: math.MaxInt32 / 2,
		})
	}
	return f
}

// move gives the body a velocity in U/k and a yaw rate in rad/k.
func (f *fixture) move(vx, vy, wz float64) {
	v := f.Scale.U / f.Scale.K
	b := &f.body
	b.Vel, b.YawRate = r3.Vec{X: vx * v, Y: vy * v}, wz/f.Scale.K
	b.Walking = vx != 0 || vy != 0 || wz != 0
	b.Share = math.Sqrt(r3.Norm2(b.Vel)) / f.Speed
	if wz != 0 {
		b.Share = 1
	}
}

// may asks the rules about one leg, all others as they are.
func (f *fixture) may(leg int) bool {
	z := f.Zones(&f.body)
	v := gait.Survey(f.legs, 0)
	return f.May(f.legs, leg, &v, &f.body, &z, f.Rest(&f.body, &z, leg))
}

// away puts a standing foot d U from its rest point along x, and its target at
// the rest point plus ahead.
func (f *fixture) away(leg int, d, ahead float64) {
	z := f.Zones(&f.body)
	rest := f.Rest(&f.body, &z, leg)
	l := &f.legs[leg]
	l.Foot, l.Target = rest, rest
	l.Foot.X += d * f.Scale.U
	l.Target.X += ahead * f.Scale.U
}

// inEach runs a test in every place.
func inEach(t *testing.T, test func(t *testing.T, p place)) {
	for _, p := range places {
		t.Run(p.name, func(t *testing.T) { test(t, p) })
	}
}
