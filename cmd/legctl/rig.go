package main

import (
	"fmt"
	"math"
	"text/tabwriter"

	"legctl/configs"
	"legctl/rig"

	"github.com/spf13/cobra"
)

func newRig() *cobra.Command {
	return group("rig", "List and show body plans", newRigList(), newRigShow(), newRigExport(), newRigPlot())
}

func newRigList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the shipped rigs", Args: exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 8, 2, ' ', 0)
			fmt.Fprintln(w, "NAME\tLEGS\tJOINTS\tKG\tLEG mm\tHIGH mm")
			for _, name := range configs.Rigs() {
				r, err := configs.LoadRig(name)
				if err != nil {
					return err
				}
				fmt.Fprintf(w, "%s\t%d\t%d\t%.3g\t%.0f\t%.0f\n", name, len(r.Legs), r.Joints(), r.Mass(), r.L()*1e3, r.Height*1e3)
			}
			return w.Flush()
		},
	}
}

func newRigShow() *cobra.Command {
	return &cobra.Command{
		Use: "show RIG", Short: "Show the legs, joints and groups of a rig", Args: exactly(1, "RIG"),
		Example: "  legctl rig show octopod@0.06",
		RunE: func(c *cobra.Command, args []string) error {
			r, err := configs.LoadRig(args[0])
			if err != nil {
				return err
			}
			return showRig(c, r)
		},
	}
}

// showRig prints a rig as tables, in millimetres and degrees.
func showRig(c *cobra.Command, r *rig.Rig) error {
	out := c.OutOrStdout()
	fmt.Fprintf(out, "%s: %d legs, %d joints, %.3g kg, stands %.1f mm high\n\n", r.Name, len(r.Legs), r.Joints(), r.Mass(), r.Height*1e3)
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "LEG\tROW\tSIDE\tSET\tPARTNER\tLENGTH mm\tNEUTRAL FOOT mm")
	for i := range r.Legs {
		l, g := &r.Legs[i], &r.Groups
		partner := "-"
		if p := g.Partner[i]; p >= 0 {
			partner = r.Legs[p].Name
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%s\t%.1f\t%.1f %.1f %.1f\n", l.Name, g.Row[i], sideName(g.Side[i]), g.Colour[i],
			partner, l.Length*1e3, l.Neutral.X*1e3, l.Neutral.Y*1e3, l.Neutral.Z*1e3)
	}
	fmt.Fprintln(w, "\nJOINT\tMIN deg\tMAX deg\tREST deg\tSPEED deg/s\tTORQUE Nm")
	for i := range r.Legs {
		for j := range r.Legs[i].Joints {
			k := &r.Legs[i].Joints[j]
			fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%.1f\t%.0f\t%.3g\n", k.Name, deg(k.Min), deg(k.Max), deg(k.Rest), deg(k.Speed), k.Torque)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, a := range r.Assumed {
		fmt.Fprintln(out, "assumed:", a)
	}
	return nil
}

func sideName(s int8) string {
	switch {
	case s > 0:
		return "left"
	case s < 0:
		return "right"
	}
	return "centre"
}

func deg(rad float64) float64 { return rad * 180 / math.Pi }
