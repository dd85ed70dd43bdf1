package mqtt

import (
	"strconv"
	"testing"
)

// TestQueueDropsOldest: putting never waits, the newest messages stay in order,
// what was lost is counted, and only the last state is kept.
func TestQueueDropsOldest(t *testing.T) {
	q := newQueue()
	for i := range queueSize + 10 {
		q.put(message{topic: strconv.Itoa(i)})
		q.putLatest(message{topic: "state", body: []byte(strconv.Itoa(i))})
	}
	if q.lost() != 10 {
		t.Errorf("%d lost, want 10", q.lost())
	}
	for i := 10; i < queueSize+10; i++ {
		if m, ok := q.take(true); !ok || m.topic != strconv.Itoa(i) {
			t.Fatalf("message %d is %q", i, m.topic)
		}
	}
	if m, ok := q.take(true); !ok || string(m.body) != strconv.Itoa(queueSize+9) {
		t.Errorf("state %q", m.body)
	}
	if _, ok := q.take(true); ok {
		t.Error("the queue is not empty")
	}
}
