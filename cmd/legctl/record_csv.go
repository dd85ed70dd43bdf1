package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/spf13/cobra"
)

func newRecordCSV() *cobra.Command {
	var out string
	var only []string
	var columns bool
	c := &cobra.Command{
		Use: "csv FILE", Short: "Write a recording as a table, one row a tick",
		Long: `Csv writes every field of every tick: command (cmd.), observation (obs.), output
(out.) and the state before the tick (state.), in SI units and radians, with the
digits that bring the same bits back. Columns by leg or joint have its name in
brackets: out.legs[lf].foot.x. See docs/recording.md for what they mean.`,
		Example: "  legctl record csv run.mcap --only 'out.poseWB.p.*' --only out.margin",
		Args:    exactly(1, "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			for _, p := range only {
				if _, err := path.Match(p, ""); err != nil {
					return wrongUsage(c, fmt.Errorf("--only %q: %w", p, err))
				}
			}
			if columns {
				return recordColumns(c.OutOrStdout(), args[0], only)
			}
			return recordCSV(c.OutOrStdout(), args[0], out, only)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	c.Flags().StringArrayVar(&only, "only", nil, "columns to write, * and ? stand for anything; may be given often (default: all)")
	c.Flags().BoolVar(&columns, "columns", false, "only list the columns")
	return c
}

// picks returns a test for the columns that patterns name. Brackets in a column
// are plain: a pattern is first looked at as a name.
func picks(patterns []string) func(string) bool {
	if len(patterns) == 0 {
		return nil
	}
	return func(column string) bool {
		for _, p := range patterns {
			if p == column {
				return true
			}
			if ok, _ := path.Match(plain(p), plain(column)); ok { // bad patterns were refused
				return true
			}
		}
		return false
	}
}

// plain puts other brackets in place of those that patterns give a meaning.
func plain(s string) string {
	b := []byte(s)
	for i := range b {
		switch b[i] {
		case '[':
			b[i] = '('
		case ']':
			b[i] = ')'
		case '/':
			b[i] = '|'
		}
	}
	return string(b)
}

func recordColumns(w io.Writer, file string, only []string) error {
	in, names, err := named(file)
	if err != nil {
		return err
	}
	keep := picks(only)
	for _, c := range names.Columns() {
		if keep == nil || keep(c) {
			fmt.Fprintln(w, c)
		}
	}
	return in.Close()
}

func recordCSV(w io.Writer, file, out string, only []string) error {
	in, names, err := named(file)
	if err != nil {
		return err
	}
	write := func(w io.Writer) (bool, error) {
		_, err := names.Table(w, in, picks(only))
		return true, err
	}
	if out == "" || out == "-" {
		_, err = write(w)
	} else {
		err = replaceFile(out, write, nil)
	}
	if err = errors.Join(err, in.Close()); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func newRecordExport() *cobra.Command {
	var file string
	var rate float64
	c := &cobra.Command{
		Use: "export FILE", Short: "Make an animation of a recording",
		Long: `Export writes the run as an animation: a glTF 2.0 file with a node a link, meshes
of the links and of the terrain, and the motion of every node. A name that ends
in .glb makes a binary file, one that ends in .gltf a text.`,
		Example: "  legctl record export run.mcap --gltf run.glb",
		Args:    exactly(1, "FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if file == "" {
				return wrongUsage(c, errors.New("--gltf is needed: the file to write"))
			}
			if err := finiteFlags(c, "rate"); err != nil {
				return err
			}
			if rate <= 0 || rate > 1000 {
				return wrongUsage(c, fmt.Errorf("--rate %g, want more than 0 and at most 1000", rate))
			}
			return recordExport(c.OutOrStdout(), args[0], file, rate)
		},
	}
	c.Flags().StringVar(&file, "gltf", "", "file to write")
	c.Flags().Float64Var(&rate, "rate", 30, "keyframes a second")
	return c
}

// fileSize is for messages.
func fileSize(file string) int64 {
	st, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return st.Size()
}
