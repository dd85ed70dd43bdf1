package drivers

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"legctl/drivers/servo"
)

// fakeAdaptor is an adaptor whose latency timer is a file of the test's.
func fakeAdaptor(t *testing.T, ms string) adaptor {
	t.Helper()
	dir := t.TempDir()
	a := adaptorOf(filepath.Join(dir, "ttyUSB7"))
	a.sys = filepath.Join(dir, "sys")
	if _, err := a.timer(); err == nil {
		t.Fatal("a device that is not there has a timer")
	}
	if err := os.WriteFile(a.device, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	timer, err := a.timer()
	if err := errors.Join(err, os.MkdirAll(filepath.Dir(timer), 0o700), os.WriteFile(timer, []byte(ms), 0o600)); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestReport01LatencyTimerIsSet: an adaptor that holds replies for 16 ms is set to
// one, and what it holds afterwards is read (4: nobody's default is assumed).
func TestReport01LatencyTimerIsSet(t *testing.T) {
	a := fakeAdaptor(t, "16\n")
	if s, ok := a.latency(); !ok || s != 0.016 || a.slow() == "" {
		t.Fatalf("before: %v %v", s, ok)
	}
	a.quicken()
	if s, ok := a.latency(); !ok || s != 0.001 || a.slow() != "" {
		t.Errorf("after: %v %v %q", s, ok, a.slow())
	}
}

// TestReport04DefaultLatencyIsNotAssumed: what the system says goes into every
// deadline and into the budget; nothing it does not say is made up.
func TestReport04DefaultLatencyIsNotAssumed(t *testing.T) {
	for ms, want := range map[string]float64{"16\n": 0.016, "2": 0.002, "0": 0, "x": 0} {
		a := fakeAdaptor(t, ms)
		if s, ok := a.latency(); s != want && ok || ok != (want > 0) {
			t.Errorf("%q reads as %v %v", ms, s, ok)
		}
	}
	if s := latencyOf(&servo.Config{}, filepath.Join(t.TempDir(), "none")); s != usualLatency {
		t.Errorf("an adaptor without a timer: %v", s)
	}
	if s := latencyOf(&servo.Config{Latency: 0.004}, "none"); math.Abs(s-0.004) > 1e-12 {
		t.Errorf("what the config says: %v", s)
	}
}

// TestReport07LowLatencyIsReadBack: a request that a driver takes and ignores
// leaves the warning standing, one that works does not.
func TestReport07LowLatencyIsReadBack(t *testing.T) {
	for _, c := range []struct {
		name string
		ask  func(timer string) error
		slow bool
	}{
		{"ignored", func(string) error { return nil }, true},
		{"refused", func(string) error { return os.ErrPermission }, true},
		{"obeyed", func(timer string) error { return os.WriteFile(timer, []byte("1"), 0) }, false},
	} {
		a := fakeAdaptor(t, "16")
		timer, err := a.timer()
		if err != nil {
			t.Fatal(err)
		}
		a.set = func(string) error { return os.ErrPermission } // the file belongs to root
		a.ask = func(string) error { return c.ask(timer) }
		a.quicken()
		if text := a.slow(); (text != "") != c.slow || c.slow && !strings.Contains(text, "udev") {
			t.Errorf("%s: %q", c.name, text)
		}
	}
	if askLowLatency(os.DevNull) == nil {
		t.Error("a device that is no serial port took the flag")
	}
}
