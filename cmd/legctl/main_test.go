package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// asProgram makes the test binary behave as legctl: the live tests need real
// processes that can be killed.
const asProgram = "LEGCTL_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"legctl": func() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the command line as a person would: testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_RUNTIME_DIR", e.WorkDir+"/run")
			e.Setenv("LEGCTL_BROKER", "")
			return os.Mkdir(e.WorkDir+"/run", 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"waitfor": waitFor, "waitlink": waitLink},
	})
}

// waitFor is "waitfor DIR [n]": until n running simulations (1) have announced
// themselves in DIR.
func waitFor(ts *testscript.TestScript, _ bool, args []string) {
	want := 1
	if len(args) > 1 {
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		want = n
	}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if notes, _ := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "run-*.json")); len(notes) >= want {
			return
		}
	}
	ts.Fatalf("fewer than %d simulations within 10 s", want)
}

// waitLink is "waitlink NAME": until a file of that name can be seen through its
// link.
func waitLink(ts *testscript.TestScript, _ bool, args []string) {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
	}
	ts.Fatalf("no %s within 10 s", args[0])
}
