package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"legctl/record"
	"legctl/rollout"

	"github.com/spf13/cobra"
)

func newRecordRepair() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "repair FILE", Short: "Make a recording whole that was cut short or damaged",
		Long: `Repair writes what can be read of a recording, with an index, so that everything
opens it. Without --out the file is replaced, and the old one is kept beside it
with ".broken" behind its name. A file that is whole is left alone.`,
		Args: exactly(1, "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			return recordRepair(c.OutOrStdout(), args[0], out)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write (default: FILE itself)")
	return c
}

func recordRepair(talk io.Writer, file, out string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	to := out
	if to == "" {
		to = file
	}
	var done record.Repaired
	err = replaceFile(to, func(w io.Writer) (keep bool, err error) {
		done, err = record.Repair(w, in)
		return !done.Whole, err
	}, func() error {
		if out != "" {
			return nil
		}
		return os.Rename(file, file+".broken")
	})
	if err = errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if done.Whole {
		fmt.Fprintf(talk, "%s: whole, nothing to repair\n", file)
		return nil
	}
	for _, f := range done.Faults {
		fmt.Fprintf(talk, "%s: %s\n", file, f)
	}
	fmt.Fprintf(talk, "%s: %d records up to tick %d are whole now; %d bytes and %d ticks between others are lost\n",
		to, done.Records, done.Tick, done.Dropped, done.Missing)
	return nil
}

// replaceFile writes a file beside path and puts it in its place when all went
// well. before is called just before that; with keep false nothing is put.
func replaceFile(path string, write func(io.Writer) (keep bool, err error), before func() error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	keep, err := write(f)
	if err == nil && keep {
		err = errors.Join(f.Sync(), f.Chmod(0o644))
	}
	err = errors.Join(err, f.Close())
	if err == nil && keep && before != nil {
		err = before()
	}
	if err != nil || !keep {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), path)
}

func newRecordCut() *cobra.Command {
	var out string
	var from, to time.Duration
	c := &cobra.Command{
		Use: "cut FILE", Short: "Write a piece of a recording as a recording of its own",
		Long: `Cut writes the ticks between two times to a file that can be replayed and opened
like any other: the state of its first tick is in it, and what happened to the
ground and the parameters before.`,
		Example: "  legctl record cut run.mcap --from 12s --to 15.5s -o fall.mcap",
		Args:    exactly(1, "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return wrongUsage(c, errors.New("--out is needed"))
			}
			if from < 0 || c.Flags().Changed("to") && to < from {
				return wrongUsage(c, fmt.Errorf("--from %v --to %v: want 0 or more, and the end not before the start", from, to))
			}
			if !c.Flags().Changed("to") {
				to = 1 << 62
			}
			return recordCut(c.OutOrStdout(), args[0], out, from, to)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write")
	c.Flags().DurationVar(&from, "from", 0, "time of the run at which the piece begins")
	c.Flags().DurationVar(&to, "to", 0, "time at which it ends (default: with the recording)")
	return c
}

func recordCut(talk io.Writer, file, out string, from, to time.Duration) error {
	in, err := record.Open(file)
	if err != nil {
		return err
	}
	dt := in.Header().Dt
	if err := in.Close(); err != nil {
		return err
	}
	w, _, err := cutTicks(file, out, record.Piece{First: ticksOf(from, dt), Last: ticksOf(to, dt)})
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	fmt.Fprintf(talk, "%s: %d ticks, %d to %d\n", out, w.Ticks, w.First, w.Last)
	return nil
}

// named opens a recording and the names of its rig's parts.
func named(file string) (*record.Reader, *record.Names, error) {
	in, err := record.Open(file)
	if err != nil {
		return nil, nil, err
	}
	c, err := rollout.Restore(in.Header())
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", file, err), in.Close())
	}
	return in, record.NamesOf(c.Rig), nil
}
