package mqtt

import (
	"errors"
	"fmt"
	"sync"
)

// SpoolLimit is how many bytes of durable messages wait by default.
const SpoolLimit = 16 << 20

// record is a durable message and its place in the order.
type record struct {
	seq   uint64
	topic string
	body  []byte
}

func (r *record) size() int { return recordHead + len(r.topic) + len(r.body) }

// spool keeps durable messages until the broker has confirmed them, in order.
// What waits is bounded: the oldest go, and are counted. With a folder it is on
// disk as well and outlives the process. It is safe for several goroutines.
type spool struct {
	limit int
	disk  *journal // nil: in memory only
	wake  chan struct{}

	mu     sync.Mutex
	line   []record // not confirmed, oldest first
	sent   int      // of line, handed to the client
	epoch  int      // counts the times that sending began anew
	bytes  int
	last   uint64 // highest number given
	lost   uint64 // messages that went because the bound was reached
	broken error  // of the disk, the first
}

// openSpool opens or begins a spool. dir "" keeps it in memory; limit is in
// bytes, 0 = SpoolLimit.
func openSpool(dir string, limit int) (*spool, error) {
	if limit == 0 {
		limit = SpoolLimit
	}
	if limit < 64<<10 {
		return nil, fmt.Errorf("mqtt: spool of %d bytes, want at least %d", limit, 64<<10)
	}
	s := &spool{limit: limit, wake: make(chan struct{}, 1)}
	if dir == "" {
		return s, nil
	}
	var err error
	if s.disk, s.line, s.last, err = openJournal(dir, limit/segments); err != nil {
		return nil, err
	}
	for i := range s.line {
		s.bytes += s.line[i].size()
	}
	s.trim()
	return s, nil
}

// next returns the number the next durable message is to have.
func (s *spool) next() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	return s.last
}

// put appends a record. A disk that fails is reported once; the message then
// waits in memory alone.
func (s *spool) put(r record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line = append(s.line, r)
	s.bytes += r.size()
	s.trim()
	signal(s.wake)
	if s.disk == nil {
		return nil
	}
	err := s.disk.append(&r)
	if err != nil && s.broken == nil {
		s.broken = err
		return fmt.Errorf("mqtt: spool: %w: durable messages wait in memory only", err)
	}
	return nil
}

// trim drops the oldest records above the bound.
func (s *spool) trim() {
	for s.bytes > s.limit && len(s.line) > 1 {
		s.lost++
		s.drop()
	}
}

// drop takes the oldest record away.
func (s *spool) drop() {
	s.bytes -= s.line[0].size()
	s.line[0] = record{}
	s.line = s.line[1:]
	s.sent = max(s.sent-1, 0)
}

// take returns the next record to send and the epoch it belongs to.
func (s *spool) take() (record, int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sent == len(s.line) {
		return record{}, 0, false
	}
	r := s.line[s.sent]
	s.sent++
	return r, s.epoch, true
}

// confirm says that the broker has a record and all before it of that epoch.
func (s *spool) confirm(seq uint64, epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if epoch != s.epoch {
		return // sending began anew since: an earlier one may be missing
	}
	for len(s.line) > 0 && s.line[0].seq <= seq {
		s.drop()
	}
	if s.disk != nil && s.broken == nil {
		s.broken = s.disk.confirm(seq, len(s.line) == 0)
	}
}

// rewind begins sending anew at the oldest that is not confirmed. Failures of
// an epoch that is over already change nothing.
func (s *spool) rewind(epoch int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if epoch == s.epoch {
		s.epoch++
		s.sent = 0
		signal(s.wake)
	}
}

// waiting returns how many records are not confirmed, and how many were lost.
func (s *spool) waiting() (n int, lost uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.line), s.lost
}

// sync writes what the system still holds to the disk.
func (s *spool) sync() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.disk == nil || s.broken != nil {
		return s.broken
	}
	return s.disk.sync()
}

// close closes the spool. What waits stays on disk.
func (s *spool) close() error {
	err := s.sync()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.disk == nil {
		return nil
	}
	return errors.Join(err, s.disk.close())
}

// signal wakes whoever waits on a channel with room for one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
