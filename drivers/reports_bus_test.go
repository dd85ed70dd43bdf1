package drivers_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"legctl/drivers"
	"legctl/drivers/emulator"
	"legctl/drivers/pca9685"
	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"

	"golang.org/x/sys/unix"
)

// Reports about buses and ports, of reports_test.go.

// tapped is a line that writes down each write.
type tapped struct {
	*emulator.Line
	writes [][]byte
}

func (l *tapped) Write(p []byte) (int, error) {
	l.writes = append(l.writes, bytes.Clone(p))
	return l.Line.Write(p)
}

// tap is driverOn with a tapped line, its servos enabled.
func tap(t *testing.T, protocol string, ids []int, cfg servo.Config) (servo.Driver, *tapped) {
	t.Helper()
	bank, err := emulator.New(emulator.Options{Protocol: protocol, IDs: ids, Maestro: cfg.Maestro})
	if err != nil {
		t.Fatal(err)
	}
	proto, err := drivers.ProtocolOf(protocol)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Protocol = protocol
	line := &tapped{Line: emulator.NewLine(bank)}
	drv, err := proto.Driver(drivers.LinkOf(line, line, proto, &cfg), &cfg)
	if err != nil {
		t.Fatal(err)
	}
	goals := make([]servo.Goal, len(ids))
	for i, id := range ids {
		goals[i] = servo.Goal{ID: id, Pos: 1500}
	}
	if _, err := drv.Open(ids); err != nil {
		t.Fatal(err)
	}
	if err := drv.Enable(goals); err != nil {
		t.Fatal(err)
	}
	line.writes = nil
	return drv, line
}

// TestReport06OneBlockIsRead: position, load, voltage and temperature of a servo
// are one question, not four.
func TestReport06OneBlockIsRead(t *testing.T) {
	for protocol, most := range map[string]int{"dxl1": 4, "dxl2": 1, "feetech_sts": 2, "feetech_scs": 4} {
		drv, line := tap(t, protocol, []int{1, 2, 3}, servo.Config{})
		seen := []servo.Feedback{{ID: 1}, {ID: 2}, {ID: 3}}
		if err := drv.Read(seen); err != nil {
			t.Fatal(err)
		}
		const all = servo.HasPos | servo.HasLoad | servo.HasVolts | servo.HasCelsius
		if seen[2].Has&all != all || len(line.writes) > most {
			t.Errorf("%s: %d questions for three servos, want %d at the most; parts %b", protocol, len(line.writes), most, seen[2].Has)
		}
	}
}

// TestReport40EchoTellsWiringFromServo: an adaptor that echoes, though nobody said
// so, is found out, and silence of servos is not taken for anything else.
func TestReport40EchoTellsWiringFromServo(t *testing.T) {
	for _, protocol := range []string{"dxl1", "dxl2", "feetech_sts", "feetech_scs", "lx16a"} {
		for _, echo := range []bool{true, false} {
			o := emulator.Options{Protocol: protocol, IDs: []int{5}}
			if echo {
				o.Faults = []emulator.Fault{{Kind: emulator.Echo, ID: -1}}
			}
			d := driverOn(t, o, servo.Config{})
			if err := d.open(3); err == nil {
				t.Errorf("%s, echo %v: its own question was taken for servo 3", protocol, echo)
			}
			if d.bus.Stats.EchoFound != echo || d.bus.Timing().Echo != echo {
				t.Errorf("%s, echo %v: found %v", protocol, echo, d.bus.Stats.EchoFound)
			}
			seen := []servo.Feedback{{ID: 5}}
			if err := errors.Join(d.open(5), d.drv.Read(seen)); err != nil || seen[0].Has&servo.HasPos == 0 {
				t.Errorf("%s, echo %v: servo 5: %+v, %v", protocol, echo, seen[0], err)
			}
		}
	}
}

// TestReport41EveryReadHasADeadline: a servo that is missing costs milliseconds.
func TestReport41EveryReadHasADeadline(t *testing.T) {
	for _, protocol := range servo.Protocols() {
		if p, err := drivers.ProtocolOf(protocol); err != nil || p.I2C() || protocol == "firmata" {
			continue
		}
		d := driverOn(t, emulator.Options{Protocol: protocol, IDs: []int{1}, Faults: []emulator.Fault{{Kind: emulator.Lost, ID: -1}}}, servo.Config{})
		begin := d.line.Now()
		if _, err := d.drv.Ping(1); err == nil {
			t.Errorf("%s: somebody answered", protocol)
		}
		if took := d.line.Now() - begin; took > 400*time.Millisecond {
			t.Errorf("%s: a missing servo costs %v", protocol, took)
		}
	}
}

// TestReport43BaudDetectionByte: a Maestro that measures the baud is sent AA before
// anything else.
func TestReport43BaudDetectionByte(t *testing.T) {
	for _, c := range []servo.Maestro{{}, {Pololu: true, Device: 12}, {Pololu: true, Device: 12, CRC: true}} {
		bank, err := emulator.New(emulator.Options{Protocol: "maestro", IDs: []int{0, 1}, Maestro: c})
		if err != nil {
			t.Fatal(err)
		}
		proto, _ := drivers.ProtocolOf("maestro")
		line := &tapped{Line: emulator.NewLine(bank)}
		cfg := &servo.Config{Protocol: "maestro", Maestro: c}
		drv, err := proto.Driver(drivers.LinkOf(line, line, proto, cfg), cfg)
		if err == nil {
			_, err = drv.Open([]int{0, 1})
		}
		if err != nil || line.writes[0][0] != 0xAA {
			t.Errorf("%+v: %v, first % x", c, err, line.writes[:1])
		}
	}
}

// TestReport45EveryMoveHasATime: a board that sometimes ignores a speed gets a time
// with each line.
func TestReport45EveryMoveHasATime(t *testing.T) {
	drv, line := tap(t, "ssc32", []int{0, 1, 2}, servo.Config{})
	for _, within := range []float64{0.02, 0, -1, 1e9} {
		if err := drv.Write([]servo.Goal{{ID: 0, Pos: 1400}, {ID: 2, Pos: 1600}}, within); err != nil {
			t.Fatal(err)
		}
		last := string(line.writes[len(line.writes)-1])
		_, text, ok := strings.Cut(strings.TrimSuffix(last, "\r"), "T")
		if ms, err := strconv.Atoi(text); !ok || err != nil || ms < 1 || ms > 65_535 {
			t.Errorf("within %g s: %q", within, last)
		}
	}
}

// TestReport52ConnectingIsLimitedInTime: an Arduino that does not answer is given
// some seconds, and the message names the sketch.
func TestReport52ConnectingIsLimitedInTime(t *testing.T) {
	t.Parallel()
	pty, name := onPTY(t, emulator.Options{Protocol: "firmata", IDs: []int{8}, Faults: []emulator.Fault{{Kind: emulator.Lost, ID: -1}}})
	defer pty.Close()
	port, err := drivers.OpenSerial(name, 57600)
	if err != nil {
		t.Fatal(err)
	}
	defer port.Close()
	proto, _ := drivers.ProtocolOf("firmata")
	cfg := &servo.Config{Protocol: "firmata"}
	drv, err := proto.Driver(drivers.LinkOf(port, &servotest.Stepped{}, proto, cfg), cfg)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	_, err = drv.Open([]int{8})
	if took := time.Since(begin); err == nil || !strings.Contains(err.Error(), "StandardFirmata") || took > 20*time.Second {
		t.Errorf("%v after %v", err, took)
	}
	if c, ok := drv.(interface{ Close() error }); ok {
		_ = c.Close()
	}
}

// stalled is a terminal at whose far end nobody reads.
func stalled(t *testing.T) string {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err := errors.Join(err, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("/dev/pts/%d", n)
}

// ways are the two ways a port is opened: by the serial package, and as the
// descriptor that a run hands to its loop.
func ways() map[string]func(name string) (servo.Port, error) {
	return map[string]func(string) (servo.Port, error){
		"serial": func(name string) (servo.Port, error) { return drivers.OpenSerial(name, 115_200) },
		"descriptor": func(name string) (servo.Port, error) {
			f, err := drivers.OpenRaw(name, 115_200)
			if err != nil {
				return nil, err
			}
			return drivers.FilePort(f)
		},
	}
}

// TestReport60UnpluggingEndsARead that waits, at once and with an error.
func TestReport60UnpluggingEndsARead(t *testing.T) {
	for way, open := range ways() {
		t.Run(way, func(t *testing.T) {
			pty, name := onPTY(t, emulator.Options{Protocol: "dxl2", IDs: []int{1}})
			defer pty.Close()
			port, err := open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer port.Close()
			if err := port.SetReadTimeout(20 * time.Second); err != nil {
				t.Fatal(err)
			}
			pty.Bank().Inject(emulator.Fault{Kind: emulator.Unplugged, ID: -1, At: 100 * time.Millisecond})
			begin := time.Now()
			if n, err := port.Read(make([]byte, 8)); err == nil || n != 0 || time.Since(begin) > 10*time.Second {
				t.Errorf("%d bytes, %v after %v", n, err, time.Since(begin))
			}
		})
	}
}

// TestReport61WritesHaveADeadline: a line that takes no more bytes does not hold
// its writer for ever.
func TestReport61WritesHaveADeadline(t *testing.T) {
	for way, open := range ways() {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			port, err := open(stalled(t))
			if err != nil {
				t.Fatal(err)
			}
			defer port.Close()
			begin, flood := time.Now(), make([]byte, 1<<20)
			_, err = port.Write(flood)
			if took := time.Since(begin); err == nil || took > 5*time.Second {
				t.Errorf("%v after %v", err, took)
			}
		})
	}
}

// TestReport62OneWriteAMessage: what moves all servos reaches the port in one
// write, which a slow USB adaptor sends as one packet.
func TestReport62OneWriteAMessage(t *testing.T) {
	for _, protocol := range []string{"dxl1", "dxl2", "feetech_sts", "feetech_scs", "lx16a", "ssc32", "maestro"} {
		ids := []int{0, 1, 2, 8, 9, 11}
		drv, line := tap(t, protocol, ids, servo.Config{})
		goals := make([]servo.Goal, len(ids))
		for i, id := range ids {
			goals[i] = servo.Goal{ID: id, Pos: 900}
		}
		if err := drv.Write(goals, 0.02); err != nil {
			t.Fatal(err)
		}
		if len(line.writes) != 1 {
			t.Errorf("%s: %d writes", protocol, len(line.writes))
		}
	}
}

// oePin writes down the level of a pin.
type oePin struct{ level byte }

func (p *oePin) DigitalWrite(_ string, v byte) error { p.level = v; return nil }

// TestReport71OldPulsesEnd: boards that go on with the pulses of a host that was
// restarted are silent as soon as they are opened, and their outputs stay shut by
// OE until a servo is switched on.
func TestReport71OldPulsesEnd(t *testing.T) {
	chip, bus, oe := emulator.NewPCA9685(0), emulator.NewI2C(), &oePin{}
	bus.Attach(0x40, chip)
	conn, err := bus.GetI2cConnection(0x40, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := servo.Pulses{Addresses: []byte{0x40}, OE: "7"}
	for _, holds := range []bool{true, false} {
		d, err := pca9685.New([]pca9685.Bus{conn}, oe, &servotest.Stepped{}, p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Open([]int{0, 1}); err != nil {
			t.Fatal(err)
		}
		if chip.Micros(0) != 0 || chip.Micros(1) != 0 || oe.level != 1 {
			t.Errorf("after opening: pulses of %v and %v us, OE %d", chip.Micros(0), chip.Micros(1), oe.level)
		}
		if !holds {
			break
		}
		if err := d.Enable([]servo.Goal{{ID: 0, Pos: 1500}, {ID: 1, Pos: 1200}}); err != nil {
			t.Fatal(err)
		}
		if chip.Micros(0) == 0 || oe.level != 0 {
			t.Errorf("switched on: %v us, OE %d", chip.Micros(0), oe.level)
		}
	}
}
