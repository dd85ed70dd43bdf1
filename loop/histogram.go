package loop

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// Histogram counts durations in buckets that are at most 1/16 of their value
// wide, from a nanosecond to about two minutes; what is longer counts as the
// longest. Add costs one atomic addition and never allocates; others may read
// meanwhile. The zero value is empty.
type Histogram struct {
	buckets [subBuckets * octaves]atomic.Uint64
	worst   atomic.Int64
	count   atomic.Uint64
}

const (
	subBits    = 4
	subBuckets = 1 << subBits
	octaves    = 34 // of nanoseconds above the first 16: 2^37 ns
)

// Add counts d; a negative one counts as zero.
func (h *Histogram) Add(d time.Duration) {
	d = max(d, 0)
	h.buckets[bucket(uint64(d))].Add(1)
	h.count.Add(1)
	if int64(d) > h.worst.Load() {
		h.worst.Store(int64(d)) // one writer: nobody can get in between
	}
}

// bucket returns the bucket of n nanoseconds.
func bucket(n uint64) int {
	if n < subBuckets {
		return int(n)
	}
	shift := bits.Len64(n) - subBits - 1
	b := shift<<subBits + int(n>>shift)
	return min(b, subBuckets*octaves-1)
}

// upper returns the largest duration of a bucket.
func upper(b int) time.Duration {
	if b < subBuckets {
		return time.Duration(b)
	}
	shift := b>>subBits - 1
	return time.Duration((uint64(b&(subBuckets-1)|subBuckets)+1)<<shift - 1)
}

// Count returns how many durations were counted.
func (h *Histogram) Count() uint64 { return h.count.Load() }

// Max returns the longest duration, 0 when there is none.
func (h *Histogram) Max() time.Duration { return time.Duration(h.worst.Load()) }

// Quantile returns a duration that the share q of all does not exceed, q in
// [0, 1], at most 1/16 too long; 0 when nothing was counted.
func (h *Histogram) Quantile(q float64) time.Duration {
	total := h.count.Load()
	rank := uint64(q*float64(total) + 0.5)
	rank = min(max(rank, 1), total)
	seen := uint64(0)
	for b := range h.buckets {
		seen += h.buckets[b].Load()
		if seen >= rank && total > 0 {
			return min(upper(b), h.Max())
		}
	}
	return h.Max()
}

// Spread returns, for upper bounds in seconds that rise, how many durations were
// at most as long, how many were counted in all, and their sum in seconds. The
// counts and the sum are as exact as the buckets: a duration counts as the
// longest of its bucket, at most 1/16 too long.
func (h *Histogram) Spread(bounds []float64) (atMost []uint64, count uint64, sum float64) {
	atMost = make([]uint64, len(bounds))
	at := 0
	for b := range h.buckets {
		n := h.buckets[b].Load()
		if n == 0 {
			continue
		}
		d := upper(b).Seconds()
		for at < len(bounds) && bounds[at] < d {
			atMost[at] = count
			at++
		}
		count += n
		sum += float64(n) * d
	}
	for ; at < len(bounds); at++ {
		atMost[at] = count
	}
	return atMost, count, sum
}
