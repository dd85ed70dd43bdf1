package main

import (
	"fmt"
	"os"
	"os/user"
	"strings"
	"time"

	"legctl/telemetry"
	"legctl/telemetry/mqtt"

	"github.com/spf13/cobra"
)

// newLease takes, keeps and gives back the lease of a rig.
func newLease(t *target) *cobra.Command {
	var ttl time.Duration
	c := &cobra.Command{
		Use: "lease " + strings.Join(telemetry.LeaseActions(), "|"), Short: "Take, keep or give back the lease of a rig",
		Long: `Take, keep or give back the lease of a rig. While somebody holds it, others may
only stop and disarm; a command of its holder carries his name (--lease NAME).
Without a command or a renewal within --ttl it expires and the rig stops.

acquire takes it when it is free, take also from somebody else, who is told.`,
		Example: "  legctl cmd --lease anna lease acquire --ttl 30s\n  legctl cmd --lease anna twist --vx 0.1 --for 5s\n  legctl cmd --lease anna lease release",
		Args:    exactly(1, strings.Join(telemetry.LeaseActions(), "|")), ValidArgs: telemetry.LeaseActions(),
		RunE: func(c *cobra.Command, args []string) error {
			holder := t.lease
			if holder == "" {
				holder = operator()
			}
			return t.with(c.Context(), func(m *mqtt.Client, rig string) error {
				if err := m.Lease(c.Context(), rig, args[0], holder, ttl.Seconds()); err != nil {
					return err
				}
				if t.lease == "" && args[0] != "release" {
					fmt.Fprintf(c.OutOrStdout(), "%s holds the lease of %s: give commands with --lease %s\n", holder, rig, holder)
				}
				return nil
			})
		},
	}
	c.Flags().DurationVar(&ttl, "ttl", 0, "how long it lasts without a sign of life, 0.2s to 60s (default: 2s)")
	return c
}

// operator names whoever runs this program: user@machine.
func operator() string {
	name := "somebody"
	if u, err := user.Current(); err == nil && u.Username != "" {
		name = u.Username
	}
	host, err := os.Hostname()
	if err != nil {
		host = "somewhere"
	}
	name += "@" + host
	return name[:min(len(name), telemetry.MaxHolder)]
}
