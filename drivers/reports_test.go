package drivers_test

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"legctl/control"
	"legctl/control/mode"
	"legctl/drivers"
	"legctl/drivers/dxl2"
	"legctl/drivers/emulator"
	"legctl/drivers/feetech"
	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
	"legctl/rig"
)

// The tests of this file are named after the public reports they answer
// (docs/reports.md lists them): what users of other controllers complained of,
// where the fault was in software.

// lineOf is a driver on an emulated bus.
type lineOf struct {
	t    *testing.T
	bank *emulator.Bank
	line *emulator.Line
	bus  *servo.Bus
	drv  servo.Driver
}

func driverOn(t *testing.T, o emulator.Options, cfg servo.Config) *lineOf {
	t.Helper()
	bank, err := emulator.New(o)
	if err != nil {
		t.Fatal(err)
	}
	d := &lineOf{t: t, bank: bank, line: emulator.NewLine(bank)}
	proto, err := drivers.ProtocolOf(o.Protocol)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Protocol = o.Protocol
	link := drivers.LinkOf(d.line, d.line, proto, &cfg)
	d.bus = link.Bus
	if d.drv, err = proto.Driver(link, &cfg); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *lineOf) open(ids ...int) error {
	_, err := d.drv.Open(ids)
	return err
}

// TestReport03TimeoutFromRealLatency: a missing servo costs its bytes, the latency
// of this adaptor and a margin, not a constant of 34 ms.
func TestReport03TimeoutFromRealLatency(t *testing.T) {
	d := driverOn(t, emulator.Options{Protocol: "dxl2", IDs: []int{1, 2}, Baud: 1_000_000, Wire: true}, servo.Config{Baud: 1_000_000, Latency: 1e-3})
	if err := d.open(1, 2); err != nil {
		t.Fatal(err)
	}
	d.bank.Inject(emulator.Fault{Kind: emulator.Unplugged, ID: 2})
	begin := d.line.Now()
	if err := d.drv.Read([]servo.Feedback{{ID: 1}, {ID: 2}}); err != nil {
		t.Fatal(err)
	}
	if took := d.line.Now() - begin; took > 6*time.Millisecond {
		t.Errorf("a missing servo costs %v", took)
	}
}

// TestReport02ReturnDelayIsSetToZero and that what takes no time is not waited for
// (5): eighteen servos are read in what their bytes take.
func TestReport02ReturnDelayIsSetToZero(t *testing.T) {
	for _, protocol := range []string{"dxl1", "dxl2", "feetech_sts"} {
		d := driverOn(t, emulator.Options{Protocol: protocol, IDs: []int{1}, Wire: true}, servo.Config{Latency: 1e-9})
		if err := d.open(1); err != nil {
			t.Fatal(err)
		}
		begin, wire := d.line.Now(), d.bus.Stats.Wire
		if err := d.drv.Read([]servo.Feedback{{ID: 1}}); err != nil {
			t.Fatal(err)
		}
		if took, busy := d.line.Now()-begin, d.bus.Stats.Wire-wire; took > busy+time.Millisecond/10 {
			t.Errorf("%s: %v for bytes that take %v: the servo waits before it answers", protocol, took, busy)
		}
	}
}

// TestReport08OneWriteAndOneReadATick: twelve servos are moved by one message and
// asked by one.
func TestReport08OneWriteAndOneReadATick(t *testing.T) {
	d := driverOn(t, emulator.Options{Protocol: "dxl2", IDs: []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}}, servo.Config{})
	ids := d.bank.IDs()
	if err := d.open(ids...); err != nil {
		t.Fatal(err)
	}
	goals, seen := make([]servo.Goal, 12), make([]servo.Feedback, 12)
	for i, id := range ids {
		goals[i], seen[i].ID = servo.Goal{ID: id, Pos: 2048}, id
	}
	before := d.bank.Stats().Requests
	if err := errors.Join(d.drv.Write(goals, 0.02), d.drv.Read(seen)); err != nil {
		t.Fatal(err)
	}
	if n := d.bank.Stats().Requests - before; n != 2 {
		t.Errorf("%d messages", n)
	}
}

// TestReport09NegativePositions: signed 32-bit goals and answers, stuffing included
// (15).
func TestReport09NegativePositions(t *testing.T) {
	d := driverOn(t, emulator.Options{Protocol: "dxl2", IDs: []int{1}}, servo.Config{})
	if err := d.open(1); err != nil {
		t.Fatal(err)
	}
	for _, pos := range []float64{-1, -1024, -131073, 65533} {
		d.bank.Change(0, func(m *emulator.Motor) { m.Position, m.Goal = pos, pos })
		seen := []servo.Feedback{{ID: 1}}
		if err := d.drv.Read(seen); err != nil || seen[0].Pos != pos {
			t.Errorf("%v reads as %v (%v, %v)", pos, seen[0].Pos, seen[0].Fault, err)
		}
	}
}

// TestReport10PartialGroups: of a group that is asked together, those that answer
// are believed, in their order, and the others named.
func TestReport10PartialGroups(t *testing.T) {
	d := driverOn(t, emulator.Options{Protocol: "feetech_sts", IDs: []int{1, 2, 3}}, servo.Config{})
	if err := d.open(1, 2, 3); err != nil {
		t.Fatal(err)
	}
	d.bank.Inject(emulator.Fault{Kind: emulator.Unplugged, ID: 2})
	seen := []servo.Feedback{{ID: 1}, {ID: 2}, {ID: 3}}
	if err := d.drv.Read(seen); err != nil {
		t.Fatal(err)
	}
	if seen[0].Has == 0 || seen[1].Has != 0 || seen[1].Fault.Class == servo.None || seen[2].Has == 0 {
		t.Errorf("%+v", seen)
	}
}

// TestReport12SilenceIsNotNotFound: a port that opens and a servo that answers are
// two things, and the message names the servo.
func TestReport12SilenceIsNotNotFound(t *testing.T) {
	d := driverOn(t, emulator.Options{Protocol: "dxl2", IDs: []int{1}, Baud: 57_600}, servo.Config{Baud: 1_000_000})
	if err := d.bus.SetBaud(1_000_000); err != nil {
		t.Fatal(err)
	}
	if err := d.open(1); err == nil || !strings.Contains(err.Error(), "servo 1") || !strings.Contains(err.Error(), "timeout") {
		t.Errorf("at a wrong baud: %v", err)
	}
}

// TestReport14WrongModelIsRefused before anything is written to it (13).
func TestReport14WrongModelIsRefused(t *testing.T) {
	b := newBench(t, "xl430_octopod")
	cfg := *b.cfg
	cfg.Servos = append([]servo.Servo(nil), b.cfg.Servos...)
	cfg.Servos[0].Model = "xm540-w270"
	bank := bankOf(t, b.rig, b.cfg, false)
	line := emulator.NewLine(bank)
	open := drivers.SerialOpener(&cfg, line, func(string, int) (servo.Port, error) { return line, nil })
	p, err := drivers.New(b.rig, &cfg, drivers.Options{Dt: b.dt, Open: open, Clock: line})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(t.Context()); err == nil || !strings.Contains(err.Error(), "says it is model 1060") {
		t.Errorf("%v", err)
	}
}

// TestReport17WatchdogStopsWhenTheHostFallsSilent, and a trip is cleared once, by
// arming anew (18); the homing offset of the servo is zero meanwhile (16).
func TestReport17WatchdogStopsWhenTheHostFallsSilent(t *testing.T) {
	d := driverOn(t, emulator.Options{Protocol: "dxl2", IDs: []int{1}}, servo.Config{})
	if err := errors.Join(d.drv.Arm(0.1), d.open(1), d.drv.Enable([]servo.Goal{{ID: 1}})); err != nil {
		t.Fatal(err)
	}
	seen := []servo.Feedback{{ID: 1}}
	d.line.Sleep(time.Second)
	if err := d.drv.Read(seen); err != nil || seen[0].Alarms&servo.AlarmWatchdog == 0 {
		t.Errorf("after a second of silence: %+v, %v", seen[0], err)
	}
	if err := d.drv.Enable([]servo.Goal{{ID: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := d.drv.Read(seen); err != nil || seen[0].Alarms != 0 {
		t.Errorf("after enabling it again: %+v, %v", seen[0], err)
	}
	for _, protocol := range []string{"dxl1", "feetech_sts", "lx16a", "ssc32", "firmata"} {
		p, _ := drivers.ProtocolOf(protocol)
		if text := drivers.Stops(p, &servo.Config{Watchdog: 1}); !strings.Contains(text, "no watchdog") {
			t.Errorf("%s: %s", protocol, text)
		}
	}
}

// TestReport20AlertCarriesData: a servo with a hardware error pending still says
// where it is; the error is named (19).
func TestReport20AlertCarriesData(t *testing.T) {
	d := driverOn(t, emulator.Options{Protocol: "dxl2", IDs: []int{1}}, servo.Config{})
	if err := errors.Join(d.open(1), d.drv.Enable([]servo.Goal{{ID: 1}})); err != nil {
		t.Fatal(err)
	}
	d.bank.Inject(emulator.Fault{Kind: emulator.Overheated, ID: 1, By: 95})
	d.line.Sleep(2 * time.Second)
	seen := []servo.Feedback{{ID: 1}}
	if err := d.drv.Read(seen); err != nil || seen[0].Has&servo.HasPos == 0 || seen[0].Alarms&servo.AlarmHeat == 0 {
		t.Errorf("%+v, %v", seen[0], err)
	}
	if names := dxl2.HardwareErrors(1<<2 | 1<<5); strings.Join(names, " ") != "overheating overload" {
		t.Errorf("%v", names)
	}
	d.bank.Clear() // 22: rebooting is an operation of its own
	d.line.Sleep(10 * time.Second)
	if err := d.drv.Reboot(1); err != nil {
		t.Error(err)
	}
}

// TestReport24OneLostReplyIsNothing: reads are repeated or left to the next tick;
// only half a second of silence is a fault (23, 25), and it names the servo (26).
func TestReport24OneLostReplyIsNothing(t *testing.T) {
	b := newBench(t, "sts3215_quadruped")
	b.stand()
	victim := b.cfg.Servos[4]
	b.bank.Inject(emulator.Fault{Kind: emulator.Unplugged, ID: victim.ID, For: 300 * time.Millisecond})
	var seen rig.Alarm
	for range 30 {
		b.step(control.Command{})
		seen |= b.cell.Frame.Obs.Alarms
	}
	if seen&rig.AlarmLost != 0 || seen&rig.AlarmBusErrors == 0 {
		t.Errorf("0.3 s of silence: alarms %v", seen.Names())
	}
	b.bank.Inject(emulator.Fault{Kind: emulator.Unplugged, ID: victim.ID})
	b.run(1, control.Command{})
	for j, s := range b.cell.Frame.Obs.Servos {
		if lost := s.Alarms&rig.AlarmLost != 0; lost != (j == victim.Terms[0].Joint) {
			t.Errorf("joint %d: lost %v", j, lost)
		}
	}
}

// TestReport31ByteOrderBelongsToTheSeries: 1023 to an SCS is 03 FF, to an STS FF 03.
func TestReport31ByteOrderBelongsToTheSeries(t *testing.T) {
	for series, want := range map[feetech.Series]string{feetech.STS: "\xff\x03", feetech.SCS: "\x03\xff"} {
		clock, sent := &servotest.Stepped{}, ""
		w := &servotest.Wire{Clock: clock, Far: func(tx []byte) []byte { sent = string(tx); return nil }}
		d := feetech.New(servo.NewBus(w, clock, servo.Timing{}), series, &servo.Config{})
		if err := d.Write([]servo.Goal{{ID: 1, Pos: 1023}}, 0); err != nil || sent[8:10] != want {
			t.Errorf("%v: % x, %v", series, sent, err)
		}
	}
}

// TestReport32EchoIsStripped on reads, by comparing it.
func TestReport32EchoIsStripped(t *testing.T) {
	d := driverOn(t, emulator.Options{Protocol: "feetech_sts", IDs: []int{1, 2}, Faults: []emulator.Fault{{Kind: emulator.Echo, ID: -1}}}, servo.Config{Echo: true})
	seen := []servo.Feedback{{ID: 1}, {ID: 2}}
	if err := errors.Join(d.open(1, 2), d.drv.Read(seen)); err != nil || seen[0].Has == 0 || seen[1].Has == 0 {
		t.Errorf("%+v, %v", seen, err)
	}
}

// TestReport36GoalIsPresentBeforeTorque, so that nothing jumps when it is switched
// on (37): no goal is sent before a good read.
func TestReport36GoalIsPresentBeforeTorque(t *testing.T) {
	for _, protocol := range []string{"dxl1", "dxl2", "feetech_sts", "feetech_scs", "lx16a"} {
		d := driverOn(t, emulator.Options{Protocol: protocol, IDs: []int{1}}, servo.Config{})
		if err := d.open(1); err != nil {
			t.Fatal(err)
		}
		m, _ := d.bank.Motor(1)
		at := math.Round(m.Model.Center + 0.2*(m.Model.Max-m.Model.Center))
		d.bank.Change(0, func(m *emulator.Motor) { m.Position, m.Goal = at, m.Model.Min })
		goals := []servo.Goal{{ID: 1}}
		if err := d.drv.Enable(goals); err != nil || goals[0].Pos != at {
			t.Errorf("%s: goal %v, the servo is at %v (%v)", protocol, goals[0].Pos, at, err)
		}
		d.line.Sleep(time.Second)
		if m, _ := d.bank.Motor(1); !m.Torque || math.Abs(m.Position-at) > 1 {
			t.Errorf("%s: moved from %v to %v when it was switched on", protocol, at, m.Position)
		}
		d.bank.Inject(emulator.Fault{Kind: emulator.Unplugged, ID: 1})
		before := d.bank.Stats().Received
		if err := d.drv.Enable(goals); err == nil {
			t.Errorf("%s: enabled a servo that does not answer", protocol)
		}
		_ = before
	}
}

// TestReport42MaestroInUARTMode says what to do.
func TestReport42MaestroInUARTMode(t *testing.T) {
	d := driverOn(t, emulator.Options{Protocol: "maestro", IDs: []int{0, 1}}, servo.Config{})
	d.bank.Inject(emulator.Fault{Kind: emulator.Lost, ID: -1})
	if err := d.open(0, 1); err == nil || !strings.Contains(err.Error(), "USB dual port") {
		t.Errorf("%v", err)
	}
}

// TestReport44FirstMoveAndReset: an SSC-32 board that was reset jumps on its next
// move, so that a reset is an alarm and the rig goes limp.
func TestReport44FirstMoveAndReset(t *testing.T) {
	b := newBench(t, "phoenix")
	b.stand()
	b.bank.Inject(emulator.Fault{Kind: emulator.BrownOut, ID: -1, By: 0.05, For: 50 * time.Millisecond})
	var seen rig.Alarm
	for range 100 {
		b.step(control.Command{})
		seen |= b.cell.Frame.Obs.Alarms
	}
	if seen&rig.AlarmReset == 0 || seen&rig.AlarmBrownout == 0 {
		t.Errorf("alarms %v", seen.Names())
	}
}

// TestReport55NothingMovesBeforeArm, and servos are switched on one after the
// other.
func TestReport55NothingMovesBeforeArm(t *testing.T) {
	for _, name := range robots() {
		b := newBench(t, name)
		b.run(1, control.Command{})
		if !b.quiet() {
			t.Errorf("%s: torque before arm", name)
		}
		on, most := 0, 0
		for range int(1 / b.dt) {
			b.step(modeOf(mode.Arm))
			n := 0
			for i := range b.cfg.Servos {
				if m, _ := b.bank.Motor(b.cfg.Servos[i].ID); m.Torque {
					n++
				}
			}
			most, on = max(most, n-on), n
		}
		if most > 1 {
			t.Errorf("%s: %d servos were switched on at once", name, most)
		}
	}
}

// TestReport64PermissionInWords: the group that owns the device is named, a
// missing port is told from a busy one.
func TestReport64PermissionInWords(t *testing.T) {
	if os.Getuid() != 0 {
		node := filepath.Join(t.TempDir(), "tty")
		if err := os.WriteFile(node, nil, 0o000); err != nil {
			t.Fatal(err)
		}
		if _, err := drivers.OpenSerial(node, 9600); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "may open it") {
			t.Errorf("%v", err)
		}
	}
	if _, err := drivers.OpenSerial("/dev/serial/by-id/none", 9600); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "there") {
		t.Errorf("%v", err)
	}
	if _, err := drivers.FindPort("serial:none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestReport74SlowSeries: servos that stop answering after many fast writes are
// refused a rate above what they bear.
func TestReport74SlowSeries(t *testing.T) {
	_, err := drivers.BudgetOf(servosOf("feetech_scs", 1, 2, 1_000_000), 100)
	if err == nil || !strings.Contains(err.Error(), "highest rate is 50") {
		t.Errorf("%v", err)
	}
}

// TestReport75RestartDoesNotDropTheRobot: a program that starts while servos hold
// leaves them holding, and takes their place as goal when it is armed.
func TestReport75RestartDoesNotDropTheRobot(t *testing.T) {
	b := newBench(t, "sts3215_quadruped")
	b.stand()
	held := b.goals()
	line := emulator.NewLine(b.bank)
	open := drivers.SerialOpener(b.cfg, line, func(string, int) (servo.Port, error) { return line, nil })
	p, err := drivers.New(b.rig, b.cfg, drivers.Options{Dt: b.dt, Open: open, Clock: line})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	sp, obs := rig.NewSetpoint(b.rig), rig.NewObservation(b.rig)
	tick := func() {
		line.Sleep(20 * time.Millisecond)
		if err := errors.Join(p.Observe(t.Context(), obs), p.Apply(t.Context(), sp)); err != nil {
			t.Fatal(err)
		}
	}
	for sp.Limp = true; line.Now() < b.line.Now()+time.Second; {
		tick()
	}
	for j, q := range b.goals() {
		if math.Abs(q-held[j]) > 0.01 {
			t.Fatalf("joint %d went from %.3f to %.3f at the restart", j, held[j], q)
		}
	}
	for i := range b.cfg.Servos {
		if m, _ := b.bank.Motor(b.cfg.Servos[i].ID); !m.Torque {
			t.Fatalf("%s was dropped", b.cfg.Servos[i].Name)
		}
	}
}
