package rollout

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Pool is a fixed set of goroutines that share out numbered work. Keeping them
// saves starting them anew for every batch. Close it after use.
type Pool struct {
	jobs chan *job
	all  sync.WaitGroup
	size int
}

// job is one batch: do is called with 0 to n-1, each once.
type job struct {
	do   func(i int)
	n    int64
	next atomic.Int64
	done sync.WaitGroup
}

// NewPool starts n workers; 0: one a core the program may use.
func NewPool(n int) *Pool {
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	p := &Pool{jobs: make(chan *job, n), size: n}
	for range n {
		p.all.Go(p.work)
	}
	return p
}

func (p *Pool) work() {
	for j := range p.jobs {
		for i := j.next.Add(1) - 1; i < j.n; i = j.next.Add(1) - 1 {
			j.do(int(i))
		}
		j.done.Done()
	}
}

// Do calls do with every i in [0, n), on all workers at once, and returns when
// all calls have. Which worker gets which i is open; do must not care. A panic
// of do ends the program.
func (p *Pool) Do(n int, do func(i int)) {
	j := &job{do: do, n: int64(n)}
	j.done.Add(p.size)
	for range p.size {
		p.jobs <- j
	}
	j.done.Wait()
}

// Close ends the workers. Do must not be called after it.
func (p *Pool) Close() {
	close(p.jobs)
	p.all.Wait()
}

// Result is one run of a batch.
type Result struct {
	Summary Summary
	Err     error
}

// Batch does many runs on the workers of a pool; result i is that of configs[i].
// Each run has parts of its own, so results do not depend on the number of
// workers. Configs must not share sinks.
func (p *Pool) Batch(ctx context.Context, configs []Config) []Result {
	results := make([]Result, len(configs))
	p.Do(len(configs), func(i int) {
		results[i].Summary, results[i].Err = Run(ctx, configs[i])
	})
	return results
}
