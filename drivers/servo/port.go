package servo

import (
	"errors"
	"time"
)

// Port is a Line with what an exchange by deadline needs. SetReadTimeout holds
// for the Reads after it; 0 makes them return at once. Close ends a Read or
// Write that waits in another goroutine; it may be called more than once.
type Port interface {
	Line
	SetReadTimeout(d time.Duration) error
	Close() error
}

// Bauder is a Port whose baud can be changed. A Port without it has none, or
// keeps the one it was opened with.
type Bauder interface {
	SetBaud(baud int) error
}

// ErrGone is in every error that says a port can no longer be used: unplugged,
// closed, or so stuck that a write did not go through.
var ErrGone = errors.New("the port is gone")

// ErrReset is in the error of a board that has restarted and does nothing until it
// is set up anew, beside ErrGone.
var ErrReset = errors.New("it has restarted: its supply broke down for a moment")

// ErrUnsupported is in the error of what a protocol has no message for.
var ErrUnsupported = errors.New("the protocol cannot do this")

// Clock is time as the owner of a port sees it. Both calls count from the same
// start. Tests give a stepped one, which moves only while somebody waits.
type Clock interface {
	Now() time.Duration
	Sleep(d time.Duration)
}

// SystemClock returns the running system's clock, which is not moved by setting
// the date.
func SystemClock() Clock { return &systemClock{start: time.Now()} }

type systemClock struct{ start time.Time }

// Now implements Clock.
func (c *systemClock) Now() time.Duration { return time.Since(c.start) }

// Sleep implements Clock.
func (c *systemClock) Sleep(d time.Duration) { time.Sleep(d) }
