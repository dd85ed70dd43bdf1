package main

import (
	"fmt"
	"math"
	"path/filepath"

	"legctl/configs"
	"legctl/control"
	"legctl/gait"
	"legctl/plot"
	"legctl/preflight"
	"legctl/rig"

	"gonum.org/v1/gonum/spatial/r2"
)

// comparisons draws what docs/gaits.md shows: all gaits of two robots, a wave
// that goes sideways, what twists a tripod is allowed, and the reach of feet.
func comparisons(dir string) error {
	for _, name := range []string{"phantomx", "a1"} {
		p, err := compared(name)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, "compare-"+name+".png"), p); err != nil {
			return err
		}
	}
	c, err := controllerOf("phantomx", "wave")
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dir, "wave-sideways.png"), sideways(c)); err != nil {
		return err
	}
	if c, err = controllerOf("phantomx", "tripod"); err != nil {
		return err
	}
	a, err := preflight.Allowed(c, 0)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dir, "allowed.png"), &plot.TwistMap{Title: "phantomx, tripod: allowed twists", Allowed: a}); err != nil {
		return err
	}
	u := c.Sizing(0).U
	reach := &plot.Workspace{Title: fmt.Sprintf("phantomx: reach of the feet, U %.1f mm", 1e3*u), Rig: c.Rig(), U: u, Reach: 0.9 * gait.Walk().Comfort * u}
	return write(filepath.Join(dir, "reach.png"), reach)
}

func controllerOf(rigName, gaitName string) (*control.Controller, error) {
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
	return control.New(r, p)
}

// compared is the picture of all gaits of a rig.
func compared(name string) (*plot.Contest, error) {
	r, err := configs.LoadRig(name)
	if err != nil {
		return nil, err
	}
	all, err := preflight.Compare(r, control.DefaultParams(r))
	if err != nil {
		return nil, err
	}
	t := &plot.Contest{Title: name + ": gaits forward at their highest allowed speed", Side: r.Groups.Side, Floor: 0.02 * r.L()}
	class := [...]string{rig.Static: "static", rig.Dynamic: "dynamic", rig.Ballistic: "ballistic"}
	for i := range all {
		g := &all[i]
		t.Rows = append(t.Rows, plot.ContestRow{
			Name: g.Name, Under: fmt.Sprintf("%s, duty %.2f, %.2f s", class[g.Class], g.DutyMost, g.Period), Refused: g.Refused,
			Diagram: g.Diagram, Margins: g.Margins, Speed: g.Speed, MarginLeast: g.MarginLeast, MarginMean: g.MarginMean,
			Rate: g.Rate, Torque: g.Torque, Cost: g.CostOfTransport,
		})
	}
	return t, nil
}

// sideways is the wave as it is used for going to the left, with its margin.
func sideways(c *control.Controller) *plot.Hildebrand {
	r := c.Rig()
	g := c.Compass(0).Table(gait.WayLeft)
	v := c.Allowed(0).Linear[control.Headings/4]
	names := make([]string, len(r.Legs))
	for i := range names {
		names[i] = r.Legs[i].Name
	}
	h := &plot.Hildebrand{Title: fmt.Sprintf("%s, wave to the left, %.3g m/s", r.Name, v), Diagram: g.Sample(names, 360), Side: r.Groups.Side, Floor: 0.02 * r.L()}
	com := rig.CoM(r, r.RestPose(nil))
	sweep := gait.Along(math.Pi/2, v*c.Period(0), 1)
	for k := range h.Diagram.Bits {
		at := (float64(k) + 0.5) / float64(len(h.Diagram.Bits))
		h.Margins = append(h.Margins, g.MarginAt(r, r2.Vec{X: com.X, Y: com.Y}, sweep, at, nil))
	}
	return h
}
