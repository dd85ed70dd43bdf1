package loop

import (
	"encoding/binary"
	"sync/atomic"

	"legctl/control"
)

// Ring is a queue of records between the tick and one reader. One goroutine may
// write and one may read; neither ever waits for the other. When the reader is
// so slow that no slot is free, new records are dropped and counted, and the
// reader finds a TagGap record where they are missing. All memory is taken by
// NewRing.
type Ring struct {
	slots []slot
	size  int

	_    [64]byte      // the two ends live on cache lines of their own
	head atomic.Uint64 // slots written since the start
	lost uint64        // dropped since the last written record; writer only
	at   uint64        // tick of the last of them; writer only
	_    [64]byte
	tail atomic.Uint64 // slots read since the start
	_    [64]byte

	dropped atomic.Uint64
}

// slot holds one record.
type slot struct {
	tag  control.Tag
	tick uint64
	data []byte
}

// NewRing returns a ring of at least n slots, at least two, for records of at
// most size bytes.
func NewRing(n, size int) *Ring {
	slots := 2
	for slots < n {
		slots *= 2
	}
	size = max(size, 8) // a TagGap record fits
	r := &Ring{slots: make([]slot, slots), size: size}
	block := make([]byte, slots*size)
	for i := range r.slots {
		r.slots[i].data = block[i*size : i*size : (i+1)*size]
	}
	return r
}

// Put copies a record into the ring and reports whether there was room for it.
// A record longer than the ring's size is dropped and counted too.
func (r *Ring) Put(tag control.Tag, tick uint64, data []byte) bool {
	need := uint64(1)
	if r.lost > 0 {
		need = 2 // a word about the gap goes first
	}
	head := r.head.Load()
	if free := uint64(len(r.slots)) - (head - r.tail.Load()); free < need || len(data) > r.size {
		r.lost++
		r.at = tick
		r.dropped.Add(1)
		return false
	}
	if r.lost > 0 {
		gap := r.slot(head)
		gap.tag, gap.tick = control.TagGap, tick
		gap.data = binary.LittleEndian.AppendUint64(gap.data[:0], r.lost)
		r.lost = 0
		head++
	}
	s := r.slot(head)
	s.tag, s.tick = tag, tick
	s.data = append(s.data[:0], data...)
	r.head.Store(head + 1)
	return true
}

// Take calls do with the oldest record and frees its slot; it reports whether
// there was one. The bytes are only good during the call.
func (r *Ring) Take(do func(tag control.Tag, tick uint64, data []byte)) bool {
	tail := r.tail.Load()
	if tail == r.head.Load() {
		return false
	}
	s := r.slot(tail)
	do(s.tag, s.tick, s.data)
	r.tail.Store(tail + 1)
	return true
}

// Dropped returns how many records found no room.
func (r *Ring) Dropped() uint64 { return r.dropped.Load() }

// Len returns how many records wait.
func (r *Ring) Len() int { return int(r.head.Load() - r.tail.Load()) }

func (r *Ring) slot(i uint64) *slot { return &r.slots[i&uint64(len(r.slots)-1)] }
