package drivers_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"legctl/drivers"
	"legctl/drivers/emulator"
	"legctl/drivers/servo"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

// TestPortOfADescriptor: a port that was opened raw, as the shell of a run does,
// works through a copy of its descriptor: deadlines, unplugging, no leak.
func TestPortOfADescriptor(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	pty, name := onPTY(t, emulator.Options{Protocol: "dxl2", IDs: []int{1, 2}})
	defer pty.Close()
	own, err := drivers.OpenRaw(name, 57600)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if os.Getuid() != 0 {
		if _, err := drivers.OpenRaw(name, 57600); err == nil || !drivers.Busy(err) {
			t.Errorf("opened twice: %v", err)
		}
	}
	port, err := drivers.FilePort(copyOf(t, own))
	if err != nil {
		t.Fatal(err)
	}
	proto, _ := drivers.ProtocolOf("dxl2")
	cfg := &servo.Config{Protocol: "dxl2", Baud: 57600}
	drv, err := proto.Driver(drivers.LinkOf(port, servo.SystemClock(), proto, cfg), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := drv.Open([]int{1, 2}); err != nil || len(found) != 2 {
		t.Fatalf("%v, %v", found, err)
	}
	if err := port.SetReadTimeout(20 * time.Millisecond); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if n, err := port.Read(make([]byte, 8)); n != 0 || err != nil || time.Since(begin) < 15*time.Millisecond {
		t.Errorf("a silent line: %d, %v after %v", n, err, time.Since(begin))
	}
	if err := port.(servo.Bauder).SetBaud(1_000_000); err != nil {
		t.Errorf("set the baud: %v", err)
	}
	pty.Bank().Inject(emulator.Fault{Kind: emulator.Unplugged, ID: -1})
	gone := func() error {
		for deadline := time.Now().Add(3 * time.Second); time.Now().Before(deadline); {
			if _, err := port.Read(make([]byte, 8)); err != nil {
				return err
			}
		}
		return nil
	}
	if gone() == nil {
		t.Error("an unplugged port goes on")
	}
	for range 2 {
		if err := port.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
}

// onPTY puts servos on a pseudo terminal, to be closed, and names it.
func onPTY(t *testing.T, o emulator.Options) (pty *emulator.PTY, name string) {
	t.Helper()
	bank, err := emulator.New(o)
	if err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(t.TempDir(), "port")
	if pty, err = emulator.OpenPTY(bank, name); err != nil {
		t.Fatal(err)
	}
	return pty, name
}

// copyOf is another descriptor of the same port, as a second process gets it.
func copyOf(t *testing.T, f *os.File) *os.File {
	t.Helper()
	var out *os.File
	err := drivers.WithDescriptor(f, func(fd int) error {
		n, err := unix.Dup(fd)
		out = os.NewFile(uintptr(n), "copy")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPortsListsWhatThereIs(t *testing.T) {
	ports, err := drivers.Ports()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ports {
		if p.Name == "" || p.Device == "" {
			t.Errorf("%+v", p)
		}
	}
	if _, err := drivers.OpenBoard("abacus"); err == nil {
		t.Error("a board nobody knows was opened")
	}
	if n := len(drivers.Boards()); n < 10 {
		t.Errorf("%d boards", n)
	}
}
