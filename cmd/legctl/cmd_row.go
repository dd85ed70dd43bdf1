package main

import (
	"fmt"
	"strings"

	"legctl/telemetry"

	"github.com/spf13/cobra"
)

// topicRows returns a command for each topic that has none written by hand: required
// keys are arguments, the others flags.
func topicRows(t *target, have []*cobra.Command) []*cobra.Command {
	known := map[string]bool{}
	for _, c := range have {
		known[c.Name()] = true
	}
	var list []*cobra.Command
	for _, topic := range telemetry.Describe() {
		if !known[topic.Name] {
			list = append(list, topicRow(t, topic))
		}
	}
	return list
}

// topicRow makes the command of one topic out of its row of the table.
func topicRow(t *target, topic telemetry.Topic) *cobra.Command {
	use := topic.Name
	var keys []telemetry.Key
	for _, k := range topic.Keys {
		if k.Required {
			use += " " + strings.ToUpper(k.Name)
			keys = append(keys, k)
		}
	}
	c := &cobra.Command{Use: use, Short: topic.Doc, Long: rowText(topic), Args: exactly(len(keys), use)}
	for _, k := range topic.Keys {
		if !k.Required {
			flagOf(c, k)
		}
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		body := map[string]any{}
		for i, k := range keys {
			v, err := valueOf(c, k, args[i])
			if err != nil {
				return err
			}
			body[k.Name] = v
		}
		if err := given(c, topic, body); err != nil {
			return err
		}
		return t.ask(c.Context(), topic.Name, body)
	}
	return c
}

// rowText is the long text of a command: its keys with their units.
func rowText(topic telemetry.Topic) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n", topic.Doc)
	for _, k := range topic.Keys {
		if !k.Required {
			continue
		}
		fmt.Fprintf(&b, "\n%s: %s%s", strings.ToUpper(k.Name), k.Doc, unitOf(k))
		if k.Words != nil {
			if words := k.Words(&telemetry.Names{}); len(words) > 0 {
				fmt.Fprintf(&b, ": %s", strings.Join(words, ", "))
			}
		}
	}
	return b.String()
}

func unitOf(k telemetry.Key) string {
	if k.Unit == "" {
		return ""
	}
	return ", " + k.Unit
}

// flagOf declares the flag of an optional key.
func flagOf(c *cobra.Command, k telemetry.Key) {
	text := k.Doc + unitOf(k)
	switch k.Type {
	case telemetry.KeyNumber:
		c.Flags().Float64(k.Name, 0, text)
	case telemetry.KeyFlag:
		c.Flags().Bool(k.Name, false, text)
	case telemetry.KeyVector: // other keys say the same
	default:
		c.Flags().String(k.Name, "", text)
	}
}

// given adds the flags that were given to body.
func given(c *cobra.Command, topic telemetry.Topic, body map[string]any) error {
	for _, k := range topic.Keys {
		f := c.Flags().Lookup(k.Name)
		if f == nil || !f.Changed || k.Required {
			continue
		}
		v, err := valueOf(c, k, f.Value.String())
		if err != nil {
			return err
		}
		body[k.Name] = v
	}
	return nil
}

// valueOf reads an argument as its key wants it.
func valueOf(c *cobra.Command, k telemetry.Key, s string) (any, error) {
	switch k.Type {
	case telemetry.KeyNumber:
		return number(c, k.Name, s)
	case telemetry.KeyFlag:
		switch s {
		case "on", "true":
			return true, nil
		case "off", "false":
			return false, nil
		}
		return nil, wrongUsage(c, fmt.Errorf("%s: %q, want on or off", k.Name, s))
	}
	return s, nil
}
