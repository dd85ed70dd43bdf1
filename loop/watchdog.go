package loop

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// ErrStalled is in the error of a Run whose tick did not come back in time.
var ErrStalled = errors.New("tick stalled")

// watchdog notices a tick that hangs in the controller or the plant. It runs
// beside the loop, on the real clock, and never touches the cell: it halts the
// plant, which must allow that at any time, and ends the context, so that a
// plant which waits for it comes back.
type watchdog struct {
	limit time.Duration
	began atomic.Int64 // real time at which the tick under way began, ns; 0: none
	bite  func(error)
	over  chan struct{}
	done  chan struct{}
	since time.Time
}

// watch starts a watchdog that calls bite once when a tick lasts longer than
// limit.
func watch(limit time.Duration, bite func(error)) *watchdog {
	w := &watchdog{limit: limit, bite: bite, over: make(chan struct{}), done: make(chan struct{}), since: time.Now()}
	go w.look()
	return w
}

// begin and end mark a tick. They cost a clock reading and two stores.
func (w *watchdog) begin() { w.began.Store(int64(time.Since(w.since)) + 1) }
func (w *watchdog) end()   { w.began.Store(0) }

// stop ends the watchdog and waits until it has ended.
func (w *watchdog) stop() {
	close(w.over)
	<-w.done
}

// look compares the clock with the start of the tick four times a limit.
func (w *watchdog) look() {
	defer close(w.done)
	pulse := time.NewTicker(w.limit / 4)
	defer pulse.Stop()
	for {
		select {
		case <-w.over:
			return
		case <-pulse.C:
		}
		began := w.began.Load()
		if lasts := time.Since(w.since) - time.Duration(began); began != 0 && lasts > w.limit {
			w.bite(fmt.Errorf("loop: %w: it has lasted %v, at most %v is allowed; the plant is halted", ErrStalled, lasts.Round(time.Millisecond), w.limit))
			return
		}
	}
}

// guard makes the watchdog of a Run: it halts the plant, ends ctx and puts the
// reason into the error of Run.
func guard(ctx context.Context, c *Cell, o *Options) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := watch(o.Watchdog, func(err error) {
		o.Stats.Stalled.Add(1)
		cancel(errors.Join(err, safely("halt the plant", c.Plant.Halt)))
	})
	return ctx, w
}

// stalled returns why a watchdog ended ctx, or nil.
func stalled(ctx context.Context) error {
	if err := context.Cause(ctx); errors.Is(err, ErrStalled) {
		return err
	}
	return nil
}
