package drivers_test

import (
	"testing"
	"time"

	"legctl/drivers"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"
	"legctl/rig"
)

// parrot is a port that first learns what an emulated bus answers to each
// request, then answers by itself without allocating anything.
type parrot struct {
	line  *emulator.Line
	known map[string][]byte
	alone bool
	reply []byte
	wait  time.Duration
}

func (p *parrot) Write(b []byte) (int, error) {
	if p.alone {
		p.reply = p.known[string(b)]
		return len(b), nil
	}
	if _, err := p.line.Write(b); err != nil {
		return 0, err
	}
	buf := make([]byte, 8192)
	_ = p.line.SetReadTimeout(time.Millisecond)
	p.reply = nil
	for {
		n, err := p.line.Read(buf)
		if p.reply = append(p.reply, buf[:n]...); n == 0 || err != nil {
			p.known[string(b)] = p.reply
			return len(b), err
		}
	}
}

func (p *parrot) Read(b []byte) (int, error) {
	n := copy(b, p.reply)
	if p.reply = p.reply[n:]; n == 0 {
		p.line.Sleep(p.wait)
	}
	return n, nil
}

func (p *parrot) SetReadTimeout(d time.Duration) error { p.wait = d; return nil }
func (p *parrot) ResetInputBuffer() error              { return nil }
func (p *parrot) Close() error                         { return nil }

// TestTickAllocatesNothing: a tick of the plant while all goes well.
func TestTickAllocatesNothing(t *testing.T) {
	for _, name := range robots() {
		b := newBench(t, name)
		bank := bankOf(t, b.rig, b.cfg, false)
		p := &parrot{line: emulator.NewLine(bank), known: map[string][]byte{}}
		clock := p.line
		open := drivers.SerialOpener(b.cfg, clock, func(string, int) (servo.Port, error) { return p, nil })
		plant, err := drivers.New(b.rig, b.cfg, drivers.Options{Dt: b.dt, Open: open, Clock: clock, AtRest: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plant.Open(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := plant.Enable(t.Context(), 1<<len(b.rig.Legs)-1); err != nil {
			t.Fatal(err)
		}
		obs, sp := rig.NewObservation(b.rig), rig.NewSetpoint(b.rig)
		tick := func() {
			clock.Sleep(time.Duration(b.dt * float64(time.Second)))
			if err := plant.Observe(t.Context(), obs); err != nil {
				t.Fatal(err)
			}
			if err := plant.Apply(t.Context(), sp); err != nil {
				t.Fatal(err)
			}
		}
		for range 2000 { // past the soft start, every question learnt
			tick()
		}
		p.alone = true
		far := testing.AllocsPerRun(200, func() { clock.Sleep(time.Millisecond) })
		if n := testing.AllocsPerRun(200, tick); n > far {
			t.Errorf("%s: %v allocations in a tick, %v of them the far end's", name, n, far)
		}
		if obs.Alarms != 0 {
			t.Errorf("%s: alarms %v", name, obs.Alarms.Names())
		}
	}
}
