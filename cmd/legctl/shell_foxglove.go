package main

import (
	"fmt"

	"legctl/loop"
	"legctl/telemetry/foxglove"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// foxgloveFlags are the flags of the live view for Foxglove.
type foxgloveFlags struct {
	foxglove string
	foxRate  float64
}

// bind declares the flags.
func (o *foxgloveFlags) bind(f *pflag.FlagSet) {
	f.StringVar(&o.foxglove, "foxglove", "", "show the run live in Foxglove: a port of this machine ("+fmt.Sprint(foxglove.Port)+" is usual), or host:port to let others look on (default: off)")
	f.Float64Var(&o.foxRate, "foxglove-rate", 30, "samples a second for Foxglove")
}

// check refuses flags that make no sense.
func (o *foxgloveFlags) check(c *cobra.Command) error {
	if err := finiteFlags(c, "foxglove-rate"); err != nil {
		return err
	}
	if o.foxRate <= 0 || o.foxRate > 1000 {
		return wrongUsage(c, fmt.Errorf("--foxglove-rate %g, want more than 0 and at most 1000", o.foxRate))
	}
	if o.foxglove == "" {
		return nil
	}
	_, err := foxglove.Address(o.foxglove)
	return wrongUsage(c, err)
}

// listenFoxglove lets Foxglove look on.
func listenFoxglove(sh *shell, a *act) (*listener, error) {
	if sh.flags.foxglove == "" || a.header == nil {
		return nil, nil
	}
	addr, err := foxglove.Address(sh.flags.foxglove)
	if err != nil {
		return nil, err
	}
	o, err := a.shown()
	if err != nil {
		return nil, err
	}
	o.Rate = sh.flags.foxRate
	s, err := foxglove.Listen(addr, o)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(sh.screen.w, "Foxglove: open a WebSocket connection to ws://%s\n", s.Addr())
	return &listener{sinks: []loop.Sink{s}}, nil
}
