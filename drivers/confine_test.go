package drivers_test

import (
	"math"
	"testing"
	"time"

	"legctl/drivers"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"
)

// TestServosKeepLimits: servos that can are given the limits of their joints when
// they are opened, so that even a goal that passed every other clamp stops there;
// one that lies beyond them is left room; and the second time nothing is written.
func TestServosKeepLimits(t *testing.T) {
	for _, name := range append(hardware(), scsQuadruped) {
		t.Run(name, func(t *testing.T) {
			r, cfg := load(t, name)
			bank := bankOf(t, r, cfg, false)
			over := cfg.Servos[1]
			lies := over.Max + 0.2*math.Abs(over.PerRad) // a leg that lies beyond its joint's end
			bank.Change(1, func(m *emulator.Motor) { m.Position, m.Goal = lies, lies })
			line := emulator.NewLine(bank)
			open := func() int {
				before := bank.Stats().Requests
				p, err := drivers.New(r, cfg, drivers.Options{Dt: 1 / rateOf(cfg), Clock: line,
					Open: drivers.SerialOpener(cfg, line, func(string, int) (servo.Port, error) { return line, nil })})
				if err != nil {
					t.Fatal(err)
				}
				if _, err := p.Open(t.Context()); err != nil {
					t.Fatal(err)
				}
				if err := p.Err(); err != nil {
					t.Fatal(err)
				}
				return bank.Stats().Requests - before
			}
			if first, second := open(), open(); second >= first {
				t.Errorf("%d messages the first time, %d the second: limits are written each time", first, second)
			}
			proto, _ := drivers.ProtocolOf(cfg.Protocol)
			drv, err := proto.Driver(drivers.LinkOf(line, line, proto, cfg), cfg)
			if err != nil {
				t.Fatal(err)
			}
			for i, end := range map[int]float64{0: cfg.Servos[0].Max, 1: lies} {
				s := &cfg.Servos[i]
				model, _ := servo.ModelOf(s.Model)
				if err := drv.Enable([]servo.Goal{{ID: s.ID}}); err != nil {
					t.Fatal(err)
				}
				if err := drv.Write([]servo.Goal{{ID: s.ID, Pos: model.Max}}, 1); err != nil {
					t.Fatal(err)
				}
				line.Sleep(4 * time.Second)
				if m, _ := bank.Motor(s.ID); m.Position > end+0.06*math.Abs(s.PerRad)+1 {
					t.Errorf("%s went to %.0f, its joint ends at %.0f", s.Name, m.Position, end)
				}
			}
		})
	}
}
