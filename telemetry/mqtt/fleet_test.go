package mqtt

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"legctl/control"
	"legctl/telemetry"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// TestFleet: many rigs at 10 Hz on one embedded broker, states at QoS 1: not one
// is lost. "make soak" runs it with 1000 rigs for a minute.
func TestFleet(t *testing.T) {
	if testing.Short() {
		t.Skip("many rigs")
	}
	fleet(t, soaking(1000, 100), soaking(60, 3))
}

func fleet(t *testing.T, rigs, seconds int) {
	t.Helper()
	b := broker(t)
	var mu sync.Mutex
	got := map[string]map[uint64]bool{}
	hear(t, b.Addr(), "legctl/+/state", func(s *telemetry.State) {
		mu.Lock()
		defer mu.Unlock()
		if got[s.Rig] == nil {
			got[s.Rig] = map[uint64]bool{}
		}
		got[s.Rig][s.Tick] = true
	})
	ticks := 10 * seconds
	var all sync.WaitGroup
	begin := time.Now()
	start := make(chan struct{}) // all have come
	for i := range rigs {
		o := b.Join()
		o.StateQoS, o.Rates = 1, Rates{"status": 0}
		r := recruit(t, fmt.Sprintf("r%d", i), o)
		all.Go(func() { march(t, r, ticks, start) })
	}
	t.Logf("%d rigs online after %.1f s", rigs, time.Since(begin).Seconds())
	begin = time.Now()
	close(start)
	all.Wait()
	want := rigs * ticks
	count := func() (n int) {
		mu.Lock()
		defer mu.Unlock()
		for _, ticks := range got {
			n += len(ticks)
		}
		return n
	}
	for end := time.Now().Add(time.Duration(10+seconds) * time.Second); count() < want && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
	}
	n := count()
	t.Logf("%d rigs, %d states of %d in %.1f s", rigs, n, want, time.Since(begin).Seconds())
	if n != want {
		t.Errorf("%d states were lost", want-n)
	}
}

// recruit brings a rig of the fleet online.
func recruit(t *testing.T, name string, o BridgeOptions) *Bridge {
	t.Helper()
	names := &telemetry.Names{Rig: name, Legs: []string{"lf", "rf", "lm", "rm", "lr", "rr"}, Gaits: []string{"walk"}}
	o.Warn = func(what string, err error) { t.Log(name, what, err) } // births may be slow while everybody comes
	o.Lost = time.Minute
	b, err := NewBridge(names, 0.1, func(control.Command) (bool, uint64) { return false, 0 }, o)
	if err != nil {
		t.Fatal(err)
	}
	b.pace.state = beat{every: 1} // each tick, however late the machine makes it
	return b
}

// march publishes ticks states at 10 Hz from one rig.
func march(t *testing.T, b *Bridge, ticks int, start <-chan struct{}) {
	defer b.Close()
	out := &control.Output{Legs: make([]control.LegOut, 6)}
	<-start
	beat := time.NewTicker(100 * time.Millisecond)
	defer beat.Stop()
	for tick := range ticks {
		<-beat.C
		out.Tick = uint64(tick + 1)
		b.Tick(out, nil)
	}
	for end := time.Now().Add(time.Minute); b.Counts().Queued+b.Counts().Underway > 0 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	if c := b.Counts(); c.Dropped+uint64(c.Underway) > 0 {
		t.Errorf("%s: %+v after %d ticks", b.names.Rig, c, out.Tick)
	}
}

// hear reads states at QoS 1.
func hear(t *testing.T, addr, topic string, take func(*telemetry.State)) {
	t.Helper()
	c := plain(t, addr)
	if err := wait(c.Connect(), connectLimit); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Disconnect(quiesce) })
	if err := wait(c.Subscribe(topic, 1, func(_ paho.Client, m paho.Message) {
		var s telemetry.State
		if json.Unmarshal(m.Payload(), &s) == nil {
			take(&s)
		}
	}), connectLimit); err != nil {
		t.Fatal(err)
	}
}
