package main

import (
	"errors"
	"fmt"

	"legctl/configs"
	"legctl/control"
	"legctl/plot"

	"github.com/spf13/cobra"
)

func newRigPlot() *cobra.Command {
	var file string
	var workspace bool
	c := &cobra.Command{
		Use: "plot RIG --workspace -o FILE", Short: "Draw where the feet of a rig reach", Args: exactly(1, "RIG"),
		Long: `Plot draws the workspace of every leg seen from above: the border of its reach
from its neutral foot at the neutral height (full line), 0.35 U below (dotted)
and above (dashed), and the circle that clocked gaits use (0.9 of the comfort
zone, 1.08 U).`,
		Example: "  legctl rig plot phantomx --workspace -o reach.svg",
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case !workspace:
				return wrongUsage(c, errors.New("what shall be drawn? give --workspace"))
			case file == "":
				return wrongUsage(c, errors.New("where to? give a file with --output, such as reach.svg"))
			}
			r, err := configs.LoadRig(args[0])
			if err != nil {
				return err
			}
			p := control.DefaultParams(r)
			k, err := control.New(r, p)
			if err != nil {
				return err
			}
			z := k.Sizing(0)
			return drawFile(file, &plot.Workspace{
				Title: fmt.Sprintf("%s: reach of the feet, U %.1f mm", r.Name, z.U*1e3), Rig: r, U: z.U, Reach: 0.9 * p.Gaits[0].Rules.Comfort * z.U,
			})
		},
	}
	c.Flags().BoolVar(&workspace, "workspace", false, "reach of every leg from above")
	c.Flags().StringVarP(&file, "output", "o", "", "file; .svg or .png says the form")
	return c
}
