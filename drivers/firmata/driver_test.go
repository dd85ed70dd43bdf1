package firmata_test

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"legctl/drivers"
	"legctl/drivers/emulator"
	"legctl/drivers/firmata"
	"legctl/drivers/servo"
)

// plugged is an emulated Arduino on a pseudo terminal.
func plugged(t *testing.T, wire bool) (*emulator.Bank, string) {
	t.Helper()
	bank, err := emulator.New(emulator.Options{Protocol: "firmata", IDs: []int{9, 20}, Wire: wire})
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "port")
	pty, err := emulator.OpenPTY(bank, link)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pty.Close() })
	return bank, link
}

// visit opens a port, meets the board, moves a servo and closes everything.
func visit(t *testing.T, link string) error {
	t.Helper()
	port, err := drivers.OpenSerial(link, 57600)
	if err != nil {
		return err
	}
	defer port.Close()
	d := firmata.New(port, servo.SystemClock(), &servo.Config{Firmata: servo.Firmata{Reset: 0.001}})
	defer d.Close()
	if _, err := d.Open([]int{9, 20}); err != nil {
		return err
	}
	return errors.Join(d.Enable([]servo.Goal{{ID: 9, Pos: 1500}, {ID: 20, Pos: 1600}}), d.Off(), d.Close())
}

// TestReconnectLeavesNothing: a board that is met twenty times, and two at once,
// leave the goroutines of one client for each that was met at the same time.
func TestReconnectLeavesNothing(t *testing.T) {
	_, one := plugged(t, false)
	_, two := plugged(t, false)
	both := func() {
		var wg sync.WaitGroup
		for _, link := range []string{one, two} {
			wg.Go(func() {
				if err := visit(t, link); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
	both()
	before := runtime.NumGoroutine()
	for range 20 {
		if err := visit(t, one); err != nil {
			t.Fatal(err)
		}
	}
	both()
	for end := time.Now().Add(3 * time.Second); runtime.NumGoroutine() > before; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
	}
}

// quiet is a port on which nobody answers what is said in answer.
type quiet struct {
	mu     sync.Mutex
	answer []byte
	gone   bool
}

func (q *quiet) Write(p []byte) (int, error) { return len(p), nil }

func (q *quiet) Read(p []byte) (int, error) {
	q.mu.Lock()
	n := copy(p, q.answer)
	q.answer = q.answer[n:]
	gone := q.gone
	q.mu.Unlock()
	if n == 0 && gone {
		return 0, errors.New("unplugged")
	}
	if n == 0 {
		time.Sleep(time.Millisecond)
	}
	return n, nil
}

func (q *quiet) SetReadTimeout(time.Duration) error { return nil }
func (q *quiet) ResetInputBuffer() error            { return nil }
func (q *quiet) Close() error                       { return nil }

// TestPortLostWhileMeeting ends at once, in words, and is as before afterwards.
func TestPortLostWhileMeeting(t *testing.T) {
	d := firmata.New(&quiet{gone: true}, servo.SystemClock(), &servo.Config{Firmata: servo.Firmata{Reset: 0.001}})
	defer d.Close()
	for range 2 {
		start := time.Now()
		if _, err := d.Ping(9); !errors.Is(err, servo.ErrGone) || !strings.Contains(err.Error(), "unplugged") {
			t.Errorf("%v", err)
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%v", took)
		}
	}
}

// TestBrokenAnswersDoNotReachTheClient: any of these makes gobot's client panic in
// a goroutine of its own; here each is a board that can still be met.
func TestBrokenAnswersDoNotReachTheClient(t *testing.T) {
	good := "\xf9\x02\x05\xf0\x79\x02\x05a\x00\xf7\xf0\x6c" + strings.Repeat("\x00\x01\x04\x0e\x7f", 12) + "\xf7\xf0\x6a" + strings.Repeat("\x7f", 12) + "\xf7"
	for name, noise := range map[string]string{
		"firmware without a version": "\xf0\x79\xf7",
		"state of pin 99":            "\xf0\x6e\x63\x04\x00\xf7",
		"mapping before pins":        "\xf0\x6a\x00\x01\xf7",
		"no pins":                    "\xf0\x6c\xf7",
		"empty message":              "\xf0\xf7",
		"reply of no chip":           "\xf0\x77\x01\xf7",
		"cut":                        "\xf0\x6c\x00\x01",
		"noise":                      "\x00\x7f\x80\xff\xf0",
		"ports":                      "\x9f\x7f\x7f\xef\x01\x02",
	} {
		d := firmata.New(&quiet{answer: []byte(noise + good)}, servo.SystemClock(), &servo.Config{Firmata: servo.Firmata{Reset: 0.001}})
		if _, err := d.Ping(9); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := d.Ping(12); err == nil {
			t.Errorf("%s: pin 12 of 12 was found", name)
		}
		if err := d.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
