package rollout

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"legctl/loop"
	"legctl/sim"
)

// Timeline posts commands and lets world events happen at their times. It is a
// loop.World.
type Timeline struct {
	orders  []Order
	events  []Happening
	dt      float64
	mailbox *loop.Mailbox
	do      func(sim.Event) error
	buf     []byte
}

// NewTimeline returns a timeline for ticks of dt seconds. What is to come is
// sorted by time; the order of things at one time stays. do lets an event
// happen.
func NewTimeline(orders []Order, events []Happening, dt float64, m *loop.Mailbox, do func(sim.Event) error) *Timeline {
	t := &Timeline{orders: slices.Clone(orders), events: slices.Clone(events), dt: dt, mailbox: m, do: do}
	slices.SortStableFunc(t.orders, func(a, b Order) int { return cmp.Compare(a.At, b.At) })
	slices.SortStableFunc(t.events, func(a, b Happening) int { return cmp.Compare(a.At, b.At) })
	return t
}

// Due implements loop.World: what is due by half a tick after the start of a
// tick happens before it. A command that finds the mailbox full is posted in
// the next tick. The error names every event that was not possible; those are
// not put.
func (t *Timeline) Due(tick uint64, put func([]byte)) error {
	now := (float64(tick) + 0.5) * t.dt
	for len(t.orders) > 0 && t.orders[0].At <= now {
		if got, _ := t.mailbox.Put(t.orders[0].Command); got == loop.Full {
			break
		}
		t.orders = t.orders[1:]
	}
	var all error
	for len(t.events) > 0 && t.events[0].At <= now {
		e := t.events[0]
		t.events = t.events[1:]
		if err := t.do(e.Event); err != nil {
			all = errors.Join(all, fmt.Errorf("rollout: event at %g s: %w", e.At, err))
			continue
		}
		t.buf, _ = e.Event.AppendBinary(t.buf[:0])
		put(t.buf)
	}
	return all
}

// Left returns how many commands and events are still to come.
func (t *Timeline) Left() int { return len(t.orders) + len(t.events) }
