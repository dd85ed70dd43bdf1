package mqtt

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runDir gives the test a run directory of its own.
func runDir(t *testing.T) string {
	t.Helper()
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	t.Setenv(BrokerEnv, "")
	dir, err := RunDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// listener is something that listens and says nothing.
func listener(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

func TestLocate(t *testing.T) {
	dir := runDir(t)
	one, two := listener(t), listener(t)
	check := func(name, flag, rig, want, says string) {
		t.Helper()
		got, err := Locate(flag, rig)
		if got != want || (err != nil) != (says != "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	check("nothing runs", "", "", "127.0.0.1:1883", "")
	gone, err := Announce(dir, Running{PID: os.Getpid(), Broker: one, Rig: "ant"})
	if err != nil {
		t.Fatal(err)
	}
	check("one runs", "", "", one, "")
	back, err := Announce(dir, Running{PID: 1, Broker: two, Rig: "bee"})
	if err != nil {
		t.Fatal(err)
	}
	check("two run", "", "", "", "ant on "+one)
	check("two run, rig named", "", "bee", two, "")
	check("flag", "robot.local", "", "robot.local:1883", "")
	check("flag with scheme", "tcp://10.0.0.1:99", "", "10.0.0.1:99", "")
	t.Setenv(BrokerEnv, "env:7")
	check("environment", "", "", "env:7", "")
	t.Setenv(BrokerEnv, "")
	gone()
	check("one left", "", "", two, "")
	back()
	check("none left", "", "", "127.0.0.1:1883", "")
}

// TestSweep: what a killed process left goes, what a living one has stays.
func TestSweep(t *testing.T) {
	dir := runDir(t)
	dead := filepath.Join(dir, storePrefix+"dead")
	mine := filepath.Join(dir, storePrefix+"mine")
	other := filepath.Join(t.TempDir(), storePrefix+"elsewhere")
	for _, d := range []string{dead, mine, other} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	const nobody = 1 << 30
	for _, r := range []Running{{PID: nobody, Store: dead}, {PID: nobody + 1, Store: other}, {PID: os.Getpid(), Store: mine}} {
		if _, err := Announce(dir, r); err != nil {
			t.Fatal(err)
		}
	}
	Sweep(dir)
	for path, want := range map[string]bool{dead: false, mine: true, other: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: there = %v", path, err == nil)
		}
	}
	if n := len(notes(dir)); n != 1 {
		t.Errorf("%d notes left, want 1", n)
	}
}

func TestRunDirMustBePrivate(t *testing.T) {
	base := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", base)
	if err := os.Mkdir(filepath.Join(base, "legctl"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(base, "legctl"), 0o777); err != nil {
		t.Fatal(err)
	}
	if dir, err := RunDir(); err == nil {
		t.Errorf("%s is open to everybody and was taken", dir)
	}
}
