package emulator_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"legctl/drivers/dxl1"
	"legctl/drivers/emulator"
	"legctl/drivers/lx16a"
	"legctl/drivers/servo"
)

// read asks an AX for its position.
func read(t *testing.T, l *emulator.Line, p *dxl1.Parser, id byte) servo.Fault {
	t.Helper()
	if err := l.ResetInputBuffer(); err != nil {
		t.Fatal(err)
	}
	p.ExpectOne(id, 2, nil)
	return talk(t, l, p, must(t)(dxl1.AppendRead(nil, id, dxl1.RegPresentPosition, 2)))
}

func TestFaultsOfReplies(t *testing.T) {
	for _, c := range []struct {
		spec string
		want []servo.Class // any of these
	}{
		{"lost", []servo.Class{servo.Timeout}},
		{"late,by=0.03", []servo.Class{servo.Timeout}},
		{"cut", []servo.Class{servo.Truncated}},
		{"duplicated", []servo.Class{servo.None}},
		{"foreign", []servo.Class{servo.None}},
		{"corrupted", []servo.Class{servo.Checksum, servo.BadFrame, servo.Truncated, servo.WrongID, servo.BadLength}},
		{"slow,by=0.02", []servo.Class{servo.Timeout}},
	} {
		f, err := emulator.ParseFault(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			b, l := bank(t, emulator.Options{Protocol: "dxl1", Seed: seed, Faults: []emulator.Fault{f}})
			var p dxl1.Parser
			got := read(t, l, &p, 2)
			ok := false
			for _, w := range c.want {
				ok = ok || got.Class == w
			}
			if !ok {
				t.Errorf("%s: %v", c.spec, got)
			}
			if got.HasData() && (p.Reply().Params[0] != 0 || p.Reply().Params[1] != 2) {
				t.Errorf("%s: a wrong position came through: %v", c.spec, p.Reply())
			}
			b.Clear()
			l.Sleep(100 * time.Millisecond)
			if got := read(t, l, &p, 2); got.Class != servo.None {
				t.Errorf("%s: after it ended: %v", c.spec, got)
			}
		}
	}
}

func TestChanceIsSeeded(t *testing.T) {
	run := func(seed uint64) (classes string) {
		f, err := emulator.ParseFault("lost,chance=0.3")
		if err != nil {
			t.Fatal(err)
		}
		_, l := bank(t, emulator.Options{Protocol: "dxl1", Seed: seed, Faults: []emulator.Fault{f}})
		var p dxl1.Parser
		for range 60 {
			classes += read(t, l, &p, 1).Class.String()[:1]
		}
		return classes
	}
	first, again, other := run(1), run(1), run(2)
	if first != again || first == other {
		t.Error("chance does not come from the seed alone")
	}
	if n := strings.Count(run(3), "t"); n < 8 || n > 30 {
		t.Errorf("%d of 60 lost, want about 18", n)
	}
}

func TestFaultsOfServos(t *testing.T) {
	b, l := bank(t, emulator.Options{Protocol: "dxl1", Sag: 1})
	ok := must(t)
	var p dxl1.Parser
	goal := func(id, hi byte) {
		if _, err := l.Write(ok(dxl1.AppendWrite(nil, id, dxl1.RegGoalPosition, 0, hi))); err != nil {
			t.Fatal(err)
		}
	}
	inject := func(spec string) {
		f, err := emulator.ParseFault(spec)
		if err != nil {
			t.Fatal(err)
		}
		b.Inject(f)
	}
	inject("stuck,id=1")
	goal(1, 1)
	l.Sleep(500 * time.Millisecond)
	if m, _ := b.Motor(1); m.Position != 512 || m.Load > -0.9 {
		t.Errorf("stuck: %+v", m)
	}
	l.Sleep(2 * time.Second)
	if f := read(t, l, &p, 1); f.Class != servo.DeviceError || f.Got&32 == 0 {
		t.Errorf("a stuck servo gets overloaded: %v", f)
	}
	if m, _ := b.Motor(1); m.Torque || b.Word(1, dxl1.RegTorqueLimit) != 0 {
		t.Errorf("after an overload an AX is limp with torque limit 0: %+v", m)
	}
	inject("overheated,id=2,for=1")
	l.Sleep(100 * time.Millisecond)
	if f := read(t, l, &p, 2); f.Class != servo.DeviceError || f.Got&4 == 0 {
		t.Errorf("overheated: %v", f)
	}
	goal(3, 3)
	l.Sleep(time.Second)
	inject("brownout,by=0.2")
	l.Sleep(50 * time.Millisecond)
	if f := read(t, l, &p, 3); f.Class != servo.Timeout {
		t.Errorf("during a brown-out: %v", f)
	}
	l.Sleep(300 * time.Millisecond)
	if m, _ := b.Motor(3); m.Torque {
		t.Error("torque outlived a brown-out")
	}
	inject("unplugged,id=3")
	l.Sleep(10 * time.Millisecond)
	if f := read(t, l, &p, 3); f.Class != servo.Timeout {
		t.Errorf("one plug out: %v", f)
	}
	inject("unplugged,for=0.5")
	l.Sleep(10 * time.Millisecond)
	if _, err := l.Write([]byte{1}); !errors.Is(err, servo.ErrGone) {
		t.Errorf("the whole line is out: %v", err)
	}
	l.Sleep(time.Second)
	if f := read(t, l, &p, 2); f.Class != servo.None {
		t.Errorf("plugged in again: %v", f)
	}
	inject("sag,by=5")
	l.Sleep(10 * time.Millisecond)
	if f := read(t, l, &p, 2); f.Class != servo.DeviceError || f.Got&1 == 0 {
		t.Errorf("at 5 V: %v", f)
	}
}

func TestTwoServosWithOneID(t *testing.T) {
	b, l := bank(t, emulator.Options{Protocol: "dxl1", IDs: []int{1, 2, 2}})
	var p dxl1.Parser
	b.Change(1, func(m *emulator.Motor) { m.Position, m.Goal = 300, 300 })
	b.Change(2, func(m *emulator.Motor) { m.Position, m.Goal = 717, 717 })
	if f := read(t, l, &p, 2); f.Class != servo.Checksum {
		t.Errorf("two at once: %v", f)
	}
	if f := read(t, l, &p, 1); f.Class != servo.None {
		t.Errorf("the one alone: %v", f)
	}
}

func TestEchoComesBeforeTheReply(t *testing.T) {
	f, err := emulator.ParseFault("echo")
	if err != nil {
		t.Fatal(err)
	}
	_, l := bank(t, emulator.Options{Protocol: "lx16a", Wire: true, Faults: []emulator.Fault{f}})
	l.Sleep(time.Millisecond)
	var p lx16a.Parser
	tx := must(t)(lx16a.AppendRead(nil, 1, lx16a.PositionRead))
	if err := p.ExpectOne(1, lx16a.PositionRead, tx); err != nil {
		t.Fatal(err)
	}
	if f := talk(t, l, &p, tx); f.Class != servo.None {
		t.Error(f)
	}
}

func TestWireTimeIsThatOfTheBytes(t *testing.T) {
	_, l := bank(t, emulator.Options{Protocol: "lx16a", Wire: true})
	var p lx16a.Parser
	begin := l.Now()
	const n = 50
	for range n {
		tx := must(t)(lx16a.AppendRead(nil, 1, lx16a.PositionRead))
		if err := p.ExpectOne(1, lx16a.PositionRead, nil); err != nil {
			t.Fatal(err)
		}
		if f := talk(t, l, &p, tx); f.Class != servo.None {
			t.Fatal(f)
		}
	}
	// 6 bytes out, 8 back, 10 bits each, and 0.1 ms until the servo answers.
	want := n * (14*10.0/115200 + 100e-6)
	if got := (l.Now() - begin).Seconds(); got < want*0.999 || got > want*1.01 {
		t.Errorf("%d reads took %.4f s, want %.4f", n, got, want)
	}
}

func TestParseFaultRefuses(t *testing.T) {
	for _, c := range []struct{ spec, want string }{
		{"broken", "want one of lost"}, {"lost,chance=often", `is "often"`}, {"lost,when=1", "want id, at, for, chance or by"},
		{"stuck,at=NaN", "from 0 to 1000000"}, {"", "want one of"},
	} {
		if _, err := emulator.ParseFault(c.spec); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.spec, err)
		}
	}
	for _, o := range []emulator.Options{
		{Protocol: "pca9685", IDs: []int{1}}, {Protocol: "dxl1"}, {Protocol: "dxl1", IDs: []int{254}}, {Protocol: "dxl1", IDs: []int{1}, Model: "lx16a"},
	} {
		if _, err := emulator.New(o); err == nil {
			t.Errorf("%+v was made", o)
		}
	}
}

// FuzzBank feeds every protocol rubbish: nothing may panic, and servos stay where
// they can be.
func FuzzBank(f *testing.F) {
	f.Add([]byte{0xFF, 0xFF, 1, 5, 3, 30, 0, 2, 0xD4})
	f.Add([]byte{0xFF, 0xFF, 0xFD, 0, 1, 3, 0, 1, 0x19, 0x4E})
	f.Add([]byte{0x55, 0x55, 1, 7, 1, 0xF4, 1, 0, 0, 1})
	f.Add([]byte("#1P1500S200T1000\rQ\rVER\rQP1\rR4=11520\r"))
	f.Add([]byte{0xAA, 12, 0x1F, 2, 0, 0x70, 0x2E, 0x70, 0x2E, 0x9F, 3, 0})
	f.Add([]byte{0xF0, 0x70, 3, 0x20, 4, 0x60, 0x12, 0xF7, 0xE3, 0x5C, 0x0B, 0xF0, 0x6F})
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, p := range []string{"dxl1", "dxl2", "feetech_sts", "feetech_scs", "lx16a", "ssc32", "maestro", "firmata"} {
			b, err := emulator.New(emulator.Options{Protocol: p, IDs: []int{1, 2, 3}, Seed: 1, Timeout: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			l := emulator.NewLine(b)
			for k := 0; k < len(data); k += 7 {
				if _, err := l.Write(data[k:min(k+7, len(data))]); err != nil {
					t.Fatal(err)
				}
				l.Sleep(10 * time.Millisecond)
			}
			for _, id := range b.IDs() {
				m, ok := b.Motor(id)
				if !ok || m.Position != m.Position || m.Load < -1 || m.Load > 1 {
					t.Fatalf("%s: %+v", p, m)
				}
			}
		}
	})
}
