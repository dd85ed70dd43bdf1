package loop_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"legctl/loop"
	"legctl/rig"
)

// stuck is a plant whose Apply hangs in one tick until its context ends.
type stuck struct {
	plant
	at, n  int
	halted atomic.Int32
}

func (p *stuck) Apply(ctx context.Context, sp *rig.Setpoint) error {
	if p.n++; p.n > p.at {
		<-ctx.Done()
	}
	return nil
}

func (p *stuck) Halt() error {
	p.halted.Add(1)
	return nil
}

// TestWatchdog hangs a tick: the plant is halted while it hangs, Run ends with
// the reason, and no further tick is done.
func TestWatchdog(t *testing.T) {
	p := &stuck{at: 3}
	var st loop.Stats
	began := time.Now()
	err := loop.Run(t.Context(), loop.NewCell(twoLegs(), p, &script{}, nil), loop.Options{
		Dt: 0.001, Ticks: 50, Stats: &st, Watchdog: 40 * time.Millisecond,
	})
	if !errors.Is(err, loop.ErrStalled) {
		t.Fatalf("error %v, want ErrStalled", err)
	}
	if p.halted.Load() != 2 { // once by the watchdog, once on the way out
		t.Errorf("halted %d times, want 2", p.halted.Load())
	}
	if st.Stalled.Load() != 1 || st.Ticks.Load() != 4 {
		t.Errorf("%d stalls after %d ticks, want 1 after 4", st.Stalled.Load(), st.Ticks.Load())
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

// TestWatchdogSleeps leaves ticks alone that come back in time.
func TestWatchdogSleeps(t *testing.T) {
	p := &stuck{at: 1000}
	var st loop.Stats
	err := loop.Run(t.Context(), loop.NewCell(twoLegs(), p, &script{}, nil), loop.Options{
		Dt: 0.002, Ticks: 40, Stats: &st, Watchdog: time.Second,
	})
	if err != nil || st.Stalled.Load() != 0 {
		t.Errorf("error %v, %d stalls", err, st.Stalled.Load())
	}
}
