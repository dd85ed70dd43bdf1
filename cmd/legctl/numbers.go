package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"legctl/telemetry"

	"github.com/spf13/cobra"
)

// takesNumbers reports whether "cmd NAME" has arguments that are numbers.
func takesNumbers(name string) bool {
	return slices.ContainsFunc(telemetry.Describe(), func(t telemetry.Topic) bool {
		return t.Name == name && slices.ContainsFunc(t.Keys, func(k telemetry.Key) bool {
			return k.Required && k.Type == telemetry.KeyNumber
		})
	})
}

// spareNegatives moves the arguments of "cmd goto", "cmd height" and the like
// behind "--", so that a negative number is not taken for a flag.
func spareNegatives(args []string) []string {
	at := slices.IndexFunc(args, takesNumbers)
	if at < 1 || !slices.Contains(args[:at], "cmd") || slices.Contains(args, "--") {
		return args
	}
	flags := slices.Clone(args[:at+1])
	var words []string
	value := false // the flag before takes this one
	for _, s := range args[at+1:] {
		_, err := strconv.ParseFloat(s, 64)
		flag := strings.HasPrefix(s, "-") && err != nil
		if flag || value {
			flags = append(flags, s)
		} else {
			words = append(words, s)
		}
		value = flag && strings.HasPrefix(s, "--") && !strings.Contains(s, "=") && s != "--help"
	}
	return append(append(flags, "--"), words...)
}

// number reads a finite number given as an argument.
func number(c *cobra.Command, what, s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, wrongUsage(c, fmt.Errorf("%s: %q, want a finite number", what, s))
	}
	return v, nil
}

// finiteFlags refuses NaN and infinities in the number flags of a command:
// strconv takes both.
func finiteFlags(c *cobra.Command, names ...string) error {
	for _, name := range names {
		if v, err := c.Flags().GetFloat64(name); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			return wrongUsage(c, fmt.Errorf("--%s: %v, want a finite number", name, v))
		}
	}
	return nil
}

// exclusive refuses flags that exclude each other.
func exclusive(c *cobra.Command, a, b string) error {
	if c.Flags().Changed(a) && c.Flags().Changed(b) {
		return wrongUsage(c, fmt.Errorf("--%s and --%s exclude each other", a, b))
	}
	return nil
}
