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
}

// queue is a bounded line of messages that drops its oldest, plus one place for
// the latest state. Putting never waits.
type queue struct {
	mu      sync.Mutex
	ring    [queueSize]message
	head, n int
	latest  *message
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
	q.signal()
}

// putLatest replaces the state that waits, if one does.
func (q *queue) putLatest(m message) {
	q.mu.Lock()
	q.latest = &m
	q.mu.Unlock()
	q.signal()
}

// take returns the next message: those in line first, then the state.
func (q *queue) take() (message, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.n > 0 {
		m := q.ring[q.head]
		q.ring[q.head] = message{}
		q.head = (q.head + 1) % queueSize
		q.n--
		return m, true
	}
	if m := q.latest; m != nil {
		q.latest = nil
		return *m, true
	}
	return message{}, false
}

// lost returns how many messages were dropped so far.
func (q *queue) lost() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dropped
}

func (q *queue) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}
