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
	seq   uint64 // of a durable one, 0 = it is not
	epoch int
}

// sender moves messages from queue and spool to a broker, in goroutines of its
// own: durable ones into the spool whether the broker is there or not; all of
// them to the broker when it is. Up to window messages are under way at a time.
//
// When a connection is back the client sends again by itself what was under way;
// until all of that is confirmed no other durable message follows, so that their
// order stays.
type sender struct {
	queue   *queue
	durable *queue
	spool   *spool
	warn    func(string, error)
	client  paho.Client

	flights chan flight
	durably atomic.Int32 // durable messages under way
	waiting atomic.Int32 // all that wait for a confirmation
	hold    atomic.Bool  // the connection broke while there were some
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

// broken says that the connection broke and the client tries again.
func (s *sender) broken() {
	if s.durably.Load() > 0 {
		s.hold.Store(true)
	}
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
		for s.client.IsConnectionOpen() && s.one() {
		}
		select {
		case <-s.queue.wake:
		case <-s.spool.wake:
		case <-retry.C:
		case <-spooled:
			for s.client.IsConnectionOpen() && s.one() {
			}
			return
		}
	}
}

// retryEvery is how often a sender looks whether the connection is back.
const retryEvery = 20 * time.Millisecond

// one publishes a message, if one waits that may go now.
func (s *sender) one() bool {
	room := len(s.flights) < window // only this goroutine adds
	if room && !s.hold.Load() {
		if r, epoch, ok := s.spool.take(); ok {
			s.durably.Add(1)
			s.waiting.Add(1)
			s.flights <- flight{s.client.Publish(r.topic, 1, false, r.body), r.seq, epoch}
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
		s.flights <- flight{token: token}
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
		s.settle(&f, s.outcome(f.token))
		s.waiting.Add(-1)
	}
}

// outcome waits for one confirmation. While the connection is down it has time:
// the client sends again what was under way.
func (s *sender) outcome(t paho.Token) error {
	select {
	case <-t.Done():
		return t.Error()
	default:
	}
	timer := time.NewTicker(confirmLimit)
	defer timer.Stop()
	for {
		select {
		case <-t.Done():
			return t.Error()
		case <-s.halt:
			return errors.New("not confirmed before the end")
		case <-timer.C:
			if s.client.IsConnectionOpen() {
				return fmt.Errorf("not confirmed within %v", confirmLimit)
			}
		}
	}
}

// settle takes note of a confirmation or of its absence.
func (s *sender) settle(f *flight, err error) {
	if f.seq > 0 {
		if err != nil {
			s.spool.rewind(f.epoch)
		} else {
			s.spool.confirm(f.seq, f.epoch)
		}
		if s.durably.Add(-1) == 0 && s.hold.Swap(false) {
			signal(s.spool.wake)
		}
	}
	if err != nil {
		s.warn("a message was not published", err)
	}
	// There is room again. Waking the sender for each place would cost a switch
	// of goroutines a message.
	if n := len(s.flights); n == window/2 || n == 0 {
		signal(s.queue.wake)
	}
}
