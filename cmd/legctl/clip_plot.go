package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"legctl/blend/space"
	"legctl/configs"
	"legctl/gait"
	"legctl/plot"
	"legctl/rig"

	"github.com/spf13/cobra"
)

func newClipPlot() *cobra.Command {
	f, out, what := &clipFlags{}, "", ""
	c := &cobra.Command{
		Use: "plot FILE -o FILE.svg", Short: "Draw a rig's clip: its gait, its feet over time, or their paths", Args: exactly(1, "FILE"),
		Example: "  legctl clip plot wolf_walk.json --what feet -o feet.svg\n  legctl clip plot wolf.glb --clip Gallop --rig a1 -o gallop.png",
		RunE: func(c *cobra.Command, args []string) error {
			loops, name, err := rigClips(args[0])
			if err != nil {
				if f.rig == "" {
					return wrongUsage(c, errors.New("--rig is missing: the rig to draw the clip on"))
				}
				l, _, _, err := f.onto(args[0])
				if err != nil {
					return err
				}
				loops, name = []*space.Loop{l}, f.rig
			}
			r, err := configs.LoadRig(name)
			if err != nil {
				return err
			}
			l, err := pickLoop(loops, f.name)
			if err != nil {
				return err
			}
			p, err := loopPicture(c, l, r, what)
			if err != nil {
				return err
			}
			return drawPicture(c, p, out)
		},
	}
	f.register(c)
	f.registerRig(c, "rig to draw it on (the one the file names)")
	c.Flags().StringVar(&what, "what", "gait", "gait, feet or paths")
	c.Flags().StringVarP(&out, "output", "o", "", "picture to write, .svg or .png")
	return c
}

func pickLoop(loops []*space.Loop, name string) (*space.Loop, error) {
	var names []string
	for _, l := range loops {
		if name == "" && len(loops) == 1 || l.Name == name || strings.HasSuffix(l.Name, "|"+name) {
			return l, nil
		}
		names = append(names, l.Name)
	}
	return nil, fmt.Errorf("no clip %q, want one of %s", name, strings.Join(names, ", "))
}

// drawPicture writes a picture in the format of the file's name. A picture that
// cannot be drawn leaves the file as it was.
func drawPicture(c *cobra.Command, p plot.Picture, file string) error {
	form := strings.TrimPrefix(filepath.Ext(file), ".")
	if !slices.Contains(plot.Formats(), form) {
		return wrongUsage(c, fmt.Errorf("--output %q, want a file ending in .%s", file, strings.Join(plot.Formats(), " or .")))
	}
	var b bytes.Buffer
	if err := plot.Write(&b, p, form); err != nil {
		return err
	}
	return wholeFile(file, b.Bytes())
}

// loopPicture draws a loop.
func loopPicture(c *cobra.Command, l *space.Loop, r *rig.Rig, what string) (plot.Picture, error) {
	switch what {
	case "gait":
		return &plot.Hildebrand{Title: shortName(l) + " on " + r.Name, Diagram: loopDiagram(l, r), Side: r.Groups.Side}, nil
	case "feet":
		return feetOverTime(l, r), nil
	case "paths":
		return footPaths(l, r), nil
	}
	return nil, wrongUsage(c, fmt.Errorf("--what %q, want gait, feet or paths", what))
}

func loopDiagram(l *space.Loop, r *rig.Rig) gait.Diagram {
	d := gait.Diagram{Step: 1. / moments, Unit: "cycle"}
	for i := range r.Legs {
		d.Names = append(d.Names, r.Legs[i].Name)
	}
	for k := range moments {
		bits := uint64(0)
		for f := range l.Stances {
			if l.Down(f, (float64(k)+0.5)/moments) {
				bits |= 1 << f
			}
		}
		d.Bits = append(d.Bits, bits)
	}
	return d
}

func feetOverTime(l *space.Loop, r *rig.Rig) *plot.Trace {
	t := &plot.Trace{Title: shortName(l) + " on " + r.Name, Dt: l.Period / float64(l.Intervals())}
	ahead, high := plot.Panel{Label: "feet ahead, m"}, plot.Panel{Label: "feet high, m"}
	for f := range l.Stances {
		x, z := plot.Curve{Name: r.Legs[f].Name}, plot.Curve{Name: r.Legs[f].Name}
		for k := range l.Intervals() {
			x.Y, z.Y = append(x.Y, l.Frames[k].Feet[f].X), append(z.Y, l.Frames[k].Feet[f].Z)
		}
		ahead.Curves, high.Curves = append(ahead.Curves, x), append(high.Curves, z)
	}
	body := plot.Panel{Label: "body, m", Curves: []plot.Curve{{Name: "height"}, {Name: "to the left"}}}
	for k := range l.Intervals() {
		p := l.Frames[k].Body.P
		body.Curves[0].Y, body.Curves[1].Y = append(body.Curves[0].Y, p.Z), append(body.Curves[1].Y, p.Y)
	}
	t.Panels = []plot.Panel{ahead, high, body}
	return t
}

// footPaths draws where feet go, seen from above, in the root's frame.
func footPaths(l *space.Loop, r *rig.Rig) *plot.Map {
	m := &plot.Map{Title: shortName(l) + " on " + r.Name + ": feet from above", X: "ahead, m", Y: "left, m"}
	for f := range l.Stances {
		p := plot.Line{Name: r.Legs[f].Name}
		for k := range l.Frames {
			p.X, p.Y = append(p.X, l.Frames[k].Feet[f].X), append(p.Y, l.Frames[k].Feet[f].Y)
		}
		m.Lines = append(m.Lines, p)
	}
	return m
}
