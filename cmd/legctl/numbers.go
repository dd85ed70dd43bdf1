package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// spareNegatives moves the numbers of "cmd goto" and "cmd height" behind "--",
// so that a negative one is not taken for a flag.
func spareNegatives(args []string) []string {
	at := slices.IndexFunc(args, func(s string) bool { return s == "goto" || s == "height" })
	if at < 1 || !slices.Contains(args[:at], "cmd") || slices.Contains(args, "--") {
		return args
	}
	out := slices.Clone(args[:at+1])
	var numbers []string
	value := false // the word before takes this one
	for _, s := range args[at+1:] {
		_, err := strconv.ParseFloat(s, 64)
		if err == nil && !value {
			numbers = append(numbers, s)
		} else {
			out = append(out, s)
		}
		value = strings.HasPrefix(s, "--") && !strings.Contains(s, "=")
	}
	return append(append(out, "--"), numbers...)
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
