package drivers

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"legctl/drivers/servo"

	"go.bug.st/serial"
)

// writeTime is how long a write may take before its port counts as lost: a stuck
// adaptor would hold the writer for ever.
const writeTime = 500 * time.Millisecond

// OpenSerial opens a port by a name that FindPort understands, through the serial
// package, which works on every system. An error says in words what to do.
func OpenSerial(name string, baud int) (servo.Port, error) {
	device, err := FindPort(name)
	if err != nil {
		return nil, err
	}
	adaptorOf(device).quicken()
	mode := serial.Mode{BaudRate: baud, DataBits: 8}
	p, err := serial.Open(device, &mode)
	if err != nil {
		return nil, explain(name, device, err)
	}
	s := &serialPort{Port: p, mode: mode, out: make(chan []byte, 1), done: make(chan written, 1), limit: time.NewTimer(writeTime)}
	go s.writer()
	return s, nil
}

// serialPort adds a baud and a time-out of writes to a port of the package.
type serialPort struct {
	serial.Port
	mode serial.Mode

	mu    sync.Mutex // one writer at a time
	out   chan []byte
	done  chan written
	buf   []byte
	limit *time.Timer
	over  error // why nothing is written any more
}

// written is what became of a write.
type written struct {
	n   int
	err error
}

// writer is the goroutine that writes. The package's writes cannot be ended, not
// even by closing the port: one that hangs is left behind until the system gives
// it up, and takes nobody with it.
func (s *serialPort) writer() {
	for p := range s.out {
		n, err := s.Port.Write(p)
		s.done <- written{n, err}
	}
}

// Write implements servo.Port.
func (s *serialPort) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over != nil {
		return 0, s.over
	}
	s.buf = append(s.buf[:0], p...)
	s.out <- s.buf
	s.limit.Reset(writeTime)
	select {
	case w := <-s.done:
		return w.n, w.err
	case <-s.limit.C:
	}
	err := fmt.Errorf("a write did not go through within %v", writeTime)
	return 0, errors.Join(err, s.end(err))
}

// end closes the port for good.
func (s *serialPort) end(why error) error {
	s.over = why
	close(s.out)
	s.limit.Stop()
	return s.Port.Close()
}

// SetBaud implements servo.Bauder.
func (s *serialPort) SetBaud(baud int) error {
	s.mode.BaudRate = baud
	return s.SetMode(&s.mode)
}

// Close implements servo.Port. A second call does nothing.
func (s *serialPort) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over != nil {
		return nil
	}
	return s.end(os.ErrClosed)
}

// latencyOf is how long the adaptor of a port holds a reply: as the config says,
// else as the system says, else a millisecond.
func latencyOf(c *servo.Config, device string) float64 {
	if c.Latency > 0 {
		return c.Latency
	}
	if s, ok := adaptorOf(device).latency(); ok {
		return s
	}
	return usualLatency
}

// usualLatency is that of adaptors without a latency timer, seconds.
const usualLatency = 1e-3

// SlowAdaptor says in words that an adaptor holds replies for too long, "" when it
// does not.
func SlowAdaptor(device string) string {
	return adaptorOf(device).slow()
}

// slow is SlowAdaptor.
func (a adaptor) slow() string {
	s, ok := a.latency()
	if !ok || s <= 2e-3 {
		return ""
	}
	return fmt.Sprintf("the adaptor %s holds each reply for %.0f ms and may not be told otherwise by this user: set its latency timer to 1 ms (a udev rule is in docs/hardware.md)", a.device, 1000*s)
}
