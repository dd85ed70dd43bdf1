package socket_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"legctl/drivers/emulator"
	"legctl/drivers/servo"
	"legctl/drivers/socket"

	"go.uber.org/goleak"
)

// emulated is a board with one PCA9685, an inertial unit and pins.
func emulated(t *testing.T) *emulator.Board {
	t.Helper()
	c := &servo.Config{Pulses: servo.Pulses{Addresses: []byte{0x40}, OE: "7"}}
	c.Sensors.IMU.Kind, c.Sensors.EStop = "mpu6050", servo.Switch{Pin: "15", ActiveLow: true}
	b, err := emulator.NewBoard(emulator.BoardOptions{Config: c})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func served(t *testing.T) (*emulator.Board, *socket.Server, *socket.Board, string) {
	t.Helper()
	b := emulated(t)
	path := filepath.Join(t.TempDir(), "bus")
	s, err := socket.Listen(path, b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	far, err := socket.Dial(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { far.Finalize() })
	return b, s, far, path
}

// TestTransfersCross: everything a connection can do has the same effect and
// answer through a socket as beside it.
func TestTransfersCross(t *testing.T) {
	_, _, far, _ := served(t)
	near := emulated(t)
	var answers [2]string
	for k, b := range []socket.Served{near, far} {
		var said bytes.Buffer
		tell := func(v ...any) {
			for _, x := range v {
				if err, bad := x.(error); bad {
					x = errors.Is(err, socket.ErrNack)
				}
				fmt.Fprint(&said, x, "; ")
			}
		}
		c, err := b.GetI2cConnection(0x40, b.DefaultI2cBus())
		if err != nil {
			t.Fatal(err)
		}
		tell(c.WriteBlockData(6, []byte{1, 2, 3, 4}), c.WriteByteData(0, 0x21), c.WriteWordData(10, 0x0102), c.WriteBytes([]byte{12, 9}))
		tell(c.WriteByte(6))
		v, err := c.ReadByte() // at the register written last
		tell(v, err)
		two := make([]byte, 2)
		n, err := c.Read(two)
		tell(n, two, err)
		w, err := c.ReadWordData(10)
		tell(w, err)
		v, err = c.ReadByteData(0)
		tell(v, err)
		block := make([]byte, 32)
		tell(c.ReadBlockData(6, block), block, c.Close())
		nobody, _ := b.GetI2cConnection(0x33, 1)
		tell(nobody.WriteByte(0))
		level, err := b.DigitalRead("15")
		tell(level, err, b.DigitalWrite("7", 0))
		level, err = b.DigitalRead("7")
		tell(level, err)
		answers[k] = said.String()
	}
	big, _ := far.GetI2cConnection(0x40, 1)
	if _, err := big.Write(make([]byte, socket.Most+1)); err == nil || errors.Is(err, servo.ErrGone) {
		t.Errorf("a transfer that is too long: %v", err)
	}
	if answers[0] != answers[1] {
		t.Errorf("beside it  %s\nthrough it %s", answers[0], answers[1])
	}
	if _, err := far.GetI2cConnection(0x80, 1); err == nil {
		t.Error("address 128 was not refused")
	}
}

// TestLostSocketIsALostBus: errors while nobody serves it, and all is well again
// when somebody does.
func TestLostSocketIsALostBus(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	b, s, far, path := served(t)
	defer far.Finalize()
	c, _ := far.GetI2cConnection(0x40, 1)
	if err := c.WriteByteData(0, 0x20); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := c.WriteByteData(0, 0x20); !errors.Is(err, servo.ErrGone) {
			t.Errorf("without a far end: %v", err)
		}
	}
	if _, err := socket.Dial(path); err == nil || !strings.Contains(err.Error(), "servo emulate") {
		t.Errorf("dialled: %v", err)
	}
	s, err := socket.Listen(path, b)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := c.WriteByteData(0, 0x20); err != nil {
		t.Errorf("served again: %v", err)
	}
	if err := errors.Join(far.Finalize(), far.Finalize()); err != nil {
		t.Error(err)
	}
	if err := c.WriteByteData(0, 0x20); !errors.Is(err, servo.ErrGone) {
		t.Errorf("after its end: %v", err)
	}
}

// TestDeafEndDoesNotHang: an end that takes requests and answers none, or says
// something else, is a lost bus within a second.
func TestDeafEndDoesNotHang(t *testing.T) {
	for name, answer := range map[string]string{"silence": "", "half an answer": "\x09\x00\x00", "noise": "\xff\xff\xff\xff"} {
		path := filepath.Join(t.TempDir(), "bus")
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			if c, err := l.Accept(); err == nil {
				_, _ = io.WriteString(c, answer)
				_, _ = io.Copy(io.Discard, c)
				_ = c.Close()
			}
		}()
		b, err := socket.Dial(path)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := b.DigitalRead("1"); !errors.Is(err, servo.ErrGone) {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%s: %v", name, took)
		}
		_ = b.Finalize()
		<-done
		_ = l.Close()
	}
}

func TestListenSparesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := emulated(t)
	for path, want := range map[string]string{
		file:                                 "there is a file",
		filepath.Join(dir, "no", "bus"):      "no such file",
		dir + "/" + strings.Repeat("b", 120): "107 bytes",
	} {
		if _, err := socket.Listen(path, b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "stale")})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
	s, err := socket.Listen(filepath.Join(dir, "stale"), b)
	if err != nil {
		t.Fatalf("a socket that nobody serves: %v", err)
	}
	if _, err := socket.Listen(filepath.Join(dir, "stale"), b); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("twice: %v", err)
	}
	if !socket.Is(filepath.Join(dir, "stale")) || socket.Is(file) || socket.Is("1") {
		t.Error("sockets are told from other files wrongly")
	}
	_ = s.Close()
}
