package rollout_test

import (
	"reflect"
	"sync/atomic"
	"testing"

	"legctl/rollout"
)

func TestPoolDoesEachOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		p := rollout.NewPool(workers)
		for _, n := range []int{0, 1, 3, 100} {
			counts := make([]atomic.Int32, n)
			p.Do(n, func(i int) { counts[i].Add(1) })
			for i := range counts {
				if c := counts[i].Load(); c != 1 {
					t.Errorf("%d workers: item %d of %d was done %d times", workers, i, n, c)
				}
			}
		}
		p.Close()
	}
}

func TestBatchDoesNotDependOnWorkers(t *testing.T) {
	configs := make([]rollout.Config, 6)
	for i := range configs {
		configs[i] = walk(t, 1)
		configs[i].Seed = uint64(i)
		configs[i].World = nil
	}
	configs[4].Gait = "waltz"
	var results [2][]rollout.Result
	for i, workers := range []int{1, 3} {
		p := rollout.NewPool(workers)
		results[i] = p.Batch(t.Context(), configs)
		p.Close()
	}
	for i := range configs {
		a, b := results[0][i], results[1][i]
		if (a.Err != nil) != (i == 4) || !reflect.DeepEqual(a.Summary, b.Summary) {
			t.Errorf("run %d: %v, %+v, %+v", i, a.Err, a.Summary, b.Summary)
		}
	}
}
