package gait_test

import (
	"math"
	"testing"

	"legctl/gait"

	"gonum.org/v1/gonum/spatial/r3"
)

func TestProperty8TriggerBoundary(t *testing.T) {
	rows := []struct {
		name  string
		speed float64
		d     float64
		steps bool
	}{
		{"at rest, on the boundary", 0, 0.25, false},
		{"at rest, beyond it", 0, 0.25 + 1e-6, true},
		{"at rest, behind", 0, -0.25 - 1e-6, true},
		{"at full speed, on the boundary", 0.15, -0.8, false},
		{"at full speed, beyond it", 0.15, -0.8 - 1e-6, true},
		{"at half speed, on the boundary", 0.075, -0.525, false},
		{"at half speed, beyond it", 0.075, -0.525 - 1e-6, true},
	}
	inEach(t, func(t *testing.T, p place) {
		for _, r := range rows {
			f := stand(t, "octopod", p, gait.ReferenceWalk())
			f.move(r.speed, 0, 0)
			z := f.Zones(&f.body)
			// The row's boundary is decimal; the zone's is what rounding made of it.
			d := r.d
			if !r.steps {
				d = math.Copysign(z.Trigger/f.Scale.U, r.d)
				if math.Abs(d-r.d) > 1e-12 {
					t.Fatalf("%s: radius %v U, want %v", r.name, d, r.d)
				}
			}
			f.away(2, d, 0)
			if !r.steps { // exactly on it, whatever adding and taking away U does
				rest := f.Rest(&f.body, &z, 2)
				for math.Abs(f.legs[2].Foot.X-rest.X) > z.Trigger {
					f.legs[2].Foot.X = math.Nextafter(f.legs[2].Foot.X, rest.X)
				}
			}
			f.legs[2].Target.Y += 0.2 * f.Scale.U
			if got := f.may(2); got != r.steps {
				t.Errorf("%s: steps %v, want %v", r.name, got, r.steps)
			}
		}
	})
}

func TestProperty9NoStepInPlace(t *testing.T) {
	inEach(t, func(t *testing.T, p place) {
		for _, near := range []float64{0, 0.05, 0.0999, 0.1001, 0.5} {
			f := stand(t, "quadruped", p, gait.ReferenceWalk())
			f.move(0.15, 0, 0)
			f.away(0, -1, near-1)
			if got, want := f.may(0), near >= 0.1; got != want {
				t.Errorf("target %g U away: steps %v, want %v", near, got, want)
			}
		}
	})
}

func TestProperty14LookAhead(t *testing.T) {
	inEach(t, func(t *testing.T, p place) {
		f := stand(t, "hexapod", p, gait.ReferenceWalk())
		ahead := func(leg int) r3.Vec {
			z := f.Zones(&f.body)
			rest := f.Rest(&f.body, &z, leg)
			return r3.Scale(1/f.Scale.U, r3.Sub(f.Ahead(&f.body, &z, rest), rest))
		}
		for _, r := range []struct{ speed, want float64 }{{0.15, 0.48}, {0.075, 0.315}, {0.3, 0.48}} {
			f.move(r.speed, 0, 0)
			if d := ahead(1); math.Abs(d.X-r.want) > 1e-9 || d.Y != 0 || d.Z != 0 {
				t.Errorf("speed %g: %v ahead, want %g", r.speed, d, r.want)
			}
			f.move(0, r.speed, 0)
			if d := ahead(1); math.Abs(d.Y-r.want) > 1e-9 || d.X != 0 {
				t.Errorf("speed %g sideways: %v ahead, want %g", r.speed, d, r.want)
			}
			f.move(-r.speed*math.Sqrt2/2, r.speed*math.Sqrt2/2, 0)
			if d := ahead(4); math.Abs(d.X+r.want*math.Sqrt2/2) > 1e-9 || math.Abs(d.Y-r.want*math.Sqrt2/2) > 1e-9 {
				t.Errorf("speed %g aslant: %v ahead, want %g", r.speed, d, r.want)
			}
		}
		f.move(0, 0, 0)
		if d := ahead(1); d != (r3.Vec{}) {
			t.Errorf("at rest: %v ahead, want none", d)
		}
	})
}

func TestProperty15ZonesFollowSpeed(t *testing.T) {
	rows := []struct {
		name      string
		share, wz float64
		radius    float64
	}{
		{"at rest", 0, 0, 0.25},
		{"half speed", 0.5, 0, 0.525},
		{"full speed", 1, 0, 0.8},
		{"above full speed", 6.67, 0, 0.8},
		{"turning left", 0, 0.02, 0.8},
		{"turning right", 0, -0.02, 0.8},
	}
	for _, r := range rows {
		f := stand(t, "octopod", places[0], gait.ReferenceWalk())
		f.move(r.share*0.15, 0, r.wz)
		if z := f.Zones(&f.body); math.Abs(z.Trigger-r.radius) > 1e-9 {
			t.Errorf("%s: radius %v, want %v", r.name, z.Trigger, r.radius)
		}
	}
	// Height goes the same way: the galloping body rises from 1.1 to 1.6.
	f := stand(t, "octopod", places[0], gait.ReferenceGallop())
	for _, r := range []struct{ speed, height float64 }{{0, 1.1}, {0.2, 1.35}, {0.4, 1.6}, {4, 1.6}} {
		f.move(r.speed, 0, 0)
		if z := f.Zones(&f.body); math.Abs(z.Height-r.height) > 1e-9 {
			t.Errorf("gallop at %g: height %v, want %v", r.speed, z.Height, r.height)
		}
	}
}

// TestComfortZone is the cylinder of section 2.3 at body height 1.1: radius
// 1.2, half height 2.7 about the middle between rest point and body.
func TestComfortZone(t *testing.T) {
	rows := []struct {
		d    r3.Vec // from the rest point
		want bool
	}{
		{r3.Vec{X: 1.2}, true},
		{r3.Vec{X: 1.2 + 1e-6}, false},
		{r3.Vec{Y: -1.19}, true},
		{r3.Vec{Z: 0.55 + 2.7 - 1e-9}, true},
		{r3.Vec{Z: 0.55 + 2.7 + 1e-6}, false},
		{r3.Vec{Z: 0.55 - 2.7 + 1e-9}, true},
		{r3.Vec{Z: 0.55 - 2.7 - 1e-6}, false},
	}
	f := stand(t, "quadruped", places[0], gait.ReferenceWalk())
	for _, r := range rows {
		if got := f.InComfort(r.d, r3.Vec{}, 1.1); got != r.want {
			t.Errorf("%v from rest: comfortable %v, want %v", r.d, got, r.want)
		}
	}
}
