package main

import (
	"context"
	"fmt"
	"math"

	"legctl/configs"
	"legctl/control"
	"legctl/gait"
	"legctl/plot"
	"legctl/preflight"
	"legctl/rig"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/spatial/r2"
)

// plotFlags are the flags of gait plot.
type plotFlags struct {
	rig, file      string
	heading, speed float64
	twist          bool
}

func newGaitPlot() *cobra.Command {
	var f plotFlags
	c := &cobra.Command{
		Use: "plot GAIT -o FILE", Short: "Draw a gait diagram with its margin, or its allowed twists, as text, SVG or PNG", Args: exactly(1, "GAIT"),
		Long: `Plot draws who stands when over one cycle, and the stability margin meanwhile
at the highest allowed speed (or --speed) in a direction of travel; waves run
from the rear of it. With --twist it draws the twists the gait is allowed:
travel by heading, and every mix of travel and turning.`,
		Example: "  legctl gait plot tripod -o tripod.svg\n  legctl gait plot wave --heading 90 -o sideways.svg\n  legctl gait plot tripod --twist -o allowed.svg",
		RunE: func(c *cobra.Command, args []string) error {
			if f.twist {
				return f.drawTwist(c, args[0])
			}
			h, err := f.diagram(c.Context(), args[0])
			if err != nil {
				return err
			}
			return drawTo(c, h, f.file)
		},
	}
	c.Flags().StringVar(&f.rig, "rig", defaultRig, "rig that walks it")
	c.Flags().StringVarP(&f.file, "output", "o", "-", "file; .svg, .png or .txt says the form; - is text on the terminal")
	c.Flags().Float64Var(&f.heading, "heading", 0, "direction of travel, degrees counter-clockwise from forward")
	c.Flags().Float64Var(&f.speed, "speed", 0, "m/s (default as fast as allowed)")
	c.Flags().BoolVar(&f.twist, "twist", false, "draw the allowed twists instead")
	return c
}

// alone makes a controller of one gait.
func alone(rigName, gaitName string) (*control.Controller, error) {
	r, err := configs.LoadRig(rigName)
	if err != nil {
		return nil, err
	}
	plan, err := configs.LoadGait(gaitName, r)
	if err != nil {
		return nil, err
	}
	p := control.DefaultParams(r)
	p.Gaits = []control.Plan{plan}
	c, err := control.New(r, p)
	if err != nil {
		return nil, err
	}
	if _, why := c.Offers(0); why != "" {
		return nil, fmt.Errorf("gait: %s is not for rig %s: %s", plan.Name, r.Name, why)
	}
	return c, nil
}

// diagram is the picture of a gait with its margin.
func (f *plotFlags) diagram(ctx context.Context, name string) (*plot.Hildebrand, error) {
	r, err := configs.LoadRig(f.rig)
	if err != nil {
		return nil, err
	}
	plan, err := configs.LoadGait(name, r)
	if err != nil {
		return nil, err
	}
	if !plan.Clocked() {
		if f.heading != 0 || f.speed != 0 {
			return nil, fmt.Errorf("gait: %s is walked to be drawn, straight ahead as fast as it goes: --heading and --speed are for phase tables", plan.Name)
		}
		return walked(ctx, f.rig, name)
	}
	c, err := alone(f.rig, name)
	if err != nil {
		return nil, err
	}
	angle := f.heading * math.Pi / 180
	speed := f.speed
	if speed == 0 {
		if speed, err = fastest(c, angle); err != nil {
			return nil, err
		}
	}
	return table(c, angle, speed), nil
}

// fastest is the highest speed a controller's gait is allowed at an angle, B.
func fastest(c *control.Controller, angle float64) (float64, error) {
	a, err := preflight.Allowed(c, 0)
	if err != nil {
		return 0, err
	}
	const much = 1e3
	sn, cs := math.Sincos(angle)
	share, _ := a.Limit(much*cs, much*sn, 0)
	return share * much, nil
}

// table is the diagram of a phase table as it is used at an angle and a speed.
func table(c *control.Controller, angle, speed float64) *plot.Hildebrand {
	r := c.Rig()
	sn, cs := math.Sincos(angle)
	way := gait.WayForward.Toward(cs, sn, 0, 1)
	g := c.Compass(0).Table(way)
	h := &plot.Hildebrand{
		Title:   fmt.Sprintf("%s, %s, %.3g m/s at %.0f deg, cycle %.3g s", r.Name, c.Params().Gaits[0].Name, speed, angle*180/math.Pi, c.Period(0)),
		Diagram: g.Sample(legNames(r), moments),
		Side:    r.Groups.Side,
		Floor:   0.02 * r.L(),
	}
	com := rig.CoM(r, r.RestPose(nil))
	way2 := speed * c.Period(0)
	sweep := gait.Sweep{way2 * cs, way2 * sn, 0}
	spare := make([]r2.Vec, 0, len(r.Legs))
	for k := range moments {
		at := (float64(k) + 0.5) / moments
		h.Margins = append(h.Margins, g.MarginAt(r, r2.Vec{X: com.X, Y: com.Y}, sweep, at, spare))
	}
	return h
}

// drawTwist draws the allowed twists of a gait.
func (f *plotFlags) drawTwist(c *cobra.Command, name string) error {
	k, err := alone(f.rig, name)
	if err != nil {
		return err
	}
	a, err := preflight.Allowed(k, 0)
	if err != nil {
		return err
	}
	if f.file == "-" {
		return wrongUsage(c, fmt.Errorf("--twist draws: give a file with --output, such as allowed.svg"))
	}
	return drawFile(f.file, &plot.TwistMap{Title: fmt.Sprintf("%s, %s: allowed twists", k.Rig().Name, name), Allowed: a})
}
