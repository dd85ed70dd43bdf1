package preflight_test

import (
	"strings"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/preflight"
	"legctl/rig"
)

// TestCheck holds the report of a robot whose figures are known from the
// prototypes of the project (U .0498 m, k .105 s, v .071 m/s, duty .71).
func TestCheck(t *testing.T) {
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	rep, err := preflight.Check(r, control.DefaultParams(r))
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Faults) != 0 {
		t.Fatalf("faults: %+v", rep.Faults)
	}
	g := rep.Gaits[0]
	within(t, "U", g.Sizing.U, 0.0498, 0.02)
	within(t, "k", g.Sizing.K, 0.105, 0.03)
	within(t, "speed", g.Best, 0.071, 0.03)
	if g.Class != rig.Static || g.Bind != control.BindRule {
		t.Errorf("class %v by %q, bound by %v", g.Class, g.ClassBy, g.Bind)
	}
	if d := g.Runs[0].Duty; d < 0.68 || d > 0.74 {
		t.Errorf("duty %.3f, want 0.71", d)
	}
	if m := g.Worst.Margin / g.Sizing.L; m < 0.335 {
		t.Errorf("least margin %.3f L, the prototype had 0.335 L", m)
	}
	if g.Worst.Reach.Value > 1 || g.Worst.Rate.Value > 1 || g.Worst.Torque.Value > 1 || g.Worst.Angle.Value <= 0 {
		t.Errorf("a limit is passed: %+v", g.Worst)
	}
	if rep.Gaits[1].Refused == "" {
		t.Error("gallop offered to a rig whose k is 5 kF")
	}
	var b strings.Builder
	if err := rep.WriteText(&b, func(control.Binding) string { return "rule" }); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"U 49", "class static", "highest speed 0.07", "refused: k is", "static torque", "stability margin"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("report lacks %q:\n%s", want, b.String())
		}
	}
}

// TestHeadings reads the table of every heading.
func TestHeadings(t *testing.T) {
	r, err := configs.LoadRig("bittle")
	if err != nil {
		t.Fatal(err)
	}
	p := control.DefaultParams(r)
	p.Gaits = p.Gaits[:1]
	rep, err := preflight.Check(r, p)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := rep.WriteHeadings(&b, func(control.Binding) string { return "rule" }); err != nil {
		t.Fatal(err)
	}
	// A planar rig goes forward, backward and turns.
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 1+2+3 || !strings.HasPrefix(strings.TrimSpace(lines[4]), "180.0 ") || !strings.Contains(lines[5], "turning") {
		t.Errorf("table:\n%s", b.String())
	}
}

func within(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if d := got/want - 1; d > share || d < -share {
		t.Errorf("%s is %.4g, want %.4g within %.0f %%", what, got, want, share*100)
	}
}

// TestWeakJoint proves that check finds a servo too weak to hold the rig.
func TestWeakJoint(t *testing.T) {
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Legs {
		r.Legs[i].Joints[1].Torque = 0.2
	}
	p := control.DefaultParams(r)
	p.Gaits = p.Gaits[:1]
	rep, err := preflight.Check(r, p)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Faults) != 1 || !strings.Contains(rep.Faults[0].What, "femur") || rep.Faults[0].Value <= 1 {
		t.Errorf("faults: %+v, want one naming a femur", rep.Faults)
	}
}
