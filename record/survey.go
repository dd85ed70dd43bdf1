package record

import (
	"encoding/binary"
	"errors"
	"io"

	"legctl/control"
	"legctl/control/mode"
)

// Survey is what a recording holds.
type Survey struct {
	Ticks, First, Last uint64
	States             uint64
	World              uint64 // events
	Params             uint64 // records of changed parameters
	Lost               uint64 // records that are missing, by the recording's own account
	Falls              uint32 // by the plant's account, in the recording
	LimitTicks         uint64 // in which a joint's angle or speed was clamped
	FaultTicks         uint64 // in which the plant reported a fault, or the mode was Fault
	Faults             uint64 // bit set of the legs that reported one
	Refused            uint64 // commands
	Unreadable         uint64 // frames of another layout

	Events [32]uint64 // by bit of control.Event: how often it began
	Modes  []mode.Mode
	Cut    *CutError // not nil: the file ends too early
	Damage error     // not nil: the file is broken behind Last
}

// Look reads a recording to its end. A file that is cut or broken is surveyed
// as far as it can be read.
func Look(r *Reader) (Survey, error) {
	s := surveyor{frame: control.NewFrame(r.header.shape()), fit: r.header.Check() == nil}
	for {
		rec, err := r.Next()
		switch {
		case errors.Is(err, io.EOF), errors.As(err, &s.Cut):
			return s.Survey, nil
		case errors.Is(err, ErrDamage):
			s.Damage = err
			return s.Survey, nil
		case err != nil:
			return s.Survey, err
		}
		s.take(rec)
	}
}

// surveyor is a survey under way.
type surveyor struct {
	Survey
	frame *control.Frame
	fit   bool // the layout is that of this program
	prev  control.Event
	fell  uint32
}

// take counts one record.
func (s *surveyor) take(rec Record) {
	switch rec.Tag {
	case control.TagState:
		s.States++
	case control.TagEvent:
		s.World++
	case control.TagParams:
		s.Params++
	case control.TagGap:
		if len(rec.Data) == 8 {
			s.Lost += binary.LittleEndian.Uint64(rec.Data)
		}
	case control.TagFrame:
		if s.Ticks == 0 {
			s.First = rec.Tick
		}
		s.Last = rec.Tick
		s.Ticks++
		if !s.fit || s.frame.UnmarshalBinary(rec.Data) != nil {
			s.Unreadable++
			return
		}
		s.tally()
	}
}

// tally counts what happened in a tick.
func (s *surveyor) tally() {
	f := s.frame
	if s.Ticks > 1 {
		s.Falls += f.Obs.FellSince - s.fell
	}
	s.fell = f.Obs.FellSince
	if f.Out.AngleLimit|f.Out.SpeedLimit != 0 {
		s.LimitTicks++
	}
	if f.Obs.Faults != 0 || f.Out.Mode == mode.Fault {
		s.FaultTicks++
	}
	s.Faults |= f.Obs.Faults
	if f.Out.Reply.Kind != control.KindNone && f.Out.Reply.Reason != control.Accepted {
		s.Refused++
	}
	for i := range s.Events {
		if f.Out.Events&^s.prev>>i&1 != 0 {
			s.Events[i]++
		}
	}
	s.prev = f.Out.Events
	if n := len(s.Modes); n == 0 || s.Modes[n-1] != f.Out.Mode && n < 1000 {
		s.Modes = append(s.Modes, f.Out.Mode)
	}
}
