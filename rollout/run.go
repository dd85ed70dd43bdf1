package rollout

import (
	"context"
	"errors"
	"fmt"

	"legctl/control"
	"legctl/loop"
)

// Run puts a run together and steps it without a clock until Config.Ticks are
// done, Each says so, or the context ends. The summary is that of the ticks
// done, whatever the error.
func Run(ctx context.Context, c Config) (Summary, error) {
	r, err := New(c)
	if err != nil {
		return Summary{}, errors.Join(err, closeAll(c.Sinks))
	}
	return r.Run(ctx)
}

// Run steps the rollout as the function Run does, and closes the sinks. It can
// be called once.
func (r *Rollout) Run(ctx context.Context) (Summary, error) {
	err := r.steps(ctx)
	err = errors.Join(err, r.Sim.Close(), closeAll(r.Config.Sinks))
	return r.Tally.Summary(0), err
}

func (r *Rollout) steps(ctx context.Context) error {
	c := &r.Config
	if c.Blind {
		r.Tally.Truth = r.Sim.Pose
	}
	if c.Snapshot == 0 {
		c.Snapshot = max(1, uint64(1/c.Params.Dt+0.5))
	}
	out := &direct{sinks: c.Sinks}
	t := loop.NewTicker(r.Cell, c.Params.Dt, c.Snapshot)
	t.World, t.Mailbox = r.Timeline, r.Mailbox
	if len(c.Sinks) > 0 {
		t.Out = out
	}
	for range c.Ticks {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("rollout: stopped after %d ticks: %w", r.Cell.Tick, err)
		}
		if err := errors.Join(t.Do(ctx), out.err); err != nil {
			return err
		}
		_ = r.Tally.Add(r.Cell.Frame) // never fails
		if c.Each == nil {
			continue
		}
		if err := c.Each(r); errors.Is(err, ErrEnough) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// direct hands records to sinks at once.
type direct struct {
	sinks []loop.Sink
	err   error
}

// Put implements loop.Outlet. The first error is kept and ends the run.
func (d *direct) Put(tag control.Tag, tick uint64, data []byte) {
	for _, s := range d.sinks {
		if err := s.Put(tag, tick, data); err != nil && d.err == nil {
			d.err = err
		}
	}
}

func closeAll(sinks []loop.Sink) error {
	var all error
	for _, s := range sinks {
		all = errors.Join(all, s.Close())
	}
	return all
}
