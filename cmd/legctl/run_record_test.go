//go:build linux

package main

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"legctl/record"
	"legctl/rollout"
)

// TestRobotsRecordingsAreReplayed drives a robot of emulated servos, two
// processes and a pseudo terminal, and does the controller's part of it again:
// bit for bit, from arming to lying down.
func TestRobotsRecordingsAreReplayed(t *testing.T) {
	if testing.Short() {
		t.Skip("drives a robot for seconds")
	}
	file := filepath.Join(t.TempDir(), "robot.mcap")
	w := admit(t, "xl430_octopod", "--record", file)
	w.walk()
	time.Sleep(time.Second) // of walking
	if err := w.run.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	w.until(20*time.Second, "the end", func() bool {
		select {
		case <-w.gone:
			return true
		default:
			return false
		}
	})
	from, err := record.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := from.Close(); err != nil {
			t.Error(err)
		}
	}()
	got, err := rollout.Replay(t.Context(), from, rollout.ReplayOptions{All: true})
	if err != nil || got.Differ > 0 || got.Cut != nil || got.Ticks < 100 {
		t.Errorf("%d of %d ticks differ, %d records lost, cut %v, first %v: %v", got.Differ, got.Ticks, got.Lost, got.Cut, got.First, err)
	}
}
