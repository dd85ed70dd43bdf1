package loop_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"legctl/control"
	"legctl/control/mode"
	"legctl/loop"
	"legctl/rig"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRunFeedsSinksAndHalts(t *testing.T) {
	p, c := &plant{caps: rig.Caps{SelfArm: true}}, &script{keep: true}
	s := &sink{rig: twoLegs()}
	var box loop.Mailbox
	box.Put(stop(5))
	err := loop.Run(t.Context(), cell(p, c), loop.Options{
		Dt: 0.1, Ticks: 25, Mailbox: &box, World: world{3: "push"}, Sinks: []loop.Sink{s}, Clock: &clock{},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.log[len(p.log)-2:]; !reflect.DeepEqual(got, []string{"halt", "close"}) {
		t.Errorf("ended with %q", got)
	}
	if c.seen[0].Kind != control.KindMode || c.seen[0].Mode != mode.Arm {
		t.Errorf("first command %+v, want arm", c.seen[0])
	}
	if len(s.frames) != 25 || s.closed != 1 || s.flushed == 0 {
		t.Fatalf("%d frames, closed %d times, flushed %d times", len(s.frames), s.closed, s.flushed)
	}
	if r := s.frames[1].Out.Reply; r.ID != 5 || r.Kind != control.KindStop {
		t.Errorf("reply %+v, want that of command 5", r)
	}
	counts := map[control.Tag]int{}
	for _, tag := range s.tags {
		counts[tag]++
	}
	if counts[control.TagState] != 3 || counts[control.TagEvent] != 1 {
		t.Errorf("records %v, want states before ticks 0, 10 and 20 and one event", counts)
	}
}

func TestRunSkipsLateTicks(t *testing.T) {
	rows := []struct {
		name    string
		work    map[int]time.Duration // by tick
		start   []int                 // of each tick, ms
		skipped uint64
	}{
		{"punctual", nil, []int{0, 100, 200, 300, 400}, 0},
		{"a little late", map[int]time.Duration{1: 120 * time.Millisecond}, []int{0, 100, 220, 300, 400}, 0},
		{"more than half a period", map[int]time.Duration{1: 170 * time.Millisecond}, []int{0, 100, 300, 400, 500}, 1},
		{"four periods", map[int]time.Duration{1: 430 * time.Millisecond}, []int{0, 100, 530, 600, 700}, 3},
		{"nearly five", map[int]time.Duration{1: 480 * time.Millisecond}, []int{0, 100, 600, 700, 800}, 4},
	}
	for _, row := range rows {
		k := &clock{}
		p := &plant{}
		var start []int
		p.on = func(call string) {
			if call == "observe" {
				start = append(start, int(k.Now()/time.Millisecond))
				k.work(row.work[len(start)-1])
			}
		}
		var st loop.Stats
		if err := loop.Run(t.Context(), cell(p, &script{}), loop.Options{Dt: 0.1, Ticks: 5, Clock: k, Stats: &st}); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(start, row.start) || st.Skipped.Load() != row.skipped || st.Ticks.Load() != 5 {
			t.Errorf("%s: started at %v ms, skipped %d; want %v, %d", row.name, start, st.Skipped.Load(), row.start, row.skipped)
		}
	}
}

// lazy is a clock whose sleeps are always too long.
type lazy struct{ clock }

func (c *lazy) Until(t time.Duration) { c.clock.Until(t + 80*time.Millisecond) }

func TestRunStillTicksWithALazyClock(t *testing.T) {
	var st loop.Stats
	err := loop.Run(t.Context(), cell(&plant{}, &script{}), loop.Options{Dt: 0.1, Ticks: 10, Clock: &lazy{}, Stats: &st})
	if err != nil || st.Ticks.Load() != 10 {
		t.Errorf("%d ticks, %v", st.Ticks.Load(), err)
	}
}

func TestRunHaltsOnEveryWayOut(t *testing.T) {
	broken := errors.New("broken")
	rows := []struct {
		name string
		p    plant
		c    script
		dt   float64
		is   error
		want string
	}{
		{"open fails", plant{fail: map[string]error{"open": broken}}, script{}, 0.1, broken, "open the plant"},
		{"too fast for it", plant{caps: rig.Caps{MaxRate: 50}}, script{}, 0.01, nil, "rate is 100 Hz, the plant takes at most 50"},
		{"controller panics", plant{}, script{panic: 2}, 0.1, loop.ErrPanic, "told to"},
		{"plant panics", plant{panic: "limp"}, script{}, 0.1, loop.ErrPanic, "told to"},
		{"halt fails", plant{fail: map[string]error{"halt": broken}}, script{}, 0.1, broken, "halt the plant"},
		{"halt panics", plant{panic: "halt"}, script{}, 0.1, nil, "halt the plant: panic"},
		{"all is well", plant{}, script{}, 0.1, nil, ""},
	}
	for _, row := range rows {
		s := &sink{rig: twoLegs()}
		err := loop.Run(t.Context(), cell(&row.p, &row.c), loop.Options{Dt: row.dt, Ticks: 4, Clock: &clock{}, Sinks: []loop.Sink{s}})
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
		if row.is != nil && !errors.Is(err, row.is) {
			t.Errorf("%s: %v is not %v", row.name, err, row.is)
		}
		if log := row.p.log; !reflect.DeepEqual(log[len(log)-2:], []string{"halt", "close"}) || s.closed != 1 {
			t.Errorf("%s: ended with %q, sink closed %d times", row.name, row.p.log, s.closed)
		}
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p, n := &plant{}, 0
	p.on = func(call string) {
		if call == "observe" {
			if n++; n == 3 {
				cancel()
			}
		}
	}
	if err := loop.Run(ctx, cell(p, &script{}), loop.Options{Dt: 0.1, Clock: &clock{}}); err != nil {
		t.Error(err)
	}
	if n != 3 {
		t.Errorf("%d ticks after the end", n-3)
	}
}

func TestASinkCannotDelayTheTick(t *testing.T) {
	slow := &sink{rig: twoLegs(), block: make(chan struct{})}
	quick, bad := &sink{rig: twoLegs()}, &sink{rig: twoLegs(), fail: errors.New("disk full")}
	var st loop.Stats
	err := loop.Run(t.Context(), cell(&plant{}, &script{}), loop.Options{
		Dt: 0.1, Ticks: 500, Clock: &clock{}, Ring: 1024, Stats: &st,
		Sinks: []loop.Sink{slow, quick, bad}, Patience: 20 * time.Millisecond,
	})
	if err == nil || !strings.Contains(err.Error(), "sink 0: did not close within 20ms") ||
		!strings.Contains(err.Error(), "sink 2: disk full") {
		t.Errorf("error %v", err)
	}
	if len(quick.frames) != 500 || st.Broken() != 1 || len(bad.tags) != 1 {
		t.Errorf("%d frames in the quick sink, %d sinks broken, %d records in the bad one", len(quick.frames), st.Broken(), len(bad.tags))
	}
	close(slow.block)
	waitUntil(t, func() bool { slow.mu.Lock(); defer slow.mu.Unlock(); return slow.closed == 1 })
}

// waitUntil polls for a condition that another goroutine brings about.
func waitUntil(t *testing.T, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not happen within 5 s")
		}
	}
}

func TestRunCountsWhatSinksMiss(t *testing.T) {
	slow := &sink{rig: twoLegs(), block: make(chan struct{})}
	var st loop.Stats
	p := &plant{on: func(string) {}}
	done := make(chan error)
	go func() {
		done <- loop.Run(context.Background(), cell(p, &script{}), loop.Options{
			Dt: 0.1, Ticks: 200, Clock: &clock{}, Ring: 64, Stats: &st, Sinks: []loop.Sink{slow}, Patience: 5 * time.Second,
		})
	}()
	waitUntil(t, func() bool { return st.Ticks.Load() == 200 })
	close(slow.block)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	last := len(slow.tags) - 1
	if got := uint64(last) + st.Dropped(); got != 200+20 || st.Dropped() == 0 {
		t.Errorf("%d records seen, %d dropped; want 220 in all", last, st.Dropped())
	}
	if slow.tags[last] != control.TagGap || slow.ticks[last] != 199 {
		t.Errorf("the last record is %d of tick %d, want word of the gap", slow.tags[last], slow.ticks[last])
	}
}

func TestRunCountsFailures(t *testing.T) {
	broken := errors.New("broken")
	p := &plant{fail: map[string]error{"observe": broken}}
	var st loop.Stats
	if err := loop.Run(t.Context(), cell(p, &script{}), loop.Options{Dt: 0.1, Ticks: 7, Clock: &clock{}, Stats: &st}); err != nil {
		t.Fatal(err)
	}
	if st.Failures.Load() != 7 || !errors.Is(st.Last(), broken) || !strings.Contains(st.Last().Error(), "tick 6") {
		t.Errorf("%d failures, the last %v", st.Failures.Load(), st.Last())
	}
}

func TestRunRefusesABadRate(t *testing.T) {
	for _, dt := range []float64{0, -1, 2} {
		p := &plant{}
		err := loop.Run(t.Context(), cell(p, &script{}), loop.Options{Dt: dt})
		if err == nil || len(p.log) != 0 {
			t.Errorf("dt %g: %v after %q", dt, err, p.log)
		}
	}
}

func TestMonotonicIsPunctual(t *testing.T) {
	var st loop.Stats
	err := loop.Run(t.Context(), cell(&quiet{}, &script{}), loop.Options{
		Dt: 0.002, Ticks: 100, Stats: &st, Clock: loop.Monotonic(50 * time.Microsecond),
	})
	if err != nil {
		t.Fatal(err)
	}
	// A machine that is busy may be late now and then, but not early, ever.
	if st.Lateness.Quantile(0.5) > time.Millisecond || st.Ticks.Load() != 100 {
		t.Errorf("half of all ticks are later than %v", st.Lateness.Quantile(0.5))
	}
	t.Logf("lateness p50 %v p99 %v max %v, %d skipped", st.Lateness.Quantile(0.5), st.Lateness.Quantile(0.99), st.Lateness.Max(), st.Skipped.Load())
}

func TestMonotonicIsNeverEarly(t *testing.T) {
	for _, spin := range []time.Duration{0, 100 * time.Microsecond} {
		k := loop.Monotonic(spin)
		next := k.Now()
		for range 20 {
			next += time.Millisecond
			if k.Until(next); k.Now() < next {
				t.Errorf("spin %v: woken %v early", spin, next-k.Now())
			}
		}
	}
}

func TestFramesSink(t *testing.T) {
	x := cell(&plant{}, &script{armed: true})
	var got []float64
	s := loop.Frames(twoLegs(), func(f *control.Frame) error { got = append(got, f.Out.Set.Q[0]); return nil })
	tk := loop.NewTicker(x, 0.1, 1)
	tk.Out = outlet{s}
	for range 3 {
		if err := tk.Do(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(got, []float64{0, 1, 2}) {
		t.Errorf("%v", got)
	}
	if err := s.Put(control.TagFrame, 3, []byte("no frame")); !errors.Is(err, rig.ErrLayout) {
		t.Errorf("other bytes: %v", err)
	}
}

// outlet passes records straight to a sink.
type outlet struct{ s loop.Sink }

func (o outlet) Put(tag control.Tag, tick uint64, data []byte) { _ = o.s.Put(tag, tick, data) }
