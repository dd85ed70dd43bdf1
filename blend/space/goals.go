package space

import (
	"fmt"
	"math"
	"sort"

	"legctl/blend"

	"gonum.org/v1/gonum/spatial/r2"
)

// Goals is the goal-space table of a motion space: for every start of a step,
// start value and final value, where the root is after the horizon.
type Goals struct {
	Starts  []float64 // generic phases of the heel strikes, ascending
	Fans    []Fans    // of each start
	Horizon float64   // seconds
	Gap     float64   // largest time between two heel strikes, seconds
}

// The usual size of a table.
const (
	SomeStarts = 13
	SomeFinals = 25
	tableStep  = 1. / 30 // seconds of a step of the simulation
)

// Check says what is wrong with a table.
func (g *Goals) Check() error {
	if len(g.Starts) == 0 || len(g.Starts) != len(g.Fans) || len(g.Starts) > MaxFeet*MaxCycles || !(g.Horizon > 0 && g.Horizon < 1e4) || !(g.Gap > 0 && g.Gap < 1e4) {
		return fmt.Errorf("space: goal table of %d starts, %d fans, horizon %v s, gap %v s, want a fan a start and times > 0", len(g.Starts), len(g.Fans), g.Horizon, g.Gap)
	}
	for i := range g.Fans {
		if err := g.Fans[i].Check(); err != nil {
			return err
		}
		if len(g.Fans[i].Finals) > MaxFinals {
			return fmt.Errorf("space: fan of %d finals, want at most %d", len(g.Fans[i].Finals), MaxFinals)
		}
		if !(g.Starts[i] >= 0 && g.Starts[i] < 1) || i > 0 && g.Starts[i] <= g.Starts[i-1] {
			return fmt.Errorf("space: start %d at phase %v, want ascending phases in [0, 1)", i, g.Starts[i])
		}
	}
	return g.stable()
}

// MaxFinals is the most final values a table may have.
const MaxFinals = 64

// stable refuses a horizon too short for the steps: steering by it would weave.
func (g *Goals) stable() error {
	if least := 1.25 * g.Gap; g.Horizon <= least {
		return fmt.Errorf("space: horizon %.3g s with heel strikes up to %.3g s apart: steering would weave, want more than %.3g s", g.Horizon, g.Gap, least)
	}
	return nil
}

// GoalOptions choose the size of a table; the zero value is the usual one.
type GoalOptions struct {
	Starts, Finals int     // start and final blend values; 0 = 13 and 25
	Horizon        float64 // seconds; 0 = the larger of two footsteps and 1.5 times the largest spacing
}

// strikes returns the phases at which a motion's reference puts feet down, ties
// as one, in generic phase.
func (s *Space) strikes(motion int) []float64 {
	m := &s.Motions[motion]
	l, w := m.Clips[m.Ref].Loop, s.curveOf(motion, m.Ref)
	var out []float64
	for _, stances := range l.Stances {
		for _, x := range stances {
			if x.Duty < 1 {
				out = append(out, wrap01(w.Inverse(x.Touch)))
			}
		}
	}
	sort.Float64s(out)
	var merged []float64
	for _, x := range out {
		if n := len(merged); n == 0 || x-merged[n-1] > Tie/float64(l.Cycles) {
			merged = append(merged, x)
		}
	}
	if n := len(merged); n > 1 && merged[0]+1-merged[n-1] <= Tie/float64(l.Cycles) {
		merged = merged[:n-1]
	}
	if len(merged) == 0 {
		merged = []float64{0}
	}
	return merged
}

// NewGoals works out the goal-space table of a motion of a validated space: the
// root is put at the origin at every heel strike with every start value and
// simulated while the value moves to every final one at the space's rate.
func NewGoals(s *Space, motion int, o GoalOptions) (*Goals, error) {
	if o.Starts == 0 {
		o.Starts = SomeStarts
	}
	if o.Finals == 0 {
		o.Finals = SomeFinals
	}
	if s.c == nil || motion < 0 || motion >= len(s.Motions) || o.Starts < 2 || o.Starts > MaxFinals || o.Finals < 2 || o.Finals > MaxFinals || !(o.Horizon >= 0 && o.Horizon < 1e3) {
		return nil, fmt.Errorf("space: goal table of motion %d with %+v, want a validated space and 2 to %d values", motion, o, MaxFinals)
	}
	g := &Goals{Starts: s.strikes(motion)}
	slow := 0.0
	for k := range s.Motions[motion].Clips {
		slow = max(slow, s.Motions[motion].Clips[k].Loop.Period)
	}
	gap := 0.0
	for i, x := range g.Starts {
		next := g.Starts[(i+1)%len(g.Starts)]
		if d := wrap01(next - x); d > gap {
			gap = d
		}
	}
	if len(g.Starts) == 1 {
		gap = 1
	}
	g.Gap, g.Horizon = gap*slow, o.Horizon
	if g.Horizon == 0 {
		g.Horizon = max(2*slow/float64(len(g.Starts)), 1.5*g.Gap)
	}
	if err := g.stable(); err != nil {
		return nil, err
	}
	steps := max(2, int(math.Ceil(g.Horizon/tableStep)))
	for _, x := range g.Starts {
		g.Fans = append(g.Fans, s.fan(motion, x, steps, g.Horizon/float64(steps), o))
	}
	return g, g.Check()
}

// fan simulates one start.
func (s *Space) fan(motion int, start float64, steps int, dt float64, o GoalOptions) Fans {
	f := Fans{}
	for y := range o.Starts {
		f.Starts = append(f.Starts, float64(y)/float64(o.Starts-1))
	}
	for z := range o.Finals {
		f.Finals = append(f.Finals, float64(z)/float64(o.Finals-1))
	}
	for _, b := range f.Starts {
		row := make([]r2.Vec, 0, len(f.Finals))
		for _, e := range f.Finals {
			p := s.simulate(motion, start, b, e, steps, dt)
			row = append(row, r2.Vec{X: p.At.X, Y: p.At.Y})
		}
		f.Places = append(f.Places, row)
	}
	return f
}

// simulate returns where the root is after steps of dt.
func (s *Space) simulate(motion int, phase, value, final float64, steps int, dt float64) blend.Place {
	var at blend.Place
	var pose blend.Pose
	m := &s.Motions[motion]
	for range steps {
		value = Follow(value, final, s.Rate, dt)
		var mix mixture
		a, b, share := m.bracket(value)
		mix.add(s.c.first[motion]+a, 1-share)
		mix.add(s.c.first[motion]+b, share)
		to := phase + dt*s.pace(&mix, motion)
		s.root(&pose, &mix, phase, to, 0)
		at, phase = at.After(pose.Root), to
	}
	return at
}

// Reversals returns the largest step back, radians, that the direction of a
// table's places takes as the final value grows: 0 for one that only grows.
func (g *Goals) Reversals() float64 {
	worst := 0.0
	for i := range g.Fans {
		for _, row := range g.Fans[i].Places {
			for z := 1; z < len(row); z++ {
				a, b := math.Atan2(row[z-1].Y, row[z-1].X), math.Atan2(row[z].Y, row[z].X)
				d := a - b
				if d > math.Pi {
					d -= 2 * math.Pi
				}
				worst = max(worst, d)
			}
		}
	}
	return worst
}
