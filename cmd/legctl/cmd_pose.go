package main

import (
	"errors"
	"math"

	"github.com/spf13/cobra"
)

func newPose(t *target) *cobra.Command {
	c := &cobra.Command{
		Use: "pose", Short: "Offset the body from its levelled pose (no flags: level again)",
		Example: "  legctl cmd pose --pitch-deg 5\n  legctl cmd pose --z 0.02 --roll 0.1",
		Args:    exactly(0, "no arguments"),
	}
	f := c.Flags()
	for _, k := range []struct{ key, what string }{
		{"x", "forward, m"}, {"y", "left, m"}, {"z", "up, m"},
	} {
		f.Float64(k.key, 0, k.what)
	}
	for _, k := range []struct{ key, what string }{
		{"roll", "about x"}, {"pitch", "about y, positive nose down"}, {"yaw", "about z"},
	} {
		f.Float64(k.key, 0, k.what+", rad")
		f.Float64(k.key+"-deg", 0, k.what+", degrees")
	}
	c.RunE = func(c *cobra.Command, _ []string) error {
		body := map[string]any{}
		for _, k := range []string{"x", "y", "z", "roll", "pitch", "yaw"} {
			if err := errors.Join(exclusive(c, k, k+"-deg"), finiteFlags(c, k, k+"-deg")); err != nil {
				return err
			}
			v, err := f.GetFloat64(k)
			if err != nil {
				return err
			}
			if deg, err := f.GetFloat64(k + "-deg"); err == nil && f.Changed(k+"-deg") {
				v = deg * math.Pi / 180
			}
			body[k] = v
		}
		return t.ask(c.Context(), "pose", body)
	}
	return c
}
