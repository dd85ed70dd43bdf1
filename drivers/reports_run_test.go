package drivers_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"legctl/configs"
	"legctl/control"
	"legctl/control/mode"
	"legctl/drivers"
	"legctl/drivers/dxl2"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"
	"legctl/loop"
	"legctl/rig"
)

// Reports about robots that walk, of reports_test.go.

// caredBench is a robot whose alarms are answered, as in a run.
func caredBench(t *testing.T, name string) *bench {
	t.Helper()
	b := newBench(t, name)
	b.tick.Care = &loop.Care{Dt: b.dt}
	return b
}

// holding counts the servos with torque.
func (b *bench) holding() (n int) {
	for i := range b.cfg.Servos {
		if m, _ := b.bank.Motor(b.cfg.Servos[i].ID); m.Torque {
			n++
		}
	}
	return n
}

// TestReport16NoOffsetUnderAWatchdog: a homing offset in a servo, with which its
// watchdog makes it creep, is set to 0 before torque; after a trip the goal is
// where the servo is.
func TestReport16NoOffsetUnderAWatchdog(t *testing.T) {
	d := driverOn(t, emulator.Options{Protocol: "dxl2", IDs: []int{1}}, servo.Config{})
	tx, err := dxl2.AppendWrite(nil, 1, dxl2.RegHomingOffset, 100, 0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.line.Write(tx); err != nil {
		t.Fatal(err)
	}
	d.line.Sleep(50 * time.Millisecond)
	seen := []servo.Feedback{{ID: 1}}
	if err := d.drv.Read(seen); err != nil {
		t.Fatal(err)
	}
	m, _ := d.bank.Motor(1)
	if err := errors.Join(d.drv.Arm(0.1), d.open(1), d.drv.Read(seen)); err != nil || seen[0].Pos != math.Round(m.Position) {
		t.Fatalf("reads %v, the servo is at %v: an offset is left in it (%v)", seen[0].Pos, m.Position, err)
	}
	goals := []servo.Goal{{ID: 1}}
	if err := errors.Join(d.drv.Enable(goals), d.drv.Write([]servo.Goal{{ID: 1, Pos: 2300}}, 0.02)); err != nil {
		t.Fatal(err)
	}
	d.line.Sleep(time.Second) // the watchdog trips in mid-way
	if err := d.drv.Enable(goals); err != nil {
		t.Fatal(err)
	}
	m, _ = d.bank.Motor(1)
	d.line.Sleep(time.Second)
	if now, _ := d.bank.Motor(1); math.Abs(now.Position-m.Position) > 1 || goals[0].Pos != math.Round(m.Position) {
		t.Errorf("crept from %v to %v after the trip, goal %v", m.Position, now.Position, goals[0].Pos)
	}
}

// TestReport18AWatchdogIsClearedOnce: after a trip torque goes off and stays off
// until the rig is armed; then each servo is switched on once, and obeys.
func TestReport18AWatchdogIsClearedOnce(t *testing.T) {
	b := caredBench(t, "xl430_octopod")
	b.stand()
	b.line.Sleep(2 * time.Second) // the host is away
	b.base += 2 * time.Second
	var seen rig.Alarm
	for range int(1 / b.dt) {
		b.step(control.Command{})
		seen |= b.cell.Frame.Obs.Alarms
	}
	if seen&rig.AlarmWatchdog == 0 || b.cell.State.Mode != mode.Limp || b.holding() != 0 {
		t.Fatalf("mode %v, alarms %v, %d servos hold", b.cell.State.Mode, seen.Names(), b.holding())
	}
	rises, was := 0, 0
	cmd := modeOf(mode.Arm)
	for range int(4 / b.dt) {
		b.step(cmd)
		cmd = control.Command{}
		n := b.holding()
		rises, was = rises+max(0, n-was), n
		if n < was {
			t.Fatal("torque was taken off again")
		}
	}
	if rises != len(b.cfg.Servos) {
		t.Errorf("torque went on %d times for %d servos", rises, len(b.cfg.Servos))
	}
	b.run(8, modeOf(mode.Rise))
	if b.run(2, b.forward()); b.cell.State.Mode != mode.Walk || b.cell.Frame.Obs.Alarms&rig.AlarmWatchdog != 0 {
		t.Errorf("afterwards mode %v, alarms %v", b.cell.State.Mode, b.cell.Frame.Obs.Alarms.Names())
	}
}

// TestReport21AFaultStopsTheGait: one servo that shuts itself down stops the walk;
// the joint is known by its alarm, and no other has one.
func TestReport21AFaultStopsTheGait(t *testing.T) {
	b := caredBench(t, "xl430_octopod")
	b.stand()
	b.run(2, b.forward())
	victim := b.cfg.Servos[7]
	b.bank.Inject(emulator.Fault{Kind: emulator.Overloaded, ID: victim.ID, By: 1})
	var seen rig.Alarm
	for range int(4 / b.dt) {
		b.step(control.Command{})
		for j, s := range b.cell.Frame.Obs.Servos {
			if j == victim.Terms[0].Joint {
				seen |= s.Alarms
			} else if s.Alarms&(rig.AlarmOverload|rig.AlarmReset) != 0 {
				t.Fatalf("joint %d reports %v, %s was overloaded", j, s.Alarms.Names(), victim.Name)
			}
		}
	}
	if seen&rig.AlarmOverload == 0 || !notWalking(b) {
		t.Errorf("%s reports %v, mode %v", victim.Name, seen.Names(), b.cell.State.Mode)
	}
}

// TestReport22RebootIsAnOperation: a servo that has shut itself down refuses torque
// and says why; a reboot, asked for, clears it.
func TestReport22RebootIsAnOperation(t *testing.T) {
	d := driverOn(t, emulator.Options{Protocol: "dxl2", IDs: []int{1}}, servo.Config{})
	goals := []servo.Goal{{ID: 1}}
	if err := errors.Join(d.open(1), d.drv.Enable(goals)); err != nil {
		t.Fatal(err)
	}
	d.bank.Inject(emulator.Fault{Kind: emulator.Overheated, ID: 1, By: 95, For: time.Second})
	d.line.Sleep(4 * time.Second)
	if err := d.drv.Enable(goals); err == nil || !strings.Contains(err.Error(), "overheating") {
		t.Errorf("a servo that was shut down: %v", err)
	}
	d.bank.Change(0, func(m *emulator.Motor) { m.Celsius = 30 })
	if err := errors.Join(d.drv.Reboot(1), d.drv.Enable(goals)); err != nil {
		t.Errorf("after its reboot: %v", err)
	}
	if err := d.drv.Relax([]int{1}); err != nil {
		t.Error(err)
	}
	if m, _ := d.bank.Motor(1); m.Torque {
		t.Error("torque is still on")
	}
}

// TestReport23FailuresAreToleratedByTime: silence of a servo shorter than half a
// second is no fault, whatever the rate; longer is one, and torque of its leg goes
// where the gait says.
func TestReport23FailuresAreToleratedByTime(t *testing.T) {
	for _, name := range hardware() {
		for _, c := range []struct {
			silence float64
			lost    bool
		}{{0.35, false}, {1.5, true}} {
			b := newBench(t, name)
			b.stand()
			b.bank.Inject(emulator.Fault{Kind: emulator.Unplugged, ID: b.cfg.Servos[3].ID, For: time.Duration(c.silence * float64(time.Second))})
			var seen rig.Alarm
			for range int(1.4 / b.dt) {
				b.step(control.Command{})
				seen |= b.cell.Frame.Obs.Alarms
			}
			if lost := seen&rig.AlarmLost != 0; lost != c.lost {
				t.Errorf("%s: silent for %.2f s: lost %v, alarms %v", name, c.silence, lost, seen.Names())
			}
		}
	}
}

// TestReport25OneRetryPolicy: outside the tick every driver asks again after a lost
// reply, so that nobody has to retry by himself.
func TestReport25OneRetryPolicy(t *testing.T) {
	for _, protocol := range []string{"dxl1", "dxl2", "feetech_sts", "feetech_scs", "lx16a"} {
		for seed := range uint64(5) {
			d := driverOn(t, emulator.Options{Protocol: protocol, IDs: []int{1, 2, 3}, Seed: seed,
				Faults: []emulator.Fault{{Kind: emulator.Lost, ID: -1, Chance: 0.05}, {Kind: emulator.Corrupted, ID: -1, Chance: 0.05}}}, servo.Config{})
			if err := errors.Join(d.open(1, 2, 3), d.drv.Enable([]servo.Goal{{ID: 1}, {ID: 2}, {ID: 3}}), d.drv.Relax([]int{1, 2, 3})); err != nil {
				t.Errorf("%s, seed %d: %v", protocol, seed, err)
			}
		}
	}
}

// TestReport26TheServoThatIsGoneIsNamed, when retries do not help: by id at the
// start, by joint while walking.
func TestReport26TheServoThatIsGoneIsNamed(t *testing.T) {
	for _, name := range hardware() {
		b := newBench(t, name)
		if err := errors.Join(b.plant.Halt(), b.plant.Close()); err != nil {
			t.Fatal(err)
		}
		victim := b.cfg.Servos[2]
		b.bank.Inject(emulator.Fault{Kind: emulator.Unplugged, ID: victim.ID})
		p, err := drivers.New(b.rig, b.cfg, drivers.Options{Dt: b.dt, Open: drivers.SerialOpener(b.cfg, b.line, func(string, int) (servo.Port, error) { return b.line, nil }), Clock: b.line})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Open(t.Context())
		if err == nil || strings.Count(err.Error(), "(id ") != 1 || !strings.Contains(err.Error(), "no answer from "+victim.Name+" (id "+strconv.Itoa(victim.ID)+"),") {
			t.Errorf("%s without servo %d: %v", name, victim.ID, err)
		}
	}
}

// TestReport34TorqueIsOffAfterwards, and it is checked: disarming reads back that
// each servo let go, and says which does not.
func TestReport34TorqueIsOffAfterwards(t *testing.T) {
	for _, name := range robots() {
		b := newBench(t, name)
		b.stand()
		if err := errors.Join(b.plant.Halt(), b.plant.Close()); err != nil || b.holding() != 0 {
			t.Errorf("%s: %d servos hold after the end (%v)", name, b.holding(), err)
		}
	}
	b := newBench(t, "phantomx")
	b.stand()
	b.bank.Inject(emulator.Fault{Kind: emulator.Lost, ID: b.cfg.Servos[5].ID})
	_ = b.plant.Err()
	b.run(b.dt, modeOf(mode.Disarm))
	if err := b.plant.Err(); err == nil || !strings.Contains(err.Error(), "servo "+strconv.Itoa(b.cfg.Servos[5].ID)) {
		t.Errorf("a servo that does not confirm: %v", err)
	}
}

// TestReport56TheRigSitsOnASag: a supply that stays low lies the rig down, one that
// dips while legs load does not.
func TestReport56TheRigSitsOnASag(t *testing.T) {
	for _, c := range []struct {
		name  string
		brief time.Duration
		sits  bool
	}{{"dip", 100 * time.Millisecond, false}, {"low", 0, true}} {
		b := caredBench(t, "phantomx")
		b.stand()
		b.run(2, b.forward())
		battery := b.cfg.Battery
		b.bank.Inject(emulator.Fault{Kind: emulator.Sag, ID: -1, By: (battery.Sit + battery.Off) / 2, For: c.brief})
		b.run(12, control.Command{})
		if down := b.cell.State.Mode == mode.Limp || b.cell.State.Mode == mode.Sitting; down != c.sits {
			t.Errorf("%s: mode %v, alarms %v", c.name, b.cell.State.Mode, b.cell.Frame.Obs.Alarms.Names())
		}
	}
}

// TestReport58UnplugIsNotATimeout: a port that is gone is an alarm of its own
// within a tick or two, not silence of servos.
func TestReport58UnplugIsNotATimeout(t *testing.T) {
	b := caredBench(t, "xl430_octopod")
	b.stand()
	b.bank.Inject(emulator.Fault{Kind: emulator.Unplugged, ID: -1})
	b.run(3*b.dt, control.Command{})
	if a := b.cell.Frame.Obs.Alarms; a&rig.AlarmBus == 0 || a&rig.AlarmLost != 0 {
		t.Errorf("alarms %v", a.Names())
	}
	if n := b.plant.Counts(); n[servo.Timeout] > 0 {
		t.Errorf("counted as time-outs: %v", n)
	}
}

// TestReport59TheSearchForAPortBacksOff: a port that is gone is looked for by its
// name every half second, then every two, not as fast as the computer can.
func TestReport59TheSearchForAPortBacksOff(t *testing.T) {
	r, cfg, err := configs.LoadRobot("sts3215_quadruped")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, rig: r, cfg: cfg, dt: 1 / rateOf(cfg)}
	b.bank = bankOf(t, r, cfg, true)
	b.line = emulator.NewLine(b.bank)
	opened, asked := 0, ""
	open := drivers.SerialOpener(cfg, b.line, func(name string, _ int) (servo.Port, error) {
		opened, asked = opened+1, name
		if b.bank.Gone() {
			return nil, emulator.ErrUnplugged
		}
		return b.line, nil
	})
	b.join(drivers.Options{Dt: b.dt, Open: open, Clock: b.line})
	b.bank.Inject(emulator.Fault{Kind: emulator.Unplugged, ID: -1, For: 20 * time.Second})
	b.run(20, control.Command{})
	if opened < 5 || opened > 15 || asked != cfg.Port {
		t.Errorf("looked for %s %d times in 20 s", asked, opened)
	}
	if b.run(5, control.Command{}); b.cell.Frame.Obs.Has == 0 {
		t.Error("not found again")
	}
}

// TestReport70FreshBoardsAreAskedAgain: a board that was just plugged in, and that
// another program talks to, is asked until it answers; one that has been there for
// long is not waited for.
func TestReport70FreshBoardsAreAskedAgain(t *testing.T) {
	for _, c := range []struct {
		name    string
		plugged time.Duration
		ok      bool
	}{{"fresh", 0, true}, {"old", time.Hour, false}} {
		r, cfg, err := configs.LoadRobot("sts3215_quadruped")
		if err != nil {
			t.Fatal(err)
		}
		bank := bankOf(t, r, cfg, true, emulator.Fault{Kind: emulator.Corrupted, ID: -1, For: 8 * time.Second})
		line := emulator.NewLine(bank)
		open := drivers.SerialOpener(cfg, line, func(string, int) (servo.Port, error) { return line, nil })
		p, err := drivers.New(r, cfg, drivers.Options{Dt: 0.02, Open: open, Clock: line, Plugged: func() time.Duration { return c.plugged + line.Now() }})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Open(t.Context())
		if (err == nil) != c.ok {
			t.Errorf("%s: %v after %v", c.name, err, line.Now())
		}
		if b, _ := bank.Motor(cfg.Servos[0].ID); b.Torque {
			t.Errorf("%s: torque is on", c.name)
		}
	}
}
