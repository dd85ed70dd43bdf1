package drivers_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"legctl/configs"
	"legctl/control"
	"legctl/control/mode"
	"legctl/drivers"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"
	"legctl/geom"
	"legctl/loop"
	"legctl/rig"
)

// robots are robots on serial lines, one a protocol.
func robots() []string {
	return []string{
		"phantomx", "phoenix", "lx16a_hexapod", "maestro_quadruped", "sts3215_quadruped", "xl430_octopod", scsQuadruped,
	}
}

// scsQuadruped is the one robot that is not shipped, for the one protocol on a
// serial line that no shipped robot speaks: sts3215_quadruped with SCS servos.
const scsQuadruped = "scs_quadruped"

// load reads a robot by its name.
func load(t testing.TB, name string) (*rig.Rig, *servo.Config) {
	t.Helper()
	path := name
	if name == scsQuadruped {
		text, err := os.ReadFile("../configs/rigs/sts3215_quadruped.yaml")
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.Join(t.TempDir(), name+".yaml")
		other := strings.NewReplacer("feetech_sts", "feetech_scs", "sts3215", "scs0009", "volts: [5.5, 8.6]", "volts: [4.6, 8.6]").Replace(string(text))
		if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, cfg, err := configs.LoadRobot(path)
	if err != nil {
		t.Fatal(err)
	}
	return r, cfg
}

// bench is a robot on an emulated line, with its controller.
type bench struct {
	t     testing.TB
	rig   *rig.Rig
	cfg   *servo.Config
	bank  *emulator.Bank
	line  *emulator.Line
	plant *drivers.Plant
	ctl   *control.Controller
	cell  *loop.Cell
	tick  *loop.Ticker
	dt    float64
	base  time.Duration // when tick 0 began
	errs  []error
	track [][]float64   // where each servo has been lately
	clock loop.Clock    // of the real time; nil: the line's
	pty   *emulator.PTY // nil: in memory
}

// newBench puts a shipped robot on a line in memory whose bytes take their time.
func newBench(t testing.TB, name string, faults ...emulator.Fault) *bench {
	t.Helper()
	r, cfg := load(t, name)
	b := &bench{t: t, rig: r, cfg: cfg, dt: 1 / rateOf(cfg)}
	b.bank = bankOf(t, r, cfg, true, faults...)
	b.line = emulator.NewLine(b.bank)
	open := drivers.SerialOpener(cfg, b.line, func(string, int) (servo.Port, error) {
		if b.bank.Gone() {
			return nil, emulator.ErrUnplugged
		}
		return b.line, nil
	})
	b.join(drivers.Options{Dt: b.dt, Open: open, Clock: b.line, AtRest: true})
	return b
}

func rateOf(c *servo.Config) float64 {
	if c.Rate > 0 {
		return c.Rate
	}
	return servo.DefaultRate
}

// bankOf makes the servos of a config, standing where the rig rests; on a wire
// their bytes take their time.
func bankOf(t testing.TB, r *rig.Rig, cfg *servo.Config, wire bool, faults ...emulator.Fault) *emulator.Bank {
	t.Helper()
	if cfg.Port == "" {
		cfg.Port = "emulated"
	}
	o := emulator.Options{Protocol: cfg.Protocol, Baud: cfg.Baud, Maestro: cfg.Maestro, Wire: wire, Faults: faults, Seed: 7}
	if cfg.Battery.Warn > 0 {
		o.Volts = cfg.Battery.Warn * 1.08
	}
	if cfg.Echo {
		o.Faults = append(o.Faults, emulator.Fault{Kind: emulator.Echo, ID: -1})
	}
	for i := range cfg.Servos {
		o.IDs, o.Models = append(o.IDs, cfg.Servos[i].ID), append(o.Models, cfg.Servos[i].Model)
	}
	bank, err := emulator.New(o)
	if err != nil {
		t.Fatal(err)
	}
	rest := r.RestPose(nil)
	for i := range cfg.Servos {
		s := &cfg.Servos[i]
		at, _ := s.Clamp(s.Zero + s.PerRad*s.Angle(rest))
		bank.Change(i, func(m *emulator.Motor) { m.Position, m.Goal = at, at })
	}
	return bank
}

// join makes plant, controller and ticker, and opens the plant.
func (b *bench) join(o drivers.Options) {
	b.t.Helper()
	if err := b.joined(o); err != nil {
		b.t.Fatal(err)
	}
}

// joined is join; what Open says is returned.
func (b *bench) joined(o drivers.Options) (err error) {
	b.t.Helper()
	if b.plant, err = drivers.New(b.rig, b.cfg, o); err != nil {
		b.t.Fatal(err)
	}
	p := control.DefaultParams(b.rig)
	p.Dt = b.dt
	if b.ctl, err = control.New(b.rig, p); err != nil {
		b.t.Fatal(err)
	}
	ground := geom.Level(0)
	b.cell = loop.NewCell(b.rig, b.plant, b.ctl, ground)
	b.ctl.Start(b.cell.State, nil, ground, false)
	b.tick = loop.NewTicker(b.cell, b.dt, 0)
	_, err = b.plant.Open(b.t.Context())
	if b.line != nil {
		b.base = b.line.Now()
	}
	return err
}

// step is one tick at its time, with an order.
func (b *bench) step(cmd control.Command) {
	if due := b.base + time.Duration(float64(b.cell.Tick)*b.dt*float64(time.Second)); due > b.line.Now() {
		b.line.Sleep(due - b.line.Now())
	}
	b.cell.Frame.Cmd = cmd
	if err := b.tick.Do(b.t.Context()); err != nil {
		b.errs = append(b.errs, err)
	}
}

// run is so many seconds, the order in the first tick.
func (b *bench) run(seconds float64, cmd control.Command) {
	for n := 0; float64(n) < seconds/b.dt; n++ {
		b.step(cmd)
		cmd = control.Command{}
	}
}

func modeOf(in mode.Input) control.Command { return control.Command{Kind: control.KindMode, Mode: in} }

// forward is a twist at a share of what the rig may.
func (b *bench) forward() control.Command {
	return control.Command{Kind: control.KindTwist, Vx: 0.8 * b.ctl.Allowed(int(b.cell.State.Gait)).Linear[0], TTL: 3600}
}

// stand arms the rig and lets it rise.
func (b *bench) stand() {
	b.t.Helper()
	b.run(4, modeOf(mode.Arm))
	b.run(8, modeOf(mode.Rise))
	if m := b.cell.State.Mode; m != mode.Stand {
		b.t.Fatalf("%s: mode %v after rising; errors %v", b.rig.Name, m, b.errs)
	}
}

// angles are the joint angles that the emulated servos hold as goals.
func (b *bench) goals() []float64 {
	l, err := servo.NewLinkage(b.cfg.Servos, b.rig.Joints())
	if err != nil {
		b.t.Fatal(err)
	}
	native, q := make([]float64, len(b.cfg.Servos)), make([]float64, b.rig.Joints())
	for i := range b.cfg.Servos {
		m, _ := b.bank.Motor(b.cfg.Servos[i].ID)
		native[i] = m.Goal
	}
	l.Joints(q, native)
	return q
}

// TestRobotsWalk: every shipped robot on a serial line is armed, rises, walks and
// goes limp. What the servos are told equals what the controller asked within one
// step of the servo, and the wire carries what the protocol needs.
func TestRobotsWalk(t *testing.T) {
	for _, name := range robots() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, name)
			b.stand()
			cmd, worst := b.forward(), 0.0
			for range int(5 / b.dt) {
				b.step(cmd)
				cmd = control.Command{}
				for j, q := range b.goals() {
					worst = max(worst, math.Abs(q-b.cell.Frame.Out.Set.Q[j]))
				}
			}
			b.bytes()
			step := 0.0
			for i := range b.cfg.Servos {
				step = max(step, servo.Resolution(b.cfg.Protocol)/math.Abs(b.cfg.Servos[i].PerRad))
			}
			t.Logf("%v; worst difference %.5f rad, one step is %.5f rad; faults %v", b.plant.Budget(), worst, step, b.plant.Counts())
			if worst > step {
				t.Errorf("servos differ from the controller by %.5f rad, one step is %.5f", worst, step)
			}
			b.run(1, modeOf(mode.Disarm))
			for i := range b.cfg.Servos {
				if m, _ := b.bank.Motor(b.cfg.Servos[i].ID); m.Torque {
					t.Errorf("%s holds after disarm", b.cfg.Servos[i].Name)
				}
			}
			if len(b.errs) > 0 {
				t.Error(errors.Join(b.errs[:min(3, len(b.errs))]...))
			}
			if n := b.plant.Counts(); n.Total() > 0 {
				t.Errorf("faults on a good line: %v", n)
			}
		})
	}
}

// bytes lets the robot walk on and compares each tick's bytes with what its
// protocol needs: one group write, and the questions that fit.
func (b *bench) bytes() {
	b.t.Helper()
	proto, err := drivers.ProtocolOf(b.cfg.Protocol)
	if err != nil {
		b.t.Fatal(err)
	}
	var ids []int
	for i := range b.cfg.Servos {
		ids = append(ids, b.cfg.Servos[i].ID)
	}
	d := proto.Demand(b.cfg, ids)
	asked := b.plant.Budget().Asked
	for range 50 {
		before := b.bank.Stats().Received
		b.step(control.Command{})
		got, want := b.bank.Stats().Received-before, d.Write.Tx+d.Read(asked).Tx
		// Numbers in text have as many digits as they need.
		if got != want && (proto.Name != "ssc32" || got > want || got < want-len(ids)-1) {
			b.t.Errorf("tick %d: %d bytes sent, the protocol needs %d to write and %d to ask %d", b.cell.Tick, got, d.Write.Tx, d.Read(asked).Tx, asked)
			return
		}
	}
}
