package house

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"legctl/configs"
	"legctl/rig"
)

// loaders are how a file of each folder of configs is read. A folder without a
// row fails: what nobody loads is not shipped.
var loaders = map[string]func(name string) error{
	"rigs": func(name string) error {
		_, err := configs.LoadRig(name)
		return err
	},
	"gaits": func(name string) error {
		_, err := configs.ParseGait(name, mustRead("gaits", name), nil)
		return err
	},
	"terrains": func(name string) error {
		_, err := configs.LoadTerrain(name, 0.05)
		return err
	},
	"styles": func(name string) error {
		_, err := configs.LoadStyle(name)
		return err
	},
	"clips": func(name string) error {
		_, err := configs.LoadKeys(name)
		return err
	},
	"bones": func(name string) error {
		_, err := configs.LoadBones(name)
		return err
	},
	"spaces": func(name string) error {
		rc, err := configs.LoadRecipe(name)
		if err != nil {
			return err
		}
		_, err = configs.LoadRig(rc.Rig)
		return err
	},
	"worlds": func(name string) error {
		w, err := configs.LoadWorld(name)
		if err != nil {
			return err
		}
		if _, err = configs.LoadRig(w.Rig); err != nil {
			return err
		}
		_, err = configs.LoadTerrain(w.Terrain, 0.05)
		return err
	},
	"calibrations": func(name string) error {
		_, err := configs.LoadCalibration(name)
		return err
	},
	"answers": func(name string) error {
		_, err := configs.LoadAnswers(name)
		return err
	},
	"users": func(name string) error {
		secret := func(string) (string, bool) { return "x", true }
		_, err := configs.ParseUsers(name, mustRead("users", name), secret, os.ReadFile)
		return err
	},
	"scripts": func(name string) error {
		r, err := configs.LoadRig("phantomx")
		if err != nil {
			return err
		}
		_, err = configs.LoadScript(name, r, configs.Gaits(), nil)
		return err
	},
}

// mustRead returns a file of configs; what cannot be read is empty, and an
// empty file does not load.
func mustRead(kind, name string) []byte {
	text, err := os.ReadFile(filepath.Join("..", "..", "configs", kind, name+".yaml"))
	if err != nil {
		return nil
	}
	return text
}

// TestEveryConfigLoads loads every file under configs by its shipped name.
func TestEveryConfigLoads(t *testing.T) {
	r := repository(t)
	loaded := map[string]int{}
	err := r.eachFile(func(path string, _ []byte) {
		part := strings.Split(path, "/")
		if part[0] != "configs" || len(part) != 3 || part[1] == "testdata" {
			return
		}
		name, ok := strings.CutSuffix(part[2], ".yaml")
		load := loaders[part[1]]
		if !ok || load == nil {
			return // pictures and the like, which a YAML file names
		}
		loaded[part[1]]++
		if err := load(name); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	folders, err := os.ReadDir(filepath.Join(r.root, "configs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if f.IsDir() && f.Name() != "testdata" && loaded[f.Name()] == 0 {
			t.Errorf("configs/%s: nothing in it is loaded here: give it a row in loaders", f.Name())
		}
	}
}

// TestShippedListsAreComplete compares the lists that the program offers with
// the files there are.
func TestShippedListsAreComplete(t *testing.T) {
	for kind, list := range map[string][]string{
		"rigs": configs.Rigs(), "gaits": configs.Gaits(), "terrains": configs.Terrains(),
		"worlds": configs.Worlds(), "scripts": configs.Scripts(),
		"styles": configs.Styles(), "clips": configs.Clips(), "bones": configs.Bones(), "spaces": configs.Spaces(),
	} {
		files, err := filepath.Glob(filepath.Join("..", "..", "configs", kind, "*.yaml"))
		if err != nil || len(files) != len(list) || !slices.IsSorted(list) {
			t.Errorf("%s: %d files, %d names %q (%v)", kind, len(files), len(list), list, err)
		}
	}
}

// demanded are the body plans the first issue names.
var demanded = []string{
	"biped", "quadruped", "hexapod", "octopod", "quadbot", "hexbot", "octobot", "phantomx", "phoenix", "freenove",
	"golem", "bullet", "phantomx_octopod", "spotmicro", "mini_cheetah", "a1", "bittle",
}

func TestDemandedRigsAreShipped(t *testing.T) {
	shipped := configs.Rigs()
	for _, name := range demanded {
		if !slices.Contains(shipped, name) {
			t.Errorf("rig %s is not shipped", name)
		}
	}
	five := slices.ContainsFunc(shipped, func(name string) bool {
		r, err := configs.LoadRig(name)
		return err == nil && len(r.Legs) == 5 && r.Groups.Ring
	})
	if !five {
		t.Error("no five-legged radial rig is shipped")
	}
}

// TestRigsAreFinished looks at what every rig must have after loading.
func TestRigsAreFinished(t *testing.T) {
	for _, name := range configs.Rigs() {
		r, err := configs.LoadRig(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := r.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if r.Name != name {
			t.Errorf("%s calls itself %q", name, r.Name)
		}
		if n := len(r.Groups.Order); n != len(r.Legs) {
			t.Errorf("%s: %d legs in update order, want %d", name, n, len(r.Legs))
		}
		restFeet(t, r)
	}
}

// restFeet wants the rest pose to put every foot on its neutral point.
func restFeet(t *testing.T, r *rig.Rig) {
	t.Helper()
	q := r.RestPose(nil)
	for i := range r.Legs {
		l := &r.Legs[i]
		f := rig.Foot(r, i, q)
		dx, dy, dz := f.X-l.Neutral.X, f.Y-l.Neutral.Y, f.Z-l.Neutral.Z
		if d := dx*dx + dy*dy + dz*dz; !(d < 1e-8*l.Length*l.Length) {
			t.Errorf("%s leg %s: the rest pose puts its foot %.3g L from neutral", r.Name, l.Name, d)
		}
	}
}
