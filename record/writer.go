package record

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"time"

	"legctl/control"

	"github.com/foxglove/mcap/go/mcap"
)

// Topic is where the records are in a file.
const Topic = "/legctl/record"

// flushAfter is how long, by the clock, a chunk stays open at most while Flush
// is called: a run in slow motion loses no more than one at full speed.
const flushAfter = 500 * time.Millisecond

// Writer writes a recording. It is a sink of loop.Run, fed from a ring outside
// the tick; without a clock it can be fed directly. One goroutine at a time.
type Writer struct {
	out    *out
	close  io.Closer // nil: not ours
	dt     float64
	next   uint16 // id of the next channel
	opened time.Time
	buf    []byte
	err    error // the first one; nothing is written after it
}

// Create begins a recording in a new file; one that was there is replaced.
func Create(path string, h *Header) (*Writer, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	w, err := NewWriter(f, h)
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	w.close = f
	return w, nil
}

// NewWriter begins a recording in w, which stays the caller's to close. The
// header is with w when NewWriter returns.
func NewWriter(w io.Writer, h *Header) (*Writer, error) {
	head, err := h.wire()
	if err != nil {
		return nil, err
	}
	o, err := newOut(w, h.summary())
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	r := &Writer{out: o, dt: h.Dt, next: recordChannel + 1}
	if err := o.declare(recordSchema(), recordInfo()); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	o.due = true
	if err := o.message(recordChannel, 0, appendWire(nil, tagHeader, 0, head), true); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return r, nil
}

// recordChannel is the id of the channel of the records, and of its schema.
const recordChannel = 1

func recordSchema() *mcap.Schema {
	return &mcap.Schema{ID: recordChannel, Name: schemaName, Encoding: "protobuf", Data: descriptor()}
}

func recordInfo() *mcap.Channel {
	return &mcap.Channel{ID: recordChannel, SchemaID: recordChannel, Topic: Topic, MessageEncoding: "protobuf"}
}

// wire returns the data of the header record.
func (h *Header) wire() ([]byte, error) {
	b, err := h.AppendBinary([]byte(magic))
	if err == nil && len(b)-len(magic) > MaxHeader {
		err = fmt.Errorf("record: header has %d bytes, at most %d", len(b)-len(magic), MaxHeader)
	}
	return b, err
}

// summary returns what other people's tools can show of h.
func (h *Header) summary() map[string]string {
	m := map[string]string{
		"format":       strconv.Itoa(int(magic[len(magic)-1])),
		"frame_layout": fmt.Sprintf("%#016x", h.Frame),
		"state_layout": fmt.Sprintf("%#016x", h.State),
		"dt":           strconv.FormatFloat(h.Dt, 'g', -1, 64),
		"seed":         strconv.FormatUint(h.Seed, 10),
		"legs":         strconv.Itoa(h.Legs),
		"joints":       strconv.Itoa(h.Joints),
	}
	for _, n := range h.Names {
		m[n.Key] = n.Value
	}
	return m
}

// Nanos returns the time of a tick in a run of ticks of dt seconds.
func Nanos(tick uint64, dt float64) uint64 { return uint64(math.Round(float64(tick) * dt * 1e9)) }

// Channel is a channel of messages for viewers beside the records.
type Channel struct {
	Topic  string
	Schema string // its name; that of a well-known schema makes viewers draw it
	JSON   []byte // the JSON schema of its messages
	Latest bool   // the last message stays true: a cut keeps it
	id     uint16
}

// latestKey marks channels whose last message stays true.
const latestKey = "latest"

// Declare adds a channel of JSON messages and returns it, to be used with
// Message. It is called before the first Put.
func (w *Writer) Declare(c Channel) (Channel, error) {
	if w.err != nil {
		return c, w.err
	}
	c.id = w.next
	w.next++
	info := &mcap.Channel{ID: c.id, SchemaID: c.id, Topic: c.Topic, MessageEncoding: "json"}
	if c.Latest {
		info.Metadata = map[string]string{latestKey: "true"}
	}
	schema := &mcap.Schema{ID: c.id, Name: c.Schema, Encoding: "jsonschema", Data: c.JSON}
	return c, w.note(0, w.out.declare(schema, info))
}

// Message writes a message for viewers. Those of a tick come before its frame.
func (w *Writer) Message(c Channel, tick uint64, json []byte) error {
	if w.err != nil {
		return w.err
	}
	return w.note(tick, w.out.message(c.id, Nanos(tick, w.dt), json, false))
}

// Put writes one record. After an error every later one is refused with it.
func (w *Writer) Put(tag control.Tag, tick uint64, data []byte) error {
	if w.err != nil {
		return w.err
	}
	if len(data) > MaxRecord {
		return w.note(tick, fmt.Errorf("payload has %d bytes, at most %d", len(data), MaxRecord))
	}
	w.buf = appendWire(w.buf[:0], tag, tick, data)
	return w.note(tick, w.out.message(recordChannel, Nanos(tick, w.dt), w.buf, tag == control.TagFrame))
}

// note keeps the first error, and leaves a file that can be mended.
func (w *Writer) note(tick uint64, err error) error {
	if err != nil {
		w.err = errors.Join(fmt.Errorf("record: tick %d: %w", tick, err), w.out.trim())
	}
	return w.err
}

// Err returns the error that ended the recording, or nil.
func (w *Writer) Err() error { return w.err }

// Flush hands all closed chunks to the file. The open one is closed by the end
// of a tick half a second after it began, or, when that is later by the clock
// than by the ticks, half a second after the first Flush that saw it.
func (w *Writer) Flush() error {
	if w.err != nil {
		return w.err
	}
	switch now := time.Now(); {
	case !w.out.open:
		w.opened = time.Time{}
	case w.opened.IsZero():
		w.opened = now
	case now.Sub(w.opened) > flushAfter:
		w.out.due = true
		w.opened = time.Time{}
	}
	return nil
}

// Close ends the recording with its index and closes the file Create opened. It
// returns the first error of the whole recording; calling it again does nothing.
// After an error the file has no index: Repair gives it one.
func (w *Writer) Close() error {
	if w.out == nil {
		return nil
	}
	err := w.err
	if err == nil {
		if e := w.out.close(); e != nil {
			err = errors.Join(fmt.Errorf("record: %w", e), w.out.trim())
		}
	}
	w.out = nil
	w.err = errors.New("record: closed")
	if w.close != nil {
		if e := w.close.Close(); e != nil {
			err = errors.Join(err, fmt.Errorf("record: %w", e))
		}
	}
	return err
}
