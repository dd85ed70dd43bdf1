package loop_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"legctl/loop"
)

func TestHistogramQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, scale := range []float64{10, 1e3, 1e6, 1e9} {
		var h loop.Histogram
		var all []time.Duration
		for range 5000 {
			d := time.Duration(rng.ExpFloat64() * scale)
			h.Add(d)
			all = append(all, d)
		}
		slices.Sort(all)
		for _, q := range []float64{0, 0.5, 0.9, 0.99, 1} {
			exact := all[max(0, min(len(all)-1, int(q*float64(len(all))+0.5)-1))]
			if got := h.Quantile(q); got < exact || float64(got) > float64(exact)*(1+1.0/16)+1 {
				t.Errorf("scale %g, quantile %g: %v, exact %v", scale, q, got, exact)
			}
		}
		if h.Max() != all[len(all)-1] || h.Count() != 5000 {
			t.Errorf("max %v of %d, want %v", h.Max(), h.Count(), all[len(all)-1])
		}
	}
}

func TestHistogramEnds(t *testing.T) {
	var h loop.Histogram
	if h.Quantile(0.5) != 0 || h.Max() != 0 {
		t.Error("an empty histogram has figures")
	}
	h.Add(-time.Second)
	if h.Quantile(1) != 0 {
		t.Errorf("a negative duration counts as %v", h.Quantile(1))
	}
	h.Add(100 * time.Hour)
	if h.Max() != 100*time.Hour || h.Quantile(1) > h.Max() {
		t.Errorf("max %v, quantile %v", h.Max(), h.Quantile(1))
	}
	if n := testing.AllocsPerRun(10, func() { h.Add(time.Millisecond) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestHistogramSpread(t *testing.T) {
	var h loop.Histogram
	for _, d := range []time.Duration{5, 900, 2000, 70_000, 3_000_000} {
		h.Add(d)
	}
	atMost, n, sum := h.Spread([]float64{1e-9, 1e-6, 1e-4, 1e-3})
	if want := []uint64{0, 2, 4, 4}; !slices.Equal(atMost, want) || n != 5 {
		t.Errorf("at most %v of %d, want %v of 5", atMost, n, want)
	}
	if exact := 3_072_905e-9; sum < exact || sum > exact*17/16 {
		t.Errorf("sum %g, want %g to 1/16 more", sum, exact)
	}
}
