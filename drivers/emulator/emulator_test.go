package emulator_test

import (
	"testing"
	"time"

	"legctl/drivers/dxl1"
	"legctl/drivers/dxl2"
	"legctl/drivers/emulator"
	"legctl/drivers/feetech"
	"legctl/drivers/lx16a"
	"legctl/drivers/maestro"
	"legctl/drivers/servo"
	"legctl/drivers/ssc32"
)

// bank returns a bank on a line in memory.
func bank(t *testing.T, o emulator.Options) (*emulator.Bank, *emulator.Line) {
	t.Helper()
	if o.IDs == nil {
		o.IDs = []int{1, 2, 3}
	}
	b, err := emulator.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return b, emulator.NewLine(b)
}

// must returns what an encoder appended.
func must(t *testing.T) func([]byte, error) []byte {
	return func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

// talk sends tx and feeds p until it has enough or a time-out passes.
func talk(t *testing.T, l servo.Line, p servo.Answer, tx []byte) servo.Fault {
	t.Helper()
	if _, err := l.Write(tx); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 256)
	for {
		n, err := l.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 || p.Feed(buf[:n]) {
			return p.Finish()
		}
	}
}

func TestDXL1MovesAndAnswers(t *testing.T) {
	b, l := bank(t, emulator.Options{Protocol: "dxl1", Wire: true})
	ok := must(t)
	var p dxl1.Parser
	p.ExpectOne(2, 2, nil)
	if f := talk(t, l, &p, ok(dxl1.AppendRead(nil, 2, dxl1.RegModel, 2))); f.Class != servo.None || p.Reply().Params[0] != 12 {
		t.Fatalf("model: %v %v", f, p.Reply())
	}
	if _, err := l.Write(ok(dxl1.AppendSyncWrite(nil, dxl1.RegGoalPosition, 2, []byte{1, 2}, []byte{0, 1, 0, 3}))); err != nil {
		t.Fatal(err)
	}
	l.Sleep(3 * time.Second)
	for id, want := range map[int]float64{1: 256, 2: 768, 3: 512} {
		if m, _ := b.Motor(id); m.Position != want || m.Torque != (id != 3) {
			t.Errorf("servo %d: %+v, want position %v", id, m, want)
		}
	}
	p.ExpectOne(1, 0, nil)
	if f := talk(t, l, &p, ok(dxl1.AppendWrite(nil, 1, dxl1.RegGoalPosition, 0, 8))); f.Class != servo.DeviceError || f.Got != 2 {
		t.Errorf("goal beyond the limit: %v", f)
	}
}

func TestDXL2Groups(t *testing.T) {
	b, l := bank(t, emulator.Options{Protocol: "dxl2", Baud: 1_000_000, Wire: true})
	ok := must(t)
	var p dxl2.Parser
	ids := []byte{1, 2, 3}
	p.ExpectOne(1, 0, nil)
	if f := talk(t, l, &p, ok(dxl2.AppendWrite(nil, 1, dxl2.RegTorqueEnable, 1))); f.Class != servo.None {
		t.Fatal(f)
	}
	if _, err := l.Write(ok(dxl2.AppendSyncWrite(nil, dxl2.RegGoalPosition, 4, ids, []byte{0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0}))); err != nil {
		t.Fatal(err)
	}
	l.Sleep(2 * time.Second)
	p.ExpectGroup(ids, 4, nil)
	if f := talk(t, l, &p, ok(dxl2.AppendSyncRead(nil, dxl2.RegPresentPosition, 4, ids))); f.Class != servo.None {
		t.Fatal(f)
	}
	for i, want := range []int{1024, 2048, 2048} {
		if v, _ := dxl2.Signed(p.Replies()[i].Params); v != want {
			t.Errorf("servo %d at %d, want %d: only the first has torque", i+1, v, want)
		}
	}
	spans := []dxl2.Span{{ID: 1, Addr: dxl2.RegPresentPosition, Len: 4}, {ID: 2, Addr: dxl2.RegPresentPosition, Len: 4}, {ID: 3, Addr: dxl2.RegPresentPosition, Len: 4}}
	p.ExpectFast(spans, nil)
	if f := talk(t, l, &p, ok(dxl2.AppendFastSyncRead(nil, dxl2.RegPresentPosition, 4, ids))); f.Class != servo.None {
		t.Fatal(f)
	}
	if v, _ := dxl2.Signed(p.Replies()[0].Params); v != 1024 {
		t.Errorf("fast read: %d", v)
	}
	b.Inject(emulator.Fault{Kind: emulator.Unplugged, ID: 2})
	p.ExpectGroup(ids, 4, nil)
	if f := talk(t, l, &p, ok(dxl2.AppendSyncRead(nil, dxl2.RegPresentPosition, 4, ids))); f.Class != servo.Partial || p.Replies()[2].Fault.HasData() {
		t.Errorf("a servo that is gone silences those behind it: %v %v", f, p.Replies())
	}
}

func TestDXL2WatchdogStopsAndMustBeCleared(t *testing.T) {
	b, l := bank(t, emulator.Options{Protocol: "dxl2", IDs: []int{1}})
	ok := must(t)
	var p dxl2.Parser
	write := func(addr uint16, data ...byte) servo.Fault {
		p.ExpectOne(1, 0, nil)
		return talk(t, l, &p, ok(dxl2.AppendWrite(nil, 1, addr, data...)))
	}
	write(dxl2.RegTorqueEnable, 1)
	write(dxl2.RegBusWatchdog, 5)
	write(dxl2.RegGoalPosition, 0xFF, 0x0F, 0, 0)
	l.Sleep(200 * time.Millisecond)
	m, _ := b.Motor(1)
	if m.Goal == 4095 || m.Goal != m.Position {
		t.Errorf("after the watchdog: goal %v, position %v", m.Goal, m.Position)
	}
	if f := write(dxl2.RegGoalPosition, 0, 8, 0, 0); f.Class != servo.DeviceError || f.Got != 4 {
		t.Errorf("goal after the watchdog fired: %v, want data range", f)
	}
	if f := write(dxl2.RegBusWatchdog, 0); f.Class != servo.None {
		t.Errorf("clearing: %v", f)
	}
	if f := write(dxl2.RegGoalPosition, 0, 8, 0, 0); f.Class != servo.None {
		t.Errorf("goal after clearing: %v", f)
	}
}

func TestFeetechSeries(t *testing.T) {
	for _, s := range []feetech.Series{feetech.STS, feetech.SCS} {
		b, l := bank(t, emulator.Options{Protocol: s.String()})
		ok := must(t)
		var p feetech.Parser
		p.ExpectOne(1, 0, nil)
		if f := talk(t, l, &p, ok(s.AppendWrite(nil, 1, feetech.RegTorqueEnable, 1))); f.Class != servo.None {
			t.Fatal(f)
		}
		data := s.AppendWord(nil, 700)
		if _, err := l.Write(ok(s.AppendSyncWrite(nil, feetech.RegGoalPosition, 2, []byte{1}, data))); err != nil {
			t.Fatal(err)
		}
		l.Sleep(3 * time.Second)
		if m, _ := b.Motor(1); m.Position != 700 {
			t.Errorf("%v: at %v, want 700", s, m.Position)
		}
		p.ExpectOne(1, 2, nil)
		talk(t, l, &p, ok(s.AppendRead(nil, 1, feetech.RegPresentPosition, 2)))
		if v, _ := s.Word(p.Reply().Params); v != 700 {
			t.Errorf("%v: says %v", s, v)
		}
	}
}

func TestLX16AStartsTogether(t *testing.T) {
	b, l := bank(t, emulator.Options{Protocol: "lx16a"})
	ok := must(t)
	tx := ok(lx16a.AppendMoveWait(nil, 1, 800, 500))
	tx = ok(lx16a.AppendMoveWait(tx, 2, 200, 500))
	if _, err := l.Write(tx); err != nil {
		t.Fatal(err)
	}
	l.Sleep(time.Second)
	if m, _ := b.Motor(1); m.Position != 500 {
		t.Errorf("moved before the start: %v", m.Position)
	}
	if _, err := l.Write(ok(lx16a.AppendStart(nil, servo.Broadcast))); err != nil {
		t.Fatal(err)
	}
	l.Sleep(2 * time.Second)
	m1, _ := b.Motor(1)
	m2, _ := b.Motor(2)
	if m1.Position != 800 || m2.Position != 200 {
		t.Errorf("at %v and %v", m1.Position, m2.Position)
	}
	var p lx16a.Parser
	if err := p.ExpectOne(1, lx16a.PositionRead, nil); err != nil {
		t.Fatal(err)
	}
	talk(t, l, &p, ok(lx16a.AppendRead(nil, 1, lx16a.PositionRead)))
	if v, _ := lx16a.Signed(p.Reply().Params); v != 800 {
		t.Errorf("says %d", v)
	}
}

func TestSSC32FirstMoveJumps(t *testing.T) {
	b, l := bank(t, emulator.Options{Protocol: "ssc32", IDs: []int{0, 1}})
	ok := must(t)
	move := func(us, ms int) {
		if _, err := l.Write(ok(ssc32.AppendMove(nil, []ssc32.Move{{Channel: 1, US: us}}, ms))); err != nil {
			t.Fatal(err)
		}
	}
	move(1000, 2000)
	l.Sleep(time.Second)
	if m, _ := b.Motor(1); m.Position != 1000 {
		t.Errorf("first move ramped: at %v", m.Position)
	}
	move(2000, 2000)
	l.Sleep(time.Second)
	if m, _ := b.Motor(1); abs(m.Position-1500) > 1 {
		t.Errorf("half-way at %v", m.Position)
	}
	var p ssc32.Parser
	p.ExpectMoving()
	if f := talk(t, l, &p, ssc32.AppendQueryMoving(nil)); f.Class != servo.None || !p.Moving() {
		t.Errorf("moving: %v", f)
	}
	b.Inject(emulator.Fault{Kind: emulator.BrownOut, ID: -1, By: 0.1})
	l.Sleep(200 * time.Millisecond)
	p.ExpectPulse()
	if f := talk(t, l, &p, ok(ssc32.AppendQueryPulse(nil, 1))); f.Class != servo.None || p.PulseUS() != 0 {
		t.Errorf("pulse after a reset: %v %d", f, p.PulseUS())
	}
}

func TestMaestroDialects(t *testing.T) {
	for _, d := range []maestro.Dialect{{}, {CRC: true}, {Pololu: true, Device: 12, CRC: true}} {
		b, l := bank(t, emulator.Options{Protocol: "maestro", IDs: []int{0, 1, 2}, Maestro: servo.Maestro{CRC: d.CRC}})
		ok := must(t)
		tx := ok(d.AppendTargets(maestro.AppendDetect(nil), 0, []int{4000, 6000, 8000}))
		if _, err := l.Write(tx); err != nil {
			t.Fatal(err)
		}
		l.Sleep(time.Second)
		for ch, want := range []float64{1000, 1500, 2000} {
			if m, _ := b.Motor(ch); m.Position != want {
				t.Errorf("%+v channel %d at %v, want %v", d, ch, m.Position, want)
			}
		}
		var p maestro.Parser
		p.ExpectErrors()
		if f := talk(t, l, &p, ok(d.AppendGetErrors(nil))); f.Class != servo.None {
			t.Errorf("%+v: errors %v", d, f)
		}
		if _, err := l.Write([]byte{0xBB}); err != nil {
			t.Fatal(err)
		}
		p.ExpectErrors()
		if f := talk(t, l, &p, ok(d.AppendGetErrors(nil))); f.Class != servo.DeviceError || f.Got != 16 {
			t.Errorf("%+v: errors after rubbish %v", d, f)
		}
		if m, _ := b.Motor(1); m.Torque {
			t.Errorf("%+v: an error must send channels home", d)
		}
	}
}

func abs(v float64) float64 { return max(v, -v) }
