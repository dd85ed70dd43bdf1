package loop

import "time"

// Clock is time as Run sees it. Both calls count from the same start.
type Clock interface {
	// Now returns the time since the start of the clock.
	Now() time.Duration
	// Until returns at t or as soon after it as the system can.
	Until(t time.Duration)
}

// Monotonic returns a clock of the running system, which is not moved by
// setting the date. On Linux it sleeps to absolute deadlines; it spins through
// the last part of each wait, 0 = not at all: spinning costs a core and takes
// the delay of waking up out of the lateness.
func Monotonic(spin time.Duration) Clock {
	return &monotonic{start: time.Now(), sleep: newSleeper(), spin: spin}
}

type monotonic struct {
	start time.Time
	sleep sleeper
	spin  time.Duration
}

// Now implements Clock.
func (m *monotonic) Now() time.Duration { return time.Since(m.start) }

// Until implements Clock.
func (m *monotonic) Until(t time.Duration) {
	if early := t - m.spin; early > m.Now() {
		m.sleep.until(m.start, early)
	}
	for m.spin > 0 && m.Now() < t {
	}
}
