//go:build !linux

package loop

import (
	"runtime"
	"time"
)

// sleeper waits by the runtime's timers where there is no absolute sleep; the
// wait is worked out anew each time, so delays do not add up.
type sleeper struct{}

func newSleeper() sleeper { return sleeper{} }

// until returns at start + t.
func (sleeper) until(start time.Time, t time.Duration) { time.Sleep(time.Until(start.Add(t))) }

// punctual ties the goroutine to its thread. The function returned undoes it.
func punctual() (undo func()) {
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
