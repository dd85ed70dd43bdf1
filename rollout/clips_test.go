package rollout_test

import (
	"os"
	"path/filepath"
	"testing"

	"legctl/blend/retarget"
	"legctl/blend/space"
	"legctl/configs"
	"legctl/control"
	"legctl/rig"
	"legctl/rollout"
	"legctl/sim"

	"gonum.org/v1/gonum/spatial/r3"
)

// spaceOf makes the space of a recipe, or with nil the one every rig has.
func spaceOf(t testing.TB, r *rig.Rig, rc *retarget.Recipe) *space.Space {
	t.Helper()
	if rc == nil {
		var err error
		if rc, err = configs.UsualRecipe(r.Name); err != nil {
			t.Fatal(err)
		}
	}
	made, err := retarget.Make(rc, r, func(name string) ([]byte, error) { return os.ReadFile(name) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return made.Space
}

// driven is a rig that walks with a style and then goes to a goal by its clips.
func driven(t testing.TB, name string, sp *space.Space, motion string, x, y, seconds float64) rollout.Config {
	t.Helper()
	r := load(t, name)
	p := control.DefaultParams(r)
	if p.Space = sp; sp == nil {
		p.Space = spaceOf(t, r, nil)
	}
	style := control.Command{Kind: control.KindStyle, Over: 0.5}
	i, ok := p.Space.Find(motion)
	if !ok {
		t.Fatalf("no motion %q", motion)
	}
	style.Weights[i] = 1
	return rollout.Config{
		Rig: r, Params: &p, Ticks: ticks(r, seconds),
		Commands: []rollout.Order{
			twist(0.1, 0.05, 0, 0), {At: 0.5, Command: style},
			{At: 3, Command: control.Command{Kind: control.KindGoto, X: x, Y: y, By: control.DriverClips}},
		},
	}
}

// arrive runs and says whether the goal was reached, how much of the way to it
// clips drove, and how often the rig fell.
func arrive(t testing.TB, c rollout.Config) (reached bool, clips float64, falls uint32) {
	t.Helper()
	ticks, played := 0, 0
	c.Each = func(r *rollout.Rollout) error {
		out := &r.Cell.Frame.Out
		falls = r.Cell.Frame.Obs.FellSince
		if r.Cell.State.HasGoal {
			ticks++
		}
		if out.Driver == control.DriverClips {
			played++
		}
		if out.Events&control.EventGoalReached != 0 {
			reached = true
			return rollout.ErrEnough
		}
		return nil
	}
	r, err := rollout.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return reached, float64(played) / float64(max(1, ticks)), falls
}

// TestClipsDriveTheSimulator: baked clips take real rigs to goals ahead, to the
// side and behind, in the simulator with its servos.
func TestClipsDriveTheSimulator(t *testing.T) {
	for _, row := range []struct{ rig, motion string }{
		{"phantomx", "walk"}, {"phantomx", "sneak"}, {"octopod", "walk"}, {"phantomx_octopod", "jog"}, {"freenove", "walk"},
		{"a1", "walk"}, {"a1", "jog"}, {"mini_cheetah", "walk"}, {"mini_cheetah", "jog"}, {"bittle", "walk"},
	} {
		r := load(t, row.rig)
		far := 6 * r.L()
		for _, goal := range [][2]float64{{far, 0}, {0, far}, {-far, 0.3 * far}} {
			reached, clips, falls := arrive(t, driven(t, row.rig, nil, row.motion, goal[0], goal[1], 60))
			if !reached || falls > 0 || clips < 0.7 {
				t.Errorf("%s %s to %.1f %.1f: reached %v, clips drove %.0f %% of the way, %d falls", row.rig, row.motion, goal[0], goal[1], reached, 100*clips, falls)
			}
		}
	}
}

// TestRealClipsDriveTheSimulator: walks of real animals with bent siblings, each
// foot made to stand longer so that they are static or dynamic, take robots to goals
// all round. As they were filmed they are ballistic on these robots and tip.
func TestRealClipsDriveTheSimulator(t *testing.T) {
	dir := os.Getenv("LEGCTL_DATA")
	if dir == "" {
		t.Skip("LEGCTL_DATA is not set")
	}
	for _, row := range []struct {
		rig, animal string
		duty        float64
	}{
		{"a1", "Wolf", 0.85}, {"a1", "Horse", 0.85}, {"a1", "Husky", 0.85}, {"a1", "Deer", 0.9},
		{"mini_cheetah", "Wolf", 0.85}, {"mini_cheetah", "Horse", 0.85}, {"mini_cheetah", "Husky", 0.85}, {"mini_cheetah", "Deer", 0.95},
	} {
		r := load(t, row.rig)
		sp := spaceOf(t, r, &retarget.Recipe{Name: row.animal, Rig: row.rig, Motions: []retarget.RecipeMotion{{
			Name: "walk", Entries: []retarget.RecipeEntry{{
				File: filepath.Join(dir, "clips", "gltf", "quaternius_"+row.animal+".glb"), Clip: "Walk",
				Bend: []float64{-0.6, 0.6}, Options: retarget.Options{Duty: row.duty},
			}},
		}}})
		for _, goal := range [][2]float64{{2, 0}, {1.5, 1.5}, {0, -2}, {-2, 1}} {
			reached, clips, falls := arrive(t, driven(t, row.rig, sp, "walk", goal[0], goal[1], 90))
			// The horse walks along its floor and gives back to the gait now and then.
			if !reached || falls > 0 || clips < 0.4 {
				t.Errorf("%s on %s to %.1f %.1f: reached %v, clips drove %.0f %% of the way, %d falls", row.animal, row.rig, goal[0], goal[1], reached, 100*clips, falls)
			}
		}
	}
}

// TestReplayWithClips: a run with style and clips, pushed on the way, is done again
// bit for bit from its recording alone, which carries the clips.
func TestReplayWithClips(t *testing.T) {
	c := driven(t, "phantomx", nil, "sneak", 1, 0.5, 8)
	c.Events = []rollout.Happening{{At: 5, Event: sim.Event{Kind: sim.EventPush, Vec: r3.Vec{X: 0.05, Y: 0.05}}}}
	b := recorded(t, c, nil)
	for _, o := range []rollout.ReplayOptions{{}, {Sim: true}} {
		got, err := replay(t, b, o)
		if err != nil || !got.First.Same() || got.Ticks != c.Ticks {
			t.Errorf("%+v: %+v, %v", o, got, err)
		}
	}
}

// TestRehearseClips: six legs hold by every style; an A1 holds by its walk, and what
// tips it over is told.
func TestRehearseClips(t *testing.T) {
	for _, row := range []struct {
		rig   string
		holds []string
		least int
	}{
		{"phantomx", []string{"creep", "sneak", "walk", "strut", "jog", "run", "limp", "skitter"}, 8},
		{"a1", []string{"creep", "walk", "jog"}, 5},
	} {
		r := load(t, row.rig)
		p := control.DefaultParams(r)
		p.Space = spaceOf(t, r, nil)
		list, err := rollout.RehearseClips(t.Context(), r, p)
		if err != nil {
			t.Fatal(err)
		}
		good := map[string]bool{}
		n := 0
		for i := range list {
			h := &list[i]
			if good[h.Motion] = h.Holds(); h.Holds() {
				n++
			}
			if h.Goals != 3 || !(h.Speed > 0) || !h.Holds() && h.Falls == 0 && h.Reached == h.Goals && h.Clips > 0.7 {
				t.Errorf("%s: %+v", row.rig, *h)
			}
		}
		for _, name := range row.holds {
			if !good[name] {
				t.Errorf("%s does not hold by %s", row.rig, name)
			}
		}
		if n < row.least {
			t.Errorf("%s: %d motions hold, want %d", row.rig, n, row.least)
		}
	}
	if _, err := rollout.RehearseClips(t.Context(), load(t, "a1"), control.DefaultParams(load(t, "a1"))); err == nil {
		t.Error("a rig without clips is rehearsed")
	}
}
