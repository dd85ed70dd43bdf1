package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"legctl/configs"
	"legctl/control"
	"legctl/plot"
	"legctl/rig"

	"github.com/spf13/cobra"
)

// moments is how many moments of a cycle a gait diagram shows.
const moments = 360

func newGait() *cobra.Command {
	return group("gait", "List, show and draw gaits", newGaitList(), newGaitShow(), newGaitPlot(), newGaitCompare())
}

func newGaitList() *cobra.Command {
	var name string
	c := &cobra.Command{
		Use: "list", Short: "List the gaits and whether they suit a rig", Args: exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := configs.LoadRig(name)
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(c.OutOrStdout(), 0, 8, 2, ' ', 0)
			fmt.Fprintf(w, "GAIT\tKIND\tON %s\n", r.Name)
			for _, g := range configs.Gaits() {
				plan, err := configs.LoadGait(g, r)
				fmt.Fprintf(w, "%s\t%s\t%s\n", g, kindOf(&plan, err), suits(r, plan, err))
			}
			return w.Flush()
		},
	}
	c.Flags().StringVar(&name, "rig", defaultRig, "rig that is to walk them")
	return c
}

// kindOf says what a gait is made of.
func kindOf(p *control.Plan, err error) string {
	switch {
	case err != nil:
		return "-"
	case p.Clocked():
		return "phase table"
	}
	return "step rules"
}

// suits says whether a rig is offered a gait, or why not.
func suits(r *rig.Rig, plan control.Plan, err error) string {
	if err == nil {
		p := control.DefaultParams(r)
		p.Gaits = []control.Plan{plan}
		var k *control.Controller
		if k, err = control.New(r, p); err == nil {
			ok, why := k.Offers(0)
			_, usual := (&control.Params{Gaits: control.Plans(r)}).Index(plan.Name)
			switch {
			case !ok:
				return "no: " + why
			case usual:
				return "yes"
			}
			return "only when named with --gait: others suit it better"
		}
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return "no: " + first
}

func newGaitShow() *cobra.Command {
	var name string
	var width int
	c := &cobra.Command{
		Use: "show GAIT", Short: "Show a gait diagram (Hildebrand) as text", Args: exactly(1, "GAIT"),
		RunE: func(c *cobra.Command, args []string) error {
			h, err := diagram(c, name, args[0])
			if err != nil {
				return err
			}
			_, err = c.OutOrStdout().Write(h.Diagram.AppendText([]byte(h.Title+"\n"), width))
			return err
		},
	}
	c.Flags().StringVar(&name, "rig", defaultRig, "rig that walks it")
	c.Flags().IntVar(&width, "width", 60, "columns of a bar")
	return c
}

// drawTo writes the diagram in the form the name of the file says.
func drawTo(c *cobra.Command, h *plot.Hildebrand, file string) error {
	form := strings.TrimPrefix(filepath.Ext(file), ".")
	draw := func(w io.Writer) error { return plot.Write(w, h, form) }
	if file == "-" || form == "txt" {
		draw = func(w io.Writer) error {
			_, err := w.Write(h.Diagram.AppendText([]byte(h.Title+"\n"), 60))
			return err
		}
	} else if !slices.Contains(plot.Formats(), form) {
		return wrongUsage(c, fmt.Errorf("--output %s: form %q, want .txt, .%s", file, form, strings.Join(plot.Formats(), ", .")))
	}
	if file == "-" {
		return draw(c.OutOrStdout())
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(draw(f), f.Close())
}

// diagram makes the gait diagram of one cycle of a phase table, or of a stretch
// of walking by step rules, which have no cycle of their own.
func diagram(c *cobra.Command, rigName, gaitName string) (*plot.Hildebrand, error) {
	r, err := configs.LoadRig(rigName)
	if err != nil {
		return nil, err
	}
	plan, err := configs.LoadGait(gaitName, r)
	if err != nil {
		return nil, err
	}
	if !plan.Clocked() {
		return walked(c.Context(), rigName, gaitName)
	}
	return &plot.Hildebrand{
		Title:   fmt.Sprintf("%s, %s", r.Name, plan.Name),
		Diagram: plan.Phase.Sample(legNames(r), moments),
		Side:    r.Groups.Side,
	}, nil
}

func legNames(r *rig.Rig) []string {
	names := make([]string, len(r.Legs))
	for i := range r.Legs {
		names[i] = r.Legs[i].Name
	}
	return names
}
