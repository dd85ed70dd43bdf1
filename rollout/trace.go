package rollout

import (
	"encoding/hex"
	"fmt"
	"hash"
	"hash/fnv"
	"strings"

	"legctl/control"
	"legctl/geom"
	"legctl/loop"
)

// TraceLines is the number of lines of a Trace.
const TraceLines = 40

// Trace is the fingerprint of a run: a hash over every byte of every record,
// and lines spread over the run from which a person can read what changed. It
// is a sink for Config.Sinks.
type Trace struct {
	frame *control.Frame
	every uint64
	sum   hash.Hash64
	lines []string
}

// NewTrace returns the trace of a run of that many ticks.
func NewTrace(r *Rollout, ticks uint64) *Trace {
	every := max(1, ticks/TraceLines)
	return &Trace{frame: control.NewFrame(r.Config.Rig), every: every, sum: fnv.New64a()}
}

var _ loop.Sink = (*Trace)(nil)

// Put implements loop.Sink.
func (t *Trace) Put(tag control.Tag, tick uint64, data []byte) error {
	_, _ = t.sum.Write([]byte{byte(tag)}) // a hash takes everything
	_, _ = t.sum.Write(data)
	if tag != control.TagFrame || (tick+1)%t.every != 0 || len(t.lines) == TraceLines {
		return nil
	}
	if err := t.frame.UnmarshalBinary(data); err != nil {
		return err
	}
	t.lines = append(t.lines, line(tick, t.frame))
	return nil
}

// line writes tick, intended pose and stance of a frame. Six digits are enough
// to see a change, and too few to see rounding: the hash is for that.
func line(tick uint64, f *control.Frame) string {
	p := &f.Out.PoseWB
	roll, pitch, yaw := geom.RPY(p.Q)
	var stance strings.Builder
	for i := range f.Out.Legs {
		stance.WriteByte(".#"[b2i(f.Out.Legs[i].Stance)])
	}
	return fmt.Sprintf("%5d %9.5f %9.5f %9.5f %9.5f %9.5f %9.5f %s", tick+1,
		round(p.P.X), round(p.P.Y), round(p.P.Z), round(roll), round(pitch), round(yaw), stance.String())
}

// round takes the sign off a zero that is about to be printed.
func round(v float64) float64 {
	if v > -5e-6 && v < 5e-6 {
		return 0
	}
	return v
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Flush implements loop.Sink.
func (t *Trace) Flush() error { return nil }

// Close implements loop.Sink.
func (t *Trace) Close() error { return nil }

// Hash returns the hash as sixteen hexadecimal digits; a trace of nothing has none.
func (t *Trace) Hash() string {
	if t.sum == nil {
		return ""
	}
	return hex.EncodeToString(t.sum.Sum(nil))
}

// String returns the hash, a line that names the columns, and the trace.
func (t *Trace) String() string {
	return fmt.Sprintf("hash %s\n%5s %9s %9s %9s %9s %9s %9s stance\n%s\n", t.Hash(),
		"tick", "x", "y", "z", "roll", "pitch", "yaw", strings.Join(t.lines, "\n"))
}
