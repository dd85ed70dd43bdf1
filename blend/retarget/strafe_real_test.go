package retarget_test

import (
	"math"
	"testing"

	"legctl/blend"
	"legctl/blend/retarget"
	"legctl/blend/space"
)

// strafes is the space of the Rogue's clips on a biped, each a motion of its
// own.
func strafes(t testing.TB) *space.Space {
	t.Helper()
	r := loadRig(t, "biped")
	p := retarget.PlanFor(r, "strafes")
	for _, name := range []string{"Running_A", "Running_Strafe_Left", "Running_Strafe_Right", "Walking_Backwards"} {
		l, _, err := retarget.Loop(realClip(t, "gltf/kaykit_Rogue.glb", name), r, retarget.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p.Motions = append(p.Motions, space.PlanMotion{Name: name, Loops: []*space.Loop{l}})
	}
	s, rep, err := space.Build(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range rep.Motions {
		t.Logf("%s: %v, %.2f left, mirrored %v", m.Name, m.Link, m.Left, m.Mirrored)
	}
	return s
}

func TestTheStrafeSetDrivesADirectionalSet(t *testing.T) {
	s := strafes(t)
	d, err := space.NewDirections(s, nil, nil, 10*math.Pi/180)
	if err != nil {
		t.Fatal(err)
	}
	_, ahead := d.Ways(false)
	_, behind := d.Ways(true)
	if len(ahead) != 3 || len(behind) != 1 {
		t.Fatalf("%d clips ahead and %d behind, want 3 and 1", len(ahead), len(behind))
	}
	for i, deg := range []float64{0, 60, -60} {
		if got := ahead[i].Angle * 180 / math.Pi; math.Abs(got-deg) > 1 {
			t.Errorf("clip %d goes at %.1f degrees, want %.0f", i, got, deg)
		}
	}
	for _, row := range []struct {
		name    string
		deg     float64
		weights [4]float64
		travels float64 // where the blend really goes, degrees
	}{
		{"ahead", 0, [4]float64{1, 0, 0, 0}, 0}, {"strafe left", 60, [4]float64{0, 1, 0, 0}, 60}, {"strafe right", -60, [4]float64{0, 0, 1, 0}, -60},
		{"half left", 30, [4]float64{.5, .5, 0, 0}, 30}, {"a quarter right", -15, [4]float64{.75, 0, .25, 0}, -15},
		{"beyond the arc", 85, [4]float64{0, 1, 0, 0}, 60}, {"behind", 180, [4]float64{0, 0, 0, 1}, 180},
	} {
		p, h := newRide(s), blend.Heading{}
		d.Want(p.st, &h, row.deg*math.Pi/180, 1)
		for range 200 {
			p.step(0.02)
		}
		for i, w := range row.weights {
			if math.Abs(p.st.Weights[i]-w) > 0.02 {
				t.Errorf("%s: weights %.3f, want %v", row.name, p.st.Weights[:4], row.weights)
				break
			}
		}
		from := p.st.Place
		for range 200 {
			p.step(0.02)
		}
		got := math.Atan2(p.st.Place.At.Y-from.At.Y, p.st.Place.At.X-from.At.X) * 180 / math.Pi
		// Clips of other speeds pull the blend's way to the faster one.
		if math.Abs(math.Remainder(got-row.travels, 360)) > 8 || math.Abs(p.st.Place.Yaw) > 1e-6 {
			t.Errorf("%s: travels at %.1f degrees, turned by %.3f rad, want %.0f and no turn", row.name, got, p.st.Place.Yaw, row.travels)
		}
		if p.slide > 0.005 {
			t.Errorf("%s: a locked foot slides by %.1f mm", row.name, p.slide*1e3)
		}
		t.Logf("%s: travels at %.1f degrees, velocity of the set %.2f m/s at %.1f", row.name, got, math.Hypot(h.Velocity.X, h.Velocity.Y), math.Atan2(h.Velocity.Y, h.Velocity.X)*180/math.Pi)
	}
}
