package mqtt

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

const (
	// window is how many messages may wait for their confirmation at once.
	window = 512
	// confirmLimit is how long a broker may take to confirm one.
	confirmLimit = 10 * time.Second
	// syncEvery is how often the spool is written through to the disk.
	syncEvery = time.Second
)

// flight is a message that was handed to the client and is not confirmed.
type flight struct {
	token paho.Token
	link  uint64 // the connection it was handed to, counted
	seq   uint64 // of a durable one, 0 = it is not
	epoch int
}

// sender moves messages from queue and spool to a broker, in goroutines of its
// own: durable ones into the spool whether the broker is there or not; all of
// them to the broker when it is. Up to window messages are under way at a time.
//
// What was under way when a connection broke counts as not confirmed, whatever
// its token says: as soon as it is back, paho 1.5 completes the tokens of what it
// is about to send again, without an error (messageids.go, claimID). The client
// sends all of that again; this sends what is durable from the spool again, and
// nothing before the spool is wound back. Both begin with the oldest that is not
// confirmed and leave none out, so that the first coming of each is in order.
type sender struct {
	queue   *queue
	durable *queue
	spool   *spool
	warn    func(string, error)
	client  paho.Client

	flights chan flight
	waiting atomic.Int32  // how many wait for a confirmation
	breaks  atomic.Uint64 // counts the attempts to connect again
	link    uint64        // breaks when the connection in use was found open; of send alone
	stop    chan struct{}
	halt    chan struct{} // closed closeLimit after stop
	all     sync.WaitGroup
}

// closeLimit is how long the last confirmations may take.
const closeLimit = 2 * time.Second

func newSender(s *spool, warn func(string, error)) *sender {
	return &sender{
		queue: newQueue(), durable: newQueue(), spool: s, warn: warn,
		flights: make(chan flight, window), stop: make(chan struct{}), halt: make(chan struct{}),
	}
}

// start begins sending to client.
func (s *sender) start(client paho.Client) {
	s.client = client
	spooled := make(chan struct{})
	sent := make(chan struct{})
	s.all.Go(func() { defer close(spooled); s.fill() })
	s.all.Go(func() { defer close(sent); s.send(spooled) })
	s.all.Go(func() { s.confirm(sent) })
}

// close sends what can be sent and ends.
func (s *sender) close() error {
	close(s.stop)
	timer := time.AfterFunc(closeLimit, func() { close(s.halt) })
	defer timer.Stop()
	s.all.Wait()
	return s.spool.close()
}

// broken says that the connection broke and the client is about to try again.
func (s *sender) broken() { s.breaks.Add(1) }

// open reports whether something may be sent: the connection is open, and what
// was under way on the one before has been taken note of. The breaks are read
// first: what goes out on a connection that is gone by then must not count as
// sent on the next.
func (s *sender) open() bool {
	link := s.breaks.Load()
	if !s.client.IsConnectionOpen() || link != s.link && s.waiting.Load() > 0 {
		return false
	}
	s.link = link
	return true
}

// fill moves durable messages into the spool.
func (s *sender) fill() {
	through := time.NewTicker(syncEvery)
	defer through.Stop()
	for {
		for m, ok := s.durable.take(true); ok; m, ok = s.durable.take(true) {
			if err := s.spool.put(record{m.seq, m.topic, m.body}); err != nil {
				s.warn("a durable message is not on disk", err)
			}
		}
		select {
		case <-s.durable.wake:
		case <-through.C:
			_ = s.spool.sync() // kept as s.spool.broken
		case <-s.stop:
			if s.durable.waits() == 0 {
				return
			}
		}
	}
}

// send publishes until the spool is filled for the last time and nothing more
// can be sent.
func (s *sender) send(spooled <-chan struct{}) {
	retry := time.NewTicker(retryEvery)
	defer retry.Stop()
	for {
		for s.open() && s.one() {
		}
		select {
		case <-s.queue.wake:
		case <-s.spool.wake:
		case <-retry.C:
		case <-spooled:
			s.last(retry.C)
			return
		}
	}
}

// last publishes what is left, once what a break left under way is settled.
func (s *sender) last(again <-chan time.Time) {
	for s.client.IsConnectionOpen() {
		if s.open() {
			for s.one() {
			}
			return
		}
		select {
		case <-again:
		case <-s.halt:
			return
		}
	}
}

// retryEvery is how often a sender looks whether the connection is back.
const retryEvery = 20 * time.Millisecond

// one publishes a message, if one waits that may go now.
func (s *sender) one() bool {
	room := len(s.flights) < window // only this goroutine adds
	if room {
		if r, epoch, ok := s.spool.take(); ok {
			s.waiting.Add(1)
			s.flights <- flight{s.client.Publish(r.topic, 1, false, r.body), s.link, r.seq, epoch}
			return true
		}
	}
	m, ok := s.queue.take(room)
	if !ok {
		return false
	}
	token := s.client.Publish(m.topic, m.qos, m.retain, m.body)
	if m.qos > 0 {
		s.waiting.Add(1)
		s.flights <- flight{token: token, link: s.link}
	}
	return true
}

// confirm waits for confirmations in the order of sending.
func (s *sender) confirm(sent <-chan struct{}) {
	for {
		var f flight
		select {
		case f = <-s.flights:
		case <-sent:
			select {
			case f = <-s.flights:
			default:
				return
			}
		}
		s.settle(&f, s.outcome(&f))
		s.waiting.Add(-1)
	}
}

// errBroken is the outcome of what was under way when the connection broke.
var errBroken = errors.New("the connection broke")

// outcome waits for one confirmation.
func (s *sender) outcome(f *flight) error {
	select {
	case <-f.token.Done():
		return s.verdict(f)
	default:
	}
	look := time.NewTicker(retryEvery)
	defer look.Stop()
	for waited := time.Duration(0); waited < confirmLimit; waited += retryEvery {
		if s.stale(f) {
			return errBroken
		}
		select {
		case <-f.token.Done():
			return s.verdict(f)
		case <-s.halt:
			return errors.New("not confirmed before the end")
		case <-look.C:
		}
	}
	return fmt.Errorf("not confirmed within %v", confirmLimit)
}

// verdict is what a completed token means.
func (s *sender) verdict(f *flight) error {
	if s.stale(f) {
		return errBroken
	}
	return f.token.Error()
}

// stale reports whether the connection broke since a message was handed to it.
func (s *sender) stale(f *flight) bool { return s.breaks.Load() != f.link }

// settle takes note of a confirmation or of its absence.
func (s *sender) settle(f *flight, err error) {
	switch {
	case f.seq > 0 && err != nil:
		s.spool.rewind(f.epoch)
	case f.seq > 0:
		s.spool.confirm(f.seq, f.epoch)
	}
	if err != nil && !errors.Is(err, errBroken) { // of which the loss of the connection tells
		s.warn("a message was not published", err)
	}
	// There is room again. Waking the sender for each place would cost a switch
	// of goroutines a message.
	if n := len(s.flights); n == window/2 || n == 0 {
		signal(s.queue.wake)
	}
}
