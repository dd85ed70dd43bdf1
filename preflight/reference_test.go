package preflight

import (
	"math"
	"os"
	"testing"

	"legctl/configs"
	"legctl/gait"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/spatial/r3"
)

// demo loads the fixture: a published hexapod, facts only.
func demo(t *testing.T) *rig.Rig {
	t.Helper()
	const file = "testdata/openshc_demo.yaml"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := configs.ParseRig(file, data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// frontToRear is the ripple as it was published: the wave of duty 2/3 turned
// round, each leg landing after the one in front of it.
func frontToRear(t *testing.T, r *rig.Rig) *gait.Gait {
	t.Helper()
	// Lift-offs AR 0, CL 1/6, BR 2/6, AL 3/6, CR 4/6, BL 5/6; touchdown is 1/3 of
	// a cycle later.
	g, err := (&gait.Table{
		Name: "ripple as published", Duty: 2. / 3,
		Left:  []float64{5. / 6, 1. / 6, 3. / 6},
		Right: []float64{2. / 6, 4. / 6, 0},
	}).For(r)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// sampled is the least margin over 900 moments of a cycle, each in the middle of
// its part: the way the reference table was made.
func sampled(r *rig.Rig, g *gait.Gait, stride float64) float64 {
	const moments = 900
	least := math.Inf(1)
	for k := range moments {
		at := (float64(k) + 0.5) / moments
		least = math.Min(least, g.MarginAt(r, r2.Vec{}, gait.Along(0, stride, g.Duty[0]), at, nil))
	}
	return least
}

// TestReferenceMargins reproduces the table of static margins that was computed
// elsewhere for the stance of the fixture, CoM at the centre: every gait at
// every stride, to the last digit given. The exact minimum lies at an event,
// between the moments of the table, up to 0.12 mm lower.
func TestReferenceMargins(t *testing.T) {
	r := demo(t)
	strides := [4]float64{0, 0.04, 0.08, 0.12}
	named := func(name string) *gait.Gait {
		g, err := gait.Named(r, name)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, row := range []struct {
		name string
		g    *gait.Gait
		want [4]float64
	}{
		{"wave", named("wave"), [4]float64{0.0750, 0.0750, 0.0750, 0.0750}},
		{"tripod", named("tripod"), [4]float64{0.0750, 0.0578, 0.0405, 0.0232}},
		{"ripple as published", frontToRear(t, r), [4]float64{0.0750, 0.0623, 0.0500, 0.0381}},
		{"ripple, rear to front", named("ripple"), [4]float64{0.0750, 0.0706, 0.0659, 0.0610}},
		{"amble", named("amble"), [4]float64{0.0750, 0.0659, 0.0558, 0.0447}},
	} {
		for i, stride := range strides {
			got := sampled(r, row.g, stride)
			if math.Abs(got-row.want[i]) > 0.5e-4 {
				t.Errorf("%s at stride %v: %.5f m, want %.4f", row.name, stride, got, row.want[i])
			}
			exact, _ := row.g.Margins(r, r2.Vec{}, gait.Along(0, stride, row.g.Duty[0]))
			if exact > got+1e-9 || exact < got-1.3e-4 {
				t.Errorf("%s at stride %v: exactly %.5f m, sampled %.5f", row.name, stride, exact, got)
			}
		}
	}
	for _, stride := range strides {
		bipod := named("bipod")
		if got, _ := bipod.Margins(r, r2.Vec{}, gait.Along(0, stride, bipod.Duty[0])); got > 0 {
			t.Errorf("bipod at stride %v is stable by %v m", stride, got)
		}
	}
}

// TestReferenceRippleRunsTheRightWay: the compass of the shipped ripple has for
// going backward the margin of going forward; the table as published has 16 mm
// less at 80 mm stride.
func TestReferenceRippleRunsTheRightWay(t *testing.T) {
	r := demo(t)
	g, err := gait.Named(r, "ripple")
	if err != nil {
		t.Fatal(err)
	}
	c := gait.NewCompass(r, g, r2.Vec{}, 0.08)
	for way, angle := range map[gait.Way]float64{gait.WayForward: 0, gait.WayBack: math.Pi} {
		got, _ := c.Table(way).Margins(r, r2.Vec{}, gait.Along(angle, 0.08, 2./3))
		if math.Abs(got-0.0659) > 1e-4 {
			t.Errorf("way %d: margin %.5f m, want 0.0659", way, got)
		}
	}
	got, _ := frontToRear(t, r).Margins(r, r2.Vec{}, gait.Along(0, 0.08, 2./3))
	if math.Abs(got-0.0500) > 1e-4 {
		t.Errorf("as published: margin %.5f m, want 0.0500", got)
	}
}

// TestReferenceLongitudinalMargin holds wave gaits of 2n legs to the formula
// S = (n/2 - 1) P + (1 - 3/(4 beta)) R of Song and Waldron, to three decimals,
// by way of the catalogue's own sweep.
func TestReferenceLongitudinalMargin(t *testing.T) {
	const p = 1.0
	for n := 2; n <= 5; n++ {
		r := &rig.Rig{Name: "rows"}
		for m := range n {
			x := p * (float64(n-1)/2 - float64(m))
			for _, y := range []float64{30, -30} { // wide: the margin along the way is the least
				r.Legs = append(r.Legs, rig.Leg{Name: "leg", Neutral: r3.Vec{X: x, Y: y}, Length: 1})
			}
		}
		r.Groups = rig.NewGroups(r, false)
		for _, beta := range []float64{0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9} {
			g, err := gait.Wave(r, beta)
			if err != nil {
				if beta >= 3/(2*float64(n)) {
					t.Error(err)
				}
				continue
			}
			for _, stroke := range []float64{0.2, 0.4, 0.6, 0.8, 1} {
				want := (float64(n)/2-1)*p + (1-3/(4*beta))*stroke
				if got := alongMargin(r, g, gait.Along(0, stroke, beta)); math.Abs(got-want) > 0.5e-3 {
					t.Errorf("n %d, beta %v, stroke %v: %.4f, want %.4f", n, beta, stroke, got, want)
				}
			}
		}
	}
}

// alongMargin is the least distance along x from the centre to the edge of the
// support, over a cycle.
func alongMargin(r *rig.Rig, g *gait.Gait, sweep gait.Sweep) float64 {
	least := math.Inf(1)
	for _, e := range g.Events(nil) {
		for _, at := range []float64{e - 1e-9, e + 1e-9} {
			var left, right [2]float64 // largest x and smallest x of each side
			left, right = [2]float64{math.Inf(-1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(1)}
			for i := range r.Legs {
				foot, down := g.FootAt(r, sweep, at, i)
				if !down {
					continue
				}
				side := &left
				if foot.Y < 0 {
					side = &right
				}
				side[0], side[1] = math.Max(side[0], foot.X), math.Min(side[1], foot.X)
			}
			// Both sides are as far from the middle: the edge there is half way.
			least = math.Min(least, math.Min((left[0]+right[0])/2, -(left[1]+right[1])/2))
		}
	}
	return least
}
