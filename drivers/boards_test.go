package drivers_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"legctl/configs"
	"legctl/control"
	"legctl/control/mode"
	"legctl/drivers"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
	"legctl/loop"
	"legctl/rig"

	"go.uber.org/goleak"
)

// i2cBoard is a computer with emulated chips on its I2C bus and pins that are
// written down.
type i2cBoard struct {
	*emulator.I2C
	pins map[string]byte
}

func (b *i2cBoard) Connect() error                      { return nil }
func (b *i2cBoard) Finalize() error                     { return nil }
func (b *i2cBoard) DigitalRead(string) (int, error)     { return 0, nil }
func (b *i2cBoard) DigitalWrite(p string, v byte) error { b.pins[p] = v; return nil }

// pulseBench puts a robot on emulated PCA9685 boards whose oscillators are off by
// several per cent, as the config knows.
func pulseBench(t *testing.T, name string) (*bench, *i2cBoard, map[int]*emulator.PCA9685, *servotest.Stepped) {
	t.Helper()
	r, cfg, err := configs.LoadRobot(name)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Pulses.OE, cfg.Pulses.Stagger = "7", true
	board, chips, clock := &i2cBoard{emulator.NewI2C(), map[string]byte{}}, map[int]*emulator.PCA9685{}, &servotest.Stepped{}
	cfg.Pulses.OscHz = nil
	for i, a := range cfg.Pulses.Addresses {
		osc := 25e6 * (1.04 - 0.07*float64(i))
		cfg.Pulses.OscHz = append(cfg.Pulses.OscHz, osc)
		chips[i] = emulator.NewPCA9685(osc)
		board.Attach(int(a), chips[i])
	}
	b := &bench{t: t, rig: r, cfg: cfg, dt: 1 / rateOf(cfg)}
	open := drivers.BoardOpener(cfg, clock, func(*servo.Config) (drivers.Board, error) { return board, nil })
	b.join(drivers.Options{Dt: b.dt, Open: open, Clock: clock, AtRest: true})
	return b, board, chips, clock
}

// TestBoardsWalk: robots on PCA9685 boards through gobot's I2C connections are
// armed channel by channel, walk with one write a board and tick, and go limp.
func TestBoardsWalk(t *testing.T) {
	for _, name := range []string{"freenove", "spotmicro"} {
		t.Run(name, func(t *testing.T) {
			b, board, chips, clock := pulseBench(t, name)
			pulses := func() (n int) {
				for i := range b.cfg.Servos {
					if id := b.cfg.Servos[i].ID; chips[id/16].Micros(id%16) > 0 {
						n++
					}
				}
				return n
			}
			run := func(seconds float64, cmd control.Command, each func()) {
				for n := 0; float64(n) < seconds/b.dt; n++ {
					b.cell.Frame.Cmd = cmd
					cmd = control.Command{}
					if err := b.tick.Do(t.Context()); err != nil {
						t.Fatal(err)
					}
					each()
					clock.Sleep(time.Duration(b.dt * float64(time.Second)))
				}
			}
			if run(0.5, control.Command{}, func() {}); pulses() != 0 {
				t.Errorf("%d channels have pulses before arm", pulses())
			}
			most, before := 0, 0
			run(6, modeOf(mode.Arm), func() { most, before = max(most, pulses()-before), pulses() })
			if most > 1 || pulses() != len(b.cfg.Servos) {
				t.Errorf("%d channels have pulses, %d were switched on at once", pulses(), most)
			}
			run(8, modeOf(mode.Rise), func() {})
			if b.cell.State.Mode != mode.Stand {
				t.Fatalf("mode %v after rising", b.cell.State.Mode)
			}
			worst, writes := 0.0, 0
			run(3, b.forward(), func() {
				for i := range b.cfg.Servos {
					s := &b.cfg.Servos[i]
					want, _ := s.Clamp(s.Zero + s.PerRad*s.Angle(b.cell.Frame.Out.Set.Q))
					worst = max(worst, math.Abs(chips[s.ID/16].Micros(s.ID%16)-want))
				}
				n, _ := board.Traffic()
				writes, before = max(writes, n-before), n
			})
			if tick := 1e6 / (50 * 4096) * 1.08; worst > tick {
				t.Errorf("pulses are wrong by %.2f us, one tick is %.2f us", worst, tick)
			}
			if n, _ := board.Traffic(); n-before > len(chips) {
				t.Errorf("%d writes in a tick for %d boards", n-before, len(chips))
			}
			if err := b.plant.Halt(); err != nil || pulses() != 0 || board.pins["7"] != 1 {
				t.Errorf("after halt: %v, %d channels have pulses, OE is %d", err, pulses(), board.pins["7"])
			}
			for i, c := range chips {
				if c.Wrong() != 0 || math.Abs(c.Hz()-50) > 0.5 {
					t.Errorf("board %d: %d writes a chip refuses, %.1f Hz", i, c.Wrong(), c.Hz())
				}
			}
			t.Logf("worst pulse %.2f us from what was asked", worst)
		})
	}
}

// TestBoardGoneWhileStandingStill: an address that does not answer any more, and a
// chip that has restarted and takes everything without making pulses, are noticed
// within a second though nothing is to be sent, by name; all channels of the other
// boards end, and the rig is limp.
func TestBoardGoneWhileStandingStill(t *testing.T) {
	for name, c := range map[string]struct {
		strike func(board *i2cBoard, b *bench, chips map[int]*emulator.PCA9685)
		alarm  rig.Alarm
		says   string
	}{
		"unplugged": {func(board *i2cBoard, b *bench, _ map[int]*emulator.PCA9685) {
			board.Unplug(int(b.cfg.Pulses.Addresses[0]), true)
		}, rig.AlarmBus, "board 0x41 does not answer"},
		"restarted": {func(_ *i2cBoard, _ *bench, chips map[int]*emulator.PCA9685) { chips[0].PowerUp() }, rig.AlarmBus | rig.AlarmReset, "board 0x41: it has restarted"},
	} {
		b, board, chips, clock := pulseBench(t, "freenove")
		b.tick.Care = &loop.Care{Dt: b.dt}
		var seen rig.Alarm
		var said []string
		run := func(seconds float64, cmd control.Command) {
			for n := 0; float64(n) < seconds/b.dt; n++ {
				b.cell.Frame.Cmd = cmd
				cmd = control.Command{}
				if err := b.tick.Do(t.Context()); err != nil {
					t.Fatal(err)
				}
				seen |= b.cell.Frame.Obs.Alarms
				if err := b.plant.Err(); err != nil {
					said = append(said, err.Error())
				}
				clock.Sleep(20 * time.Millisecond)
			}
		}
		run(6, modeOf(mode.Arm))
		if seen != 0 || len(said) > 0 {
			t.Errorf("%s: alarms %v, %q before anything happens", name, seen.Names(), said)
		}
		c.strike(board, b, chips)
		run(1.1, control.Command{})
		if seen&c.alarm != c.alarm || !strings.Contains(strings.Join(said, "\n"), c.says) {
			t.Errorf("%s: alarms %v, said %q", name, seen.Names(), said)
		}
		for ch := range 16 {
			if us := chips[1].Micros(ch); us > 0 {
				t.Errorf("%s: pulses of %.0f us on channel %d of the other board", name, us, ch)
			}
		}
		if run(0.2, control.Command{}); b.cell.State.Mode != mode.Limp {
			t.Errorf("%s: mode %v", name, b.cell.State.Mode)
		}
		_ = errors.Join(b.plant.Halt(), b.plant.Close()) // as far as the boards can be reached
	}
}

// TestFirmataWalks: a robot on an Arduino with StandardFirmata, met by gobot's
// client over a pseudo terminal, moved by our own messages, also on pins above 15.
func TestFirmataWalks(t *testing.T) {
	// The event loop of gobot's client has no end (docs/adr/0009).
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent(), goleak.IgnoreAnyFunction("gobot.io/x/gobot/v2.NewEventer.func1"))
	r, cfg, err := configs.LoadRobot("spotmicro")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Protocol, cfg.Baud, cfg.Firmata.Reset = "firmata", 57600, 0.05
	for i := range cfg.Servos {
		s := &cfg.Servos[i]
		s.ID, s.Min, s.Max = 8+i, max(s.Min, 544), min(s.Max, 2400)
	}
	cfg.Port = t.TempDir() + "/port"
	b := &bench{t: t, rig: r, cfg: cfg, dt: 1 / rateOf(cfg)}
	b.bank = bankOf(t, r, cfg, false)
	pty, err := emulator.OpenPTY(b.bank, cfg.Port)
	if err != nil {
		t.Fatal(err)
	}
	defer pty.Close()
	clock := &servotest.Stepped{}
	b.join(drivers.Options{Dt: b.dt, Open: drivers.SerialOpener(cfg, clock, drivers.OpenSerial), Clock: clock, AtRest: true})
	run := func(seconds float64, cmd control.Command) {
		for n := 0; float64(n) < seconds/b.dt; n++ {
			b.cell.Frame.Cmd = cmd
			cmd = control.Command{}
			if err := b.tick.Do(t.Context()); err != nil {
				t.Fatal(err)
			}
			clock.Sleep(time.Duration(b.dt * float64(time.Second)))
		}
	}
	run(5, modeOf(mode.Arm))
	run(8, modeOf(mode.Rise))
	run(1, b.forward())
	settled := func(want func(m emulator.Motor, s *servo.Servo) bool) bool {
		for deadline := time.Now().Add(3 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			all := true
			for i := range cfg.Servos {
				m, _ := b.bank.Motor(cfg.Servos[i].ID)
				all = all && want(m, &cfg.Servos[i])
			}
			if all {
				return true
			}
		}
		return false
	}
	if !settled(func(m emulator.Motor, s *servo.Servo) bool {
		us, _ := s.Clamp(s.Zero + s.PerRad*s.Angle(b.cell.Frame.Out.Set.Q))
		return m.Torque && math.Abs(m.Goal-us) <= 1
	}) {
		t.Errorf("pins do not have the pulses that were asked, in mode %v", b.cell.State.Mode)
	}
	if st := b.bank.Stats(); st.Bad > 0 {
		t.Errorf("%d bytes the board did not understand", st.Bad)
	}
	if err := b.plant.Halt(); err != nil {
		t.Error(err)
	}
	if !settled(func(m emulator.Motor, _ *servo.Servo) bool { return !m.Torque }) {
		t.Error("pulses go on after halt")
	}
	if err := b.plant.Close(); err != nil {
		t.Error(err)
	}
}
