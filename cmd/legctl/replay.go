package main

import (
	"errors"
	"fmt"

	"legctl/record"
	"legctl/rollout"

	"github.com/spf13/cobra"
)

func newReplay() *cobra.Command {
	var o rollout.ReplayOptions
	c := &cobra.Command{
		Use: "replay FILE", Short: "Run a recording again and name the first tick and field that differ",
		Long: `Replay runs the controller once more on the commands, observations and ground
changes of a recording (made by "legctl sim --record"), with --sim the simulator
too, from its seed and world events. Exit status 1 if anything comes out
differently: the first tick and field are named.`,
		Args: exactly(1, "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := finiteFlags(c, "tolerance"); err != nil {
				return err
			}
			return replay(c, args[0], o)
		},
	}
	c.Flags().BoolVar(&o.Sim, "sim", false, "run the simulator too")
	c.Flags().Float64Var(&o.Tolerance, "tolerance", 0, "how much numbers may differ; for recordings of another architecture, 1e-9")
	return c
}

// replay runs one file again.
func replay(c *cobra.Command, file string, o rollout.ReplayOptions) (err error) {
	from, err := record.Open(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	got, err := rollout.Replay(c.Context(), from, o)
	if err != nil {
		return err
	}
	if !got.First.Same() {
		return fmt.Errorf("replay: %s: %v", file, got.First)
	}
	fmt.Fprintf(c.OutOrStdout(), "%s: %d ticks, all the same\n", file, got.Ticks)
	if got.Lost > 0 {
		fmt.Fprintf(c.OutOrStdout(), "the recording lacks %d records\n", got.Lost)
	}
	if got.Cut != nil {
		fmt.Fprintf(c.OutOrStdout(), "the recording was cut: %v\n", got.Cut)
	}
	return nil
}
