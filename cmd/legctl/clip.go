package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"legctl/blend/clip"
	"legctl/blend/retarget"
	"legctl/blend/space"
	"legctl/configs"
	"legctl/rig"

	"github.com/spf13/cobra"
)

func newClip() *cobra.Command {
	return group("clip", "Read, retarget, bend, bake, draw and write motion clips",
		newClipInfo(), newClipImport(), newClipExport(), newClipPlot(), newClipBend(), newClipBake())
}

// clipFlags say which clip of a file is meant and how it is read.
type clipFlags struct {
	name, rig, bones string
	scale, frameTime float64
	skip             int
	loop             bool
	o                retarget.Options
	turn             float64
	sway             float64
}

func (f *clipFlags) register(c *cobra.Command) {
	s := c.Flags()
	s.StringVar(&f.name, "clip", "", "name of the clip in the file; may leave out what stands before its last | (the only one)")
	s.Float64Var(&f.scale, "scale", 1, "metres in a unit of the file's lengths")
	s.Float64Var(&f.frameTime, "frame-time", 0, "BVH: seconds between frames instead of the file's")
	s.IntVar(&f.skip, "skip", 0, "BVH: frames left out at the beginning, such as a T-pose")
}

func (f *clipFlags) registerRig(c *cobra.Command, usage string) {
	s := c.Flags()
	s.StringVar(&f.rig, "rig", "", usage)
	s.StringVar(&f.bones, "bones", "", "map of bones, by name or path (guessed)")
	s.IntVar(&f.o.Cycles, "cycles", 0, "how many to cut out of a clip that repeats (the whole of a clip that is a loop, else 1)")
	s.BoolVar(&f.loop, "loop", false, "the whole clip is one loop, whatever its ends look like")
	s.Float64Var(&f.o.Duty, "duty", 0, "share of its cycle every foot is to stand, (0, 1) (the clip's own)")
	s.Float64Var(&f.turn, "turn-deg-per-cycle", 0, "bend the path: yaw of the root in a pass, degrees, left positive")
	s.Float64Var(&f.sway, "sway", 1, "how much of the body's own motion to take, 0 to 2")
}

// read returns the clips of a file: of any program, or key poses.
func (f *clipFlags) read(file string) ([]*clip.Clip, error) {
	if ext := filepath.Ext(file); ext == ".yaml" || ext == ".yml" || ext == "" {
		c, err := configs.LoadKeys(file)
		if err != nil {
			return nil, err
		}
		return []*clip.Clip{c}, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return clip.Load(file, data, clip.Options{Dir: os.DirFS(filepath.Dir(file)), Scale: f.scale, FrameTime: f.frameTime, Skip: f.skip})
}

// one returns the clip that is meant.
func (f *clipFlags) one(file string) (*clip.Clip, error) {
	clips, err := f.read(file)
	if err != nil {
		return nil, err
	}
	c, err := retarget.Pick(clips, f.name)
	if err == nil && f.loop {
		whole := *c
		whole.Cycles = max(1, f.o.Cycles)
		c = &whole
	}
	return c, err
}

// onto retargets the clip that is meant to the rig.
func (f *clipFlags) onto(file string) (*space.Loop, *retarget.Report, *rig.Rig, error) {
	r, err := configs.LoadRig(f.rig)
	if err != nil {
		return nil, nil, nil, err
	}
	c, err := f.one(file)
	if err != nil {
		return nil, nil, nil, err
	}
	if f.bones != "" {
		if f.o.Map, err = configs.LoadBones(f.bones); err != nil {
			return nil, nil, nil, err
		}
	}
	o := f.o
	o.Turn = f.turn * math.Pi / 180
	if o.Sway = f.sway; f.sway == 0 {
		o.Sway = -1
	}
	l, rep, err := retarget.Loop(c, r, o)
	return l, rep, r, err
}

func newClipInfo() *cobra.Command {
	f := &clipFlags{}
	c := &cobra.Command{
		Use: "info FILE", Short: "Tell what is in a clip file, and what a rig would make of it", Args: exactly(1, "FILE"),
		Example: "  legctl clip info wolf.glb\n  legctl clip info wolf.glb --clip Walk --rig a1",
		RunE: func(c *cobra.Command, args []string) error {
			if l, name, err := rigClips(args[0]); err == nil {
				return tellLoops(c.OutOrStdout(), l, name)
			}
			if f.rig == "" {
				clips, err := f.read(args[0])
				if err != nil {
					return err
				}
				return tellClips(c.OutOrStdout(), clips)
			}
			l, rep, r, err := f.onto(args[0])
			if err != nil {
				return err
			}
			return tellReport(c.OutOrStdout(), l, rep, r)
		},
	}
	f.register(c)
	f.registerRig(c, "rig to try it on (none: only the file)")
	return c
}

func tellClips(out io.Writer, clips []*clip.Clip) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "CLIP\tFORMAT\tBONES\tTRACKS\tKEYS\tHz\tSECONDS\tUNITS")
	for _, c := range clips {
		units := c.Units
		if units == "" {
			units = "metres"
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%.4g\t%.4g\t%s\n", c.Name, c.Format, len(c.Bones), len(c.Tracks), c.Keys, c.Rate, c.Length, units)
	}
	return w.Flush()
}

// tellReport prints what retargeting did.
func tellReport(out io.Writer, l *space.Loop, rep *retarget.Report, r *rig.Rig) error {
	fmt.Fprintf(out, "%s on %s: %.3f s a pass, %d cycles, %.3f m/s, travels at %.0f degrees, turns %.0f degrees a pass\n",
		rep.Name, r.Name, l.Period, l.Cycles, l.Speed(), deg(rep.Travel), deg(l.Step().Yaw))
	fmt.Fprintf(out, "class %s, least margin %.3f L, flight %.0f %%\n", className(rep.Class), rep.Margin, rep.Flight*100)
	fmt.Fprintf(out, "scale %.4g, end closed by %.3f s, planted feet moved by up to %.2f L off the clip\n", rep.Scale, rep.Closing, rep.Moved)
	fmt.Fprintf(out, "tempo %.2f, joint speed up to %.2f of the limits, clearance x %.1f, strides x %.2f, sway x %.1f, lean %.0f mm\n", rep.Tempo, rep.Peak, rep.Clearance, rep.Reach, rep.Sway, rep.Lean*1e3)
	if rep.Dynamic > 0 {
		fmt.Fprintf(out, "dynamic from --duty %.2f\n", rep.Dynamic)
	}
	if rep.Static > 0 {
		fmt.Fprintf(out, "static from --duty %.2f\n", rep.Static)
	}
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "LEG\tTOUCHDOWN\tDUTY\tHIP\tFOOT")
	for i := range r.Legs {
		hip, foot := "-", "-"
		if rep.Map != nil {
			for _, b := range rep.Map.Legs {
				if b.Leg == r.Legs[i].Name {
					hip, foot = b.Hip, b.Foot
				}
			}
		}
		for _, s := range l.Stances[i] {
			fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%s\t%s\n", r.Legs[i].Name, s.Touch, s.Duty, hip, foot)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range rep.Warnings {
		fmt.Fprintln(out, "warning:", s)
	}
	return nil
}

func className(c rig.Class) string {
	return [...]string{"static", "dynamic", "ballistic"}[min(int(c), 2)]
}

func tellLoops(out io.Writer, loops []*space.Loop, rigName string) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "CLIP FOR %s\tSECONDS\tm/s\tTURN deg\tRADIUS m\tCLASS\tFLIGHT\tSEAM mm\tSLIDE mm\n", rigName)
	for _, l := range loops {
		seam := space.SeamOf(l)
		fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%.0f\t%.3g\t%s\t%.2f\t%.2g\t%.2g\n", l.Name, l.Period, l.Speed(), deg(l.Step().Yaw), l.Radius(), className(l.Class), l.Flight(), seam.Feet*1e3, l.Slide()*1e3)
	}
	return w.Flush()
}

// rigClips reads a file that legctl clip wrote.
func rigClips(file string) ([]*space.Loop, string, error) {
	if !strings.HasSuffix(file, ".json") {
		return nil, "", errors.New("not a file of clips for a rig")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	loops, name, _, err := space.DecodeLoops(data)
	return loops, name, err
}
