package emulator

import (
	"fmt"
	"time"

	"legctl/drivers/servo"
)

// ErrUnplugged is what a Line says while the whole line is unplugged. It is a
// servo.ErrGone.
var ErrUnplugged = fmt.Errorf("emulator: the line is unplugged: %w", servo.ErrGone)

// Line joins a host to a bank in memory, on a clock that moves only when the
// host waits: a Read without data takes its time-out, no more and no less. It
// is a servo.Port, a servo.Bauder and a servo.Clock, and belongs to one
// goroutine. Bytes take their time on the
// wire if the bank's options say so.
type Line struct {
	bank    *Bank
	now     time.Duration
	timeout time.Duration
	baud    int
	ready   []byte
	chunk   int
}

// NewLine returns a line at the bank's baud with a time-out of 10 ms.
func NewLine(b *Bank) *Line { return &Line{bank: b, now: b.Now(), timeout: 10 * time.Millisecond} }

// Now is the time on the line's clock.
func (l *Line) Now() time.Duration { return l.now }

// Sleep lets time pass.
func (l *Line) Sleep(d time.Duration) {
	l.now += max(d, 0)
	l.fetch()
}

// SetReadTimeout sets how long a Read waits.
func (l *Line) SetReadTimeout(d time.Duration) error {
	l.timeout = max(d, 0)
	return nil
}

// SetBaud sets what the host sends and listens at; the bank is deaf to any baud
// but its own. 0 is the right one.
func (l *Line) SetBaud(baud int) error {
	l.baud = baud
	return nil
}

// SetChunk makes Read return at most n bytes at once; 0: all there are.
func (l *Line) SetChunk(n int) { l.chunk = n }

// Write sends p.
func (l *Line) Write(p []byte) (int, error) {
	l.fetch()
	if l.bank.Gone() {
		return 0, ErrUnplugged
	}
	l.bank.Receive(l.now, l.baud, p)
	return len(p), nil
}

// Read returns what has arrived; when nothing has, it waits until something
// does or its time-out ends, and then returns 0 and nil.
func (l *Line) Read(p []byte) (int, error) {
	next, more := l.fetch()
	if l.bank.Gone() {
		return 0, ErrUnplugged
	}
	if len(l.ready) == 0 {
		end := l.now + l.timeout
		if more && next <= end {
			end = next
		}
		l.now = max(end, l.now)
		l.fetch()
		if l.bank.Gone() {
			return 0, ErrUnplugged
		}
	}
	n := len(p)
	if l.chunk > 0 {
		n = min(n, l.chunk)
	}
	n = copy(p[:n], l.ready)
	l.ready = append(l.ready[:0], l.ready[n:]...)
	return n, nil
}

// ResetInputBuffer throws away what has arrived and was not read.
func (l *Line) ResetInputBuffer() error {
	l.fetch()
	l.ready = l.ready[:0]
	if l.bank.Gone() {
		return ErrUnplugged
	}
	return nil
}

func (l *Line) fetch() (next time.Duration, more bool) {
	data, next, more := l.bank.Due(l.now)
	l.ready = append(l.ready, data...)
	return next, more
}

var (
	_ servo.Port   = (*Line)(nil)
	_ servo.Bauder = (*Line)(nil)
	_ servo.Clock  = (*Line)(nil)
)

// Close does nothing: a line in memory has no end.
func (l *Line) Close() error { return nil }
