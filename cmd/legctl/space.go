package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"legctl/blend/retarget"
	"legctl/blend/space"
	"legctl/configs"

	"charm.land/bubbles/v2/progress"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

func newSpace() *cobra.Command {
	return group("space", "Build, show and draw motion spaces", newSpaceBuild(), newSpaceInfo(), newSpacePlot())
}

func newSpaceBuild() *cobra.Command {
	out := ""
	c := &cobra.Command{
		Use: "build RECIPE", Short: "Build a motion space from a recipe", Args: exactly(1, "RECIPE"),
		Long:    "Build retargets and bakes the clips a recipe names, brings them into step, works out their goal spaces and\nwrites one file. On an error nothing is written.",
		Example: "  legctl space build a1 -o a1.space.json\n  legctl space build wolf.yaml -o wolf.space.json",
		RunE: func(c *cobra.Command, args []string) error {
			rc, err := configs.LoadRecipe(args[0])
			if err != nil {
				return err
			}
			r, err := configs.LoadRig(rc.Rig)
			if err != nil {
				return err
			}
			if out == "" {
				out = rc.Name + ".space.json"
			}
			bar := newBuildBar(c.ErrOrStderr())
			made, err := retarget.Make(rc, r, openFrom(args[0]), bar.show)
			bar.end()
			if err != nil {
				return err
			}
			data, err := space.Encode(made.Space)
			if err != nil {
				return err
			}
			if err := wholeFile(out, data); err != nil {
				return err
			}
			return tellBuilt(c.OutOrStdout(), made, out, len(data))
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "file to write (NAME.space.json)")
	return c
}

// openFrom opens the files a recipe names, from the recipe's folder. Key poses
// come as they are shipped or by path.
func openFrom(recipe string) retarget.Open {
	dir := filepath.Dir(recipe)
	return func(name string) ([]byte, error) {
		file := name
		if !filepath.IsAbs(name) {
			file = filepath.Join(dir, name)
		}
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		if !info.Mode().IsRegular() {
			return nil, &fs.PathError{Op: "read", Path: file, Err: errors.New("not a file")}
		}
		return os.ReadFile(file)
	}
}

// buildBar shows how far a build has come: a bar on a terminal, else a line now and
// then.
type buildBar struct {
	w    io.Writer
	tty  bool
	bar  progress.Model
	log  *slog.Logger
	last time.Time
}

func newBuildBar(w io.Writer) *buildBar {
	b := &buildBar{w: w, bar: progress.New(progress.WithWidth(40)), log: slog.New(slog.NewTextHandler(w, nil)), last: time.Now()}
	if f, ok := w.(*os.File); ok {
		b.tty = term.IsTerminal(f.Fd())
	}
	return b
}

func (b *buildBar) show(what string, share float64) {
	if b.tty {
		fmt.Fprintf(b.w, "\r\x1b[2K%s %s", b.bar.ViewAs(share), what)
		return
	}
	if time.Since(b.last) >= logEvery {
		b.last = time.Now()
		b.log.Info(what, "done", fmt.Sprintf("%.0f%%", 100*share))
	}
}

func (b *buildBar) end() {
	if b.tty {
		fmt.Fprint(b.w, "\r\x1b[2K")
	}
}

// tellBuilt prints what a build found.
func tellBuilt(out io.Writer, made *retarget.Made, file string, size int) error {
	fmt.Fprintf(out, "%s: %d bytes\n", file, size)
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "MOTION\tLINK\tCLIP\tBLEND\tm/s\tRADIUS m\tCLASS\tCLOSURE mm\tSEAM m/s\tPHASE ERROR\tSLIDE mm")
	for i, m := range made.Report.Motions {
		for k, c := range m.Clips {
			l := made.Space.Motions[i].Clips[k].Loop
			fmt.Fprintf(w, "%s\t%s\t%s\t%.2f\t%.3f\t%.3g\t%s\t%.2g\t%.2g\t%.4f\t%.2g\n", m.Name, linkText(&m), c.Name, c.Value, l.Speed(), c.Radius,
				className(l.Class), c.Seam.Feet*1e3, c.Seam.Velocity, c.Phase, c.Slide*1e3)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, rep := range made.Clips {
		if rep.Scale != 1 || rep.Moved > 0 {
			fmt.Fprintf(out, "%s: planted feet moved by up to %.2f L, tempo %.2f, clearance x %.1f\n", rep.Name, rep.Moved, rep.Tempo, rep.Clearance)
		}
		for _, s := range rep.Warnings {
			fmt.Fprintf(out, "warning: %s: %s\n", rep.Name, s)
		}
	}
	for _, s := range made.Report.Warnings {
		fmt.Fprintln(out, "warning:", s)
	}
	return nil
}

func linkText(m *space.MotionReport) string {
	s := m.Link.String()
	if m.Link != space.ByCurve {
		s += fmt.Sprintf(" (%.2f left)", m.Left)
	}
	if m.Mirrored {
		s += " mirrored"
	}
	return s
}

// readSpace reads a built space.
func readSpace(file string) (*space.Space, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s, err := space.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

func newSpaceInfo() *cobra.Command {
	return &cobra.Command{
		Use: "info FILE", Short: "Tell what is in a built motion space", Args: exactly(1, "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := readSpace(args[0])
			if err != nil {
				return err
			}
			out := c.OutOrStdout()
			fmt.Fprintf(out, "%s: %d motions for legs %s of %.3g m; weights move at %.3g/s\n", s.Name, len(s.Motions), strings.Join(s.Legs, ", "), s.Length, s.Rate)
			w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
			fmt.Fprintln(w, "MOTION\tLINK\tGROUP\tCLIP\tBLEND\tSECONDS\tm/s\tGOES deg\tTURN deg\tGOALS")
			for i := range s.Motions {
				m := &s.Motions[i]
				for _, k := range m.Clips {
					fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%.2f\t%.3f\t%.3f\t%.0f\t%.0f\t%s\n", m.Name, m.Link, m.Group, k.Loop.Name, k.Value, k.Loop.Period, k.Loop.Speed(), deg(k.Loop.Way().Angle), deg(k.Loop.Step().Yaw), goalText(m.Goals))
				}
			}
			if err := w.Flush(); err != nil {
				return err
			}
			for _, n := range s.Notes {
				fmt.Fprintln(out, "warning:", n)
			}
			return nil
		},
	}
}

func goalText(g *space.Goals) string {
	if g == nil {
		return "none"
	}
	return fmt.Sprintf("%dx%dx%d, %.2f s ahead", len(g.Starts), len(g.Fans[0].Starts), len(g.Fans[0].Finals), g.Horizon)
}
