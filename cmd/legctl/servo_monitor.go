//go:build linux

package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"legctl/drivers/servo"

	"github.com/spf13/cobra"
)

func newServoMonitor() *cobra.Command {
	o := &servoFlags{calibrated: true}
	var hz float64
	var count int
	c := &cobra.Command{
		Use: "monitor [ID...]", Short: "Watch position, load, voltage, temperature, errors and round trip", Args: between(0, 256, "ids such as 1-6, or names of the rig's servos"),
		Long: `Watch servos until Ctrl-C. Nothing moves and torque stays as it is, so a leg
moved by hand shows which servo is which.`,
		Example: "  legctl servo monitor --rig phantomx\n  legctl servo monitor --protocol feetech_sts --device /dev/ttyACM0 1-6 --hz 2",
		RunE: func(c *cobra.Command, args []string) error {
			if err := finiteFlags(c, "hz"); err != nil || hz <= 0 || hz > 100 {
				return wrongUsage(c, fmt.Errorf("--hz %g, want above 0, up to 100", hz))
			}
			s, ids, err := o.openFor(c, args)
			if err != nil {
				return err
			}
			defer s.close()
			return s.monitor(c, ids, hz, count)
		},
	}
	o.bindRig(c)
	c.Flags().Float64Var(&hz, "hz", 5, "times a second")
	c.Flags().IntVar(&count, "count", 0, "stop after so many rounds (default: Ctrl-C)")
	return c
}

func (s *servos) monitor(c *cobra.Command, ids []int, hz float64, count int) error {
	out := c.OutOrStdout()
	tty := newScreen(out).tty
	tick := time.NewTicker(time.Duration(float64(time.Second) / hz))
	defer tick.Stop()
	for n := 1; ; n++ {
		fb, err := s.read(ids)
		if err != nil {
			return err
		}
		var b strings.Builder
		if err := writeFeedback(&b, s, fb); err != nil {
			return err
		}
		b.WriteString(s.traffic())
		text := b.String()
		if tty && n > 1 { // over the table before
			text = fmt.Sprintf("\x1b[%dA\x1b[J", strings.Count(text, "\n")) + text
		}
		if _, err := io.WriteString(out, text); err != nil {
			return err
		}
		if n == count {
			return nil
		}
		select {
		case <-c.Context().Done():
			return nil
		case <-tick.C:
		}
	}
}

// traffic is one line about the bus.
func (s *servos) traffic() string {
	if s.link.Bus == nil {
		return "\n"
	}
	st := &s.link.Bus.Stats
	line := fmt.Sprintf("round trip %.1f ms (longest %.1f), %d questions, %d retries", st.RoundTrip.Seconds()*1e3, st.Longest.Seconds()*1e3, st.Exchanges, st.Retries)
	for class, n := range st.Counts {
		if n > 0 && servo.Class(class) != servo.None {
			line += fmt.Sprintf(", %v %d", servo.Class(class), n)
		}
	}
	return line + "\n"
}

// writeFeedback prints a table of what servos said; with a rig the angle of the
// joint too.
func writeFeedback(out io.Writer, s *servos, fb []servo.Feedback) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tNAME\tPOSITION\tANGLE deg\tLOAD\tVOLTS\tC\tTORQUE\tNOTE")
	for i := range fb {
		f := &fb[i]
		cell := func(has servo.Field, format string, v float64) string {
			if f.Has&has == 0 {
				return "-"
			}
			return fmt.Sprintf(format, v)
		}
		angle, torque := "-", "-"
		if n := s.byID(f.ID); n >= 0 && f.Has&servo.HasPos != 0 {
			v := &s.cfg.Servos[n]
			angle = fmt.Sprintf("%.1f", deg((f.Pos-v.Zero)/v.PerRad-v.Offset))
		}
		if f.Has&servo.HasTorque != 0 {
			torque = map[bool]string{true: "on", false: "off"}[f.Torque]
		}
		note := f.Alarms.String()
		if f.Has == 0 && f.Fault.Class != servo.None {
			note = f.Fault.Class.String()
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", f.ID, s.name(f.ID), cell(servo.HasPos, "%.0f", f.Pos), angle,
			cell(servo.HasLoad, "%.0f %%", math.Round(100*f.Load)+0), cell(servo.HasVolts, "%.1f", f.Volts), cell(servo.HasCelsius, "%.0f", f.Celsius), torque, note)
	}
	return w.Flush()
}

// byID is the index of a servo in the config, -1 for none.
func (s *servos) byID(id int) int {
	for i := range s.cfg.Servos {
		if s.cfg.Servos[i].ID == id {
			return i
		}
	}
	return -1
}
