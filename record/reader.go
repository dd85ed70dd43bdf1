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

// CutError says that a file ends before its TagEnd, and where.
type CutError struct {
	Offset  int64  // bytes of whole records, header included
	Rest    int64  // bytes of a broken record behind them
	Records uint64 // whole records
	Tick    uint64 // of the last whole record; means nothing with no records
}

// Error implements error.
func (e *CutError) Error() string {
	return fmt.Sprintf("record: cut after %d records at byte %d, tick %d; %d bytes of a broken record follow",
		e.Records, e.Offset, e.Tick, e.Rest)
}

// Reader reads a recording from front to back. One goroutine at a time.
type Reader struct {
	from   *bufio.Reader
	file   io.Closer // nil: not ours
	header Header
	buf    []byte
	cut    CutError // where the whole records read so far end
	err    error    // what the last Next ended with; it stays
}

// Open opens a recording. Close it after use.
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
	r := &Reader{from: bufio.NewReaderSize(from, 64<<10)}
	var front [len(magic) + 4]byte
	if n, err := io.ReadFull(r.from, front[:]); err != nil {
		if !cutShort(err) {
			return nil, fmt.Errorf("record: %w", err)
		}
		if short := min(n, len(magic)); string(front[:short]) != magic[:short] {
			return nil, fmt.Errorf("record: it begins with %q: %w", front[:n], ErrFormat)
		}
		return nil, &CutError{Rest: int64(n)}
	}
	if same := magic[:len(magic)-1]; string(front[:len(same)]) != same {
		return nil, fmt.Errorf("record: it begins with %q: %w", front[:len(magic)], ErrFormat)
	}
	if v := front[len(magic)-1]; v != magic[len(magic)-1] {
		return nil, fmt.Errorf("record: version is %d, this program reads %d: %w", v, magic[len(magic)-1], ErrFormat)
	}
	size := binary.LittleEndian.Uint32(front[len(magic):])
	if size > MaxHeader {
		return nil, fmt.Errorf("record: header of %d bytes, at most %d: %w", size, MaxHeader, ErrDamage)
	}
	// Grows with what is there: a wrong length cannot take memory.
	body, err := io.ReadAll(io.LimitReader(r.from, int64(size)+4))
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	if len(body) < int(size)+4 {
		return nil, &CutError{Rest: int64(len(front) + len(body))}
	}
	sum := crc32.Update(crc32.Checksum(front[:], crcTable), crcTable, body[:size])
	if sum != binary.LittleEndian.Uint32(body[size:]) {
		return nil, fmt.Errorf("record: header: checksum is wrong: %w", ErrDamage)
	}
	if err := r.header.UnmarshalBinary(body[:size]); err != nil {
		return nil, errors.Join(err, ErrDamage)
	}
	r.cut.Offset = int64(len(front) + len(body))
	return r, nil
}

// cutShort reports whether an error is nothing but the end of the input.
func cutShort(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

// Header returns what the recording is of. It is not to be changed.
func (r *Reader) Header() *Header { return &r.header }

// Next returns the next record. The end is io.EOF, or a *CutError when the file
// was cut, or an error with ErrDamage; whatever it was, it is returned again.
// The TagEnd record is not returned.
func (r *Reader) Next() (Record, error) {
	if r.err != nil {
		return Record{}, r.err
	}
	rec, err := r.next()
	if err != nil {
		r.err = err
	}
	return rec, err
}

func (r *Reader) next() (Record, error) {
	var head [recordHead]byte
	n, err := io.ReadFull(r.from, head[:])
	if err != nil {
		return Record{}, r.short(err, n)
	}
	size := binary.LittleEndian.Uint32(head[:])
	rec := Record{Tag: control.Tag(head[4]), Tick: binary.LittleEndian.Uint64(head[5:])}
	if size > MaxRecord {
		return Record{}, r.damage("payload of %d bytes, at most %d", size, MaxRecord)
	}
	if need := int(size) + 4; cap(r.buf) < need {
		r.buf = make([]byte, need)
	}
	b := r.buf[:size+4]
	if n, err := io.ReadFull(r.from, b); err != nil {
		return Record{}, r.short(err, recordHead+n)
	}
	rec.Data = b[:size]
	sum := crc32.Update(crc32.Checksum(head[:], crcTable), crcTable, rec.Data)
	if sum != binary.LittleEndian.Uint32(b[size:]) {
		return Record{}, r.damage("checksum is wrong")
	}
	if rec.Tag == 0 || rec.Tag >= control.Tags {
		return Record{}, r.damage("tag is %d, must be 1 to %d", rec.Tag, control.Tags-1)
	}
	if rec.Tag == control.TagEnd {
		return Record{}, r.end(rec)
	}
	r.cut.Offset += int64(recordHead + len(b))
	r.cut.Records++
	r.cut.Tick = rec.Tick
	return rec, nil
}

// end checks the last record and returns io.EOF.
func (r *Reader) end(rec Record) error {
	if len(rec.Data) != 8 || binary.LittleEndian.Uint64(rec.Data) != r.cut.Records {
		return r.damage("%d records were read, the last says %x", r.cut.Records, rec.Data)
	}
	if _, err := r.from.ReadByte(); err == nil {
		return r.damage("bytes follow the end")
	}
	return io.EOF
}

// short turns the end of the input after n bytes of a record into a CutError.
func (r *Reader) short(err error, n int) error {
	if !cutShort(err) {
		return fmt.Errorf("record: byte %d: %w", r.cut.Offset, err)
	}
	cut := r.cut
	cut.Rest = int64(n)
	return &cut
}

func (r *Reader) damage(format string, args ...any) error {
	return fmt.Errorf("record: record %d at byte %d, after tick %d: %s: %w",
		r.cut.Records, r.cut.Offset, r.cut.Tick, fmt.Sprintf(format, args...), ErrDamage)
}

// Close closes the file Open opened.
func (r *Reader) Close() error {
	if r.file == nil {
		return nil
	}
	return r.file.Close()
}
