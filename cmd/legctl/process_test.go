package main

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestNothingLeft: a simulation with broker and bridge ends every goroutine it
// began.
func TestNothingLeft(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	var out, bad bytes.Buffer
	if status := run([]string{"sim", "phantomx", "--terrain", "flat", "--duration", "300ms", "--json"}, &out, &bad); status != exitDone {
		t.Fatalf("status %d: %s", status, &bad)
	}
	if !strings.HasPrefix(out.String(), `{"rig":"phantomx"`) || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("standard output: %q", &out)
	}
	if !strings.Contains(bad.String(), "legctl cmd twist") {
		t.Errorf("standard error: %q", &bad)
	}
}

// TestHeadlessIsQuick: a minute of the spider at 50 Hz takes less than half a
// second of processor time, start and allowed-twist table included. Processor
// time, because the wall clock measures the neighbours too.
func TestHeadlessIsQuick(t *testing.T) {
	if testing.Short() {
		t.Skip("times a process")
	}
	least := time.Hour
	for range 3 {
		c := exec.Command(os.Args[0], "sim", "octopod@0.06", "--gait", "walk", "--terrain", "flat", "--headless", "--fast",
			"--duration", "60s", "--rate", "50")
		c.Env = append(os.Environ(), asProgram+"=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		least = min(least, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
	}
	t.Logf("%v", least)
	if least > 500*time.Millisecond {
		t.Errorf("%v of processor time, want at most 500 ms", least)
	}
}

func TestSpareNegatives(t *testing.T) {
	for _, r := range []struct{ in, want string }{
		{"cmd goto 1 2", "cmd goto -- 1 2"},
		{"cmd goto -1 -2.5e-1", "cmd goto -- -1 -2.5e-1"},
		{"cmd goto -1 x", "cmd goto -- -1 x"},
		{"cmd goto -1 2 --rig a1", "cmd goto --rig a1 -- -1 2"},
		{"cmd goto --rig 7 -1 2", "cmd goto --rig 7 -- -1 2"},
		{"cmd goto --rig=a1 -1 2", "cmd goto --rig=a1 -- -1 2"},
		{"cmd --rig a1 height -1", "cmd --rig a1 height -- -1"},
		{"cmd goto --help", "cmd goto --help --"},
		{"cmd goto -- -1 2", "cmd goto -- -1 2"},
		{"cmd twist --vx -1", "cmd twist --vx -1"},
		{"sim goto -1", "sim goto -1"},
	} {
		if got := spareNegatives(strings.Fields(r.in)); !slices.Equal(got, strings.Fields(r.want)) {
			t.Errorf("%s: %q, want %s", r.in, got, r.want)
		}
	}
}
