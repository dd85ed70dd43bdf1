package main

import (
	"legctl/bench"

	"github.com/spf13/cobra"
)

func newBench() *cobra.Command {
	var o bench.Options
	c := &cobra.Command{
		Use: "bench", Short: "Time every kernel and a whole tick against C twins, as JSON lines",
		Args: exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			o.Log = c.ErrOrStderr()
			return bench.RunContext(c.Context(), c.OutOrStdout(), o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Workload, "workload", "", "folder with targets as little-endian float64 (default: seeded ones)")
	f.StringVar(&o.Only, "only", "", "regular expression on area/name")
	f.IntVar(&o.Rounds, "rounds", 0, "rounds to take the least and the median of (0: 9)")
	f.BoolVar(&o.NoTwins, "no-twins", false, "leave the C twins out")
	return c
}
