package main

import (
	"context"
	"fmt"
	"strings"

	"legctl/telemetry"
	"legctl/telemetry/mqtt"

	"github.com/spf13/cobra"
)

// target is whom a command goes to.
type target struct{ broker, rig, lease string }

// newCmd holds the commands sent to a running rig.
func newCmd() *cobra.Command {
	t := &target{}
	subs := []*cobra.Command{
		newTwist(t), newGoto(t), newStop(t), newPickGait(t), newPose(t), newHeight(t), newLeg(t), newMode(t), newLease(t), newStyle(t), newFollow(t),
	}
	c := group("cmd", "Command a running rig over MQTT", append(subs, topicRows(t, subs)...)...)
	c.Long = `Command a running rig over MQTT and print nothing if it obeys.

Broker: --broker, else $LEGCTL_BROKER, else the one of a running "legctl sim" of
yours, else 127.0.0.1:1883; the password of mqtts://user@host comes from
$LEGCTL_MQTT_PASSWORD or the file $LEGCTL_MQTT_PASSWORD_FILE, the authority of
its certificate from the file $LEGCTL_MQTT_CA. Rig: --rig, else the only one
online. A refused command ends with exit status 1 and the reason.`
	t.bind(c)
	c.PersistentFlags().StringVar(&t.lease, "lease", "", "holder of the lease in whose name commands are given")
	return c
}

// bind declares the flags that say where a rig is.
func (t *target) bind(c *cobra.Command) {
	c.PersistentFlags().StringVar(&t.broker, "broker", "", "the MQTT broker: host:port, or mqtts://user@host")
	c.PersistentFlags().StringVar(&t.rig, "rig", "", "rig to command")
}

// with connects and calls do with the client and the rig.
func (t *target) with(ctx context.Context, do func(c *mqtt.Client, rig string) error) error {
	broker, err := mqtt.Locate(t.broker, t.rig)
	if err != nil {
		return err
	}
	c, err := mqtt.Dial(ctx, broker)
	if err != nil {
		return err
	}
	defer c.Close()
	c.As(t.lease)
	rig, err := c.Rig(ctx, t.rig)
	if err != nil {
		return err
	}
	return do(c, rig)
}

// ask sends one command and waits for the answer.
func (t *target) ask(ctx context.Context, topic string, body map[string]any) error {
	return t.with(ctx, func(c *mqtt.Client, rig string) error { return c.Ask(ctx, rig, topic, body) })
}

// words returns a command that sends its arguments under the given keys.
func words(t *target, use, short, topic string, keys ...string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: exactly(len(keys), use),
		RunE: func(c *cobra.Command, args []string) error {
			body := map[string]any{}
			for i, k := range keys {
				body[k] = args[i]
			}
			return t.ask(c.Context(), topic, body)
		},
	}
}

// numbers is words for arguments that are numbers.
func numbers(t *target, use, short, topic string, keys ...string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: exactly(len(keys), use),
		RunE: func(c *cobra.Command, args []string) error {
			body := map[string]any{}
			for i, k := range keys {
				v, err := number(c, k, args[i])
				if err != nil {
					return err
				}
				body[k] = v
			}
			return t.ask(c.Context(), topic, body)
		},
	}
}

func newStop(t *target) *cobra.Command {
	return words(t, "stop", "Stop: twist zero, goal dropped, then stand", "stop")
}

func newPickGait(t *target) *cobra.Command {
	c := words(t, "gait NAME", "Choose a gait", "gait", "gait")
	c.Example = "  legctl cmd gait gallop"
	return c
}

func newMode(t *target) *cobra.Command {
	c := words(t, "mode "+strings.Join(telemetry.ModeWords(), "|"), "Give an order to the mode machine, or say who moves the rig", "mode", "mode")
	c.ValidArgs = telemetry.ModeWords()
	return c
}

func newGoto(t *target) *cobra.Command {
	by := ""
	c := &cobra.Command{
		Use: "goto X Y", Short: "Walk to a place in the world, metres", Args: exactly(2, "goto X Y"),
		Example: "  legctl cmd goto 2 -1\n  legctl cmd goto 2 -1 --by clips",
		RunE: func(c *cobra.Command, args []string) error {
			body := map[string]any{}
			for i, k := range []string{"x", "y"} {
				v, err := number(c, k, args[i])
				if err != nil {
					return err
				}
				body[k] = v
			}
			if by != "" {
				body["by"] = by
			}
			return t.ask(c.Context(), "goto", body)
		},
	}
	c.Flags().StringVar(&by, "by", "", "who takes it there, from now on: "+strings.Join(telemetry.Drivers(), ", ")+" (default: as it is)")
	return c
}

func newHeight(t *target) *cobra.Command {
	return numbers(t, "height METRES", "Set the height of the body over the ground (0: the rig's own)", "height", "height")
}

func newLeg(t *target) *cobra.Command {
	return &cobra.Command{
		Use: "leg NAME on|off", Short: "Switch a leg on or off", Example: "  legctl cmd leg LF off",
		Args: exactly(2, "NAME on|off"),
		RunE: func(c *cobra.Command, args []string) error {
			if args[1] != "on" && args[1] != "off" {
				return wrongUsage(c, fmt.Errorf("leg %s: %q, want on or off", args[0], args[1]))
			}
			return t.ask(c.Context(), "leg", map[string]any{"leg": args[0], "on": args[1] == "on"})
		},
	}
}
