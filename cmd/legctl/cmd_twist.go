package main

import (
	"time"

	"legctl/telemetry/mqtt"

	"github.com/spf13/cobra"
)

func newTwist(t *target) *cobra.Command {
	var vx, vy, wz, ttl float64
	var span time.Duration
	c := &cobra.Command{
		Use: "twist", Short: "Walk with a velocity until Ctrl-C (or --for), then stop",
		Long: `Walk with a velocity: sent ten times a second until Ctrl-C or for the time of
--for, then a zero twist. If this program is killed, the rig stops by itself
when the last twist has grown old.`,
		Example: "  legctl cmd twist --vx 0.1 --wz 0.2\n  legctl cmd twist --vy -0.05 --for 5s",
		Args:    exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := finiteFlags(c, "vx", "vy", "wz", "ttl"); err != nil {
				return err
			}
			body := map[string]any{"vx": vx, "vy": vy, "wz": wz}
			if c.Flags().Changed("ttl") {
				body["ttl"] = ttl
			}
			return t.with(c.Context(), func(m *mqtt.Client, rig string) error {
				return m.Stream(c.Context(), rig, body, span)
			})
		},
	}
	f := c.Flags()
	f.Float64Var(&vx, "vx", 0, "forward, m/s")
	f.Float64Var(&vy, "vy", 0, "left, m/s")
	f.Float64Var(&wz, "wz", 0, "counter-clockwise, rad/s")
	f.Float64Var(&ttl, "ttl", 0, "seconds one twist stays good (default: the rig's own)")
	f.DurationVar(&span, "for", 0, "how long, such as 5s (0: until Ctrl-C)")
	return c
}
