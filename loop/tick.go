package loop

import (
	"context"
	"errors"

	"legctl/control"
	"legctl/rig"
)

// Outlet takes the records of a tick, in the goroutine of the tick. It copies
// what it wants to keep.
type Outlet interface {
	Put(tag control.Tag, tick uint64, data []byte)
}

// Ticker runs whole ticks of a cell: a new controller, world events, the next
// command, then Cycle, and the records of all to an outlet. Run paces it by a clock, rollout
// does not. It is made by NewTicker and used by one goroutine.
type Ticker struct {
	Cell    *Cell
	World   World    // nil: nothing changes
	Mailbox *Mailbox // nil: Cell.Frame.Cmd is the caller's to set
	Out     Outlet   // nil: nothing is recorded
	Care    *Care    // nil: nobody looks after the plant
	Swap    *Swap    // nil: the controller stays

	dt    float64
	every uint64
	buf   []byte
	put   func([]byte) // of World.Due, made once
}

// NewTicker returns a ticker for ticks of dt seconds that records the state
// before every n-th tick, n = every; 0: before the first one only. The caller
// sets World, Mailbox and Out.
func NewTicker(c *Cell, dt float64, every uint64) *Ticker {
	t := &Ticker{Cell: c, dt: dt, every: every, buf: make([]byte, 0, RecordSize(c))}
	t.put = t.event
	return t
}

// RecordSize returns the length of the longest frame or state of a cell, bytes.
func RecordSize(c *Cell) int {
	_, frame := rig.LayoutOf(c.Frame)
	_, state := rig.LayoutOf(c.State)
	return max(frame, state)
}

// Do is one tick. The error names what failed in the world and the plant; the
// tick is done nevertheless.
func (t *Ticker) Do(ctx context.Context) error {
	tick := t.Cell.Tick
	if t.Out != nil && (tick == 0 || t.every > 0 && tick%t.every == 0) {
		t.buf, _ = t.Cell.State.AppendBinary(t.buf[:0])
		t.Out.Put(control.TagState, tick, t.buf)
	}
	if t.Swap != nil {
		t.exchange(t.Swap.next.Swap(nil))
	}
	var changed error
	if t.World != nil {
		changed = t.World.Due(tick, t.put)
	}
	f := t.Cell.Frame
	if t.Care != nil && t.Care.Next(&f.Cmd, &f.Obs, t.Cell.State.Mode) {
		// what waits in the mailbox waits one tick more
	} else if t.Mailbox != nil {
		t.Mailbox.Take(&t.Cell.Frame.Cmd, tick, t.dt)
	}
	err := Cycle(ctx, t.Cell)
	if t.Out != nil {
		t.buf, _ = t.Cell.Frame.AppendBinary(t.buf[:0])
		t.Out.Put(control.TagFrame, tick, t.buf)
	}
	if changed != nil {
		err = errors.Join(changed, err)
	}
	return err
}

// event passes the bytes of a world event on.
func (t *Ticker) event(b []byte) {
	if t.Out != nil {
		t.Out.Put(control.TagEvent, t.Cell.Tick, b)
	}
}
