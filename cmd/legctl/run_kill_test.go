//go:build linux

package main

import (
	"syscall"
	"testing"
	"time"
)

// TestRunKills: whichever process is killed, and both, the robot ends limp or
// stopped within the stated time.
func TestRunKills(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	t.Run("loop", func(t *testing.T) {
		w := admit(t, "xl430_octopod")
		w.walk()
		if err := syscall.Kill(w.loopPID(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		took := w.until(time.Second, "torque off by the shell", func() bool { return w.holding() == 0 })
		t.Logf("torque off %v after the loop was killed", took)
		<-w.gone
		if w.run.ProcessState.Success() {
			t.Error("the shell says that all is well")
		}
	})
	t.Run("shell", func(t *testing.T) {
		w := admit(t, "xl430_octopod")
		w.walk()
		loop := w.loopPID()
		if err := w.run.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		took := w.until(25*time.Second, "stopped, sat down and limp", func() bool { return w.holding() == 0 })
		if took < 500*time.Millisecond {
			t.Errorf("limp after %v: it did not sit down first", took)
		}
		t.Logf("limp %v after the shell was killed", took)
		w.until(5*time.Second, "the loop's end", func() bool { return syscall.Kill(loop, 0) != nil })
	})
	t.Run("both", func(t *testing.T) {
		w := admit(t, "xl430_octopod")
		w.walk()
		loop := w.loopPID()
		if err := syscall.Kill(w.run.Process.Pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		_ = syscall.Kill(loop, syscall.SIGKILL)
		_ = w.run.Process.Kill()
		<-w.gone
		took := w.until(2*time.Second, "stopped by the watchdog of the servos", func() bool { return !w.moving() })
		t.Logf("still %v after both were killed", took)
	})
	t.Run("asked to end", func(t *testing.T) {
		w := admit(t, "xl430_octopod")
		w.walk()
		if err := w.run.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-w.gone
		if n := w.holding(); n != 0 || !w.run.ProcessState.Success() {
			t.Errorf("%d servos hold, %v", n, w.run.ProcessState)
		}
	})
}
