package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"legctl/telemetry"
)

// live is a running "legctl sim" with Debian's MQTT clients at its broker.
type live struct {
	t    *testing.T
	rig  string
	dir  string // its run directory
	sim  *exec.Cmd
	out  lockedBuffer
	port string

	mu    sync.Mutex
	lines []string // of mosquitto_sub: topic, space, payload
}

// startLive starts a simulation and waits until it is online.
func startLive(t *testing.T, rig string, args ...string) *live {
	t.Helper()
	l := &live{t: t, rig: rig, dir: t.TempDir()}
	l.sim = l.program(append([]string{"sim", rig, "--duration", "5m"}, args...)...)
	l.sim.Stdout, l.sim.Stderr = &l.out, &l.out
	if err := l.sim.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.sim.Process.Kill(); _ = l.sim.Wait() })
	var note struct{ Broker string }
	l.until("the note of the simulation", func() bool {
		found, _ := filepath.Glob(filepath.Join(l.dir, "legctl", "run-*.json"))
		if len(found) == 0 {
			return false
		}
		raw, err := os.ReadFile(found[0])
		return err == nil && json.Unmarshal(raw, &note) == nil
	})
	_, l.port, _ = strings.Cut(note.Broker, ":")
	l.subscribe()
	l.until("online", func() bool { return l.heard("online", "true") && l.heard("state", "") })
	return l
}

// program returns this test binary as legctl, in the run directory of l.
func (l *live) program(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asProgram+"=1", "XDG_RUNTIME_DIR="+l.dir, "LEGCTL_BROKER=")
	return c
}

// legctl runs a command to its end.
func (l *live) legctl(args ...string) {
	l.t.Helper()
	if out, err := l.program(args...).CombinedOutput(); err != nil {
		l.t.Fatalf("legctl %v: %v: %s", args, err, out)
	}
}

// subscribe lets mosquitto_sub listen to everything the rig says.
func (l *live) subscribe() {
	l.t.Helper()
	c := exec.Command(mosquittoTool(l.t, "mosquitto_sub"), "-h", "127.0.0.1", "-p", l.port, "-v", "-t", "legctl/"+l.rig+"/#")
	pipe, err := c.StdoutPipe()
	if err != nil {
		l.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		l.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for in := bufio.NewReaderSize(pipe, 1<<16); ; {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			l.mu.Lock()
			l.lines = append(l.lines, strings.TrimSpace(line))
			l.mu.Unlock()
		}
	}()
	l.t.Cleanup(func() { _ = c.Process.Kill(); <-done; _ = c.Wait() })
}

// send publishes with mosquitto_pub.
func (l *live) send(topic, payload string) {
	l.t.Helper()
	c := exec.Command(mosquittoTool(l.t, "mosquitto_pub"), "-h", "127.0.0.1", "-p", l.port,
		"-t", "legctl/"+l.rig+"/cmd/"+topic, "-m", payload)
	if out, err := c.CombinedOutput(); err != nil {
		l.t.Fatalf("mosquitto_pub: %v: %s", err, out)
	}
}

// ask sends a command with an id and returns the reply to it.
func (l *live) ask(topic, body string) telemetry.Reply {
	l.t.Helper()
	l.mu.Lock()
	n := len(l.lines)
	l.mu.Unlock()
	l.send(topic, body)
	var r telemetry.Reply
	l.until("reply to "+topic+" "+body, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, line := range l.lines[n:] {
			if raw, ok := strings.CutPrefix(line, "legctl/"+l.rig+"/reply "); ok {
				return json.Unmarshal([]byte(raw), &r) == nil
			}
		}
		return false
	})
	return r
}

// order is ask for a command that must be accepted.
func (l *live) order(topic, body string) {
	l.t.Helper()
	if r := l.ask(topic, body); !r.Accepted {
		l.t.Fatalf("%s %s: %+v", topic, body, r)
	}
}

// seen is what the tests read of a state message.
type seen struct {
	Tick     uint64
	Mode     string
	Gait     string
	Margin   *float64
	Wish     struct{ Vx, Vy, Wz float64 }
	Twist    struct{ Vx, Vy, Wz float64 }
	Legs     map[string]struct{ Stance bool }
	Observed struct {
		Pose  struct{ X, Y, Z, Yaw float64 }
		Falls int
	}
}

// state returns the newest state, after tick.
func (l *live) state(after uint64) seen {
	l.t.Helper()
	var s seen
	l.until("a state", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, line := range slices.Backward(l.lines) {
			if raw, ok := strings.CutPrefix(line, "legctl/"+l.rig+"/state "); ok {
				s = seen{}
				return json.Unmarshal([]byte(raw), &s) == nil && s.Tick > after
			}
		}
		return false
	})
	return s
}

// now returns a state that is newer than this call.
func (l *live) now() seen { return l.state(l.state(0).Tick) }

// heard reports whether a message on topic contains words.
func (l *live) heard(topic, words string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.lines, func(s string) bool {
		raw, ok := strings.CutPrefix(s, "legctl/"+l.rig+"/"+topic+" ")
		return ok && strings.Contains(raw, words)
	})
}

// forget drops what was heard so far.
func (l *live) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = nil
}

// until polls for a condition.
func (l *live) until(what string, ok func() bool) {
	l.t.Helper()
	for end := time.Now().Add(15 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			l.t.Fatalf("not within 15 s: %s\n%s", what, l.out.String())
		}
	}
}

// walkUntil sends a twist ten times a second until a condition holds.
func (l *live) walkUntil(what, twist string, ok func(s seen) bool) seen {
	l.t.Helper()
	var s seen
	for end := time.Now().Add(15 * time.Second); ; {
		l.send("twist", twist)
		if s = l.now(); ok(s) {
			return s
		}
		if time.Now().After(end) {
			l.t.Fatalf("not within 15 s: %s: %+v", what, s)
		}
	}
}

// stand waits until the rig stands.
func (l *live) stand() seen {
	l.t.Helper()
	var s seen
	l.until("stand", func() bool { s = l.now(); return s.Mode == "stand" })
	return s
}

// end interrupts the simulation and checks that nothing is left behind.
func (l *live) end() string {
	l.t.Helper()
	if err := l.sim.Process.Signal(syscall.SIGINT); err != nil {
		l.t.Fatal(err)
	}
	if err := l.sim.Wait(); err != nil {
		l.t.Errorf("sim: %v\n%s", err, l.out.String())
	}
	if left, _ := os.ReadDir(filepath.Join(l.dir, "legctl")); len(left) > 0 {
		l.t.Errorf("%s is left behind", left[0].Name())
	}
	return l.out.String()
}

// mosquittoTool finds one of Debian's clients; CI installs them.
func mosquittoTool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed (make test installs it)", name)
	}
	return path
}

// far is the horizontal distance of two states.
func far(a, b seen) float64 {
	return math.Hypot(a.Observed.Pose.X-b.Observed.Pose.X, a.Observed.Pose.Y-b.Observed.Pose.Y)
}

// num writes a number as an argument.
func num(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// lockedBuffer may be read while a process writes it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
