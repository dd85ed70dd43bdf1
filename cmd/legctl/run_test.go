//go:build linux

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"legctl/configs"
	"legctl/drivers/emulator"
)

// ward is a robot under "legctl run": its servos are emulated here, on a pseudo
// terminal; shell and loop are real processes.
type ward struct {
	t    *testing.T
	bank *emulator.Bank
	pty  *emulator.PTY
	link string
	dir  string
	out  lockedBuffer
	run  *exec.Cmd
	gone chan struct{}
}

// admit starts a robot and waits until its broker is up and its loop ticks.
func admit(t *testing.T, robot string, args ...string) *ward {
	t.Helper()
	r, cfg, err := configs.LoadRobot(robot)
	if err != nil {
		t.Fatal(err)
	}
	o := emulator.Options{Protocol: cfg.Protocol, Baud: cfg.Baud, Maestro: cfg.Maestro}
	if cfg.Battery.Warn > 0 {
		o.Volts = 1.08 * cfg.Battery.Warn
	}
	for i := range cfg.Servos {
		o.IDs, o.Models = append(o.IDs, cfg.Servos[i].ID), append(o.Models, cfg.Servos[i].Model)
	}
	w := &ward{t: t, dir: t.TempDir(), gone: make(chan struct{})}
	if w.bank, err = emulator.New(o); err != nil {
		t.Fatal(err)
	}
	rest := r.RestPose(nil)
	for i := range cfg.Servos {
		s := &cfg.Servos[i]
		at, _ := s.Clamp(s.Zero + s.PerRad*s.Angle(rest))
		w.bank.Change(i, func(m *emulator.Motor) { m.Position, m.Goal = at, at })
	}
	w.link = filepath.Join(w.dir, "port")
	if w.pty, err = emulator.OpenPTY(w.bank, w.link); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.pty.Close() })
	w.start(robot, args...)
	w.until(10*time.Second, "the loop", func() bool { return w.loopPID() > 0 && w.bank.Stats().Requests > 100 })
	return w
}

// start starts shell and loop and waits for the broker.
func (w *ward) start(robot string, args ...string) {
	t := w.t
	w.run = w.program(append([]string{"run", robot, "--device", w.link, "--no-web"}, args...)...)
	w.run.Stdout, w.run.Stderr = &w.out, &w.out
	if err := w.run.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _ = w.run.Wait(); close(w.gone) }()
	t.Cleanup(func() {
		loop := w.loopPID()
		_ = w.run.Process.Kill()
		<-w.gone
		if loop > 0 {
			_ = syscall.Kill(loop, syscall.SIGKILL)
		}
		if t.Failed() {
			t.Logf("%s", w.out.String())
		}
	})
	w.until(20*time.Second, "the broker", func() bool {
		notes, _ := filepath.Glob(filepath.Join(w.dir, "legctl", "run-*.json"))
		return len(notes) > 0
	})
}

func (w *ward) program(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asProgram+"=1", "XDG_RUNTIME_DIR="+w.dir, "LEGCTL_BROKER=")
	return c
}

// until polls for a fact.
func (w *ward) until(limit time.Duration, what string, fact func() bool) time.Duration {
	w.t.Helper()
	begin := time.Now()
	for !fact() {
		if time.Since(begin) > limit {
			w.t.Fatalf("%s: not within %v", what, limit)
		}
		time.Sleep(5 * time.Millisecond)
	}
	return time.Since(begin)
}

// loopPID is the process of the loop: the child of the shell.
func (w *ward) loopPID() int {
	if w.run.Process == nil {
		return 0
	}
	pid := strconv.Itoa(w.run.Process.Pid)
	tasks, _ := filepath.Glob("/proc/" + pid + "/task/*/children")
	for _, task := range tasks {
		if text, err := os.ReadFile(task); err == nil && len(bytes.TrimSpace(text)) > 0 {
			n, _ := strconv.Atoi(strings.Fields(string(text))[0])
			return n
		}
	}
	return 0
}

// order gives a command until it is accepted.
func (w *ward) order(args ...string) {
	w.t.Helper()
	var out []byte
	var err error
	w.until(15*time.Second, "legctl cmd "+strings.Join(args, " "), func() bool {
		out, err = w.program(append([]string{"cmd"}, args...)...).CombinedOutput()
		return err == nil
	})
	_ = out
}

// holding counts servos with torque.
func (w *ward) holding() (n int) {
	for _, id := range w.bank.IDs() {
		if m, _ := w.bank.Motor(id); m.Torque {
			n++
		}
	}
	return n
}

// moving reports whether a servo's goal changes within a while.
func (w *ward) moving() bool {
	before := w.goals()
	time.Sleep(200 * time.Millisecond)
	after := w.goals()
	for i := range before {
		if before[i] != after[i] {
			return true
		}
	}
	return false
}

func (w *ward) goals() (all []float64) {
	for _, id := range w.bank.IDs() {
		m, _ := w.bank.Motor(id)
		all = append(all, m.Goal)
	}
	return all
}

// walk arms the robot, lets it rise and walk.
func (w *ward) walk() {
	w.t.Helper()
	if n := w.holding(); n != 0 {
		w.t.Fatalf("%d servos hold before arm", n)
	}
	w.order("mode", "arm")
	w.until(10*time.Second, "torque on all servos", func() bool { return w.holding() == len(w.bank.IDs()) })
	w.order("mode", "rise")
	w.order("cruise", "--vx", "0.05")
	w.until(20*time.Second, "walking", w.moving)
}
