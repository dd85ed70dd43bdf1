package gait

import (
	"fmt"
	"math"

	"legctl/rig"
)

// Form says how a table gives the phases of a rig's legs.
type Form uint8

// The forms. The zero value is FormRows.
const (
	FormRows        Form = iota // by row and side, as written
	FormWave                    // the wave of a duty factor, any number of rows
	FormAlternating             // the two colours of legs take turns
	Forms
)

// Table is a clocked gait as numbers by row and side, before it is made for a
// rig: it never says a leg's index. Phases are touchdowns, shares of the cycle.
type Table struct {
	Name  string
	About string // one line: what it is, and where its numbers come from
	Form  Form
	Rows  int // rows of pairs it is for; 0 = any with FormWave and FormAlternating

	// Duty is the duty factor of every leg. 0 with FormWave means that
	// Aloft legs are in the air at a time.
	Duty  float64
	Aloft int // with FormWave and Duty 0: legs in the air at a time; 0 = 1

	Left, Right         []float64 // FormRows: touchdown of each row, front to rear
	DutyLeft, DutyRight []float64 // where duties differ; nil = Duty

	Period float64 // cycle in k of the rig; 0 = as its swing needs
	Leans  bool    // the body leans to free each foot: walked with the rules of the crawl
	Shape  Shape
}

// Shape is how a foot swings, in U of the rig where it is a length. The zero
// value is the rules' own lift along the C2 quintic.
type Shape struct {
	Curve  Curve
	Height float64 // crest over the higher end, U; 0 = the rules' lift
	Width  float64 // bow outward at mid-swing, U; negative = inward
	Depth  float64 // how far a foot that finds nothing searches down, U
}

// Validate reports the first number of a shape that cannot be used.
func (s *Shape) Validate() error {
	for _, b := range []struct {
		what       string
		value      float64
		least, max float64
	}{
		{"height", s.Height, 0, 3},
		{"width", s.Width, -2, 2},
		{"depth", s.Depth, 0, 3},
	} {
		if !(b.value >= b.least && b.value <= b.max) {
			return fmt.Errorf("gait: swing %s is %g U, must be in [%g, %g]", b.what, b.value, b.least, b.max)
		}
	}
	if s.Curve >= Curves {
		return fmt.Errorf("gait: swing curve is %d, must be less than %d", s.Curve, Curves)
	}
	return nil
}

// For makes the table for a rig: one touchdown phase and duty factor a leg. A
// rig whose legs do not stand in as many rows of pairs is refused, with both
// numbers.
func (t *Table) For(r *rig.Rig) (*Gait, error) {
	if t.Form != FormAlternating || t.Rows > 0 {
		n, err := pairedRows(r, t.Name)
		if err != nil {
			return nil, err
		}
		if want := t.rows(); want > 0 && n != want {
			return nil, fmt.Errorf("gait: %s: rig %q has %d rows of legs, want %d", t.Name, r.Name, n, want)
		}
	}
	g, err := t.phases(r)
	if err != nil {
		return nil, err
	}
	g.Name, g.Period, g.Shape = t.Name, t.Period, t.Shape
	if err := g.Validate(); err != nil {
		return nil, err
	}
	return g, nil
}

// rows is how many rows the table wants; 0 = any.
func (t *Table) rows() int {
	if t.Form == FormRows {
		return max(t.Rows, len(t.Left), len(t.Right))
	}
	return t.Rows
}

// phases is For in one of the forms.
func (t *Table) phases(r *rig.Rig) (*Gait, error) {
	switch t.Form {
	case FormWave:
		duty := t.Duty
		if duty == 0 {
			duty = 1 - float64(max(t.Aloft, 1))/float64(len(r.Legs))
		}
		return Wave(r, duty)
	case FormAlternating:
		return Alternating(r, t.Name, t.Duty)
	}
	return t.byRow(r)
}

// byRow reads the rows of FormRows.
func (t *Table) byRow(r *rig.Rig) (*Gait, error) {
	n := t.rows()
	if len(t.Left) != n || len(t.Right) != n {
		return nil, fmt.Errorf("gait: %s: %d rows left and %d right, want %d of each", t.Name, len(t.Left), len(t.Right), n)
	}
	for _, d := range [][]float64{t.DutyLeft, t.DutyRight} {
		if d != nil && len(d) != n {
			return nil, fmt.Errorf("gait: %s: %d duty factors on one side, want %d", t.Name, len(d), n)
		}
	}
	g := table(r, t.Name, t.Duty)
	for i := range g.Offset {
		row, offset, duty := r.Groups.Row[i], t.Left, t.DutyLeft
		if r.Groups.Side[i] < 0 {
			offset, duty = t.Right, t.DutyRight
		}
		g.Offset[i] = offset[row]
		if duty != nil {
			g.Duty[i] = duty[row]
		}
	}
	return g, nil
}

// LeastDuty and MostDuty are the smallest and the largest duty factor of the
// legs; 1 and 0 for a gait of no legs.
func (g *Gait) LeastDuty() float64 {
	least := 1.0
	for _, d := range g.Duty {
		least = math.Min(least, d)
	}
	return least
}

// MostDuty is the largest duty factor of the legs.
func (g *Gait) MostDuty() float64 {
	most := 0.0
	for _, d := range g.Duty {
		most = math.Max(most, d)
	}
	return most
}

// Time returns the cycle in which every leg has at least swing seconds in the
// air, or the gait's own period in k where that is longer; k in seconds. The
// shortest swing is that of the leg with the largest duty below 1. +Inf when no
// leg swings.
func (g *Gait) Time(swing, k float64) float64 {
	most := 0.0
	for _, d := range g.Duty {
		if d < 1 {
			most = math.Max(most, d)
		}
	}
	if most == 0 {
		return math.Inf(1)
	}
	return math.Max(g.Period*k, swing/(1-most))
}
