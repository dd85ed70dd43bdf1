package emulator_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"legctl/drivers/dxl2"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"

	"go.bug.st/serial"
	"go.uber.org/goleak"
)

// onPTY opens a bank through the serial package.
func onPTY(t *testing.T, o emulator.Options) (*emulator.PTY, serial.Port) {
	t.Helper()
	if o.IDs == nil {
		o.IDs = []int{1, 2, 3}
	}
	b, err := emulator.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p, err := emulator.OpenPTY(b, filepath.Join(t.TempDir(), "bus"))
	if err != nil {
		t.Skip("no pseudo terminal here:", err)
	}
	t.Cleanup(func() { p.Close() })
	port, err := serial.Open(p.Path(), &serial.Mode{BaudRate: b.Baud()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { port.Close() })
	if err := port.SetReadTimeout(300 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	return p, port
}

func TestPTYThroughTheSerialPackage(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	p, port := onPTY(t, emulator.Options{Protocol: "dxl2", Baud: 1_000_000})
	ok := must(t)
	var parser dxl2.Parser
	for n := range 20 {
		parser.ExpectOne(2, 3, nil)
		if f := talk(t, port, &parser, ok(dxl2.AppendPing(nil, 2))); f.Class != servo.None {
			t.Fatalf("ping %d: %v", n, f)
		}
	}
	if err := port.SetMode(&serial.Mode{BaudRate: 57600}); err != nil {
		t.Fatal(err)
	}
	if err := port.SetReadTimeout(30 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	parser.ExpectOne(2, 3, nil)
	if f := talk(t, port, &parser, ok(dxl2.AppendPing(nil, 2))); f.Class != servo.Timeout {
		t.Errorf("ping at the wrong baud: %v, want silence", f)
	}
	if s := p.Bank().Stats(); s.Deaf == 0 || s.Bad != 0 {
		t.Errorf("counts %+v", s)
	}
	port.Close()
	p.Close()
}

func TestPTYUnplugAndReplug(t *testing.T) {
	p, port := onPTY(t, emulator.Options{Protocol: "dxl2"})
	path := p.Path()
	p.Bank().Inject(emulator.Fault{Kind: emulator.Unplugged, ID: -1, For: 100 * time.Millisecond})
	buf := make([]byte, 16)
	until := time.Now().Add(5 * time.Second)
	for {
		if _, err := port.Read(buf); err != nil {
			break
		}
		if time.Now().After(until) {
			t.Fatal("a Read never learnt that the line is gone")
		}
	}
	for p.Path() == "" || p.Bank().Gone() {
		if time.Now().After(until) {
			t.Fatal("never plugged in again")
		}
		time.Sleep(time.Millisecond)
	}
	if _, err := os.Stat(p.Path()); err != nil {
		t.Errorf("after %s: %v", path, err)
	}
}
