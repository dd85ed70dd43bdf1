package record

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"legctl/control"

	"github.com/foxglove/mcap/go/mcap"
)

// Repaired is what a repair found.
type Repaired struct {
	Whole   bool     // there was nothing to repair, and nothing was written
	Records uint64   // that were kept
	Tick    uint64   // of the last of them
	Dropped int64    // bytes that could not be read
	Missing uint64   // ticks that lie in pieces left out between others
	Faults  []string // what was wrong, in order
}

// Repair writes the sound part of a recording as a whole file to to: what can be
// read, with an index. A file that ends too early loses what is broken at its
// end; where a piece in the middle is broken, what follows it is kept and a
// TagGap record stands in its place. Nothing is written when the file is whole:
// repairing twice is repairing once. The error says why nothing can be saved:
// the header is lost, or the file is no recording.
func Repair(to io.Writer, from io.ReadSeeker) (Repaired, error) {
	var done Repaired
	whole, err := isWhole(from)
	if err != nil || whole {
		done.Whole = whole
		return done, err
	}
	r, err := NewReader(from)
	if err != nil {
		return done, fmt.Errorf("record: the header is lost, nothing can be saved: %w", err)
	}
	names := r.header.summary()
	names["repaired"] = "true"
	c, err := newCopier(to, names)
	if err != nil {
		return done, err
	}
	head, _ := r.header.wire() // it was read: it can be written
	if err := c.record(0, tagHeader, 0, head); err != nil {
		return done, fmt.Errorf("record: %w", err)
	}
	m := mender{Repaired: &done, from: from, scan: r.scan, to: c}
	if err := errors.Join(m.run(), c.out.close()); err != nil {
		return done, fmt.Errorf("record: repair: %w", err)
	}
	return done, nil
}

// isWhole reads a recording to its end, and goes back to its start.
func isWhole(from io.ReadSeeker) (bool, error) {
	r, err := NewReader(from)
	if err == nil {
		for err == nil {
			_, err = r.Next()
		}
		r.scan.close()
	}
	_, seek := from.Seek(0, io.SeekStart)
	var cut *CutError
	switch {
	case errors.Is(err, io.EOF):
		return true, seek
	case errors.As(err, &cut) || errors.Is(err, ErrDamage):
		return false, seek
	}
	return false, err
}

// mender copies what is sound.
type mender struct {
	*Repaired
	from  io.ReadSeeker
	scan  *scanner
	to    *copier
	time  uint64 // of the last message
	gap   bool   // something was left out since the last record
	begun bool   // a record was kept
}

// run copies until the end.
func (m *mender) run() error {
	defer func() { m.scan.close() }()
	for {
		msg, err := m.scan.next()
		var f *fault
		switch {
		case err == nil:
			err = m.keep(msg)
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errCut):
			m.note(m.scan.at, m.scan.rest, "it ends too early")
			return nil
		case errors.As(err, &f):
			if !m.scan.data {
				m.note(f.at, 0, "the index is broken")
				return nil
			}
			err = m.skip(f)
			if errors.Is(err, io.EOF) {
				return nil
			}
		}
		if err != nil {
			return err
		}
	}
}

func (m *mender) note(at, lost int64, what string) {
	m.Dropped += lost
	if len(m.Faults) < 100 {
		m.Faults = append(m.Faults, fmt.Sprintf("byte %d: %s, %d bytes are lost", at, what, lost))
	}
}

// keep writes a message. A gap is told before the next record.
func (m *mender) keep(msg message) error {
	if msg.channel.Topic != Topic {
		m.time = msg.time
		return m.to.put(m.scan, msg, msg.time)
	}
	rec, err := readWire(msg.data)
	if err != nil || rec.Tag >= control.Tags {
		m.note(m.scan.at, int64(len(msg.data)), "a message is no record")
		m.gap = true
		return nil
	}
	if rec.Tag == tagHeader {
		return nil // written already
	}
	if m.gap && m.begun && rec.Tick > m.Tick {
		missing := rec.Tick - m.Tick - 1
		m.Missing += missing
		lost := binary.LittleEndian.AppendUint64(nil, missing)
		if err := m.to.record(msg.time, control.TagGap, rec.Tick, lost); err != nil {
			return err
		}
	}
	m.gap, m.begun, m.Tick, m.time = false, true, rec.Tick, msg.time
	m.Records++
	return m.to.put(m.scan, msg, msg.time)
}

// zstdMark stands in every chunk of ours, chunkMark bytes behind its start.
var zstdMark = []byte("\x04\x00\x00\x00zstd")

const chunkMark = opHead + 8 + 8 + 8 + 4

// skip goes on at the next chunk behind a fault, or returns io.EOF.
func (m *mender) skip(f *fault) error {
	m.gap = true
	if m.scan.at > f.at { // the piece itself was read whole
		m.note(f.at, m.scan.at-f.at, f.what)
		return nil
	}
	next, err := m.find(f.at + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	m.note(f.at, next-f.at, f.what)
	if err != nil {
		return err
	}
	if _, err := m.from.Seek(next, io.SeekStart); err != nil {
		return err
	}
	s := newScanner(m.from, next)
	s.schemas, s.channels = m.scan.schemas, m.scan.channels
	m.scan.close()
	m.scan = s
	return nil
}

// find returns where the next chunk behind byte at begins, or the length of the
// file and io.EOF.
func (m *mender) find(at int64) (int64, error) {
	if _, err := m.from.Seek(at, io.SeekStart); err != nil {
		return at, err
	}
	in := bufio.NewReaderSize(m.from, 256<<10)
	for ; ; at++ {
		b, err := in.Peek(chunkMark + len(zstdMark))
		if err != nil {
			return at + int64(len(b)), err
		}
		if b[0] == byte(mcap.OpChunk) && bytes.Equal(b[chunkMark:], zstdMark) {
			return at, nil
		}
		if _, err := in.Discard(1); err != nil {
			return at, err
		}
	}
}
