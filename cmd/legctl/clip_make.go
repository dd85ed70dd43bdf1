package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"legctl/blend/clip"
	"legctl/blend/retarget"
	"legctl/blend/space"
	"legctl/configs"
	"legctl/rig"

	"github.com/spf13/cobra"
)

func newClipImport() *cobra.Command {
	f, out, bonesOut := &clipFlags{}, "", ""
	c := &cobra.Command{
		Use: "import FILE --rig RIG", Short: "Make a rig's clip of somebody else's", Args: exactly(1, "FILE"),
		Long:    "Import finds the legs, follows hips and feet, closes the loop, finds the contacts, scales to the rig,\nplants the stance feet anew and fits the result to what the rig reaches and how fast its joints are.",
		Example: "  legctl clip import wolf.glb --clip Walk --rig a1 -o wolf_walk.json\n  legctl clip import walk.bvh --scale 0.056 --cycles 2 --rig biped -o walk.json",
		RunE: func(c *cobra.Command, args []string) error {
			if f.rig == "" {
				return wrongUsage(c, errors.New("--rig is missing: the rig the clip is for"))
			}
			l, rep, r, err := f.onto(args[0])
			if err != nil {
				return err
			}
			if bonesOut != "" {
				if err := wholeFile(bonesOut, configs.FormatBones("guessed", rep.Map)); err != nil {
					return err
				}
			}
			if err := saveLoops(out, r, l); err != nil {
				return err
			}
			return tellReport(c.OutOrStdout(), l, rep, r)
		},
	}
	f.register(c)
	f.registerRig(c, "rig the clip is for")
	c.Flags().StringVarP(&out, "output", "o", "", "file to write, .json (none: only the report)")
	c.Flags().StringVar(&bonesOut, "write-bones", "", "file to write the map of bones to, for editing")
	return c
}

// saveLoops writes clips of a rig; no file is nothing to do.
func saveLoops(file string, r *rig.Rig, loops ...*space.Loop) error {
	if file == "" {
		return nil
	}
	var legs []string
	for i := range r.Legs {
		legs = append(legs, r.Legs[i].Name)
	}
	data, err := space.EncodeLoops(r.Name, legs, r.L(), loops)
	if err != nil {
		return err
	}
	return wholeFile(file, data)
}

// wholeFile writes a file as a whole or not at all.
func wholeFile(file string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

func newClipExport() *cobra.Command {
	f, out := &clipFlags{}, ""
	c := &cobra.Command{
		Use: "export FILE -o FILE.glb", Short: "Write clips as a GLB that Blender and three.js open", Args: exactly(1, "FILE"),
		Long:    "Export writes the clips of any file that is read, or those made for a rig as the rig's own skeleton.",
		Example: "  legctl clip export wolf_walk.json -o wolf_on_a1.glb\n  legctl clip export walk.bvh -o walk.glb",
		RunE: func(c *cobra.Command, args []string) error {
			if filepath.Ext(out) != ".glb" {
				return wrongUsage(c, fmt.Errorf("--output %q, want a file ending in .glb", out))
			}
			clips, err := f.exported(args[0])
			if err != nil {
				return err
			}
			data, err := clip.WriteGLB(clips...)
			if err != nil {
				return err
			}
			return wholeFile(out, data)
		},
	}
	f.register(c)
	c.Flags().StringVar(&f.rig, "rig", "", "rig of the clips (the one their file names)")
	c.Flags().StringVarP(&out, "output", "o", "", "file to write, .glb")
	return c
}

func (f *clipFlags) exported(file string) ([]*clip.Clip, error) {
	loops, name, err := rigClips(file)
	if err != nil {
		if f.name != "" {
			c, err := f.one(file)
			return []*clip.Clip{c}, err
		}
		return f.read(file)
	}
	if f.rig != "" {
		name = f.rig
	}
	r, err := configs.LoadRig(name)
	if err != nil {
		return nil, err
	}
	var clips []*clip.Clip
	for _, l := range loops {
		c, err := retarget.AsClip(l, r)
		if err != nil {
			return nil, err
		}
		clips = append(clips, c)
	}
	return clips, nil
}

func newClipBend() *cobra.Command {
	turn, out, rigName := 0.0, "", ""
	c := &cobra.Command{
		Use: "bend CLIPS.json --turn-deg-per-cycle A -o FILE", Short: "Make turning siblings of a rig's clips", Args: exactly(1, "CLIPS.json"),
		Long:    "Bend makes an arc of the root's path and pins the stance feet anew on it. The timing stays, so siblings register as they are.",
		Example: "  legctl clip bend wolf_walk.json --turn-deg-per-cycle 60 -o wolf_left.json",
		RunE: func(c *cobra.Command, args []string) error {
			if turn == 0 || math.Abs(turn) > 170 || out == "" {
				return wrongUsage(c, fmt.Errorf("--turn-deg-per-cycle %v to %q, want 1 to 170 degrees either way and a file to write", turn, out))
			}
			loops, name, err := rigClips(args[0])
			if err != nil {
				return err
			}
			if rigName != "" {
				name = rigName
			}
			r, err := configs.LoadRig(name)
			if err != nil {
				return err
			}
			var bent []*space.Loop
			for _, l := range loops {
				b, moved, err := retarget.Bend(l, r, turn*math.Pi/180)
				if err != nil {
					return err
				}
				fmt.Fprintf(c.OutOrStdout(), "%s: radius %.3g m, planted feet moved by up to %.2f L\n", b.Name, b.Radius(), moved)
				bent = append(bent, b)
			}
			return saveLoops(out, r, bent...)
		},
	}
	c.Flags().Float64Var(&turn, "turn-deg-per-cycle", 0, "yaw of the root in a pass, degrees, left positive")
	c.Flags().StringVar(&rigName, "rig", "", "rig of the clips (the one their file names)")
	c.Flags().StringVarP(&out, "output", "o", "", "file to write, .json")
	return c
}

func newClipBake() *cobra.Command {
	rigName, style, out, list := "", "", "", false
	c := &cobra.Command{
		Use: "bake --rig RIG --style STYLE", Short: "Make a rig's clips of a style: turning right, straight, turning left", Args: exactly(0, "no arguments"),
		Example: "  legctl clip bake --rig octopod --style skitter -o skitter.json\n  legctl clip bake --list",
		RunE: func(c *cobra.Command, _ []string) error {
			if list {
				for _, s := range configs.Styles() {
					fmt.Fprintln(c.OutOrStdout(), s)
				}
				return nil
			}
			r, err := configs.LoadRig(rigName)
			if err != nil {
				return err
			}
			s, err := configs.LoadStyle(style)
			if err != nil {
				return err
			}
			loops, reps, err := retarget.BakeSet(r, s)
			if err != nil {
				return err
			}
			if err := saveLoops(out, r, loops...); err != nil {
				return err
			}
			for _, rep := range reps[1:2] {
				if err := tellReport(c.OutOrStdout(), loops[1], rep, r); err != nil {
					return err
				}
			}
			return tellLoops(c.OutOrStdout(), loops, r.Name)
		},
	}
	c.Flags().StringVar(&rigName, "rig", defaultRig, "rig the clips are for")
	c.Flags().StringVar(&style, "style", "walk", "style by name or path")
	c.Flags().BoolVar(&list, "list", false, "list the shipped styles")
	c.Flags().StringVarP(&out, "output", "o", "", "file to write, .json (none: only the report)")
	return c
}
