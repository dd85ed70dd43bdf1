//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"
)

// person is a program on a terminal of its own, with somebody at its keys.
type person struct {
	t    *testing.T
	l    *live
	cmd  *exec.Cmd
	keys *os.File
	seen lockedBuffer
	done chan error
}

// terminal opens a pseudo-terminal of 90 columns and 40 lines.
func terminal(t *testing.T) (near, far *os.File) {
	t.Helper()
	near, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals: %v", err)
	}
	fd := int(near.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: 90, Row: 40}); err != nil {
		t.Fatal(err)
	}
	far, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return near, far
}

// sit starts a command of legctl on a terminal.
func sit(t *testing.T, l *live, args ...string) *person {
	t.Helper()
	near, far := terminal(t)
	p := &person{t: t, l: l, cmd: l.program(args...), keys: near, done: make(chan error, 1)}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = far, far, far
	p.cmd.Env = append(p.cmd.Env, "TERM=xterm-256color", "COLORTERM=")
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	far.Close()
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 1<<14)
		for {
			n, err := near.Read(buf)
			_, _ = p.seen.Write(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	go func() { p.done <- p.cmd.Wait() }()
	t.Cleanup(func() { _ = p.cmd.Process.Kill(); near.Close(); <-read })
	return p
}

// reads waits until words have stood on the screen. The screen is drawn afresh
// now and then (Ctrl-L): otherwise only what changes is written.
func (p *person) reads(words string) {
	p.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		p.hits("\x0c")
		if strings.Contains(ansi.Strip(p.seen.String()), words) {
			return
		}
		if time.Now().After(end) {
			text := ansi.Strip(p.seen.String())
			p.t.Fatalf("%q was not shown:\n%q", words, text[max(len(text)-3000, 0):])
		}
	}
}

// hits presses keys.
func (p *person) hits(keys string) {
	p.t.Helper()
	if _, err := p.keys.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// ends waits for the end of the program.
func (p *person) ends() {
	p.t.Helper()
	select {
	case err := <-p.done:
		if err != nil {
			p.t.Errorf("%v: %v\n%q", p.cmd.Args[1:], err, p.seen.String())
		}
	case <-time.After(10 * time.Second):
		p.t.Fatalf("%v does not end", p.cmd.Args[1:])
	}
}

// TestScreens: a person watches and steers a real simulation from real
// terminals.
func TestScreens(t *testing.T) {
	if testing.Short() {
		t.Skip("walks in real time")
	}
	mosquittoTool(t, "mosquitto_pub")
	l := startLive(t, "phantomx", "--terrain", "flat", "--no-web")
	start := l.stand()

	watch := sit(t, l, "top")
	watch.reads("phantomx at 127.0.0.1")
	watch.reads("mode stand")
	pilot := sit(t, l, "teleop", "--speed", "0.1", "--lease", "anna")
	pilot.reads("yours")
	watch.reads("operator anna")
	t.Run("keys walk", func(t *testing.T) {
		for end := time.Now().Add(20 * time.Second); far(l.now(), start) < 0.05; time.Sleep(50 * time.Millisecond) {
			pilot.hits("w")
			if time.Now().After(end) {
				t.Fatalf("did not walk: %+v", l.now())
			}
		}
		watch.reads("mode walk")
	})
	t.Run("letting go stands", func(t *testing.T) { l.stand() })
	t.Run("others are refused", func(t *testing.T) {
		if r := l.ask("twist", `{"vx":0.1}`); r.Accepted || !strings.Contains(r.Reason, `"anna"`) {
			t.Errorf("%+v", r)
		}
	})
	t.Run("a killed pilot", func(t *testing.T) {
		pilot.hits("w")
		if err := pilot.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		l.until("dead-man", func() bool { return l.heard("event", `"lease_expired"`) })
		l.stand()
		watch.reads("lease_expired")
	})
	t.Run("leaving", func(t *testing.T) {
		again := sit(t, l, "teleop", "--lease", "bob")
		again.reads("yours")
		again.hits("x")
		again.ends()
		l.until("lease given back", func() bool { return l.heard("event", `"was":"bob"`) && l.heard("event", `"lease_released"`) })
	})
	watch.hits("q")
	watch.ends()
}
