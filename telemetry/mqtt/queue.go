package mqtt

import "sync"

// queueSize is how many messages may wait to be published.
const queueSize = 256

// message is one thing to publish.
type message struct {
	topic  string
	body   []byte
	qos    byte
	retain bool
	seq    uint64 // of a durable one; 0: it is not
}

// queue is a bounded line of messages that drops its oldest, plus one place a
// topic for the latest of its kind. Putting never waits.
type queue struct {
	mu      sync.Mutex
	ring    [queueSize]message
	head, n int
	latest  []message // one a topic, in the order of their coming
	dropped uint64
	wake    chan struct{}
}

func newQueue() *queue { return &queue{wake: make(chan struct{}, 1)} }

// put appends m; when the queue is full the oldest message goes.
func (q *queue) put(m message) {
	q.mu.Lock()
	if q.n == queueSize {
		q.head = (q.head + 1) % queueSize
		q.n--
		q.dropped++
	}
	q.ring[(q.head+q.n)%queueSize] = m
	q.n++
	q.mu.Unlock()
	signal(q.wake)
}

// putLatest replaces the message of that topic that waits, if one does.
func (q *queue) putLatest(m message) {
	q.mu.Lock()
	for i := range q.latest {
		if q.latest[i].topic == m.topic {
			q.latest[i] = m
			q.mu.Unlock()
			return
		}
	}
	q.latest = append(q.latest, m)
	q.mu.Unlock()
	signal(q.wake)
}

// take returns the next message: those in line first, then the latest ones.
// Without room for another confirmation only messages that need none are taken.
func (q *queue) take(room bool) (message, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n > 0 && (room || q.ring[q.head].qos == 0) {
		m := q.ring[q.head]
		q.ring[q.head] = message{}
		q.head = (q.head + 1) % queueSize
		q.n--
		return m, true
	}
	for i, m := range q.latest {
		if room || m.qos == 0 {
			q.latest = append(q.latest[:i], q.latest[i+1:]...)
			return m, true
		}
	}
	return message{}, false
}

// lost returns how many messages were dropped so far.
func (q *queue) lost() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}

// waits returns how many messages wait.
func (q *queue) waits() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.n + len(q.latest)
}
