package loop

import "sync/atomic"

// Stats is how punctual a Run is and what it lost. Run writes it, anybody may
// read it meanwhile. It is telemetry and never an input of the core. The zero
// value is ready.
type Stats struct {
	Ticks    atomic.Uint64 // done
	Skipped  atomic.Uint64 // deadlines that had to be left out: late ticks
	Failures atomic.Uint64 // ticks in which the plant or the world failed
	Stalled  atomic.Uint64 // ticks that the watchdog gave up: 0 or 1
	Lateness Histogram     // from a deadline to the start of its tick
	Work     Histogram     // from the start of a tick to its end

	last atomic.Pointer[error]
	out  atomic.Pointer[fan]
}

// Dropped returns how many records the sinks missed, all together.
func (s *Stats) Dropped() uint64 {
	if f := s.out.Load(); f != nil {
		return f.dropped()
	}
	return 0
}

// Broken returns how many sinks have failed and get nothing more.
func (s *Stats) Broken() int {
	n := 0
	if f := s.out.Load(); f != nil {
		for _, x := range f.feeders {
			if x.bad.Load() {
				n++
			}
		}
	}
	return n
}

// Last returns the last failure of plant or world, or nil.
func (s *Stats) Last() error {
	if p := s.last.Load(); p != nil {
		return *p
	}
	return nil
}

func (s *Stats) fail(err error) {
	s.Failures.Add(1)
	s.last.Store(&err)
}
