package space_test

import (
	"math"
	"testing"

	"legctl/blend/retarget"
	"legctl/blend/space"
)

func TestKeyTimesRegisterExactlyAndPosesWithinFivePercent(t *testing.T) {
	for _, name := range []string{"a1", "hexapod", "octopod", "biped"} {
		r := loadRig(t, name)
		slow := walkStyle()
		slow.Duty, slow.Period, slow.Stride = 0.68, 8, 0.6
		a, _, err := retarget.Bake(r, walkStyle(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, offset := range []float64{0, 0.21, 0.63} {
			other, _, err := retarget.Bake(r, slow, 0.3)
			if err != nil {
				t.Fatal(err)
			}
			b, err := space.Entry{Offset: offset}.Apply(other)
			if err != nil {
				t.Fatal(err)
			}
			keys, err := space.RegisterKeys(a, b)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			poses, path, err := space.RegisterPoses(a, b, 0, 2)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if len(path.Cells) == 0 {
				t.Error("a registration without a path")
			}
			for f := range a.Stances {
				x, y := a.Stances[f][0], b.Stances[f][0]
				for k, d := range []float64{keys.At(x.Touch) - y.Touch, keys.At(x.Lift()) - y.Lift(), poses.At(x.Touch) - y.Touch, poses.At(x.Lift()) - y.Lift()} {
					most := 1e-9
					if k > 1 {
						most = 0.05
					}
					if d = math.Abs(d - math.Round(d)); d > most {
						t.Errorf("%s begun %.2f later: foot %d, event %d is %.3f of a pass off", name, offset, f, k, d)
					}
				}
			}
		}
	}
}

func TestAnotherFootfallOrderIsNotForcedOntoACurve(t *testing.T) {
	r := loadRig(t, "a1")
	wave := walkStyle()
	wave.Wave, wave.Duty, wave.Period = true, 0.8, 10
	a, _, err1 := retarget.Bake(r, walkStyle(), 0)
	b, _, err2 := retarget.Bake(r, wave, 0)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if _, err := space.RegisterKeys(a, b); err == nil {
		t.Error("a trot and a wave gait have one curve")
	}
	_, left := space.CommonShift(a, b)
	if left <= space.Tie || left > space.FarApart {
		t.Errorf("%.2f of a pass is left, want more than a tie and no more than %.2f", left, space.FarApart)
	}
}

func TestGoalTablesGrowAndMirror(t *testing.T) {
	s := baked(t, loadRig(t, "a1"), walkStyle())
	g := s.Motions[0].Goals
	if back := g.Reversals() * 180 / math.Pi; back > 2 {
		t.Errorf("directions turn back by %.1f degrees as the final value grows", back)
	}
	f := &g.Fans[0]
	n, m := len(f.Starts)-1, len(f.Finals)-1
	for y := range f.Starts {
		for z := range f.Finals {
			a, b := f.Places[y][z], f.Places[n-y][m-z]
			if math.Abs(a.X-b.X) > 1e-9 || math.Abs(a.Y+b.Y) > 1e-9 {
				t.Fatalf("place %d, %d at %v is not the mirror of %v", y, z, a, b)
			}
		}
	}
	for z := 1; z <= m; z++ {
		if math.Atan2(f.Places[n/2][z].Y, f.Places[n/2][z].X) <= math.Atan2(f.Places[n/2][z-1].Y, f.Places[n/2][z-1].X) {
			t.Errorf("final value %d does not lead further left", z)
		}
	}
}
