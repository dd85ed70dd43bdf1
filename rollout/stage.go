package rollout

import (
	"errors"
	"fmt"

	"legctl/loop"
	"legctl/sim"
)

// Stage is a world in which things can be made to happen while it runs: a
// timeline, and events that anybody posts. It is a loop.World.
type Stage struct {
	script loop.World // nil: none
	do     func(sim.Event) error
	posted chan deed
	buf    []byte
}

// deed is an event somebody posted and who wants to know of it.
type deed struct {
	event sim.Event
	done  func(tick uint64, err error)
}

// stageRoom is how many events may wait for a tick.
const stageRoom = 64

// ErrCrowded is what Post refuses an event with when too many wait.
var ErrCrowded = errors.New("too many events wait for their tick: send fewer")

// NewStage returns a stage. script is what happens anyway, nil for nothing; do
// lets an event happen.
func NewStage(script loop.World, do func(sim.Event) error) *Stage {
	return &Stage{script: script, do: do, posted: make(chan deed, stageRoom)}
}

// Post leaves an event for the next tick; it never waits. done is called in
// the goroutine of the tick with what became of it; nil: nobody is told.
func (s *Stage) Post(e sim.Event, done func(tick uint64, err error)) error {
	select {
	case s.posted <- deed{e, done}:
		return nil
	default:
		return fmt.Errorf("rollout: %w", ErrCrowded)
	}
}

// Due implements loop.World. An event that is not possible is refused to
// whoever posted it and is no failure of the tick.
func (s *Stage) Due(tick uint64, put func([]byte)) error {
	var err error
	if s.script != nil {
		err = s.script.Due(tick, put)
	}
	for range stageRoom {
		select {
		case d := <-s.posted:
			bad := s.do(d.event)
			if bad == nil {
				s.buf, _ = d.event.AppendBinary(s.buf[:0])
				put(s.buf)
			}
			if d.done != nil {
				d.done(tick, bad)
			}
		default:
			return err
		}
	}
	return err
}
