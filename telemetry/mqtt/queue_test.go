package mqtt

import (
	"strconv"
	"testing"
	"time"
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

// TestBeat: a rate is kept on the average; a message that comes late does not
// put the next one off, and a pause is not made up for.
func TestBeat(t *testing.T) {
	rows := []struct {
		name string
		at   []int // ms
		want int
	}{
		{"on time", []int{0, 100, 200, 300, 400}, 5},
		{"one late", []int{0, 100, 260, 300, 400}, 5},
		{"faster ticks", []int{0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200}, 3},
		{"a hair early", []int{0, 99, 198, 297}, 4},
		{"after a pause", []int{0, 5000, 5010, 5020, 5100}, 3},
	}
	for _, r := range rows {
		b, start, n := beatOf(10), time.Unix(1000, 0), 0
		for _, ms := range r.at {
			if b.due(start.Add(time.Duration(ms) * time.Millisecond)) {
				n++
			}
		}
		if n != r.want {
			t.Errorf("%s: %d, want %d", r.name, n, r.want)
		}
	}
}
