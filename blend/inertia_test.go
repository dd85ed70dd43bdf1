package blend_test

import (
	"math"
	"testing"

	"legctl/blend"
	"legctl/geom"

	"gonum.org/v1/gonum/spatial/r3"
)

const tick = 1. / 200

// swing is a motion with everything moving smoothly; k tells motions apart.
func swing(p *blend.Pose, k, t float64) {
	a := .6*k*math.Sin(3*t+k) + k
	p.Joints[0] = geom.AxisAngle(r3.Vec{X: .6, Z: .8}, a)
	p.Joints[1] = geom.FromRPY(.3*k, a, -.2*a)
	p.Angles[0] = a
	p.Body = geom.Pose{P: r3.Vec{X: .1 * a, Z: .3 + .02*k}, Q: geom.FromRPY(.1*a, 0, .05*k)}
	p.Feet[0] = r3.Vec{X: .2 * a, Y: .1 * k, Z: -.3}
}

var switching = blend.Shape{Joints: 2, Angles: 1, Feet: 1}

// show plays n ticks of a motion under the inertia and calls see on each.
func show(t *testing.T, in *blend.Inertia, k float64, from, n int, see func(i int, p, wanted *blend.Pose)) {
	t.Helper()
	p := blend.NewPoses(switching, 2)
	for i := from; i < from+n; i++ {
		swing(&p[0], k, float64(i)*tick)
		swing(&p[1], k, float64(i)*tick)
		if err := in.Apply(&p[0], tick); err != nil {
			t.Fatal(err)
		}
		see(i, &p[0], &p[1])
	}
}

// Complaint 23: interrupting a transition pops.
func TestComplaint23AnInterruptedSwitchDoesNotPop(t *testing.T) {
	in := blend.NewInertia(switching)
	hist := blend.NewPoses(switching, 3) // two back, one back, now
	most, steps := 0.0, 0
	see := func(_ int, p, _ *blend.Pose) {
		for i, from := range []*blend.Pose{&hist[1], &hist[2], p} {
			if err := blend.Copy(&hist[i], from); err != nil {
				t.Fatal(err)
			}
		}
		if steps++; steps > 2 {
			most = max(most, apart(&hist[1], &hist[2]))
		}
	}
	at := 0
	for _, k := range []float64{.2, 1, .4, -1, .6} { // each cuts the one before short
		if at > 0 {
			w := blend.NewPoses(switching, 2)
			swing(&w[0], k, float64(at-1)*tick)
			swing(&w[1], k, float64(at-2)*tick)
			shown := blend.Moment{Now: &hist[2], Before: &hist[1]}
			if err := in.Switch(shown, blend.Moment{Now: &w[0], Before: &w[1]}, tick, .4); err != nil {
				t.Fatal(err)
			}
			if err := in.Apply(&w[0], 0); err != nil || apart(&w[0], &hist[2]) > 1e-9 {
				t.Fatalf("%v: at the switch the pose is off what was shown by %v", err, apart(&w[0], &hist[2]))
			}
		}
		show(t, in, k, at, 30, see)
		at += 30
	}
	// The motions move by at most 0.01 a tick; the offsets of about 2 go in 80
	// ticks, never faster than twice their mean. A pop would be of order 1.
	if most > .12 {
		t.Errorf("a jump of %v in one tick", most)
	}
	show(t, in, .6, at, 80, func(i int, p, wanted *blend.Pose) {
		if i > at+50 && apart(p, wanted) > 1e-12 {
			t.Fatalf("tick %d: %v off the motion after the switch", i-at, apart(p, wanted))
		}
	})
	if in.Active() {
		t.Error("still active after its time")
	}
}

func TestASwitchKeepsTheSpeed(t *testing.T) {
	p := blend.NewPoses(blend.Shape{Joints: 1, Angles: 1, Feet: 1}, 4)
	shown, before, wanted, shownNext := &p[0], &p[1], &p[2], &p[3]
	shown.Angles[0], before.Angles[0] = .5, .5+2*.001 // falling at 2 rad/s towards a still 0
	shown.Feet[0].X, before.Feet[0].X = .1, .1+.3*.001
	axis := r3.Vec{X: .6, Y: .8}
	shown.Joints[0], before.Joints[0] = geom.AxisAngle(axis, .5), geom.AxisAngle(axis, .5+2*.001)
	in := blend.NewInertia(shown.Shape())
	if err := in.Switch(blend.Moment{Now: shown, Before: before}, blend.Moment{Now: wanted, Before: wanted}, .001, .5); err != nil {
		t.Fatal(err)
	}
	if err := in.Apply(shownNext, 1e-4); err != nil {
		t.Fatal(err)
	}
	if v := (shownNext.Angles[0] - .5) / 1e-4; math.Abs(v+2) > .02 {
		t.Errorf("the angle goes on at %v rad/s, want -2", v)
	}
	if v := (shownNext.Feet[0].X - .1) / 1e-4; math.Abs(v+.3) > .01 {
		t.Errorf("the foot goes on at %v m/s, want -0.3", v)
	}
	if v := 2 * (math.Acos(shownNext.Joints[0].Real) - .25) / 1e-4; math.Abs(v+2) > .02 {
		t.Errorf("the joint goes on at %v rad/s, want -2", v)
	}
	for i := range 600 { // dies out without swinging through
		wanted.Reset()
		if err := in.Apply(wanted, .001); err != nil || wanted.Angles[0] < -1e-12 || i >= 500 && wanted.Angles[0] != 0 {
			t.Fatalf("%v: angle %v after %d ms", err, wanted.Angles[0], i)
		}
	}
}

func TestInertiaRefuses(t *testing.T) {
	in, p := blend.NewInertia(switching), blend.NewPoses(switching, 1)
	swing(&p[0], 1, 0)
	m, other := blend.Moment{Now: &p[0], Before: &p[0]}, blend.NewPoses(blend.Shape{}, 1)
	for name, err := range map[string]error{
		"dt":    in.Switch(m, m, 0, 1),
		"over":  in.Switch(m, m, 1, math.NaN()),
		"shape": in.Switch(m, blend.Moment{Now: &other[0], Before: &p[0]}, 1, 1),
		"step":  in.Apply(&p[0], -1),
		"pose":  in.Apply(&other[0], 1),
	} {
		if err == nil || in.Active() {
			t.Errorf("%s: %v, active %v", name, err, in.Active())
		}
	}
}

func TestAnOffsetNeitherGrowsNorSwingsThrough(t *testing.T) {
	for _, speed := range []float64{-200, -20, -1, 0, 1, 20} { // of the offset, rad/s
		p := blend.NewPoses(blend.Shape{Angles: 1}, 3)
		shown, before, wanted := &p[0], &p[1], &p[2]
		shown.Angles[0], before.Angles[0] = .5, .5-speed*.001
		in := blend.NewInertia(shown.Shape())
		if err := in.Switch(blend.Moment{Now: shown, Before: before}, blend.Moment{Now: wanted, Before: wanted}, .001, .5); err != nil {
			t.Fatal(err)
		}
		for i := range 600 {
			wanted.Reset()
			if err := in.Apply(wanted, .001); err != nil || wanted.Angles[0] < -1e-12 || wanted.Angles[0] > .5+1e-12 {
				t.Fatalf("speed %v, after %d ms: %v, angle %v, want 0 to 0.5", speed, i, err, wanted.Angles[0])
			}
		}
	}
}
