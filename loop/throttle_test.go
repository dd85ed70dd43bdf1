package loop_test

import (
	"bytes"
	"context"
	"math"
	"testing"
	"time"

	"legctl/control"
	"legctl/loop"
)

func TestThrottleRates(t *testing.T) {
	for _, row := range []struct {
		name string
		rate float64
		ok   bool
	}{
		{"full", 1, true},
		{"slow", 0.1, true},
		{"slowest", loop.SlowestRate, true},
		{"stopped", 0, true},
		{"too slow", 0.001, false},
		{"too fast", 1.5, false},
		{"backwards", -1, false},
		{"no number", math.NaN(), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := loop.NewThrottle(t.Context(), &clock{})
			if err := c.SetRate(row.rate); (err == nil) != row.ok {
				t.Fatalf("rate %g: %v", row.rate, err)
			}
			if want := 1.0; !row.ok && c.Rate() != want {
				t.Errorf("a refused rate changed it to %g", c.Rate())
			}
		})
	}
}

func TestThrottleSlowsTime(t *testing.T) {
	inner := &clock{}
	c := loop.NewThrottle(t.Context(), inner)
	c.Until(time.Second)
	if err := c.SetRate(0.25); err != nil {
		t.Fatal(err)
	}
	c.Until(2 * time.Second)
	if got := inner.Now(); got < 5*time.Second || got > 5*time.Second+10*time.Millisecond {
		t.Errorf("one second at a quarter ended at %v, want 5 s", got)
	}
	if err := c.SetRate(1); err != nil {
		t.Fatal(err)
	}
	c.Until(3 * time.Second)
	if got := inner.Now(); got < 6*time.Second || got > 6*time.Second+10*time.Millisecond {
		t.Errorf("one second more ended at %v, want 6 s", got)
	}
}

func TestThrottleStopsAndSteps(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	inner := &clock{}
	c := loop.NewThrottle(ctx, inner)
	if err := c.SetRate(0); err != nil {
		t.Fatal(err)
	}
	c.Step(2)
	c.Until(10 * time.Millisecond)
	c.Until(20 * time.Millisecond)
	if got := c.Now(); got != 20*time.Millisecond {
		t.Errorf("after two single ticks it is %v", got)
	}
	cancel()
	c.Until(time.Hour)
	if got := c.Now(); got != 20*time.Millisecond {
		t.Errorf("the end of the context moved time to %v", got)
	}
}

// marked is a controller that can be told from another.
type marked struct {
	script
	mark float64
}

func TestSwapBetweenTicks(t *testing.T) {
	first, second := &marked{mark: 1}, &marked{mark: 2}
	var swap loop.Swap
	params := bytes.Repeat([]byte("0123456789"), 70)
	taken := uint64(0)
	c := cell(&plant{}, first)
	s := &pieces{}
	ticker := loop.NewTicker(c, 0.1, 0)
	ticker.Swap, ticker.Out = &swap, s
	for tick := range 6 {
		if tick == 3 {
			swap.Put(first, []byte("thrown out"), nil)
			swap.Put(second, params, func(n uint64) { taken = n })
		}
		if err := ticker.Do(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if taken != 3 || c.Controller != loop.Stepper(second) {
		t.Errorf("taken at tick %d by %v", taken, c.Controller)
	}
	if !bytes.Equal(s.whole, params) || s.ends != 1 || s.at != 3 {
		t.Errorf("%d bytes in %d wholes at tick %d, want %d bytes at 3", len(s.whole), s.ends, s.at, len(params))
	}
}

// pieces puts recorded parameters together.
type pieces struct {
	whole []byte
	ends  int
	at    uint64
}

// Put implements loop.Outlet.
func (p *pieces) Put(tag control.Tag, tick uint64, data []byte) {
	if tag == control.TagParams {
		p.whole, p.ends, p.at = append(p.whole, data[1:]...), p.ends+int(data[0]), tick
	}
}
