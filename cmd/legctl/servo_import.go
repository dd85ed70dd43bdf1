//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"legctl/drivers/servo"

	"github.com/spf13/cobra"
)

func newServoImport() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Show a LeRobot calibration or a Dynamixel control table as legctl sees it", Args: exactly(1, "one FILE"),
		Long: `Read somebody else's file. A LeRobot calibration (.json, either form) is shown as
lines for "channels" of a rig's servos section: put the names of your joints in.
A Dynamixel control table (.model, either form) is shown as registers; those that
share bytes are named.`,
		Example: "  legctl servo import main_follower.json\n  legctl servo import xl430_w250.model",
		RunE: func(c *cobra.Command, args []string) error {
			data, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			if strings.HasSuffix(args[0], ".json") {
				return importLeRobot(c.OutOrStdout(), args[0], data)
			}
			return importTable(c.OutOrStdout(), args[0], data)
		},
	}
}

func importLeRobot(out io.Writer, file string, data []byte) error {
	motors, err := servo.ParseLeRobot(file, data)
	if err != nil {
		return err
	}
	for i := range motors {
		m := &motors[i]
		k := m.Calibrated(i + 1)
		reverse := ""
		if m.Reversed {
			reverse = ", reverse: true"
		}
		fmt.Fprintf(out, "    - {joint: %s, id: %d, zero: %.0f%s, range: [%.0f, %.0f]}\n", m.Name, k.ID, k.Zero, reverse, k.Min, k.Max)
	}
	return nil
}

func importTable(out io.Writer, file string, data []byte) error {
	t, err := servo.ParseControlTable(file, data)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "ADDRESS\tBYTES\tREGISTER")
	for _, r := range t.Registers {
		fmt.Fprintf(w, "%d\t%d\t%s\n", r.Address, r.Size, r.Name)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, o := range t.Overlaps {
		fmt.Fprintf(out, "note: %s and %s share bytes\n", o[0], o[1])
	}
	return nil
}
