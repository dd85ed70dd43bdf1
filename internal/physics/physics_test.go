package physics

import (
	"context"
	"math"
	"strings"
	"testing"

	"legctl/loop"
	"legctl/rig"
	"legctl/rig/mjcf"
)

var _ loop.Plant = (*World)(nil)

// walks are the gaits that must hold in an independent physics engine: 20 s
// upright and 80 to 120 % of the way. Joint angles go to MuJoCo; where a row
// says so the IMU comes back, and nothing else ever does.
var walks = []struct {
	rig, gait string
	speed     float64
	sees      rig.Has
	slip      float64 // m, the most a foot may slide, mean over the feet
}{
	{"phantomx", "tripod", 0.05, 0, 0.25},
	{"phantomx", "ripple", 0.03, 0, 0.25},
	{"phantomx", "wave", 0.02, 0, 0.25},
	{"phantomx_octopod", "tetrapod", 0.05, 0, 0.25},
	{"a1", "crawl", 0.02, 0, 0.25},
	{"a1", "trot", 0.2, rig.HasTilt | rig.HasIMU, 0.6},
}

func TestWalksInMuJoCo(t *testing.T) {
	engine(t)
	for _, w := range walks {
		t.Run(w.rig+" "+w.gait, func(t *testing.T) {
			if testing.Short() && w.gait != "tripod" {
				t.Skip("one walk is enough for a short run")
			}
			t.Parallel()
			r := load(t, w.rig)
			k := Walk{Rig: r, Params: params(t, r, w.gait), Gait: w.gait, Speed: w.speed, Seconds: 20, Sees: w.sees}
			got, err := k.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			t.Log(got)
			if got.Fell || got.Tilt > 15*math.Pi/180 || got.Low < 0.7*r.Height {
				t.Error("not upright for 20 s")
			}
			if s := got.Share(); !(s >= 0.8 && s <= 1.2) {
				t.Errorf("went %.0f %% of the way", 100*s)
			}
			if want := 0.9 * w.speed * k.Seconds; got.Wanted < want {
				t.Errorf("the controller asked for %.2f m of %.2f only", got.Wanted, want)
			}
			if got.Slip > w.slip {
				t.Errorf("each foot slid %.2f m", got.Slip)
			}
		})
	}
}

// others are more of the shipped gaits that hold in MuJoCo, at half the speed
// they are allowed. Those that do not are named in docs/physics.md.
var others = []struct {
	rig, gait string
	speed     float64
	sees      rig.Has
	seconds   float64
}{
	{"phantomx", "amble", 0.042, 0, 8},
	{"phantomx", "walk", 0.035, 0, 8},
	{"phantomx_octopod", "ripple", 0.028, 0, 8},
	{"phantomx_octopod", "wave", 0.012, 0, 8},
	{"a1", "creep", 0.012, 0, 20},
	{"a1", "diagonal_walk", 0.24, rig.HasIMU, 8},
	{"a1", "amble", 0.24, rig.HasIMU, 8},
	{"a1", "walking_trot", 0.39, rig.HasIMU, 8},
	{"a1", "walk", 0.24, rig.HasIMU, 8},
}

func TestOtherGaitsInMuJoCo(t *testing.T) {
	if testing.Short() {
		t.Skip("a short run walks the tripod only")
	}
	engine(t)
	for _, w := range others {
		t.Run(w.rig+" "+w.gait, func(t *testing.T) {
			t.Parallel()
			r := load(t, w.rig)
			k := Walk{Rig: r, Params: params(t, r, w.gait), Gait: w.gait, Speed: w.speed, Seconds: w.seconds, Sees: w.sees}
			got, err := k.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			t.Log(got)
			if got.Fell || got.Tilt > 15*math.Pi/180 || !(got.Share() >= 0.75 && got.Share() <= 1.25) {
				t.Error("does not hold any more: mend it, or name it in docs/physics.md")
			}
		})
	}
}

// TestIceIsFelt checks that the engine is not fooled: without friction the same
// joint angles lead nowhere.
func TestIceIsFelt(t *testing.T) {
	engine(t)
	r := load(t, "phantomx")
	k := Walk{Rig: r, Params: params(t, r, "tripod"), Gait: "tripod", Speed: 0.05, Seconds: 5, Physics: mjcf.Options{Friction: 2e-4}}
	got, err := k.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got.Share() > 0.6 {
		t.Errorf("on ice: %v", got)
	}
}

// TestRepeats checks that two runs are the same to the last bit.
func TestRepeats(t *testing.T) {
	engine(t)
	r := load(t, "phantomx")
	run := func() Result {
		k := Walk{Rig: r, Params: params(t, r, "tripod"), Gait: "tripod", Speed: 0.05, Seconds: 2}
		got, err := k.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if a, b := run(), run(); a != b {
		t.Errorf("%v\n%v", a, b)
	}
}

func TestBadWorld(t *testing.T) {
	r := load(t, "phantomx")
	if _, err := New(r, mjcf.Options{}, 0.0033); err == nil {
		t.Error("a tick of 1.65 steps was accepted")
	}
	if _, err := New(r, mjcf.Options{KP: -1}, 0.01); err == nil {
		t.Error("a negative stiffness was accepted")
	}
	engine(t)
	w, err := New(r, mjcf.Options{}, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	sp := rig.NewSetpoint(r)
	if err := w.Apply(context.Background(), sp); err != nil {
		t.Error(err)
	}
	if err := w.node.proc.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		err = w.Apply(context.Background(), sp)
	}
	if err == nil || !strings.Contains(err.Error(), "node") {
		t.Errorf("node was killed, and Apply says %v", err)
	}
	if w.Close() == nil {
		t.Error("node was killed, and Close says nothing")
	}
}
