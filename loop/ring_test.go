package loop_test

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"legctl/control"
	"legctl/loop"
)

// drain returns what waits in a ring, as text.
func drain(r *loop.Ring) []string {
	var got []string
	for r.Take(func(tag control.Tag, tick uint64, data []byte) {
		if tag == control.TagGap {
			got = append(got, fmt.Sprintf("gap of %d before %d", binary.LittleEndian.Uint64(data), tick))
			return
		}
		got = append(got, fmt.Sprintf("%d %s", tick, data))
	}) {
	}
	return got
}

func TestRingDropsAndSaysSo(t *testing.T) {
	r := loop.NewRing(4, 4)
	for i, want := range []bool{true, true, true, true, false, false} {
		if got := r.Put(control.TagFrame, uint64(i), []byte{byte('a' + i)}); got != want {
			t.Errorf("put %d: %v, want %v", i, got, want)
		}
	}
	if r.Len() != 4 || r.Dropped() != 2 {
		t.Errorf("%d wait, %d dropped", r.Len(), r.Dropped())
	}
	r.Take(func(control.Tag, uint64, []byte) {})
	if r.Put(control.TagFrame, 6, []byte("g")) {
		t.Error("one free slot took a record and the word about the gap")
	}
	if got, want := drain(r), []string{"1 b", "2 c", "3 d"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	r.Put(control.TagFrame, 7, []byte("h"))
	if got, want := drain(r), []string{"gap of 3 before 7", "7 h"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if r.Put(control.TagFrame, 8, []byte("too long it is")) || r.Dropped() != 4 {
		t.Error("a record longer than a slot was taken")
	}
}

func TestRingUnderTwoGoroutines(t *testing.T) {
	const n = 20000
	r := loop.NewRing(8, 16)
	var wg sync.WaitGroup
	done := make(chan struct{})
	taken, lost := 0, uint64(0)
	last := int64(-1)
	read := func(tag control.Tag, tick uint64, data []byte) {
		if tag == control.TagGap {
			lost += binary.LittleEndian.Uint64(data)
			return
		}
		taken++
		if int64(tick) <= last || binary.LittleEndian.Uint64(data) != tick*7 {
			t.Errorf("record %d after %d holds %x", tick, last, data)
		}
		last = int64(tick)
	}
	wg.Go(func() {
		for {
			select {
			case <-done:
				for r.Take(read) {
				}
				return
			default:
				r.Take(read)
			}
		}
	})
	var b [8]byte
	for i := range uint64(n) {
		binary.LittleEndian.PutUint64(b[:], i*7)
		r.Put(control.TagFrame, i, b[:])
	}
	close(done)
	wg.Wait()
	// What was dropped behind the last record that got in has no gap record.
	if uint64(taken)+r.Dropped() != n || lost > r.Dropped() {
		t.Errorf("%d taken and %d dropped of %d, %d in gaps", taken, r.Dropped(), n, lost)
	}
}

func BenchmarkRing(b *testing.B) {
	r, data := loop.NewRing(64, 1024), make([]byte, 1024)
	b.ReportAllocs()
	for b.Loop() {
		r.Put(control.TagFrame, 1, data)
		r.Take(func(control.Tag, uint64, []byte) {})
	}
}
