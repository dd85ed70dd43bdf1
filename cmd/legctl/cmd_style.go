package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"legctl/telemetry/mqtt"

	"github.com/spf13/cobra"
)

func newStyle(t *target) *cobra.Command {
	var over time.Duration
	c := &cobra.Command{
		Use: "style NAME=SHARE[,NAME=SHARE...]", Short: "Lay the way of clips over the gait, and mix the clips that drive",
		Long: `Lay the way of clips over the gait, and mix the clips that drive. What is not
named is 0; "style none" takes all of it off. The weights arrive together, after
the time of --over, never faster than the clips' own rate.`,
		Example: "  legctl cmd style walk=0.3,jog=0.7 --over 2s\n  legctl cmd style none",
		Args:    exactly(1, "NAME=SHARE,..."),
		RunE: func(c *cobra.Command, args []string) error {
			weights, err := sharesIn(args[0])
			if err != nil {
				return wrongUsage(c, err)
			}
			body := map[string]any{"weights": weights}
			if c.Flags().Changed("over") {
				body["over"] = over.Seconds()
			}
			return t.ask(c.Context(), "style", body)
		},
	}
	c.Flags().DurationVar(&over, "over", 0, "how long the change takes, such as 2s (default: as fast as the clips allow)")
	return c
}

// sharesIn reads NAME=SHARE pairs, or none.
func sharesIn(text string) (map[string]float64, error) {
	all := map[string]float64{}
	if text == "none" {
		return all, nil
	}
	for _, pair := range strings.Split(text, ",") {
		name, share, ok := strings.Cut(strings.TrimSpace(pair), "=")
		v, err := strconv.ParseFloat(share, 64)
		if !ok || name == "" || err != nil || v-v != 0 {
			return nil, fmt.Errorf("style %q, want NAME=SHARE such as jog=0.7, or none", pair)
		}
		if _, twice := all[name]; twice {
			return nil, fmt.Errorf("style: %s stands twice", name)
		}
		all[name] = v
	}
	return all, nil
}

func newFollow(t *target) *cobra.Command {
	by := ""
	c := &cobra.Command{
		Use: "follow TOPIC", Short: "Go after a goal that moves until Ctrl-C, then stop",
		Long: `Go after a goal that moves until Ctrl-C, then stop. TOPIC is any MQTT topic with
messages {"x":..,"y":..} in metres, W, or the state of another rig
(legctl/<rig>/state). How fast the goal moves is worked out from one message to
the next. If the topic falls silent, or this program is killed, the rig stops by
itself.`,
		Example: "  legctl cmd follow tracker/ball\n  legctl cmd follow legctl/leader/state --by clips",
		Args:    exactly(1, "TOPIC"),
		RunE: func(c *cobra.Command, args []string) error {
			return t.with(c.Context(), func(m *mqtt.Client, rig string) error {
				return m.Chase(c.Context(), rig, args[0], by)
			})
		},
	}
	c.Flags().StringVar(&by, "by", "", "who takes it there: gait or clips (default: as it is)")
	return c
}
