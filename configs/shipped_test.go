package configs

import (
	"math"
	"testing"

	"legctl/control"
	"legctl/gait"
	"legctl/ik"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r3"
)

// everyRig calls fn with every shipped rig as it is and at the two sizes of
// issue 2.
func everyRig(t *testing.T, fn func(t *testing.T, r *rig.Rig)) {
	t.Helper()
	names := Rigs()
	if len(names) < 18 {
		t.Fatalf("%d rigs shipped, want at least 18: %v", len(names), names)
	}
	for _, name := range names {
		for _, size := range []string{"", "@0.06", "@3"} {
			t.Run(name+size, func(t *testing.T) {
				r, err := LoadRig(name + size)
				if err != nil {
					t.Fatal(err)
				}
				fn(t, r)
			})
		}
	}
}

func TestShippedRigs(t *testing.T) {
	everyRig(t, func(t *testing.T, r *rig.Rig) {
		q := r.RestPose(nil)
		for i := range r.Legs {
			l := &r.Legs[i]
			if off := r3.Norm(r3.Sub(rig.Foot(r, i, q), l.Neutral)); off > 1e-9*l.Length {
				t.Errorf("leg %s rests %g m off its neutral foot", l.Name, off)
			}
		}
		if r.Mass() <= 0 || r.L() <= 0 {
			t.Errorf("mass %g kg, L %g m", r.Mass(), r.L())
		}
	})
}

// TestSizes: the longest leg has the length asked for, and what scaling does
// to masses, torques and speeds is what the documentation says.
func TestSizes(t *testing.T) {
	for _, name := range Rigs() {
		base, err := LoadRig(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []struct {
			at, name string
			l        float64
		}{{"@0.06", "-60mm", 0.06}, {"@3", "-3000mm", 3}} {
			r, err := LoadRig(name + size.at)
			if err != nil {
				t.Fatal(err)
			}
			s := size.l / base.L()
			want := map[string][2]float64{
				"length": {r.L(), size.l},
				"height": {r.Height, base.Height * s},
				"mass":   {r.Mass(), base.Mass() * s * s * s},
				"torque": {r.Legs[0].Joints[0].Torque, base.Legs[0].Joints[0].Torque * s * s * s * s},
				"speed":  {r.Legs[0].Joints[0].Speed, base.Legs[0].Joints[0].Speed},
				"rest":   {r.Legs[0].Joints[1].Rest, base.Legs[0].Joints[1].Rest},
			}
			for what, v := range want {
				if math.Abs(v[0]-v[1]) > 1e-9*math.Max(1, math.Abs(v[1])) {
					t.Errorf("%s%s: %s %g, want %g", name, size.at, what, v[0], v[1])
				}
			}
			if r.Name != base.Name+size.name {
				t.Errorf("name %s, want %s", r.Name, base.Name+size.name)
			}
		}
	}
}

// TestMirrored: right legs are exact images of left ones, angles included.
func TestMirrored(t *testing.T) {
	everyRig(t, func(t *testing.T, r *rig.Rig) {
		q := r.RestPose(nil)
		for i := range r.Legs {
			k := r.Groups.Partner[i]
			if k < 0 {
				continue
			}
			a, b := r.Slice(q, i), r.Slice(q, k)
			for j := range a {
				if a[j] != b[j] {
					t.Errorf("rest of %s and %s: %g and %g", r.Legs[i].Joints[j].Name, r.Legs[k].Joints[j].Name, a[j], b[j])
				}
			}
			f, g := rig.Foot(r, i, q), rig.Foot(r, k, q)
			if r3.Norm(r3.Sub(f, flip(g))) > 1e-14*r.L() {
				t.Errorf("feet %v and %v do not mirror", f, g)
			}
		}
	})
}

// TestKneesUp is property 31: at rest every interior joint of a line leg or a
// robot leg stands above the straight line from hip to foot.
func TestKneesUp(t *testing.T) {
	for _, name := range []string{"biped", "quadruped", "hexapod", "octopod", "quadbot", "hexbot", "octobot"} {
		r, err := LoadRig(name)
		if err != nil {
			t.Fatal(err)
		}
		q := r.RestPose(nil)
		for i := range r.Legs {
			l := &r.Legs[i]
			frames := make([]rig.Frame, len(l.Joints))
			rig.Frames(frames, l, r.Slice(q, i))
			root, foot := frames[0].P, rig.Foot(r, i, q)
			for j := 2; j < len(frames); j++ {
				p := frames[j].P
				along := r3.Sub(foot, root)
				flat := r3.Vec{X: along.X, Y: along.Y}
				share := r3.Dot(r3.Sub(p, root), flat) / r3.Norm2(flat)
				if line := root.Z + share*along.Z; p.Z <= line {
					t.Errorf("%s %s: joint %s at height %g, the line is at %g", name, l.Name, l.Joints[j].Name, p.Z, line)
				}
			}
		}
	}
}

// TestSizesOfTheTable compares L and U with the prototype's table. Tolerances
// are a few percent: the prototype's neutral feet were its own.
func TestSizesOfTheTable(t *testing.T) {
	for _, row := range []struct {
		rig  string
		l, u float64
		k    float64 // 0: the prototype's servo differs from ours
	}{
		{"phantomx", .251, .0498, .105},
		{"phoenix", .211, .0306, .046},
		{"freenove", .233, .0470, .092},
		{"phantomx_octopod", .251, .0498, .105},
		{"spotmicro", .292, .0492, .080},
		{"mini_cheetah", .466, .0925, .110},
		{"a1", .484, .0863, .106},
		{"phantomx@0.027", .027, .0054, .105},
		{"phantomx@1.37", 1.37, .272, .105},
		{"bittle", .095, .0272, 0},
	} {
		r, err := LoadRig(row.rig)
		if err != nil {
			t.Fatal(err)
		}
		z := control.Measure(r, ik.NewSolver(r, ik.DefaultParams()), 0.02, r.Class == rig.Static)
		within(t, row.rig+" L", z.L, row.l, 0.01)
		within(t, row.rig+" U", z.U, row.u, 0.03)
		if row.k > 0 {
			within(t, row.rig+" k", z.K, row.k, 0.03)
		}
	}
}

func within(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if math.Abs(got-want) > share*want {
		t.Errorf("%s is %.4g, want %.4g within %g %%", what, got, want, 100*share)
	}
}

func TestShippedGaits(t *testing.T) {
	for _, name := range Gaits() {
		p, err := LoadGait(name, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if p.Name != name {
			t.Errorf("%s calls itself %s", name, p.Name)
		}
	}
}

// TestPhaseTables compares shipped tables with the ones gait works out.
func TestPhaseTables(t *testing.T) {
	for _, row := range []struct {
		rig, gait string
		want      func(*rig.Rig) (*gait.Gait, error)
	}{
		{"phantomx", "tripod", gait.Tripod},
		{"a1", "trot", gait.Trot},
		{"octopod", "wave", func(r *rig.Rig) (*gait.Gait, error) { return gait.Wave(r, 0.875) }},
	} {
		r, err := LoadRig(row.rig)
		if err != nil {
			t.Fatal(err)
		}
		p, err := LoadGait(row.gait, r)
		if err != nil {
			t.Fatal(err)
		}
		want, err := row.want(r)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Duty {
			if p.Phase.Duty[i] != want.Duty[i] || p.Phase.Offset[i] != want.Offset[i] {
				t.Errorf("%s on %s, leg %d: duty %g offset %g, want %g %g", row.gait, row.rig, i, p.Phase.Duty[i], p.Phase.Offset[i], want.Duty[i], want.Offset[i])
			}
		}
	}
	a1, _ := LoadRig("a1")
	if _, err := LoadGait("tripod", a1); err == nil {
		t.Error("tripod accepted on a quadruped")
	}
}

func TestShippedTerrainsAndWorlds(t *testing.T) {
	for _, name := range Terrains() {
		s, err := LoadTerrain(name, 0.05)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range Worlds() {
		w, err := LoadWorld(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := LoadRig(w.Rig); err != nil {
			t.Error(err)
		}
		if _, err := LoadTerrain(w.Terrain, 1); err != nil {
			t.Error(err)
		}
	}
	r, err := LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Scripts() {
		if _, err := LoadScript(name, r, nil, nil); err != nil {
			t.Error(err)
		}
	}
}
