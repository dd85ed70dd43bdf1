//go:build linux

package main

import (
	"fmt"
	"io"

	"legctl/configs"
	"legctl/drivers"
	"legctl/drivers/servo"
)

// checkServos writes what the servos of a rig ask of their bus, and what stops
// them when their host dies. A rate that the bus cannot carry is an error.
func checkServos(w io.Writer, name string) error {
	_, cfg, err := configs.LoadRobot(name)
	if err != nil || cfg == nil {
		return err
	}
	proto, err := drivers.ProtocolOf(cfg.Protocol)
	if err != nil {
		return err
	}
	rate := cfg.Rate
	if rate == 0 {
		rate = servo.DefaultRate
	}
	b, err := drivers.BudgetOf(cfg, rate)
	if err != nil {
		return fmt.Errorf("check: rig %s: %w", name, err)
	}
	fmt.Fprintf(w, "servos     %v\n", b)
	fmt.Fprintf(w, "watchdog   %s\n", drivers.Stops(proto, cfg))
	if !proto.Caps.Feedback {
		fmt.Fprintf(w, "feedback   none: \"legctl run\" wants your word that the rig lies in its rest pose (--at-rest)\n")
	}
	return nil
}
