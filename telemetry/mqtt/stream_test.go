package mqtt

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"legctl/control"
)

// TestStreamEndsWithZero: a stream repeats its twist ten times a second and its
// last word is a zero twist, whether its time is up or it is interrupted.
func TestStreamEndsWithZero(t *testing.T) {
	b := broker(t)
	for name, span := range map[string]time.Duration{"time is up": 500 * time.Millisecond, "interrupted": 0} {
		t.Run(name, func(t *testing.T) {
			f := fake(t, "ant", b.Addr(), b.Keeps)
			c := dial(t, b.Addr())
			ctx, cancel := context.WithTimeout(t.Context(), 600*time.Millisecond)
			defer cancel()
			if err := c.Stream(ctx, "ant", map[string]any{"vx": 0.1}, span); err != nil {
				t.Fatal(err)
			}
			got := f.commands()
			if n := len(got); n < 4 || n > 9 {
				t.Errorf("%d twists in half a second", n)
			}
			for i, cmd := range got {
				want := control.Command{ID: cmd.ID, Kind: control.KindTwist, Vx: 0.1}
				if i == len(got)-1 {
					want.Vx = 0
				}
				if cmd != want {
					t.Errorf("twist %d of %d: %+v", i, len(got), cmd)
				}
			}
		})
	}
}

func TestStreamRefused(t *testing.T) {
	b := broker(t)
	f := fake(t, "ant", b.Addr(), b.Keeps)
	c := dial(t, b.Addr())
	err := c.Stream(t.Context(), "ant", map[string]any{"speed": 0.1}, 0)
	if !errors.Is(err, ErrRefused) || len(f.commands()) > 0 {
		t.Errorf("%v, %+v", err, f.commands())
	}
}

// TestStateRate: the state goes out about twenty times a second, whatever the
// rate of the ticks.
func TestStateRate(t *testing.T) {
	b := broker(t)
	heard := listen(t, b.Addr(), "legctl/ant/state")
	fake(t, "ant", b.Addr(), b.Keeps)
	until(t, "first state", func() bool { return len(heard()) > 0 })
	start, n := time.Now(), len(heard())
	until(t, "20 more", func() bool { return len(heard()) >= n+20 })
	if d := time.Since(start); d < 800*time.Millisecond {
		t.Errorf("20 states in %v", d)
	}
}

// TestFollow: a screen hears all a rig says, whatever it subscribes besides.
func TestFollow(t *testing.T) {
	both(t, false, func(t *testing.T, h *house) {
		f := fakeWith(t, "ant", h.join())
		c := dial(t, h.addr)
		var mu sync.Mutex
		seen := map[string]bool{}
		err := c.Follow(t.Context(), "ant", func(n News) {
			mu.Lock()
			defer mu.Unlock()
			for what, is := range map[string]bool{
				"state": n.State != nil, "status": n.Status != nil, "event": n.Event != nil, "lease": n.Lease != nil, "info": n.Info != nil, "online": n.Online != nil,
			} {
				seen[what] = seen[what] || is
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		f.mu.Lock()
		f.faults = 1
		f.mu.Unlock()
		if err := c.Lease(t.Context(), "ant", "acquire", "anna", 5); err != nil {
			t.Fatal(err)
		}
		f.bridge.announce() // the moment of a retained message may be missed
		until(t, "all of it", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return len(seen) == 6 && !slices.Contains(slices.Collect(maps.Values(seen)), false)
		})
	})
}
