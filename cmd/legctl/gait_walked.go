package main

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"legctl/gait"
	"legctl/plot"
	"legctl/rollout"
)

const (
	warmSteps  = 3 // of every leg, before what is shown
	shownSteps = 3 // of every leg, in what is shown
	walkLimit  = 2 * time.Minute
)

// walked walks a rig by step rules on flat ground, as fast as they allow, and
// shows the stances of some steps of every leg.
func walked(ctx context.Context, rigName, gaitName string) (*plot.Hildebrand, error) {
	s, err := build(&simFlags{
		world: defaultWorld, terrain: "flat", gait: gaitName, duration: walkLimit, fast: true, shellFlags: shellFlags{headless: true},
		rate: defaultRate, stage: gait.StageAll, changed: func(string) bool { return false },
	}, []string{rigName})
	if err != nil {
		return nil, err
	}
	r, dt := s.Config.Rig, s.Config.Params.Dt
	d := gait.Diagram{Names: legNames(r), Step: dt, Unit: "s"}
	var margins []float64
	steps := make([]int, len(r.Legs))
	s.Config.Each = func(run *rollout.Rollout) error {
		out := &run.Cell.Frame.Out
		for set := out.LiftOff; set != 0; set &= set - 1 {
			steps[bits.TrailingZeros64(set)]++
		}
		least := steps[0]
		for _, n := range steps {
			least = min(least, n)
		}
		if least >= warmSteps+shownSteps {
			return rollout.ErrEnough
		}
		if least >= warmSteps {
			stance := uint64(0)
			for i := range out.Legs {
				if out.Legs[i].Stance {
					stance |= 1 << i
				}
			}
			d.Bits, margins = append(d.Bits, stance), append(margins, out.Margin)
		}
		return nil
	}
	sum, err := s.Run(ctx)
	if err != nil {
		return nil, err
	}
	if len(d.Bits) == 0 {
		return nil, fmt.Errorf("gait: %s takes no three steps a leg of %s within %v", r.Name, gaitName, walkLimit)
	}
	title := fmt.Sprintf("%s, %s at %.3g m/s on flat ground", r.Name, gaitName, sum.MeanSpeed)
	return &plot.Hildebrand{Title: title, Diagram: d, Side: r.Groups.Side, Margins: margins, Floor: 0.02 * r.L()}, nil
}
