package loop

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// The rates a Throttle takes besides 0.
const (
	SlowestRate = 0.01
	FastestRate = 1.0
)

// throttleNap is how long a throttled clock sleeps before it looks again.
const throttleNap = 5 * time.Millisecond

// Throttle is a clock that can be slowed down, stopped, and moved on by single
// ticks: time as a simulation wants it. Nobody but the loop calls Now and
// Until; any goroutine may call the rest. At rate 1 it is the clock below.
type Throttle struct {
	inner Clock
	end   <-chan struct{}
	rate  atomic.Uint64 // bits of the float
	steps atomic.Int64  // ticks to do while stopped

	used    float64       // rate since the base; the loop's
	real    time.Duration // base: real time
	virtual time.Duration // and what the loop took it for
}

// NewThrottle returns a throttle over a clock, at rate 1. The end of ctx ends
// every wait.
func NewThrottle(ctx context.Context, inner Clock) *Throttle {
	t := &Throttle{inner: inner, end: ctx.Done(), used: 1}
	t.rate.Store(math.Float64bits(1))
	return t
}

// SetRate makes time go at a share of its speed; 0 stops it. Other rates are
// SlowestRate to FastestRate.
func (t *Throttle) SetRate(rate float64) error {
	if rate != 0 && !(rate >= SlowestRate && rate <= FastestRate) {
		return fmt.Errorf("loop: rate is %g, must be 0 or in [%g, %g]", rate, SlowestRate, FastestRate)
	}
	if rate != 0 {
		t.steps.Store(0)
	}
	t.rate.Store(math.Float64bits(rate))
	return nil
}

// Rate returns the share of its speed at which time goes, 0 while stopped.
func (t *Throttle) Rate() float64 { return math.Float64frombits(t.rate.Load()) }

// Step lets n more ticks happen while time stands still.
func (t *Throttle) Step(n int) { t.steps.Add(int64(n)) }

// Now implements Clock.
func (t *Throttle) Now() time.Duration {
	real := t.inner.Now()
	now := t.virtual + time.Duration(float64(real-t.real)*t.used)
	if t.used == 1 {
		now = t.virtual + (real - t.real)
	}
	if rate := t.Rate(); rate != t.used {
		t.real, t.virtual, t.used = real, now, rate
	}
	return now
}

// Until implements Clock.
func (t *Throttle) Until(at time.Duration) {
	for {
		now := t.Now()
		if t.ended() || now >= at && t.used > 0 {
			return
		}
		wait := throttleNap
		switch {
		case t.used == 1:
			wait = at - now
		case t.used > 0:
			wait = min(wait, time.Duration(float64(at-now)/t.used))
		case t.stepped():
			t.virtual = at
			return
		}
		t.inner.Until(t.inner.Now() + wait)
	}
}

// stepped uses up one of the single ticks, if any are left.
func (t *Throttle) stepped() bool {
	if t.steps.Load() <= 0 {
		return false
	}
	t.steps.Add(-1)
	return true
}

func (t *Throttle) ended() bool {
	select {
	case <-t.end:
		return true
	default:
		return false
	}
}
