package configs

import (
	"strings"
	"testing"

	"legctl/control"
	"legctl/sim"
)

// TestControlSavedIsRead: what a page saves of the controller, a world sets.
func TestControlSavedIsRead(t *testing.T) {
	rig, err := LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	p := control.DefaultParams(rig)
	set := map[string]any{"twist_ttl": 0.2, "goal_near": 3.0, "closed_form": true, "solver_tolerance": 1e-9, "solver_sweeps": 20.0, "feel_push": true}
	if err := SetControlLives(&p, set); err != nil {
		t.Fatal(err)
	}
	if len(set) != len(ControlLives(&p)) {
		t.Errorf("%d parameters are set here, %d there are", len(set), len(ControlLives(&p)))
	}
	w, err := ParseWorld("saved.yaml", WorldYAML(&World{Rig: "phantomx", Terrain: "rough", Gait: "walk", Seed: 4, Sim: sim.Default()}, &p))
	if err != nil {
		t.Fatal(err)
	}
	again := control.DefaultParams(rig)
	if err := SetControlLives(&again, w.Control); err != nil {
		t.Fatal(err)
	}
	if again.TTL != 0.2 || again.Near != 3 || again.IK != p.IK || !again.IK.Closed || !again.Press || w.Seed != 4 || w.Terrain != "rough" {
		t.Errorf("saved and read again: %+v of %+v", again, w)
	}
}

// TestControlRefused: all or none, each with its bound.
func TestControlRefused(t *testing.T) {
	for _, row := range []struct {
		name, key string
		v         any
		want      string
	}{
		{"too small", "twist_ttl", 0.01, "must be a number in [0.05, 60]"},
		{"no whole number", "solver_sweeps", 2.5, "must be a whole number in [1, 64]"},
		{"no number", "goal_near", "far", "must be a number"},
		{"no truth", "closed_form", 1.0, "must be true or false"},
		{"misspelt", "goal_nera", 1.0, `did you mean "goal_near"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := control.Params{TTL: 0.5}
			err := SetControlLives(&p, map[string]any{row.key: row.v, "twist_ttl_": 1.0})
			if err == nil || !strings.Contains(err.Error(), row.want) || p.TTL != 0.5 {
				t.Errorf("%v, want %q; ttl %v", err, row.want, p.TTL)
			}
		})
	}
}
