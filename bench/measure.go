package bench

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
	"time"
)

// kernel is something to time: run does ops operations and returns a sum of
// its results, so that nothing is optimised away.
type kernel struct {
	area, name string
	ops        int
	run        func() float64
	unit       string // "" = ns
	once       bool   // too slow to repeat within a round
	exact      bool   // run returns the result itself, not a sum to be timed
}

func (k *kernel) key() string { return k.area + "/" + k.name }

// leastTime is how long a kernel runs in one round, so that the grain of the
// clock does not show.
const leastTime = 4 * time.Millisecond

// sink keeps the results of kernels alive.
var sink atomic.Uint64

func keep(v float64) { sink.Store(math.Float64bits(v)) }

// sample times a kernel once, in its unit an operation.
func (k *kernel) sample() float64 {
	if k.exact {
		return k.run()
	}
	begin, n := time.Now(), 0
	for {
		keep(k.run())
		n++
		if spent := time.Since(begin); k.once || spent >= leastTime {
			return float64(spent) / float64(n*k.ops) / unitNanoseconds(k.unit)
		}
	}
}

func unitNanoseconds(unit string) float64 {
	if unit == "ms" {
		return 1e6
	}
	return 1
}

// table holds the samples of a run, a list a line, in the order first seen.
type table struct {
	order   []Line
	samples map[string][]float64
}

func newTable(kernels []kernel) *table {
	t := &table{samples: map[string][]float64{}}
	for i := range kernels {
		keep(kernels[i].sample()) // caches warm, branches learnt
	}
	return t
}

func (t *table) add(l Line, v float64) {
	if _, ok := t.samples[l.key()]; !ok {
		t.order = append(t.order, l)
	}
	t.samples[l.key()] = append(t.samples[l.key()], v)
}

// round runs every kernel once, and every twin once, right after the kernels
// of the area it is compared with.
func (t *table) round(ctx context.Context, kernels []kernel, twins []twin, dir string) error {
	for i := range kernels {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := &kernels[i]
		unit := k.unit
		if unit == "" {
			unit = "ns"
		}
		t.add(Line{Area: k.area, Name: k.name, Unit: unit}, k.sample())
		if i+1 < len(kernels) && kernels[i+1].area == k.area {
			continue
		}
		if err := t.twinsOf(ctx, k.area, twins, dir); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) twinsOf(ctx context.Context, area string, twins []twin, dir string) error {
	for i := range twins {
		if twins[i].area != area {
			continue
		}
		if err := t.twin(ctx, &twins[i], dir); err != nil {
			return err
		}
	}
	return nil
}

// twin runs a twin once; its own median is the sample of the round.
func (t *table) twin(ctx context.Context, w *twin, dir string) error {
	lines, err := w.run(ctx, dir)
	for _, l := range lines {
		t.add(l, l.Median)
	}
	return err
}

func (t *table) lines() []Line {
	out := slices.Clone(t.order)
	for i := range out {
		s := t.samples[out[i].key()]
		out[i].Min, out[i].Median = slices.Min(s), median(s)
	}
	slices.SortStableFunc(out, func(a, b Line) int { return rank(a.Area) - rank(b.Area) })
	return out
}

// rank puts the twins behind the kernels.
func rank(area string) int {
	if area == twinArea {
		return 1
	}
	return 0
}

func median(s []float64) float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	s = slices.Sorted(slices.Values(s))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
