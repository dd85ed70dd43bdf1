package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
)

// Options say what to time. The zero value times everything on seeded targets.
type Options struct {
	Workload string // folder with targets; empty: seeded ones
	Rounds   int    // 0 means 9; at least 7 are run
	Only     string // regular expression on "area/name"; empty: all
	NoTwins  bool   // leave the C twins out
	Log      io.Writer
}

// Line is one result. Unit is "ns" (an operation), "x" (a ratio), "ms" or
// "count".
type Line struct {
	Area   string  `json:"area"`
	Name   string  `json:"name"`
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Unit   string  `json:"unit"`
}

// key is how a line is named in ratios and filters.
func (l *Line) key() string { return l.Area + "/" + l.Name }

const (
	defaultRounds = 9
	leastRounds   = 7
)

// Run times the kernels and the twins and writes one JSON line a result to w:
// kernels first, then twins (area "c"), then ratios (area "ratio").
func Run(w io.Writer, o Options) error { return RunContext(context.Background(), w, o) }

// RunContext is Run that ends early, with the context's error, when ctx does.
func RunContext(ctx context.Context, w io.Writer, o Options) error {
	if o.Rounds == 0 {
		o.Rounds = defaultRounds
	}
	o.Rounds = max(o.Rounds, leastRounds)
	if o.Log == nil {
		o.Log = io.Discard
	}
	only, err := regexp.Compile(o.Only)
	if err != nil {
		return fmt.Errorf("bench: only: %w", err)
	}
	dir, err := os.MkdirTemp("", "legctl-bench-")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(dir)
	load, err := openWorkload(o.Workload, dir)
	if err != nil {
		return err
	}
	kernels, err := kernelsOf(load, only)
	if err != nil {
		return err
	}
	var twins []twin
	if !o.NoTwins {
		if twins, err = buildTwins(ctx, dir); err != nil {
			fmt.Fprintf(o.Log, "bench: without C twins: %v\n", err)
		}
	}
	t := newTable(kernels)
	for range o.Rounds {
		if err := t.round(ctx, kernels, twins, load.dir); err != nil {
			return err
		}
	}
	return write(w, append(t.lines(), t.ratios()...), only)
}

func write(w io.Writer, lines []Line, only *regexp.Regexp) error {
	enc := json.NewEncoder(w)
	for i := range lines {
		if only.MatchString(lines[i].key()) {
			if err := enc.Encode(&lines[i]); err != nil {
				return fmt.Errorf("bench: %w", err)
			}
		}
	}
	return nil
}
