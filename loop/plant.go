package loop

import (
	"context"

	"legctl/control"
	"legctl/geom"
	"legctl/rig"
)

// Plant is a body that can be observed and moved: the simulator, or servos.
// Run and Cycle call it from one goroutine.
type Plant interface {
	// Open makes the plant ready and says what it can do.
	Open(ctx context.Context) (rig.Caps, error)
	// Enable puts torque on the legs of the bit set, one after the other, each
	// with its present angles as goal, and takes it off all others.
	Enable(ctx context.Context, legs uint64) error
	// Observe fills dst with what is known now.
	Observe(ctx context.Context, dst *rig.Observation) error
	// Apply asks for joint angles within the time given in sp.
	Apply(ctx context.Context, sp *rig.Setpoint) error
	// Halt stops motion and takes torque off. It may be called at any time, any
	// number of times.
	Halt() error
	// Close frees what Open took, after Halt.
	Close() error
}

// Stepper is the controller as the loop sees it: a pure function of what it is
// given. *control.Controller is one.
type Stepper interface {
	Step(out *control.Output, s *control.State, cmd *control.Command, obs *rig.Observation, g geom.Ground)
}

// World changes what surrounds the plant, between ticks.
type World interface {
	// Due applies the world events that are due before a tick and calls put with
	// the bytes of each, in order. The bytes are only good during the call. It
	// comes before the tick takes its command, so a script can post one here.
	Due(tick uint64, put func(event []byte)) error
}
