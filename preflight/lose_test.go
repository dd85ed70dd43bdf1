package preflight

import (
	"testing"

	"legctl/configs"
	"legctl/control"
)

// TestLose: a hexapod that loses any one leg walks on at .4 of its speed or more
// (its wave, which has one leg in the air as well, does .44 of it), with its margin
// kept; an octopod that loses two does .3 of it; hexapods whose legs reach far
// enough walk on with four; so does a starfish. A quadruped that loses two lies down.
func TestLose(t *testing.T) {
	for _, c := range []struct {
		rig   string
		sets  []uint64
		walks bool
		least float64 // of the speed
	}{
		{"phantomx", Singles(6), true, 0.45},
		{"phoenix", Singles(6), true, 0.42},
		{"hexapod", Singles(6), true, 0.4},
		{"hexapod", Pairs(6)[:9], true, 0.1},
		{"octopod", Pairs(8)[:6], true, 0.3},
		{"starfish", []uint64{1 << 0, 1 << 1, 1 << 4}, true, 0.08},
		{"a1", Pairs(4)[:2], false, 0},
	} {
		r, err := configs.LoadRig(c.rig)
		if err != nil {
			t.Fatal(err)
		}
		k, err := control.New(r, control.DefaultParams(r))
		if err != nil {
			t.Fatal(err)
		}
		losses, err := Lose(k, k.Best(), c.sets)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range losses {
			if l.Walks != c.walks || l.LiesDown == c.walks || !l.Steady() || c.walks != (l.Left > leastLeft) || l.Left < c.least {
				t.Errorf("%s without %b: %+v", c.rig, l.Legs, l)
			}
		}
	}
}

func TestLoseRefuses(t *testing.T) {
	c := controllerOf(t, "phantomx", "walk")
	for _, set := range []uint64{0, 1 << 6} {
		if _, err := Lose(c, 0, []uint64{set}); err == nil {
			t.Errorf("legs %b: no error", set)
		}
	}
	if _, err := Lose(c, 7, Singles(6)); err == nil {
		t.Error("a gait that is not there: no error")
	}
	if n := len(Pairs(6)); n != 15 {
		t.Errorf("%d pairs of 6", n)
	}
}
