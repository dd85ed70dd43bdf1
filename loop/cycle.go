package loop

import (
	"context"
	"errors"
	"fmt"

	"legctl/control"
	"legctl/geom"
	"legctl/rig"
)

// Cell is a controller, its state, a plant and the ground: all that takes part
// in a tick. It is made by NewCell and used by one goroutine.
type Cell struct {
	Plant      Plant
	Controller Stepper
	Ground     geom.Ground // nil: the controller sees none
	State      *control.State
	Frame      *control.Frame // of the last tick; Cmd is the order of the next
	Tick       uint64         // ticks done; Cycle counts it

	legs    uint64 // bit set of all legs of the rig
	pending uint64 // legs to report as faulty in the next observation
	enabled bool
}

// NewCell joins a plant and a controller of one rig. State and Frame are new;
// the rig is limp, and the plant not yet open.
func NewCell(r *rig.Rig, p Plant, c Stepper, g geom.Ground) *Cell {
	return &Cell{
		Plant: p, Controller: c, Ground: g,
		State: &control.NewStates(r, 1)[0],
		Frame: control.NewFrame(r),
		legs:  allLegs(len(r.Legs)),
	}
}

// allLegs returns the bit set of n legs, n in [0, 64].
func allLegs(n int) uint64 { return uint64(1)<<n - 1 }

// Cycle is one tick: observe, step, apply. A failing plant does not end it: the
// controller is told by fault bits, those of Observe at once and those of Apply
// and Enable in the next tick, and decides what to do. The error names
// everything that failed, for counting and for people.
//
// Torque follows the controller: when it no longer asks for a limp rig the
// plant is enabled before the first setpoint, and disabled after the first limp
// one. While enabling fails, setpoints are sent limp.
//
// Frame.Cmd is the order of this tick and is left as it is. Cycle allocates
// nothing unless something fails.
func Cycle(ctx context.Context, c *Cell) error {
	f := c.Frame
	seen := c.Plant.Observe(ctx, &f.Obs)
	if seen != nil {
		f.Obs.Has, f.Obs.Faults = 0, c.legs // what it holds is old
	}
	f.Obs.Faults |= c.pending
	c.pending = 0
	c.Controller.Step(&f.Out, c.State, &f.Cmd, &f.Obs, c.Ground)
	done := c.act(ctx, &f.Out.Set)
	c.Tick++
	if seen == nil && done == nil {
		return nil
	}
	return fmt.Errorf("loop: tick %d: %w", c.Tick-1, errors.Join(seen, done))
}

// act brings torque in line with sp and applies it.
func (c *Cell) act(ctx context.Context, sp *rig.Setpoint) error {
	if !sp.Limp && !c.enabled {
		if err := c.Plant.Enable(ctx, c.legs); err != nil {
			c.pending = c.legs
			return errors.Join(err, c.relax(ctx, sp))
		}
		c.enabled = true
	}
	if err := c.Plant.Apply(ctx, sp); err != nil {
		c.pending = c.legs
		return err
	}
	if sp.Limp && c.enabled {
		if err := c.Plant.Enable(ctx, 0); err != nil {
			c.pending = c.legs
			return err
		}
		c.enabled = false
	}
	return nil
}

// relax applies sp limp, whatever it asks for, and leaves it as it was.
func (c *Cell) relax(ctx context.Context, sp *rig.Setpoint) error {
	limp := *sp
	limp.Limp = true
	return c.Plant.Apply(ctx, &limp)
}
