package record

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"legctl/control"
)

// recordHead is the number of bytes before a payload.
const recordHead = 4 + 1 + 8

// crcTable is the polynomial of CRC-32C; hash/crc32 builds it once.
var crcTable = crc32.MakeTable(crc32.Castagnoli)

// Writer writes a recording. It is a sink of loop.Run, fed from a ring outside
// the tick; without a clock it can be fed directly. One goroutine at a time.
type Writer struct {
	to    *bufio.Writer
	close io.Closer // nil: not ours
	count uint64
	err   error // the first one; nothing is written after it
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

// NewWriter begins a recording in w, which stays the caller's to close.
func NewWriter(w io.Writer, h *Header) (*Writer, error) {
	b := append([]byte(magic), 0, 0, 0, 0)
	b, err := h.AppendBinary(b)
	if err != nil {
		return nil, err
	}
	n := len(b) - len(magic) - 4
	if n > MaxHeader {
		return nil, fmt.Errorf("record: header has %d bytes, at most %d", n, MaxHeader)
	}
	binary.LittleEndian.PutUint32(b[len(magic):], uint32(n))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crcTable))
	to := bufio.NewWriterSize(w, 64<<10)
	if _, err := to.Write(b); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return &Writer{to: to}, nil
}

// Put writes one record. After an error every later one is refused with it.
func (w *Writer) Put(tag control.Tag, tick uint64, data []byte) error {
	if w.err != nil {
		return w.err
	}
	if len(data) > MaxRecord {
		w.err = fmt.Errorf("record: tick %d: payload has %d bytes, at most %d", tick, len(data), MaxRecord)
		return w.err
	}
	var head [recordHead]byte
	binary.LittleEndian.PutUint32(head[:], uint32(len(data)))
	head[4] = byte(tag)
	binary.LittleEndian.PutUint64(head[5:], tick)
	sum := crc32.Update(crc32.Checksum(head[:], crcTable), crcTable, data)
	var foot [4]byte
	binary.LittleEndian.PutUint32(foot[:], sum)
	for _, b := range [][]byte{head[:], data, foot[:]} {
		if _, err := w.to.Write(b); err != nil {
			w.err = fmt.Errorf("record: tick %d: %w", tick, err)
			return w.err
		}
	}
	w.count++
	return nil
}

// Flush hands all that was put to the file.
func (w *Writer) Flush() error {
	if w.err == nil {
		if err := w.to.Flush(); err != nil {
			w.err = fmt.Errorf("record: %w", err)
		}
	}
	return w.err
}

// Close ends the recording with a TagEnd and closes the file Create opened. It
// returns the first error of the whole recording; calling it again does nothing.
func (w *Writer) Close() error {
	if w.to == nil {
		return nil
	}
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], w.count)
	_ = w.Put(control.TagEnd, 0, n[:]) // an error stays in w.err
	err := w.Flush()
	w.to = nil
	if w.err == nil {
		w.err = errors.New("record: closed")
	}
	if w.close != nil {
		if e := w.close.Close(); e != nil {
			err = errors.Join(err, fmt.Errorf("record: %w", e))
		}
	}
	return err
}
