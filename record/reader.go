package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"legctl/control"
)

// Record is one record of a file. Data is only good until the next.
type Record struct {
	Tag  control.Tag
	Tick uint64
	Data []byte
}

// The ways a file can be wrong; CutError is the third.
var (
	ErrFormat = errors.New("not a recording this program can read")
	ErrDamage = errors.New("damaged recording")
)

// CutError says that a file ends before its end, and where.
type CutError struct {
	Offset  int64  // bytes that are whole
	Rest    int64  // bytes of something broken behind them
	Records uint64 // whole records
	Tick    uint64 // of the last whole record; means nothing with no records
}

// Error implements error.
func (e *CutError) Error() string {
	return fmt.Sprintf("record: cut after %d records at byte %d, tick %d; %d broken bytes follow", e.Records, e.Offset, e.Tick, e.Rest)
}

// Reader reads a recording from front to back. One goroutine at a time. Close it
// after use.
type Reader struct {
	scan   *scanner
	file   io.Closer // nil: not ours
	header Header
	cut    CutError // where the whole records read so far end
	err    error    // what the last Next ended with; it stays
}

// Open opens a recording.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	r, err := NewReader(f)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	r.file = f
	return r, nil
}

// NewReader reads the header of a recording. An error says which byte is
// wrong, or where the header was cut.
func NewReader(from io.Reader) (*Reader, error) {
	r := &Reader{scan: newScanner(from, 0)}
	if err := r.scan.begin(); err != nil {
		return nil, r.wrong(err)
	}
	rec, err := r.next()
	switch {
	case errors.Is(err, io.EOF):
		err = fmt.Errorf("record: a file without channel %s: %w", Topic, ErrFormat)
	case err == nil && rec.Tag != tagHeader:
		err = fmt.Errorf("record: it begins with a record of tag %d, not with a header: %w", rec.Tag, ErrFormat)
	case err == nil:
		err = r.header.open(rec.Data)
	}
	if err != nil {
		r.scan.close()
		return nil, err
	}
	r.cut.Offset = r.scan.at
	return r, nil
}

// open reads the data of the header record.
func (h *Header) open(b []byte) error {
	const same = len(magic) - 1
	if len(b) < len(magic) || string(b[:same]) != magic[:same] {
		return fmt.Errorf("record: header begins with %q: %w", b[:min(len(b), len(magic))], ErrFormat)
	}
	if v := b[same]; v != magic[same] {
		return fmt.Errorf("record: version is %d, this program reads %d: %w", v, magic[same], ErrFormat)
	}
	if len(b)-len(magic) > MaxHeader {
		return fmt.Errorf("record: header of %d bytes, at most %d: %w", len(b)-len(magic), MaxHeader, ErrDamage)
	}
	if err := h.UnmarshalBinary(b[len(magic):]); err != nil {
		return errors.Join(err, ErrDamage)
	}
	return nil
}

// cutShort reports whether an error is nothing but the end of the input.
func cutShort(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// Header returns what the recording is of. It is not to be changed.
func (r *Reader) Header() *Header { return &r.header }

// Next returns the next record. The end is io.EOF, or a *CutError when the file
// was cut, or an error with ErrDamage; whatever it was, it is returned again.
func (r *Reader) Next() (Record, error) {
	if r.err != nil {
		return Record{}, r.err
	}
	rec, err := r.next()
	if err == nil && (rec.Tag == tagHeader || rec.Tag >= control.Tags) {
		err = r.damage(r.scan.at, fmt.Sprintf("tag is %d, must be 1 to %d", rec.Tag, control.Tags-1))
	}
	if err != nil {
		r.err = err
		r.scan.close()
		return Record{}, err
	}
	r.cut.Records++
	r.cut.Tick = rec.Tick
	r.cut.Offset = r.scan.at
	return rec, nil
}

// next returns the next message of the channel of records.
func (r *Reader) next() (Record, error) {
	for {
		m, err := r.scan.next()
		if err != nil {
			return Record{}, r.wrong(err)
		}
		if m.channel.Topic != Topic {
			continue
		}
		rec, err := readWire(m.data)
		if err == nil && len(rec.Data) > MaxRecord && rec.Tag != tagHeader {
			err = fmt.Errorf("payload of %d bytes, at most %d", len(rec.Data), MaxRecord)
		}
		if err != nil {
			return Record{}, r.damage(r.scan.at, err.Error())
		}
		return rec, nil
	}
}

// wrong makes an error for people of what ended the scan.
func (r *Reader) wrong(err error) error {
	var f *fault
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.Is(err, errCut):
		cut := r.cut
		cut.Offset, cut.Rest = r.scan.at, r.scan.rest
		return &cut
	case errors.As(err, &f):
		return r.damage(f.at, f.what)
	}
	return fmt.Errorf("record: %w", err)
}

func (r *Reader) damage(at int64, what string) error {
	return fmt.Errorf("record: byte %d, behind tick %d: %s: %w", at, r.cut.Tick, strings.TrimPrefix(what, "record: "), ErrDamage)
}

// Close ends the reader and closes the file Open opened.
func (r *Reader) Close() error {
	r.scan.close()
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}
