package pca9685

import (
	"bytes"
	"errors"
	"math"
	"testing"
)

// chip is the registers of a PCA9685 behind its auto-increment.
type chip struct {
	regs   [256]byte
	writes int
	fail   error
	short  bool
}

func (c *chip) Write(p []byte) (int, error) {
	c.writes++
	if c.fail != nil {
		return 0, c.fail
	}
	if c.short {
		return len(p) - 1, nil
	}
	for i, b := range p[1:] {
		c.regs[int(p[0])+i] = b
	}
	return len(p), nil
}

// pulse reads a channel back: ticks, or 0 for off.
func (c *chip) pulse(ch int) int {
	r := c.regs[regChannel+4*ch:]
	if r[3]&fullOff != 0 {
		return 0
	}
	on, off := int(r[0])|int(r[1])<<8, int(r[2])|int(r[3])<<8
	return (off - on + Period) % Period
}

func flush(t *testing.T, b *Board, c *chip) {
	t.Helper()
	if err := b.Flush(c); err != nil {
		t.Fatal(err)
	}
}

func TestBoardSendsOneWriteOfWhatChanged(t *testing.T) {
	var b Board
	c := &chip{}
	flush(t, &b, c)
	if c.writes != 1 {
		t.Errorf("%d writes at first", c.writes)
	}
	for ch := range Channels {
		if c.pulse(ch) != 0 || c.regs[regChannel+4*ch+3] != fullOff {
			t.Errorf("channel %d is not off", ch)
		}
	}
	for _, ch := range []int{3, 7} {
		if err := b.Set(ch, Stagger(ch), 307); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(b.AppendChanges(nil)); got != 1+4*5 {
		t.Errorf("%d bytes for channels 3 to 7", got)
	}
	flush(t, &b, c)
	flush(t, &b, c)
	if c.writes != 2 {
		t.Errorf("%d writes, want none for nothing new", c.writes)
	}
	if c.pulse(3) != 307 || c.pulse(7) != 307 || c.pulse(5) != 0 || b.Live() != 1<<3|1<<7 {
		t.Errorf("pulses %d %d %d, live %b", c.pulse(3), c.pulse(7), c.pulse(5), b.Live())
	}
	b.OffAll()
	flush(t, &b, c)
	if c.pulse(3) != 0 || b.Live() != 0 {
		t.Error("not off")
	}
}

func TestBoardSendsAllAgainAfterAFault(t *testing.T) {
	for name, broken := range map[string]*chip{"error": {fail: errors.New("no acknowledgement")}, "short": {short: true}} {
		var b Board
		flush(t, &b, &chip{})
		if err := b.Set(2, 0, 307); err != nil {
			t.Fatal(err)
		}
		if err := b.Flush(broken); err == nil {
			t.Errorf("%s: no error", name)
		}
		if got := len(b.AppendChanges(nil)); got != 1+4*Channels {
			t.Errorf("%s: %d bytes afterwards", name, got)
		}
	}
}

func TestStaggeredPulseWraps(t *testing.T) {
	out, err := AppendPulse(nil, 15, Stagger(15), 512)
	if err != nil || !bytes.Equal(out, []byte{0x42, 0x00, 0x0F, 0x00, 0x01}) {
		t.Errorf("%x, %v", out, err)
	}
}

func TestRefusals(t *testing.T) {
	for name, err := range map[string]error{
		"slow":         second(Prescale(10, NominalHz)),
		"fast":         second(Prescale(2000, NominalHz)),
		"no frequency": second(Prescale(math.NaN(), NominalHz)),
		"no pulse":     second(Ticks(math.NaN(), 121, NominalHz)),
		"period":       second(Ticks(20000, 121, NominalHz)),
		"zero":         second(Ticks(0, 121, NominalHz)),
		"reserved":     second(AppendPulse(nil, 61, 0, 307)),
		"value":        second(AppendPulse(nil, 0, 0, 5000)),
		"all-call":     CheckBoards([]byte{0x40, AllCall}),
		"twice":        CheckBoards([]byte{0x40, 0x40}),
		"too low":      second(AppendPrescale(nil, 2)),
	} {
		if err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestSetUp wakes a chip with every channel off and the divider set while asleep.
func TestSetUp(t *testing.T) {
	p, err := AppendPrescale(nil, 121)
	if err != nil {
		t.Fatal(err)
	}
	c := &chip{}
	for _, w := range [][]byte{AppendSleep(nil), AppendAllOff(nil), AppendOutputs(nil), p} {
		if _, err := c.Write(w); err != nil {
			t.Fatal(err)
		}
		if c.regs[regMode1]&mode1Sleep == 0 {
			t.Fatal("awake too early")
		}
	}
	if _, err := c.Write(AppendWake(nil)); err != nil {
		t.Fatal(err)
	}
	if c.regs[regMode1] != mode1Auto || c.regs[regPrescale] != 121 || c.regs[regAllOffHi] != fullOff {
		t.Errorf("registers %x", c.regs[:2])
	}
}

func TestFlushAllocatesNothing(t *testing.T) {
	var b Board
	c, us := &chip{}, 0
	n := testing.AllocsPerRun(100, func() {
		us++
		for ch := range Channels {
			if err := b.Set(ch, Stagger(ch), 300+us%2); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Flush(c); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkTwoBoards18(b *testing.B) {
	var boards [2]Board
	c := &chip{}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		for n := range 18 {
			if err := boards[n/Channels].Set(n%Channels, 0, 300+i%2); err != nil {
				b.Fatal(err)
			}
		}
		for k := range boards {
			if err := boards[k].Flush(c); err != nil {
				b.Fatal(err)
			}
		}
	}
}
