package drivers_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"legctl/control"
	"legctl/control/mode"
	"legctl/drivers"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"
	"legctl/loop"
	"legctl/rig"

	"go.uber.org/goleak"
)

// TestSerialEndToEnd: every serial protocol over a real pseudo terminal, through
// the serial package, on the real clock: arm, soft start, rise, walk, disarm. What
// the servos hold as goals is what the controller asked in this tick or the one
// before, within a step. make soak walks 30 s.
func TestSerialEndToEnd(t *testing.T) {
	seconds := 1.0
	if os.Getenv("LEGCTL_SOAK") != "" {
		seconds = 30
	}
	for _, name := range robots() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for try := 0; ; try++ {
				busy := endToEnd(t, name, seconds)
				if busy == "" {
					return
				}
				if try == 2 {
					t.Fatalf("three times: %s", busy)
				}
				t.Logf("once more, the machine was busy: %s", busy)
			}
		})
	}
}

// silent are the alarms of a line whose far end did not get to run.
const silent = rig.AlarmBusErrors | rig.AlarmLost | rig.AlarmBrownout | rig.AlarmStuck | rig.AlarmWatchdog

// endToEnd is one run. It returns what says that the machine was too busy for the
// far end of the line to answer in time.
func endToEnd(t *testing.T, name string, seconds float64) (busy string) {
	t.Helper()
	b, err := newSerial(t, name)
	if err != nil {
		return err.Error()
	}
	defer b.pty.Close()
	var seen rig.Alarm
	phase := func(seconds float64, cmd control.Command) {
		b.real(seconds, cmd)
		seen |= b.cell.Frame.Obs.Alarms
	}
	phase(0.3, control.Command{})
	arm := 2.6 // the soft start
	if p, _ := drivers.ProtocolOf(b.cfg.Protocol); !p.Caps.Feedback {
		arm += 0.16 * float64(len(b.cfg.Servos)) // one servo after the other
	}
	phase(arm, modeOf(mode.Arm))
	for n := 0; n < 40 && b.cell.State.Mode != mode.Stand; n++ {
		phase(0.25, modeOf(mode.Rise))
	}
	phase(seconds, b.forward())
	walked := b.cell.State.Mode == mode.Walk && b.cell.State.Lost == 0
	phase(0.3, modeOf(mode.Disarm))
	if err := errors.Join(b.plant.Halt(), b.plant.Close()); err != nil {
		t.Error(err)
	}
	for deadline := time.Now().Add(2 * time.Second); !b.quiet() && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	if !b.quiet() {
		t.Error("servos hold after halt")
	}
	switch {
	case !walked && (seen&silent != 0 || b.cell.State.Lost != 0):
		return "alarms " + strings.Join(seen.Names(), ", ")
	case !walked:
		t.Errorf("mode %v, alarms %v, errors %v", b.cell.State.Mode, seen.Names(), errors.Join(b.errs...))
	}
	return ""
}

// newSerial puts a robot on a pseudo terminal.
func newSerial(t *testing.T, name string) (*bench, error) {
	t.Helper()
	r, cfg := load(t, name)
	b := &bench{t: t, rig: r, cfg: cfg, dt: 1 / rateOf(cfg), clock: loop.Monotonic(0)}
	cfg.Port = filepath.Join(t.TempDir(), "port")
	b.bank = bankOf(t, r, cfg, false) // a pseudo terminal has no wire time, and this machine may be busy
	pty, err := emulator.OpenPTY(b.bank, cfg.Port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pty.Close() })
	b.pty = pty
	return b, b.joined(drivers.Options{Dt: b.dt, Open: drivers.SerialOpener(cfg, nil, drivers.OpenSerial), AtRest: true})
}

// real runs so many seconds of the real clock, and compares goals in the middle
// between two ticks.
func (b *bench) real(seconds float64, cmd control.Command) {
	b.t.Helper()
	step := 0.0
	for i := range b.cfg.Servos {
		step = max(step, servo.Resolution(b.cfg.Protocol)/math.Abs(b.cfg.Servos[i].PerRad))
	}
	var past [][]float64 // what was asked lately
	period := time.Duration(b.dt * float64(time.Second))
	next := b.clock.Now()
	for n := 0; float64(n) < seconds/b.dt; n++ {
		b.clock.Until(next)
		next = max(next+period, b.clock.Now())
		b.cell.Frame.Cmd = cmd
		cmd = control.Command{}
		if err := b.tick.Do(b.t.Context()); err != nil {
			b.errs = append(b.errs, err)
		}
		b.clock.Until(next - period/4)
		// A computer so busy that servos count as silent is told apart by its alarms.
		if b.cell.State.Mode == mode.Walk && b.cell.Frame.Obs.Alarms == 0 {
			past = append(past, append([]float64(nil), b.cell.Frame.Out.Set.Q...))
			b.compare(past[max(0, len(past)-late):], step)
		}
	}
}

// late is how many ticks the far end of a pseudo terminal may be behind on a busy
// machine.
const late = 25

// compare fails when a goal of the servos lies outside of what was asked lately.
func (b *bench) compare(past [][]float64, step float64) {
	b.t.Helper()
	if len(past) < late {
		return
	}
	for j, q := range b.goals() {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, was := range past {
			lo, hi = min(lo, was[j]), max(hi, was[j])
		}
		if q < lo-step || q > hi+step {
			b.t.Fatalf("joint %d: servos are at %.4f, the controller asked %.4f to %.4f", j, q, lo, hi)
		}
	}
}

// TestPlugInAndOut: the line is unplugged and plugged in again, over and over:
// each time the rig is disarmed, the port is found again by its name, nothing
// holds or moves before it is armed anew, and nothing leaks.
func TestPlugInAndOut(t *testing.T) {
	times := 8
	if os.Getenv("LEGCTL_SOAK") != "" {
		times = 100
	}
	b := newBench(t, "xl430_octopod")
	b.tick.Care = &loop.Care{Dt: b.dt}
	b.run(1, control.Command{})
	for n := range times {
		b.run(1, modeOf(mode.Arm))
		if b.cell.State.Mode != mode.Hold {
			t.Fatalf("%d: mode %v after arm: %v", n, b.cell.State.Mode, b.cell.Frame.Obs.Alarms.Names())
		}
		b.bank.Inject(emulator.Fault{Kind: emulator.Unplugged, ID: -1, For: 3 * time.Second})
		b.run(2, control.Command{})
		if b.cell.State.Mode != mode.Limp || b.cell.Frame.Obs.Has != 0 {
			t.Fatalf("%d: mode %v, parts %b while unplugged", n, b.cell.State.Mode, b.cell.Frame.Obs.Has)
		}
		b.bank.Change(0, func(m *emulator.Motor) { m.Torque = false })
		b.run(6, control.Command{})
		moved := b.goals()
		b.run(0.5, control.Command{})
		for j, q := range b.goals() {
			if q != moved[j] {
				t.Fatalf("%d: joint %d moves before it is armed", n, j)
			}
		}
		if m, _ := b.bank.Motor(b.cfg.Servos[0].ID); m.Torque || b.cell.Frame.Obs.Alarms != 0 {
			t.Fatalf("%d: holds %v, alarms %v before it is armed", n, m.Torque, b.cell.Frame.Obs.Alarms.Names())
		}
	}
	b.stand() // nothing is remembered against any leg
	if b.run(2, b.forward()); b.cell.State.Mode != mode.Walk || b.cell.State.Lost != 0 {
		t.Errorf("afterwards: mode %v, lost legs %b", b.cell.State.Mode, b.cell.State.Lost)
	}
}

// TestReplugByName is the same on a real pseudo terminal, whose path changes.
func TestReplugByName(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	b, err := newSerial(t, "sts3215_quadruped")
	if err != nil {
		t.Fatal(err)
	}
	b.tick.Care = &loop.Care{Dt: b.dt}
	for range 2 {
		b.real(0.6, modeOf(mode.Arm))
		was := b.pty.Path()
		b.bank.Inject(emulator.Fault{Kind: emulator.Unplugged, ID: -1, For: 700 * time.Millisecond})
		b.real(0.5, control.Command{})
		if b.cell.State.Mode != mode.Limp {
			t.Fatalf("mode %v after unplugging", b.cell.State.Mode)
		}
		back := func() bool { return b.cell.Frame.Obs.Alarms == 0 && b.cell.Frame.Obs.Has != 0 }
		for n := 0; n < 40 && !back(); n++ {
			b.real(0.25, control.Command{})
		}
		if !back() {
			t.Fatalf("not found again: was %s, is %s; %v", was, b.pty.Path(), b.cell.Frame.Obs.Alarms.Names())
		}
	}
	if err := errors.Join(b.plant.Halt(), b.plant.Close(), b.pty.Close()); err != nil {
		t.Error(err)
	}
}
