package gait

import (
	"fmt"

	"legctl/rig"
)

// Wave returns the wave gait of duty factor beta for a rig of n rows of paired
// legs. Rows count from the front, m = 0 ... n-1; a left leg touches down at
// phase frac(m beta) and its right partner half a cycle later, so that on each
// side every leg touches down 1-beta of a cycle after the leg behind it: waves
// run from rear to front, the stable direction for going forward.
//
// beta must be at least 3/(2n), for three feet down on average, and less than
// 1. Rigs with unpaired legs, with legs in a ring, or without a beta in range
// (bipeds) are refused.
//
// Source: McGhee and Frank (1968); Song and Waldron (1989). The convention is
// touchdown phase.
func Wave(r *rig.Rig, beta float64) (*Gait, error) {
	n, err := pairedRows(r, "wave")
	if err != nil {
		return nil, err
	}
	if n < 2 {
		return nil, fmt.Errorf("gait: wave: rig %q has %d row of legs: 2 or more are needed for three feet on the ground", r.Name, n)
	}
	if least := 3 / (2 * float64(n)); !(beta >= least && beta < 1) {
		return nil, fmt.Errorf("gait: wave: duty factor %v on %d rows, want %.4g or more and less than 1", beta, n, least)
	}
	g := table(r, "wave", beta)
	for i := range g.Offset {
		o := Frac(float64(r.Groups.Row[i]) * beta)
		if r.Groups.Side[i] < 0 {
			o = Frac(o + 0.5)
		}
		g.Offset[i] = o
	}
	return g, nil
}

// Tripod returns the alternating tripod of a six-legged rig in three rows: the
// legs of one colour touch down at phase 0, the others at 1/2, duty factor 1/2.
// Other rigs are refused.
func Tripod(r *rig.Rig) (*Gait, error) {
	if err := rowsOf(r, "tripod", 3); err != nil {
		return nil, err
	}
	return Alternating(r, "tripod", 0.5)
}

// Trot returns the trot of a four-legged rig in two rows: diagonal legs
// together, duty factor 1/2. Other rigs are refused.
func Trot(r *rig.Rig) (*Gait, error) {
	if err := rowsOf(r, "trot", 2); err != nil {
		return nil, err
	}
	return Alternating(r, "trot", 0.5)
}

// Alternating returns a gait of duty factor beta, [1/2, 1), in which the two
// colours of a rig's legs take turns: legs of colour 0 touch down at phase 0,
// the others at 1/2. For four legs that is a trot, for six a tripod, for eight
// a tetrapod gait. Rigs whose legs need three colours, or have only one, are
// refused.
func Alternating(r *rig.Rig, name string, beta float64) (*Gait, error) {
	if err := grouped(r, name); err != nil {
		return nil, err
	}
	if !(beta >= 0.5 && beta < 1) {
		return nil, fmt.Errorf("gait: %s: duty factor %v, want 0.5 or more and less than 1", name, beta)
	}
	g := table(r, name, beta)
	var legs [2]int
	for i, c := range r.Groups.Colour {
		if c > 1 {
			return nil, fmt.Errorf("gait: %s: leg %s of rig %q has colour %d: the gait takes turns between two colours (0 and 1)", name, r.Legs[i].Name, r.Name, c)
		}
		legs[c]++
		g.Offset[i] = float64(c) / 2
	}
	if legs[0] == 0 || legs[1] == 0 {
		return nil, fmt.Errorf("gait: %s: rig %q has %d legs of colour 0 and %d of colour 1, want both", name, r.Name, legs[0], legs[1])
	}
	return g, nil
}

func table(r *rig.Rig, name string, beta float64) *Gait {
	n := len(r.Legs)
	block := make([]float64, 2*n)
	g := &Gait{Name: name, Duty: block[:n:n], Offset: block[n:]}
	for i := range g.Duty {
		g.Duty[i] = beta
	}
	return g
}

// rowsOf wants a rig of exactly that many rows of paired legs.
func rowsOf(r *rig.Rig, name string, want int) error {
	n, err := pairedRows(r, name)
	if err != nil {
		return err
	}
	if n != want {
		return fmt.Errorf("gait: %s: rig %q has %d rows of legs, want %d", name, r.Name, n, want)
	}
	return nil
}

// pairedRows returns the number of rows of a rig whose every leg has a partner.
func pairedRows(r *rig.Rig, name string) (int, error) {
	if err := grouped(r, name); err != nil {
		return 0, err
	}
	g := &r.Groups
	if g.Ring {
		return 0, fmt.Errorf("gait: %s: the legs of rig %q stand in a ring: the gait needs rows of pairs", name, r.Name)
	}
	rows := 0
	for i, p := range g.Partner {
		if p < 0 || g.Side[i] == 0 {
			return 0, fmt.Errorf("gait: %s: leg %s of rig %q has no partner: the gait needs rows of pairs", name, r.Legs[i].Name, r.Name)
		}
		rows = max(rows, g.Row[i]+1)
	}
	return rows, nil
}

// grouped wants leg groups, which Validate of the rig derives.
func grouped(r *rig.Rig, name string) error {
	n := len(r.Legs)
	g := &r.Groups
	if n == 0 || len(g.Row) != n || len(g.Side) != n || len(g.Partner) != n || len(g.Colour) != n {
		return fmt.Errorf("gait: %s: rig %q has no leg groups for its %d legs: call Validate first", name, r.Name, n)
	}
	return nil
}
