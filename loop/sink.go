package loop

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"legctl/control"
	"legctl/rig"
)

// Sink takes records out of a ring, in a goroutine of its own. It may be as
// slow as it likes: it then misses records, and sees a TagGap in their place.
type Sink interface {
	// Put takes one record; the bytes are only good during the call.
	Put(tag control.Tag, tick uint64, data []byte) error
	// Flush is called whenever no record waits.
	Flush() error
	// Close is called once, after the last record.
	Close() error
}

// pollEvery is how often a feeder looks into its ring. It polls because waking
// a sleeping goroutine would cost the tick a system call.
const pollEvery = 5 * time.Millisecond

// feeder moves records from a ring to a sink.
type feeder struct {
	ring *Ring
	sink Sink
	stop chan struct{}
	done chan struct{}
	bad  atomic.Bool
	err  error // good after done
}

// feed starts a feeder.
func feed(ring *Ring, sink Sink) *feeder {
	f := &feeder{ring: ring, sink: sink, stop: make(chan struct{}), done: make(chan struct{})}
	go f.run()
	return f
}

func (f *feeder) run() {
	defer close(f.done)
	defer func() {
		if p := recover(); p != nil {
			f.bad.Store(true)
			f.err = errors.Join(f.err, fmt.Errorf("panic: %v", p))
		}
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			f.drain()
			timer.Reset(pollEvery)
		case <-f.stop:
			f.drain()
			if f.ring.lost > 0 { // the tick has ended: its side of the ring is free to read
				f.put(control.TagGap, f.ring.at, binary.LittleEndian.AppendUint64(nil, f.ring.lost))
			}
			f.err = errors.Join(f.err, f.sink.Close())
			return
		}
	}
}

// drain hands over all that waits. After an error the sink gets nothing more,
// but the ring is still emptied.
func (f *feeder) drain() {
	some := false
	for f.ring.Take(f.put) {
		some = true
	}
	if some && f.err == nil {
		f.note(f.sink.Flush())
	}
}

func (f *feeder) put(tag control.Tag, tick uint64, data []byte) {
	if f.err == nil {
		f.note(f.sink.Put(tag, tick, data))
	}
}

func (f *feeder) note(err error) {
	if err != nil {
		f.err = err
		f.bad.Store(true)
	}
}

// end asks the feeder to hand over what is left and waits for it, but not for
// longer than limit: a sink that hangs must not hang the program.
func (f *feeder) end(limit time.Duration) error {
	close(f.stop)
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-f.done:
		return f.err
	case <-timer.C:
		return fmt.Errorf("did not close within %v: the last records may be lost", limit)
	}
}

// fan is the outlet of Run: one ring a sink.
type fan struct{ feeders []*feeder }

// Put implements Outlet.
func (f *fan) Put(tag control.Tag, tick uint64, data []byte) {
	for _, x := range f.feeders {
		x.ring.Put(tag, tick, data)
	}
}

// Dropped returns how many records no ring had room for, all sinks together.
func (f *fan) dropped() uint64 {
	n := uint64(0)
	for _, x := range f.feeders {
		n += x.ring.Dropped()
	}
	return n
}

// end closes all sinks.
func (f *fan) end(limit time.Duration) error {
	var all error
	for i, x := range f.feeders {
		if err := x.end(limit); err != nil {
			all = errors.Join(all, fmt.Errorf("loop: sink %d: %w", i, err))
		}
	}
	return all
}

// Frames returns a sink that calls do with every frame of a rig. The frame is
// overwritten by the next; an error of do ends the sink.
func Frames(r *rig.Rig, do func(f *control.Frame) error) Sink {
	return &frames{frame: control.NewFrame(r), do: do}
}

type frames struct {
	frame *control.Frame
	do    func(*control.Frame) error
}

// Put implements Sink.
func (s *frames) Put(tag control.Tag, _ uint64, data []byte) error {
	if tag != control.TagFrame {
		return nil
	}
	if err := s.frame.UnmarshalBinary(data); err != nil {
		return err
	}
	return s.do(s.frame)
}

// Flush implements Sink.
func (s *frames) Flush() error { return nil }

// Close implements Sink.
func (s *frames) Close() error { return nil }

// Fan hands records that come from elsewhere, from another process, to sinks as
// Run does: each in a goroutine of its own behind a ring of its own. Put belongs
// to one goroutine.
type Fan struct{ fan fan }

// NewFan starts sinks with rings of so many records of at most size bytes.
func NewFan(sinks []Sink, slots, size int) *Fan {
	f := &Fan{}
	for _, s := range sinks {
		f.fan.feeders = append(f.fan.feeders, feed(NewRing(slots, size), s))
	}
	return f
}

// Put implements Outlet.
func (f *Fan) Put(tag control.Tag, tick uint64, data []byte) { f.fan.Put(tag, tick, data) }

// Close gives the sinks what is left and closes them; limit is how long one may
// take.
func (f *Fan) Close(limit time.Duration) error { return f.fan.end(limit) }
