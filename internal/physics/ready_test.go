package physics

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"legctl/configs"
	"legctl/control"
	"legctl/rig"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(status int) {
		if err := Shutdown(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
		os.Exit(status)
	}), goleak.IgnoreAnyFunction("os/exec.(*Cmd).Start.func2"))
}

// install asks npm once for what the lock file names, unless it is there.
var install = sync.OnceValue(func() error {
	err := Ready()
	if err == nil {
		return nil
	}
	if _, none := exec.LookPath("npm"); none != nil {
		return err
	}
	c := exec.Command(filepath.Join(Dir(), "..", "..", "scripts", "npm.sh"), Dir())
	if out, err := c.CombinedOutput(); err != nil {
		return &exec.Error{Name: string(out), Err: err}
	}
	return Ready()
})

// engine skips the test where node is missing; never where it is sure to be.
func engine(t testing.TB) {
	t.Helper()
	if err := install(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// params are the default ones with one gait.
func params(t testing.TB, r *rig.Rig, gait string) *control.Params {
	t.Helper()
	p := control.DefaultParams(r)
	plan, err := configs.LoadGait(gait, r)
	if err != nil {
		t.Fatal(err)
	}
	p.Gaits = []control.Plan{plan}
	return &p
}

func load(t testing.TB, name string) *rig.Rig {
	t.Helper()
	r, err := configs.LoadRig(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
