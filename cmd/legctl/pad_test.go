//go:build linux

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"legctl/telemetry/evdev"
)

// TestPadPulledOut: a gamepad steers a real simulation without a terminal; when
// it is pulled out the rig stops.
func TestPadPulledOut(t *testing.T) {
	if testing.Short() {
		t.Skip("walks in real time")
	}
	mosquittoTool(t, "mosquitto_pub")
	l := startLive(t, "phantomx", "--terrain", "flat", "--no-web")
	start := l.stand()
	path := filepath.Join(t.TempDir(), "event0")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	pad, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	pilot := l.program("teleop", "--gamepad", path, "--lease", "pad", "--speed", "0.1")
	var said lockedBuffer
	pilot.Stdout, pilot.Stderr = &said, &said
	if err := pilot.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pilot.Process.Kill(); _ = pilot.Wait() })
	l.until("the lease", func() bool { return l.heard("lease", `"pad"`) })
	push := func(value int32) {
		if _, err := pad.Write(evdev.Append(nil, evdev.Event{Type: evdev.TypeAbs, Code: evdev.AbsY, Value: value})); err != nil {
			t.Fatal(err)
		}
	}
	way := int32(-32768)
	l.until("walk", func() bool {
		push(way)
		way ^= 1 // an axis that trembles
		return far(l.now(), start) > 0.05
	})
	if err := pad.Close(); err != nil {
		t.Fatal(err)
	}
	l.stand()
	if err := pilot.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := pilot.Wait(); err != nil {
		t.Errorf("teleop: %v\n%s", err, said.String())
	}
	l.until("the lease is given back", func() bool { return l.heard("event", `"lease_released"`) })
}
