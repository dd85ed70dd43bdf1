package loop

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// sleeper waits by clock_nanosleep to an absolute time: a delay in one tick
// does not move the next.
type sleeper struct {
	base time.Duration // CLOCK_MONOTONIC at
	at   time.Time     // this moment
}

// newSleeper reads both clocks between two readings of one, and takes the
// tightest of a few tries.
func newSleeper() sleeper {
	var best sleeper
	tightest := time.Hour
	for range 8 {
		before := time.Now()
		var ts unix.Timespec
		if unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts) != nil {
			return sleeper{}
		}
		if gap := time.Since(before); gap < tightest {
			tightest = gap
			best = sleeper{base: time.Duration(ts.Nano()), at: before.Add(gap / 2)}
		}
	}
	return best
}

// until returns at start + t.
func (s sleeper) until(start time.Time, t time.Duration) {
	wake := s.base + start.Add(t).Sub(s.at)
	ts := unix.NsecToTimespec(int64(wake))
	for {
		err := unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &ts, nil)
		if err == unix.EINTR { // the runtime's own signals; the deadline stands
			continue
		}
		if err != nil {
			time.Sleep(time.Until(start.Add(t)))
		}
		return
	}
}

// sliceNS is the time slice asked of the scheduler, ns: a short one brings the
// thread to a core sooner. It needs no privileges.
const sliceNS = 100_000

// punctual ties the goroutine to its thread and asks the system to wake that
// thread without slack. The function returned undoes it all. What the system
// refuses is left out: the lateness statistics show what it costs.
func punctual() (undo func()) {
	runtime.LockOSThread()
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	was, err := unix.SchedGetAttr(0, 0)
	if err == nil && was.Policy == unix.SCHED_NORMAL {
		short := *was
		short.Runtime = sliceNS
		_ = unix.SchedSetAttr(0, &short, 0)
	}
	return func() {
		if err == nil && was.Policy == unix.SCHED_NORMAL {
			_ = unix.SchedSetAttr(0, was, 0)
		}
		_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0)
		runtime.UnlockOSThread()
	}
}
