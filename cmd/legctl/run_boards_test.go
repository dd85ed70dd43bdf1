//go:build linux

package main

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"legctl/drivers/emulator"
	"legctl/drivers/servo"
	"legctl/drivers/socket"
)

// pulsed is a robot with PCA9685 boards under "legctl run": the computer it sits
// on is emulated here, behind a socket.
type pulsed struct {
	*ward
	board *emulator.Board
	cfg   *servo.Config
}

func admitBoards(t *testing.T, robot string, args ...string) *pulsed {
	t.Helper()
	cfg, start, err := restOf(robot)
	if err != nil {
		t.Fatal(err)
	}
	p := &pulsed{ward: &ward{t: t, dir: t.TempDir(), gone: make(chan struct{})}, cfg: cfg}
	if p.board, err = emulator.NewBoard(emulator.BoardOptions{Config: cfg, Start: start}); err != nil {
		t.Fatal(err)
	}
	p.link = filepath.Join(p.dir, "bus")
	s, err := socket.Listen(p.link, p.board)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	p.start(robot, append([]string{"--at-rest"}, args...)...)
	p.until(10*time.Second, "the loop", func() bool { n, _ := p.board.Traffic(); return p.loopPID() > 0 && n > 0 })
	return p
}

// pulses counts channels that have them, and adds them up.
func (p *pulsed) pulses() (n int, sum float64) {
	for i := range p.cfg.Servos {
		us := p.board.Micros(p.cfg.Servos[i].ID)
		if sum += us; us > 0 {
			n++
		}
	}
	return n, sum
}

// walk arms the robot, lets it rise and walk.
func (p *pulsed) walk() {
	p.t.Helper()
	if n, _ := p.pulses(); n != 0 {
		p.t.Fatalf("%d channels have pulses before arm", n)
	}
	p.order("mode", "arm")
	p.until(10*time.Second, "pulses on all channels", func() bool { n, _ := p.pulses(); return n == len(p.cfg.Servos) })
	p.order("mode", "rise")
	p.order("cruise", "--vx", "0.02")
	p.until(20*time.Second, "walking", func() bool {
		_, before := p.pulses()
		time.Sleep(100 * time.Millisecond)
		_, after := p.pulses()
		return before != after
	})
}

// TestRunBoards: a robot on PCA9685 boards, its inertial unit included, is armed,
// rises, walks, and its pulses end whether it is asked to end or its loop is
// killed.
func TestRunBoards(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	t.Run("asked to end", func(t *testing.T) {
		t.Parallel()
		p := admitBoards(t, "freenove")
		p.walk()
		if err := p.run.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-p.gone
		if n, _ := p.pulses(); n != 0 || !p.run.ProcessState.Success() {
			t.Errorf("%d channels have pulses, %v", n, p.run.ProcessState)
		}
	})
	t.Run("loop", func(t *testing.T) {
		t.Parallel()
		p := admitBoards(t, "spotmicro")
		p.walk()
		if err := syscall.Kill(p.loopPID(), syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		took := p.until(time.Second, "pulses off by the shell", func() bool { n, _ := p.pulses(); return n == 0 })
		t.Logf("pulses off %v after the loop was killed", took)
		<-p.gone
		if p.run.ProcessState.Success() {
			t.Error("the shell says that all is well")
		}
	})
}
