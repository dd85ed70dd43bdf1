package rollout

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"legctl/control"
	"legctl/control/mode"
	"legctl/record"
)

// Sign is something a run may show in a tick: any of what is set in it. The zero
// value is nothing.
type Sign struct {
	Fall   bool          // the plant counted a fall
	Limit  bool          // the angle or speed of a joint was clamped
	Fault  bool          // a leg reported a fault, or the mode became Fault
	Events control.Event // bits of what the controller reports
}

// Begins reports whether a sign is in a tick and not in the one before. before is
// nil for a tick of which nothing earlier is known: no fall can be seen there.
func (s Sign) Begins(before, now *control.Frame) bool {
	var old control.Frame
	fell := false
	if before != nil {
		old = *before
		fell = now.Obs.FellSince != old.Obs.FellSince
	}
	limit := now.Out.AngleLimit|now.Out.SpeedLimit != 0 && old.Out.AngleLimit|old.Out.SpeedLimit == 0
	fault := now.Obs.Faults&^old.Obs.Faults != 0 || now.Out.Mode == mode.Fault && old.Out.Mode != mode.Fault
	return s.Fall && fell || s.Limit && limit || s.Fault && fault || now.Out.Events&^old.Out.Events&s.Events != 0
}

// GoString returns the sign as Go source.
func (s Sign) GoString() string {
	var parts []string
	for _, p := range []struct {
		name string
		on   bool
	}{{"Fall", s.Fall}, {"Limit", s.Limit}, {"Fault", s.Fault}} {
		if p.on {
			parts = append(parts, p.name+": true")
		}
	}
	if s.Events != 0 {
		parts = append(parts, fmt.Sprintf("Events: %#x", uint32(s.Events)))
	}
	return "rollout.Sign{" + strings.Join(parts, ", ") + "}"
}

// ErrNoSign says that a recording does not show what was looked for.
var ErrNoSign = errors.New("the recording does not show it")

// Find returns the tick at which a recording first shows a sign, from the tick
// after on. A recording that does not show it is an error with ErrNoSign.
func Find(from *record.Reader, s Sign, after uint64) (uint64, error) {
	c, err := Restore(from.Header())
	if err != nil {
		return 0, err
	}
	now, before := control.NewFrame(c.Rig), control.NewFrame(c.Rig)
	known := false
	for {
		rec, err := from.Next()
		var cut *record.CutError
		if errors.Is(err, io.EOF) || errors.As(err, &cut) {
			return 0, fmt.Errorf("rollout: %#v from tick %d on: %w", s, after, ErrNoSign)
		}
		if err != nil {
			return 0, err
		}
		if rec.Tag != control.TagFrame {
			continue
		}
		if err := now.UnmarshalBinary(rec.Data); err != nil {
			return 0, err
		}
		old := before
		if !known {
			old = nil
		}
		if rec.Tick >= after && s.Begins(old, now) {
			return rec.Tick, nil
		}
		now, before, known = before, now, true
	}
}
