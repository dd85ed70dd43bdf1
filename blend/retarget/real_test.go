package retarget_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"legctl/blend/clip"
	"legctl/blend/retarget"
	"legctl/blend/space"
	"legctl/configs"
	"legctl/rig"
)

func loadRig(t testing.TB, name string) *rig.Rig {
	t.Helper()
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// realClip returns a clip of the real files.
func realClip(t testing.TB, file, name string) *clip.Clip {
	t.Helper()
	dir := os.Getenv("LEGCTL_DATA")
	if dir == "" {
		t.Skip("LEGCTL_DATA is not set")
	}
	data, err := os.ReadFile(filepath.Join(dir, "clips", file))
	if err != nil {
		t.Fatal(err)
	}
	clips, err := clip.Load(file, data, clip.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := retarget.Pick(clips, name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// animal is a clip of the animals' files.
func animal(t testing.TB, name, clip string) *clip.Clip {
	file := "gltf/quaternius_" + name + ".glb"
	if name == "Fox" {
		file = "gltf/Fox.glb"
	}
	return realClip(t, file, clip)
}

// sound holds a loop against what every retargeted one has to keep.
func sound(t *testing.T, what string, l *space.Loop, rep *retarget.Report, most float64) {
	t.Helper()
	seam := space.SeamOf(l)
	if seam.Feet > 1e-9 || seam.Joints > 1e-9 || !seam.Contacts {
		t.Errorf("%s: does not close: %+v", what, seam)
	}
	if seam.Velocity > seam.Within {
		t.Errorf("%s: velocity steps by %.3g m/s at the seam, the median key-to-key change is %.3g", what, seam.Velocity, seam.Within)
	}
	if slide := l.Slide(); slide > 1e-9 {
		t.Errorf("%s: planted feet slide by %g m", what, slide)
	}
	if rep.Moved > most {
		t.Errorf("%s: planted feet are up to %.2f L off the clip, want at most %.2f", what, rep.Moved, most)
	}
	if rep.Peak > 1+1e-9 {
		t.Errorf("%s: joint speed is %.2f of its limit", what, rep.Peak)
	}
}

func TestAnimalsWalkAndGallop(t *testing.T) {
	for _, rigName := range []string{"a1", "mini_cheetah", "spotmicro"} {
		r := loadRig(t, rigName)
		for _, name := range []string{"Wolf", "Horse", "Husky", "Deer", "Fox"} {
			for _, c := range []string{"Walk", "Gallop"} {
				if name == "Fox" && c == "Gallop" {
					continue
				}
				l, rep, err := retarget.Loop(animal(t, name, c), r, retarget.Options{})
				if err != nil {
					t.Errorf("%s %s on %s: %v", name, c, rigName, err)
					continue
				}
				what := name + " " + c + " on " + rigName
				sound(t, what, l, rep, 0.30)
				t.Logf("%s: T %.3f s, %.2f m/s, tempo %.2f, peak %.2f, clearance %.1f, strides %.1f, moved %.2f L, class %d, dynamic %.2f, static %.2f, playback %v", what,
					l.Period, l.Speed(), rep.Tempo, rep.Peak, rep.Clearance, rep.Reach, rep.Moved, rep.Class, rep.Dynamic, rep.Static, rep.Playback)
				if math.Abs(rep.Travel) > 0.02 || l.Speed() <= 0 {
					t.Errorf("%s: travels at %.2f m/s, heading %.2f, want straight ahead", what, l.Speed(), rep.Travel)
				}
				if c == "Gallop" && rep.Flight < 0.05 {
					t.Errorf("%s: flight %.2f, want some", what, rep.Flight)
				}
				fox := name == "Fox" && rigName == "spotmicro" // a small flight, at 0.65 of its tempo
				if want := fox || c == "Gallop" && rigName == "spotmicro"; rep.Playback != want {
					t.Errorf("%s: playback %v at tempo %.2f with flight %.2f, want %v", what, rep.Playback, rep.Tempo, rep.Flight, want)
				}
				if rep.Class != rig.Ballistic {
					t.Errorf("%s: class %d, want ballistic: no animal's own timing holds a rig up", what, rep.Class)
				}
			}
		}
	}
}

func TestTheFoxWalksTheSpotMicroWithoutFlight(t *testing.T) {
	l, rep, err := retarget.Loop(animal(t, "Fox", "Walk"), loadRig(t, "spotmicro"), retarget.Options{Duty: 0.52})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, "fox at duty .52", l, rep, 0.30)
	if rep.Playback || rep.Flight > 0 {
		t.Errorf("playback %v, flight %.2f at tempo %.2f, want none", rep.Playback, rep.Flight, rep.Tempo)
	}
	t.Logf("tempo %.2f, %.2f m/s", rep.Tempo, l.Speed())
}

func TestTouchdownsAreThoseOfTheAnimals(t *testing.T) {
	r := loadRig(t, "a1")
	// LF RF LH RH, from the table of our own prototype.
	for _, row := range []struct {
		name, clip string
		period     float64
		touch      [4]float64
	}{
		{"Wolf", "Walk", 1.065, [4]float64{.94, .50, .86, .35}}, {"Husky", "Walk", 1.065, [4]float64{.94, .50, .86, .35}},
		{"Horse", "Walk", 1.167, [4]float64{.43, .00, .19, .70}}, {"Deer", "Walk", 1.167, [4]float64{.43, .00, .19, .70}},
		{"Fox", "Walk", .708, [4]float64{.05, .57, .72, .12}}, {"Wolf", "Gallop", .57, [4]float64{.97, .16, .47, .57}},
		{"Horse", "Gallop", .60, [4]float64{.94, .75, .55, .35}}, {"Deer", "Gallop", .54, [4]float64{.94, .75, .55, .35}},
	} {
		l, rep, err := retarget.Loop(animal(t, row.name, row.clip), r, retarget.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p := l.Period * rep.Tempo; math.Abs(p-row.period) > 0.02 {
			t.Errorf("%s %s: period %.3f s, want %.3f", row.name, row.clip, p, row.period)
		}
		order := [4]string{"lf", "rf", "lr", "rr"}
		for k, name := range order {
			i, _ := r.Find(name)
			got := l.Stances[i][0].Touch
			if d := math.Abs(got - row.touch[k] - math.Round(got-row.touch[k])); d > 0.07 {
				t.Errorf("%s %s: %s touches down at %.2f, want about %.2f", row.name, row.clip, name, got, row.touch[k])
			}
		}
	}
}

func TestFoxRunIsReportedAsDoubtful(t *testing.T) {
	_, rep, err := retarget.Loop(animal(t, "Fox", "Run"), loadRig(t, "a1"), retarget.Options{})
	if err != nil {
		t.Skipf("refused: %v", err)
	}
	if len(rep.Warnings) == 0 {
		t.Error("no warning")
	}
	t.Log(rep.Warnings)
}

func TestTheSpiderDrivesTheOctopodStatically(t *testing.T) {
	r := loadRig(t, "octopod")
	c := animal(t, "Spider", "Spider_Walk")
	l, rep, err := retarget.Loop(c, r, retarget.Options{Duty: 0.55})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, "spider", l, rep, 0.30)
	if rep.Class != rig.Static {
		t.Errorf("class %d with a margin of %.3f L, want static", rep.Class, rep.Margin)
	}
	t.Logf("tempo %.2f, margin %.3f L, moved %.2f L", rep.Tempo, rep.Margin, rep.Moved)
}

func TestDutyStretchGivesDynamicAndStatic(t *testing.T) {
	r := loadRig(t, "a1")
	for _, row := range []struct {
		name         string
		dynamic      float64
		static       float64 // 0: none
		staticWithin float64
	}{{"Horse", 0.70, 0.85, 0}, {"Deer", 0.75, 0.80, 0}, {"Wolf", 0.75, 0, 1}, {"Fox", 0.60, 0, 1}} {
		c := animal(t, row.name, "Walk")
		_, rep, err := retarget.Loop(c, r, retarget.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: dynamic from %.2f, static from %.2f", row.name, rep.Dynamic, rep.Static)
		if math.Abs(rep.Dynamic-row.dynamic) > 0.051 {
			t.Errorf("%s is dynamic from duty %.2f, want about %.2f", row.name, rep.Dynamic, row.dynamic)
		}
		if row.static > 0 && math.Abs(rep.Static-row.static) > row.staticWithin+1e-9 {
			t.Errorf("%s is static from duty %.2f, want about %.2f", row.name, rep.Static, row.static)
		}
		if rep.Static > 0 {
			_, again, err := retarget.Loop(c, r, retarget.Options{Duty: rep.Static})
			if err != nil || again.Class != rig.Static || again.Lean > 0.04 {
				t.Errorf("%s at duty %.2f: class %d, lean %.4f m, %v, want static with at most 0.04 m", row.name, rep.Static, again.Class, again.Lean, err)
			}
		}
	}
}

func TestBentWalksAndGallops(t *testing.T) {
	r := loadRig(t, "a1")
	for _, name := range []string{"Wolf", "Horse", "Husky", "Deer"} {
		for clip, deg := range map[string]float64{"Walk": 60, "Gallop": 60} {
			for _, side := range []float64{-1, 1} {
				l, rep, err := retarget.Loop(animal(t, name, clip), r, retarget.Options{Turn: side * deg * math.Pi / 180})
				if err != nil {
					t.Errorf("%s %s bent by %v: %v", name, clip, side*deg, err)
					continue
				}
				sound(t, name+" "+clip+" bent", l, rep, 0.35)
				if math.Abs(l.Step().Yaw-side*deg*math.Pi/180) > 1e-9 {
					t.Errorf("%s %s turns %.2f rad a pass", name, clip, l.Step().Yaw)
				}
				t.Logf("%s %s %+.0f: moved %.2f L, radius %.2f m, strides %.1f", name, clip, side*deg, rep.Moved, l.Radius(), rep.Reach)
			}
		}
	}
}

func TestTheStrafeSetTravelsAtItsMeasuredAngles(t *testing.T) {
	r := loadRig(t, "biped")
	for _, row := range []struct {
		clip string
		deg  float64
	}{{"Running_Strafe_Left", 60}, {"Running_A", 0}, {"Running_Strafe_Right", -60}, {"Walking_A", 0}, {"Walking_Backwards", 180}} {
		l, rep, err := retarget.Loop(realClip(t, "gltf/kaykit_Rogue.glb", row.clip), r, retarget.Options{})
		if err != nil {
			t.Errorf("%s: %v", row.clip, err)
			continue
		}
		got := rep.Travel * 180 / math.Pi
		if d := math.Abs(math.Remainder(got-row.deg, 360)); d > 8 {
			t.Errorf("%s travels at %.1f degrees, want about %.0f", row.clip, got, row.deg)
		}
		t.Logf("%s: %.1f degrees, %.2f m/s, tempo %.2f", row.clip, got, l.Speed(), rep.Tempo)
	}
}

func TestCyclesOfCapturedClips(t *testing.T) {
	biped, a1 := loadRig(t, "biped"), loadRig(t, "a1")
	for _, row := range []struct {
		file string
		rig  *rig.Rig
		ok   []int // numbers of cycles that are found; of the turns 1 is the whole clip
		not  int   // and one that is refused
	}{
		{"bvh/cmu_12_01_walk.bvh", biped, []int{1, 2}, 9}, {"bvh/cmu_131_01.bvh", biped, nil, 1}, {"bvh/cmu_131_03.bvh", biped, nil, 1},
		{"robot/a1_inplace_steps.txt", a1, []int{1, 2, 3}, 9}, {"robot/a1_runningman.txt", a1, []int{1, 2}, 9}, {"robot/a1_sidesteps.txt", a1, []int{1, 2}, 9},
		{"robot/a1_turn.txt", a1, []int{1}, 2}, {"robot/a1_hopturn.txt", a1, []int{1}, 2},
	} {
		c := realClip(t, row.file, "")
		for _, n := range row.ok {
			l, _, err := retarget.Loop(c, row.rig, retarget.Options{Cycles: n})
			if err != nil {
				t.Errorf("%s, %d cycles: %v", row.file, n, err)
				continue
			}
			if row.not == 9 && (l.Period > 0.8*c.Length || l.Cycles > n) {
				t.Errorf("%s: %d cycles of %.2f s in all hold %d steps", row.file, n, l.Period, l.Cycles)
			}
			if seam := space.SeamOf(l); seam.Feet > 1e-9 || l.Slide() > 1e-9 {
				t.Errorf("%s, %d cycles: closes within %g, slides %g", row.file, n, seam.Feet, l.Slide())
			}
		}
		if _, _, err := retarget.Loop(c, row.rig, retarget.Options{Cycles: row.not}); err == nil {
			t.Errorf("%s: %d cycles were found", row.file, row.not)
		}
	}
}
