package configs

import (
	"math"
	"strings"
	"testing"

	"legctl/gait"
)

// TestGaitFilesAreTheCatalogue: for every shipped rig, each gait file and the
// catalogue make the same table, or both refuse.
func TestGaitFilesAreTheCatalogue(t *testing.T) {
	files := map[string]bool{}
	for _, name := range Gaits() {
		files[name] = true
	}
	names := map[string]bool{}
	for _, c := range gait.Catalogue() {
		names[c.Name] = true
		if !files[c.Name] {
			t.Errorf("no file for %s", c.Name)
		}
	}
	for _, rigName := range Rigs() {
		r, err := LoadRig(rigName)
		if err != nil {
			t.Fatal(err)
		}
		for name := range names {
			want, wantErr := gait.Named(r, name)
			plan, err := LoadGait(name, r)
			if (err == nil) != (wantErr == nil) {
				t.Errorf("%s on %s: file says %v, catalogue %v", name, rigName, err, wantErr)
				continue
			}
			if err != nil {
				if !strings.Contains(err.Error(), rigName) {
					t.Errorf("%s on %s: %v does not name the rig", name, rigName, err)
				}
				continue
			}
			for i := range want.Duty {
				if plan.Phase.Duty[i] != want.Duty[i] || plan.Phase.Offset[i] != want.Offset[i] {
					t.Errorf("%s on %s, leg %d: duty %v offset %v in the file, %v %v in the catalogue", name, rigName, i, plan.Phase.Duty[i], plan.Phase.Offset[i], want.Duty[i], want.Offset[i])
				}
			}
		}
	}
}

// TestGaitOfAUser is what docs/gaits.md shows: a row of numbers is a gait.
func TestGaitOfAUser(t *testing.T) {
	r, err := LoadRig("a1")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := ParseGait("mine.yaml", []byte(`
gait: mine
phases:
  left: [0.35, 0]
  right: [11/20, 1/10]
  duty_left: [0.3, 0.3]
  duty_right: [1/4, 0.3]
  period: 12
swing: {curve: bezier, height: 0.5, width: 0.1, depth: 0.3}
`), r)
	if err != nil {
		t.Fatal(err)
	}
	g := plan.Phase
	for i := range r.Legs {
		row, left := r.Groups.Row[i], r.Groups.Side[i] > 0
		duty, offset := 0.3, [][2]float64{{0.35, 0.55}, {0, 0.1}}[row][0]
		if !left {
			offset = [][2]float64{{0.35, 0.55}, {0, 0.1}}[row][1]
			if row == 0 {
				duty = 0.25
			}
		}
		if math.Abs(g.Offset[i]-offset) > 1e-15 || g.Duty[i] != duty {
			t.Errorf("leg %s: duty %v offset %v, want %v %v", r.Legs[i].Name, g.Duty[i], g.Offset[i], duty, offset)
		}
	}
	if want := (gait.Shape{Curve: gait.CurveBezier, Height: 0.5, Width: 0.1, Depth: 0.3}); g.Shape != want || g.Period != 12 {
		t.Errorf("shape %+v, period %v", g.Shape, g.Period)
	}
}

func TestBadPhases(t *testing.T) {
	r, err := LoadRig("a1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, want string }{
		{"zero below", "{duty: 1/0, left: [0, 0], right: [0, 0]}", "no fraction"},
		{"words", "{duty: half, left: [0, 0], right: [0, 0]}", "not a number"},
		{"over one", "{duty: 3/2, left: [0, 0], right: [0, 0]}", "outside (0, 1]"},
		{"offset one", "{duty: 1/2, left: [1, 0], right: [0, 0]}", "outside [0, 1)"},
		{"sides", "{duty: 1/2, left: [0, 0, 0], right: [0, 0]}", "3 rows left and 2 right"},
		{"rows", "{duty: 1/2, rows: 3, left: [0, 0], right: [0, 0]}", "3 as rows says"},
		{"no duty", "{left: [0, 0], right: [0, 0]}", "key duty is missing"},
		{"one side's duty", "{left: [0, 0], right: [0, 0], duty_left: [1/2, 1/2]}", "key duty is missing"},
		{"duty of one row", "{duty: 1/2, left: [0, 0], right: [0, 0], duty_left: [1/2]}", "1 duty factors on one side, want 2"},
		{"wave of sides", "{wave: true, duty_left: [1/2, 1/2], duty_right: [1/2, 1/2]}", "go with left and right"},
		{"aloft", "{alternating: true, duty: 1/2, aloft: 2}", "aloft goes with wave"},
		{"two ways", "{alternating: true, wave: true, duty: 1/2}", "2 ways"},
		{"none", "{duty: 1/2}", "0 ways"},
		{"another rig", "{duty: 1/2, left: [0, 0, 0], right: [0, 0, 0]}", "has 2 rows of legs, want 3"},
		{"infinite", "{duty: .inf, left: [0, 0], right: [0, 0]}", "finite number"},
	} {
		if _, err := ParseGait("x.yaml", []byte("gait: x\nphases: "+c.text+"\n"), r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	for _, c := range []struct{ name, text, want string }{
		{"swing of rules", "swing: {height: 1}", "want phases"},
		{"others alone", "or_phases: [{wave: true}]", "put the first there"},
		{"curve", "phases: {wave: true}\nswing: {curve: spline}", "spline"},
		{"width", "phases: {wave: true}\nswing: {width: 7}", "outside [-2, 2]"},
	} {
		if _, err := ParseGait("x.yaml", []byte("gait: x\n"+c.text+"\n"), r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestComplaint07_GaitOfAnotherRobot: a file written for another robot is
// refused with what both of them have, never walked as well as it goes.
func TestComplaint07_GaitOfAnotherRobot(t *testing.T) {
	r, err := LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"trot", "pronk", "tetrapod", "rotary_gallop"} {
		_, err := LoadGait(name, r)
		if err == nil {
			t.Errorf("%s is taken for a hexapod", name)
			continue
		}
		for _, want := range []string{"phantomx", "3 rows of legs, want ", name + ".yaml:"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v does not say %q", name, err, want)
			}
		}
	}
}
