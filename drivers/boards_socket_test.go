package drivers_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"legctl/configs"
	"legctl/control"
	"legctl/control/mode"
	"legctl/drivers"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
	"legctl/drivers/socket"
	"legctl/loop"

	"go.uber.org/goleak"
)

// TestBoardBehindASocketComesBack: an emulated computer that ends is a lost bus,
// and the rig limp; one that is started again is met again, its channels off until
// the rig is armed anew, and whoever finds the rig's process dead ends its pulses.
func TestBoardBehindASocketComesBack(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	r, cfg, err := configs.LoadRobot("spotmicro")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Pulses.OE = "7"
	cfg.Port = filepath.Join(t.TempDir(), "bus")
	var board *emulator.Board
	var server *socket.Server
	plug := func() {
		t.Helper()
		if board, err = emulator.NewBoard(emulator.BoardOptions{Config: cfg}); err != nil {
			t.Fatal(err)
		}
		if server, err = socket.Listen(cfg.Port, board); err != nil {
			t.Fatal(err)
		}
	}
	plug()
	defer func() { server.Close() }()
	clock := &servotest.Stepped{}
	b := &bench{t: t, rig: r, cfg: cfg, dt: 1 / rateOf(cfg)}
	far, err := drivers.BoardOf(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer far.Finalize()
	b.join(drivers.Options{Dt: b.dt, Open: drivers.BoardOpener(cfg, clock, func(*servo.Config) (drivers.Board, error) { return drivers.Shared(far), nil }), Clock: clock, AtRest: true})
	defer func() { _ = errors.Join(b.plant.Halt(), b.plant.Close()) }()
	b.tick.Care = &loop.Care{Dt: b.dt}
	run := func(seconds float64, cmd control.Command) {
		for n := 0; float64(n) < seconds/b.dt; n++ {
			b.cell.Frame.Cmd = cmd
			cmd = control.Command{}
			if err := b.tick.Do(t.Context()); err != nil {
				t.Fatal(err)
			}
			clock.Sleep(time.Duration(b.dt * float64(time.Second)))
			time.Sleep(200 * time.Microsecond) // a plugged-in board is met beside the ticks
		}
	}
	pulses := func() (n int) {
		for i := range cfg.Servos {
			if board.Micros(cfg.Servos[i].ID) > 0 {
				n++
			}
		}
		return n
	}
	for n := range 3 {
		if run(6, modeOf(mode.Arm)); pulses() != len(cfg.Servos) {
			t.Fatalf("%d: %d channels have pulses after arm, mode %v, alarms %v", n, pulses(), b.cell.State.Mode, b.cell.Frame.Obs.Alarms.Names())
		}
		if err := server.Close(); err != nil {
			t.Fatal(err)
		}
		if run(2, b.forward()); b.cell.State.Mode != mode.Limp || b.cell.Frame.Obs.Alarms == 0 {
			t.Fatalf("%d: mode %v, alarms %v without a board", n, b.cell.State.Mode, b.cell.Frame.Obs.Alarms.Names())
		}
		plug()
		if run(8, control.Command{}); pulses() != 0 || b.cell.Frame.Obs.Alarms != 0 {
			t.Fatalf("%d: %d channels have pulses before arm, alarms %v", n, pulses(), b.cell.Frame.Obs.Alarms.Names())
		}
	}
	run(6, modeOf(mode.Arm))
	if pulses() != len(cfg.Servos) {
		t.Errorf("%d channels have pulses after arm", pulses())
	}
	err = drivers.BoardsOff(cfg)
	if oe, _ := board.DigitalRead("7"); err != nil || pulses() != 0 || oe != 1 {
		t.Errorf("%v, %d channels have pulses, OE is %d", err, pulses(), oe)
	}
	if err := board.DigitalWrite("7", 0); err != nil || pulses() != 0 {
		t.Errorf("%v, %d channels have pulses by their registers", err, pulses())
	}
}
