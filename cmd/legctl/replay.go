package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"legctl/record"
	"legctl/rollout"

	"github.com/spf13/cobra"
)

// replayFlags are the flags of replay.
type replayFlags struct {
	sim, untilDiff bool
	tolerance      float64
	asTest, event  string
	before, from   time.Duration
}

func newReplay() *cobra.Command {
	o := &replayFlags{}
	c := &cobra.Command{
		Use: "replay FILE", Short: "Run a recording again: every output must come out as it was, bit for bit",
		Long: `Replay runs the controller once more on the commands, observations, parameters
and ground changes of a recording (made by "legctl sim --record"), with --sim the
simulator too, from its seed and world events. Exit status 1 if anything comes out
differently: how many ticks do, and the first tick and field. A recording made on
another architecture is compared tick by tick, each from its recorded state, within
1e-9.

With --as-test it writes a Go test instead: the smallest piece of the recording
that shows a fall, a limit hit, a fault or --event, beside it in testdata.`,
		Example: `  legctl replay run.mcap --until-diff
  legctl replay run.mcap --as-test rollout/stumble_test.go --event fall`,
		Args: exactly(1, "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(c); err != nil {
				return err
			}
			if o.asTest != "" {
				return o.writeTest(c.OutOrStdout(), args[0])
			}
			return o.replay(c.Context(), c.OutOrStdout(), args[0], c.Flags().Changed("tolerance"))
		},
	}
	f := c.Flags()
	f.BoolVar(&o.sim, "sim", false, "run the simulator too")
	f.BoolVar(&o.untilDiff, "until-diff", false, "stop at the first tick that comes out differently")
	f.Float64Var(&o.tolerance, "tolerance", 0, "how much numbers may differ (default: nothing; 1e-9 for recordings of another architecture)")
	f.StringVar(&o.asTest, "as-test", "", "write a Go test to this file, its name ending in _test.go")
	f.StringVar(&o.event, "event", "", "what the test is to show: fall, limit, fault, or an event of the controller (default: the first of fall, fault and limit)")
	f.DurationVar(&o.before, "before", 0, "how much of the run before the event the test does again (default: one tick)")
	f.DurationVar(&o.from, "from", 0, "look for the event from this time of the run on")
	return c
}

// check refuses flags that make no sense.
func (o *replayFlags) check(c *cobra.Command) error {
	if err := finiteFlags(c, "tolerance"); err != nil {
		return err
	}
	if o.tolerance < 0 || o.before < 0 || o.from < 0 {
		return wrongUsage(c, errors.New("--tolerance, --before and --from: want 0 or more"))
	}
	if o.asTest != "" {
		return errors.Join(exclusive(c, "as-test", "until-diff"), exclusive(c, "as-test", "tolerance"))
	}
	for _, name := range []string{"event", "before", "from"} {
		if c.Flags().Changed(name) {
			return wrongUsage(c, fmt.Errorf("--%s goes with --as-test", name))
		}
	}
	return nil
}

// replay runs one file again.
func (o *replayFlags) replay(ctx context.Context, talk io.Writer, file string, exact bool) (err error) {
	from, err := record.Open(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if !exact {
		o.tolerance = rollout.ToleranceFor(from.Header())
	}
	got, err := rollout.Replay(ctx, from, rollout.ReplayOptions{Sim: o.sim, Tolerance: o.tolerance, All: !o.untilDiff})
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if !got.First.Same() {
		d := got.First
		return fmt.Errorf("replay: %s: %d of %d ticks differ; the first at %.3f s, recorded and replayed: %v",
			file, got.Differ, got.Ticks, float64(d.Tick)*from.Header().Dt, d)
	}
	fmt.Fprintf(talk, "%s: %d ticks, all the same", file, got.Ticks)
	if o.tolerance > 0 {
		fmt.Fprintf(talk, " within %g", o.tolerance)
	}
	fmt.Fprintln(talk)
	if got.Lost > 0 {
		fmt.Fprintf(talk, "the recording lacks %d records\n", got.Lost)
	}
	if got.Cut != nil {
		fmt.Fprintf(talk, "the recording was cut: %v\n", got.Cut)
	}
	return nil
}
