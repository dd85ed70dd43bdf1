package servotest

import (
	"errors"
	"time"
)

// Stepped is a clock that moves only while somebody waits on it: on Sleep, and
// while a Wire is read. It belongs to one goroutine. The zero value stands at 0.
type Stepped struct{ now time.Duration }

// Now implements servo.Clock.
func (c *Stepped) Now() time.Duration { return c.now }

// Sleep implements servo.Clock.
func (c *Stepped) Sleep(d time.Duration) { c.now += max(0, d) }

// ErrUnplugged is what an unplugged Wire answers to everything.
var ErrUnplugged = errors.New("servotest: unplugged")

// Wire is a servo.Port in memory on which bytes take their time: what is written
// reaches Far when it has gone over the wire, and what Far answers arrives after
// it has come back. A Read waits by moving the clock. Bytes written in one Write
// reach Far together.
type Wire struct {
	Clock       *Stepped
	Baud, Bits  int                    // 0: bytes take no time; Bits 0: 10
	Far         func(tx []byte) []byte // what answers
	Faults      func(n int) Fault      // what becomes of the n-th answer; nil: all good
	LateBy      time.Duration          // a Late answer comes so much later; a Foreign one has Stranger before it
	ReturnDelay time.Duration
	Latency     time.Duration
	Stranger    []byte
	Garbage     []byte
	Echo        bool
	Replies     int // answers given
	Written     int // bytes
	Unplugged   bool
	Tap         func(tx []byte) // sees what is written; nil: nobody

	timeout  time.Duration
	busy     time.Duration
	arriving []arrival
}

type arrival struct {
	at time.Duration
	b  []byte
}

func (w *Wire) takes(n int) time.Duration {
	if w.Baud == 0 {
		return 0
	}
	bits := w.Bits
	if bits == 0 {
		bits = 10
	}
	return time.Duration(n*bits) * time.Second / time.Duration(w.Baud)
}

// SetBaud implements servo.Bauder.
func (w *Wire) SetBaud(baud int) error {
	w.Baud = baud
	return nil
}

// SetReadTimeout implements servo.Port.
func (w *Wire) SetReadTimeout(d time.Duration) error {
	w.timeout = d
	return w.err()
}

// Close implements servo.Port; it unplugs the wire.
func (w *Wire) Close() error {
	w.Unplugged = true
	return nil
}

func (w *Wire) err() error {
	if w.Unplugged {
		return ErrUnplugged
	}
	return nil
}

// Write sends p to the far end.
func (w *Wire) Write(p []byte) (int, error) {
	if w.Unplugged {
		return 0, ErrUnplugged
	}
	w.Written += len(p)
	if w.Tap != nil {
		w.Tap(p)
	}
	w.busy = max(w.busy, w.Clock.now) + w.takes(len(p))
	if w.Echo {
		w.arrive(w.busy, p)
	}
	reply := w.Far(p)
	if len(reply) == 0 {
		return len(p), nil
	}
	fault := Good
	if w.Faults != nil {
		fault = w.Faults(w.Replies)
	}
	w.Replies++
	w.deliver(fault, reply)
	return len(p), nil
}

// deliver puts a reply on the wire as the fault has it.
func (w *Wire) deliver(f Fault, reply []byte) {
	reply = append([]byte(nil), reply...)
	late := time.Duration(0)
	switch f {
	case Lost:
		return
	case Late:
		late = w.LateBy
	case Corrupted:
		reply[len(reply)/2] ^= 0x04
	case Cut:
		reply = reply[:len(reply)/2]
	case Duplicated:
		reply = append(reply, reply...)
	case Foreign:
		reply = append(append([]byte(nil), w.Stranger...), reply...)
	case Noise:
		reply = append(append([]byte(nil), w.Garbage...), reply...)
	}
	w.busy += w.ReturnDelay + w.takes(len(reply))
	w.arrive(w.busy+w.Latency+late, reply)
}

// arrive keeps arrivals in their order of time.
func (w *Wire) arrive(at time.Duration, b []byte) {
	i := len(w.arriving)
	for i > 0 && w.arriving[i-1].at > at {
		i--
	}
	w.arriving = append(w.arriving, arrival{})
	copy(w.arriving[i+1:], w.arriving[i:])
	w.arriving[i] = arrival{at, append([]byte(nil), b...)}
}

// Read waits for the next bytes, at most for the time-out.
func (w *Wire) Read(p []byte) (int, error) {
	if w.Unplugged {
		return 0, ErrUnplugged
	}
	until := w.Clock.now + w.timeout
	if len(w.arriving) == 0 || w.arriving[0].at > until {
		w.Clock.now = until
		return 0, nil
	}
	first := &w.arriving[0]
	w.Clock.now = max(w.Clock.now, first.at)
	n := copy(p, first.b)
	if first.b = first.b[n:]; len(first.b) == 0 {
		w.arriving = w.arriving[1:]
	}
	return n, nil
}

// ResetInputBuffer throws away what has arrived by now.
func (w *Wire) ResetInputBuffer() error {
	for len(w.arriving) > 0 && w.arriving[0].at <= w.Clock.now {
		w.arriving = w.arriving[1:]
	}
	return w.err()
}
