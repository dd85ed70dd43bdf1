package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"legctl/control"
	"legctl/preflight"
	"legctl/rig"
)

// anyLeg is the word for every leg, and every pair.
const anyLeg = "any"

// rehearse loses legs by name, or every leg and every pair, while the rig walks,
// and writes what becomes of it.
func rehearse(w io.Writer, r *rig.Rig, p control.Params, lose []string) error {
	sets, err := lostSets(r, lose)
	if err != nil {
		return err
	}
	c, err := control.New(r, p)
	if err != nil {
		return err
	}
	best := c.Best()
	if best < 0 {
		_, why := c.Offers(0)
		return fmt.Errorf("check: rig %s walks by no gait: %s", r.Name, why)
	}
	losses, err := preflight.Lose(c, best, sets)
	if err != nil {
		return err
	}
	return writeLosses(w, r, p.Gaits[best].Name, losses)
}

// lostSets reads the legs of --lose.
func lostSets(r *rig.Rig, lose []string) ([]uint64, error) {
	if len(lose) == 1 && strings.EqualFold(lose[0], anyLeg) {
		return append(preflight.Singles(len(r.Legs)), preflight.Pairs(len(r.Legs))...), nil
	}
	var set uint64
	for _, name := range lose {
		i, ok := r.Find(strings.ToLower(name))
		if !ok {
			return nil, fmt.Errorf("--lose %s: rig %s has no such leg, want one of %s, or %s", name, r.Name, strings.Join(legNames(r), ", "), anyLeg)
		}
		set |= 1 << i
	}
	return []uint64{set}, nil
}

func writeLosses(w io.Writer, r *rig.Rig, gait string, losses []preflight.Loss) error {
	fmt.Fprintf(w, "legs lost while walking (%s), the worst of four moments of a cycle\n", gait)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  lost\toutcome\tspeed left\tleast margin after a cycle")
	bad := 0
	for i := range losses {
		l := &losses[i]
		word := "stands still"
		switch {
		case l.Walks:
			word = "walks on"
		case l.LiesDown:
			word = "lies down"
		case l.Left > 0:
			word = "walks below the margin's floor"
		}
		if !l.Steady() {
			bad++
		}
		left, margin := "-", "-"
		if !l.LiesDown {
			left, margin = fmt.Sprintf("%.0f %%", 100*l.Left), orDash(1e3*l.Margin, 1)+" mm"
		}
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", lostNames(r, l.Legs), word, left, margin)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "  %d of %d end well\n", len(losses)-bad, len(losses))
	return err
}

func lostNames(r *rig.Rig, set uint64) string {
	var names []string
	for i := range r.Legs {
		if set>>i&1 != 0 {
			names = append(names, r.Legs[i].Name)
		}
	}
	return strings.Join(names, ", ")
}
