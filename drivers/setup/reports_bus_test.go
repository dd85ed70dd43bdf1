package setup_test

import (
	"context"
	"errors"
	"testing"

	"legctl/drivers"
	"legctl/drivers/dxl1"
	"legctl/drivers/dxl2"
	"legctl/drivers/emulator"
	"legctl/drivers/lx16a"
	"legctl/drivers/pca9685"
	"legctl/drivers/servo"
	"legctl/drivers/setup"
)

// TestReport13PositionsHaveTheSizeOfTheModel: two bytes of an AX, four with sign
// of an X (report 15): -90 degrees read as 18301.
func TestReport13PositionsHaveTheSizeOfTheModel(t *testing.T) {
	for _, c := range []struct {
		protocol string
		at       float64
	}{{"dxl1", 700}, {"dxl2", -1024}, {"feetech_sts", 4000}, {"feetech_scs", 900}, {"lx16a", -20}} {
		bank, err := emulator.New(emulator.Options{Protocol: c.protocol, IDs: []int{1}})
		if err != nil {
			t.Fatal(err)
		}
		bank.Change(0, func(m *emulator.Motor) { m.Position, m.Goal = c.at, c.at })
		d := driverOf(t, bank, c.protocol)
		if _, err := d.Open([]int{1}); err != nil {
			t.Fatal(err)
		}
		fb := []servo.Feedback{{ID: 1}}
		if err := d.Read(fb); err != nil || fb[0].Has&servo.HasPos == 0 || fb[0].Pos != c.at {
			t.Errorf("%s: position %v (%v), want %v", c.protocol, fb[0], err, c.at)
		}
	}
}

func driverOf(t *testing.T, bank *emulator.Bank, protocol string) servo.Driver {
	t.Helper()
	line := emulator.NewLine(bank)
	p, err := drivers.ProtocolOf(protocol)
	if err != nil {
		t.Fatal(err)
	}
	c := &servo.Config{Protocol: protocol, Baud: bank.Baud()}
	d, err := p.Driver(drivers.LinkOf(line, line, p, c), c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestReport37NothingIsWrittenBeforeAGoodRead: a servo whose position cannot be
// read gets neither torque nor a goal.
func TestReport37NothingIsWrittenBeforeAGoodRead(t *testing.T) {
	b := newRobot(t, "phantomx", 3)
	b.bank.Inject(emulator.Fault{Kind: emulator.Lost, ID: b.c.Servos[0].ID})
	if err := b.m.Nudge(context.Background(), 0); err == nil {
		t.Error("a servo that says nothing was moved")
	}
	if m, _ := b.bank.Motor(b.c.Servos[0].ID); m.Torque || m.Goal != m.Position {
		t.Errorf("%+v", m)
	}
}

// TestReport39NoIDForAll: an id written to all makes one id of many.
func TestReport39NoIDForAll(t *testing.T) {
	if _, err := lx16a.AppendSetID(nil, servo.Broadcast, 0); err == nil {
		t.Error("an id for all LX-16A was built")
	}
	for _, protocol := range []string{"dxl1", "dxl2", "feetech_sts", "lx16a"} {
		bank, err := emulator.New(emulator.Options{Protocol: protocol, IDs: []int{1, 2, 3}})
		if err != nil {
			t.Fatal(err)
		}
		if err := driverOf(t, bank, protocol).SetID(servo.Broadcast, 9); err == nil {
			t.Errorf("%s: an id was given to all", protocol)
		}
		if ids := bank.IDs(); ids[0] != 1 || ids[1] != 2 || ids[2] != 3 {
			t.Errorf("%s: ids are now %v", protocol, ids)
		}
	}
}

// TestReport46TheBaudIsLookedFor: a board at another baud is silent, not broken.
func TestReport46TheBaudIsLookedFor(t *testing.T) {
	for _, baud := range []int{9600, 38400, 115200} {
		bank, err := emulator.New(emulator.Options{Protocol: "ssc32", IDs: []int{0, 1}, Baud: baud, Wire: true})
		if err != nil {
			t.Fatal(err)
		}
		line := emulator.NewLine(bank)
		p, err := drivers.ProtocolOf("ssc32")
		if err != nil {
			t.Fatal(err)
		}
		c := &servo.Config{Protocol: "ssc32"}
		found, err := setup.Scan(context.Background(), p, drivers.LinkOf(line, line, p, c), c, setup.ScanOptions{})
		if err != nil || len(found) != 1 || found[0].Baud != baud {
			t.Errorf("board at %d: found %+v (%v)", baud, found, err)
		}
		for _, id := range bank.IDs() {
			if m, _ := bank.Motor(id); m.Torque {
				t.Error("looking for the baud moved a servo")
			}
		}
	}
}

// TestReport57EverythingIsOffOnExit, whatever holds.
func TestReport57EverythingIsOffOnExit(t *testing.T) {
	for _, name := range []string{"phantomx", "xl430_octopod", "sts3215_quadruped", "lx16a_hexapod", "phoenix", "maestro_quadruped"} {
		b := newRobot(t, name, 1)
		for i := range b.c.Servos {
			b.bank.Change(i, func(m *emulator.Motor) { m.Torque = true })
		}
		if err := b.m.Off(); err != nil {
			t.Error(err)
		}
		for _, id := range b.bank.IDs() {
			if m, _ := b.bank.Motor(id); m.Torque {
				t.Errorf("%s: servo %d holds after the end", name, id)
			}
		}
	}
}

// TestReport72OffIsFullOff: "off" left the line high, and the high byte of OFF
// was lost (51).
func TestReport72OffIsFullOff(t *testing.T) {
	chip, bus := emulator.NewPCA9685(0), emulator.NewI2C()
	bus.Attach(0x40, chip)
	conn, err := bus.GetI2cConnection(0x40, 1)
	if err != nil {
		t.Fatal(err)
	}
	chip.WriteRegister(0, 0x20) // awake
	var b pca9685.Board
	if err := b.Set(0, 0, 307); err != nil {
		t.Fatal(err)
	}
	if err := b.Flush(conn); err != nil {
		t.Fatal(err)
	}
	if lo, hi := chip.ReadRegister(8), chip.ReadRegister(9); lo != 0x33 || hi != 1 {
		t.Errorf("307 ticks are %#x %#x", hi, lo)
	}
	b.OffAll()
	if err := b.Flush(conn); err != nil {
		t.Fatal(err)
	}
	for ch := range 16 {
		on, off := chip.ReadRegister(byte(7+4*ch)), chip.ReadRegister(byte(9+4*ch))
		if on&0x10 != 0 || off&0x10 == 0 || chip.Micros(ch) != 0 {
			t.Errorf("channel %d: on %#x off %#x", ch, on, off)
		}
	}
}

// TestReport73NoAcknowledgeIsAFault: a wiring fault neither hangs nor goes unseen,
// and the next write sends everything again.
func TestReport73NoAcknowledgeIsAFault(t *testing.T) {
	chip, bus := emulator.NewPCA9685(0), emulator.NewI2C()
	bus.Attach(0x40, chip)
	conn, err := bus.GetI2cConnection(0x40, 1)
	if err != nil {
		t.Fatal(err)
	}
	chip.WriteRegister(0, 0x20)
	var b pca9685.Board
	for ch := range 16 {
		if err := b.Set(ch, 0, 300+ch); err != nil {
			t.Fatal(err)
		}
	}
	bus.Fail(1)
	if err := b.Flush(conn); !errors.Is(err, emulator.ErrNack) {
		t.Errorf("no acknowledge: %v", err)
	}
	if err := b.Flush(conn); err != nil || chip.Micros(15) == 0 {
		t.Errorf("after it came back: %v, %v us", err, chip.Micros(15))
	}
}

// TestReport19TheCauseIsInTheAlarms: after a shutdown the cause is named, not the
// mask of what may cause one; AX and X.
func TestReport19TheCauseIsInTheAlarms(t *testing.T) {
	for _, protocol := range []string{"dxl1", "dxl2"} {
		bank, err := emulator.New(emulator.Options{Protocol: protocol, IDs: []int{1}})
		if err != nil {
			t.Fatal(err)
		}
		d := driverOf(t, bank, protocol)
		if _, err := d.Open([]int{1}); err != nil {
			t.Fatal(err)
		}
		bank.Inject(emulator.Fault{Kind: emulator.Overheated, ID: 1, By: 95})
		fb := []servo.Feedback{{ID: 1}}
		for range 4 {
			if err := d.Read(fb); errors.Is(err, servo.ErrGone) {
				t.Fatal(err)
			}
		}
		if fb[0].Alarms&servo.AlarmHeat == 0 || fb[0].Celsius != 95 {
			t.Errorf("%s: alarms %v at %v C", protocol, fb[0].Alarms, fb[0].Celsius)
		}
	}
	if dxl1.ErrorFlags(4)[0] != "overheating" || dxl2.HardwareErrors(4)[0] != "overheating" {
		t.Error("the flags are not named")
	}
}
