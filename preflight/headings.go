package preflight

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"legctl/control"
)

// WriteHeadings writes a table for every gait that can be walked: a row a
// heading, then turning, with the figures of its run at the allowed twist.
// name gives a limit's word.
func (rep *Report) WriteHeadings(w io.Writer, name func(control.Binding) string) error {
	for i := range rep.Gaits {
		g := &rep.Gaits[i]
		if g.Refused != "" {
			continue
		}
		fmt.Fprintf(w, "gait %s, by heading\n", g.Name)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(t, "heading\tspeed\tset by\treach\tangle left\tjoint speed\ttorque\tleast margin\tmean margin\tduty\t")
		fmt.Fprintln(t, "deg\tm/s\t\t%\tdeg\t%\t%\tmm\tmm\t\t")
		for _, r := range g.Runs {
			fmt.Fprintf(t, "%s\t%.0f\t%.1f\t%.0f\t%.0f\t%.1f\t%.1f\t%.2f\t\n", g.way(&r, name),
				r.Reach.Value*100, r.Angle.Value*180/math.Pi, r.Rate.Value*100, r.Torque.Value*100,
				r.Margin*1e3, r.Mean*1e3, r.Duty)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// way is the first three columns of a run: heading, speed, and what sets it.
func (g *GaitReport) way(r *Run, name func(control.Binding) string) string {
	v := math.Sqrt(r.Twist[0]*r.Twist[0] + r.Twist[1]*r.Twist[1])
	if v == 0 {
		return fmt.Sprintf("turning\t%.3f rad/s\t%s", r.Twist[2], name(g.Allowed.TurnBind))
	}
	angle := math.Atan2(r.Twist[1], r.Twist[0])
	h := (int(math.Round(angle/(2*math.Pi)*control.Headings)) + control.Headings) % control.Headings
	return fmt.Sprintf("%.1f\t%.4f\t%s", 360*float64(h)/control.Headings, v, name(g.Allowed.LinearBind[h]))
}
