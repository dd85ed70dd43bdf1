// Pictures draws the pictures of the documents from runs of the product:
//
//	go run ./internal/pictures docs/img
//
// Every picture is a pure function of the tree, so a changed picture is a
// changed product.
package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"legctl/configs"
	"legctl/control"
	"legctl/plot"
	"legctl/preflight"
	"legctl/rig"
	"legctl/rollout"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pictures FOLDER")
		os.Exit(2)
	}
	if err := draw(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// draw writes every picture to dir.
func draw(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	w, err := newWalk("phantomx", "world", 8.3)
	if err != nil {
		return err
	}
	if _, err := rollout.Run(context.Background(), w.config); err != nil {
		return err
	}
	for name, p := range map[string]plot.Picture{"walk": w.scene(), "trace": &w.trace} {
		if p == nil {
			return fmt.Errorf("%s: nothing was drawn", name)
		}
		if err := write(filepath.Join(dir, name+".png"), p); err != nil {
			return err
		}
	}
	if err := gaits(dir); err != nil {
		return err
	}
	return comparisons(dir)
}

func write(path string, p plot.Picture) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := plot.Write(f, p, "png"); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}

// walk is one run that is watched: its last pose and what it measured.
type walk struct {
	rig    *rig.Rig
	config rollout.Config
	unit   float64 // U, metres
	last   *rollout.Rollout
	trace  plot.Trace
}

// newWalk sets up a run of so many seconds, forward and a little to the left,
// at the allowed twist.
func newWalk(rigName, terrainName string, seconds float64) (*walk, error) {
	r, err := configs.LoadRig(rigName)
	if err != nil {
		return nil, err
	}
	p, err := preflight.Fill(r, control.DefaultParams(r))
	if err != nil {
		return nil, err
	}
	c, err := control.New(r, p)
	if err != nil {
		return nil, err
	}
	i := c.Best()
	w := &walk{rig: r, unit: c.Sizing(i).U}
	spec, err := configs.LoadTerrain(terrainName, w.unit)
	if err != nil {
		return nil, err
	}
	floor := 0.02 * r.L()
	w.trace = plot.Trace{
		Title: fmt.Sprintf("%s on %s, %s", rigName, terrainName, p.Gaits[i].Name), Dt: p.Dt,
		Panels: []plot.Panel{
			{Label: "speed, m/s", Curves: []plot.Curve{{Name: "asked", Wanted: true}, {Name: "had"}}},
			{Label: "margin, m", Floor: &floor, Curves: []plot.Curve{{Name: "static margin"}}},
			{Label: "height, m", Curves: []plot.Curve{{Name: "of the body"}}},
		},
	}
	w.config = rollout.Config{
		Rig: r, Params: &p, Gait: p.Gaits[i].Name, Terrain: spec, Seed: 1, Ticks: uint64(seconds / p.Dt),
		Commands: []rollout.Order{{At: 0.5, Command: control.Command{Kind: control.KindTwist, Vx: c.Allowed(i).Linear[0], TTL: 3600}}},
		Each:     w.watch,
	}
	return w, nil
}

func (w *walk) watch(r *rollout.Rollout) error {
	out := &r.Cell.Frame.Out
	w.last = r
	t := w.trace.Panels
	add := func(c *plot.Curve, v float64) { c.Y = append(c.Y, v) }
	add(&t[0].Curves[0], out.Wish[0])
	add(&t[0].Curves[1], out.Twist[0])
	add(&t[1].Curves[0], out.Margin)
	add(&t[2].Curves[0], out.PoseWB.P.Z)
	return nil
}

// scene is the rig where the run left it.
func (w *walk) scene() plot.Picture {
	if w.last == nil {
		return nil
	}
	f := w.last.Cell.Frame
	at := f.Out.PoseWB.P
	ground, err := plot.SampleGround(w.last.Ground, at.X, at.Y, 18*w.unit, 0.12*w.unit, at.Z+10*w.unit, 30*w.unit)
	if err != nil {
		return nil
	}
	stance := uint64(0)
	for i := range f.Out.Legs {
		if f.Out.Legs[i].Stance {
			stance |= 1 << i
		}
	}
	return &plot.Scene{
		Figure: plot.Figure{Rig: w.rig, Q: f.Out.Set.Q, PoseWB: f.Out.PoseWB, Stance: stance},
		Ground: ground, Azimuth: -0.28 * math.Pi, Elevation: 0.2 * math.Pi, Marks: true,
	}
}

// gaits draws one diagram a shipped phase table.
func gaits(dir string) error {
	for _, g := range []struct{ gait, rig string }{{"wave", "octopod"}, {"tripod", "phantomx"}} {
		r, err := configs.LoadRig(g.rig)
		if err != nil {
			return err
		}
		plan, err := configs.LoadGait(g.gait, r)
		if err != nil {
			return err
		}
		names := make([]string, len(r.Legs))
		for i := range r.Legs {
			names[i] = r.Legs[i].Name
		}
		p := &plot.Hildebrand{
			Title:   fmt.Sprintf("%s on %s: a bar is a foot on the ground", g.gait, g.rig),
			Diagram: plan.Phase.Sample(names, 400), Side: r.Groups.Side,
		}
		if err := write(filepath.Join(dir, "gait-"+g.gait+".png"), p); err != nil {
			return err
		}
	}
	return nil
}
