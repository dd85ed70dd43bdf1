package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"legctl/control"
	"legctl/rig"
	"legctl/rollout"
)

// rehearseClips drives a rig by each motion of its clips in the simulator and
// writes what becomes of it.
func rehearseClips(ctx context.Context, w io.Writer, r *rig.Rig, p control.Params, file string) error {
	var err error
	if p.Space, err = (&simFlags{space: file}).clips(r); err != nil {
		return err
	}
	if p.Space == nil {
		_, err := fmt.Fprintf(w, "clips: %s can do none of the shipped styles\n", r.Name)
		return err
	}
	list, err := rollout.RehearseClips(ctx, r, p)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "clips that drive (%s), to goals ahead, to the side and behind on level ground\n", p.Space.Name)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  motion\toutcome\tclass\tspeed\ttightest circle\tby clips\tgoals\tfalls\tticks at a limit")
	good := 0
	for i := range list {
		h := &list[i]
		word := "does not hold"
		switch {
		case h.Holds():
			word = "holds"
			good++
		case h.Falls == 0 && h.Reached == h.Goals:
			word = "gives back to the gait"
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%.3f m/s\t%.3g m\t%.0f %%\t%d of %d\t%d\t%d\n", h.Motion, word, className(h.Class), h.Speed, h.Radius, 100*h.Clips, h.Reached, h.Goals, h.Falls, h.Limits)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "  %d of %d hold\n", good, len(list))
	return err
}
