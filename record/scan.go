package record

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/foxglove/mcap/go/mcap"
)

// maxChunk is what one record of the container, and one chunk unpacked, may
// hold.
const maxChunk = 64 << 20

// opHead is the length of what stands before every record of the container.
const opHead = 1 + 8

// message is one message of any channel. Data is good until the next.
type message struct {
	channel *mcap.Channel
	time    uint64
	data    []byte
}

// scanner reads the messages of an MCAP file from front to back. It reads the
// container itself, since only then it knows at which byte things go wrong, and
// leaves what is in a chunk to the library.
type scanner struct {
	from     *bufio.Reader
	at       int64 // where the next record of the container begins
	rest     int64 // bytes read of one that is cut
	sum      uint32
	body     bytes.Buffer
	lexer    *mcap.Lexer
	feed     bytes.Buffer
	schemas  map[uint16]*mcap.Schema
	channels map[uint16]*mcap.Channel
	queue    []message
	slab     []byte
	token    []byte
	data     bool // still before DataEnd
	names    map[string]string
}

// fault is a piece of the container that cannot be read. Behind it the next may
// be sound.
type fault struct {
	at   int64
	what string
}

// Error implements error.
func (f *fault) Error() string { return f.what }

// errCut is the end of a file that is not whole.
var errCut = errors.New("cut")

// newScanner begins with the first record of the container, at byte at.
func newScanner(from io.Reader, at int64) *scanner {
	return &scanner{
		from: bufio.NewReaderSize(from, 64<<10), at: at, data: true,
		schemas: map[uint16]*mcap.Schema{}, channels: map[uint16]*mcap.Channel{},
	}
}

// begin reads the magic of the container.
func (s *scanner) begin() error {
	front := make([]byte, len(mcap.Magic))
	n, err := io.ReadFull(s.from, front)
	if err != nil && !cutShort(err) {
		return err
	}
	if !bytes.Equal(front[:n], mcap.Magic[:n]) {
		return fmt.Errorf("it begins with %q, no MCAP file does: %w", front[:n], ErrFormat)
	}
	s.at, s.sum = int64(n), crc32.ChecksumIEEE(front[:n])
	if n < len(front) {
		s.at, s.rest = 0, int64(n)
		return errCut
	}
	return nil
}

// next returns the next message, io.EOF at the end of a whole file, errCut at
// the end of one that is not, or a fault.
func (s *scanner) next() (message, error) {
	for len(s.queue) == 0 {
		if err := s.step(); err != nil {
			return message{}, err
		}
	}
	m := s.queue[0]
	s.queue = s.queue[1:]
	return m, nil
}

// step reads one record of the container.
func (s *scanner) step() error {
	at := s.at
	op, body, err := s.record()
	if err != nil {
		return err
	}
	switch op {
	case mcap.OpChunk:
		if err = s.chunk(body); err == nil {
			return nil
		}
		s.queue = nil
	case mcap.OpSchema, mcap.OpChannel, mcap.OpMessage, mcap.OpMetadata:
		if !s.data {
			return nil // the summary says it again
		}
		s.slab, s.queue = s.slab[:0], s.queue[:0]
		err = s.take(op, body)
	case mcap.OpDataEnd:
		s.data = false
	case mcap.OpFooter:
		return s.end()
	}
	if err != nil {
		return &fault{at, err.Error()}
	}
	return nil
}

// record reads one record of the container whole.
func (s *scanner) record() (mcap.OpCode, []byte, error) {
	var head [opHead]byte
	if n, err := io.ReadFull(s.from, head[:]); err != nil {
		return 0, nil, s.short(err, int64(n))
	}
	op, size := mcap.OpCode(head[0]), binary.LittleEndian.Uint64(head[1:])
	if op == 0 || size > maxChunk {
		return 0, nil, &fault{s.at, fmt.Sprintf("record of kind %d with %d bytes, at most %d", op, size, maxChunk)}
	}
	// Grows with what is there: a wrong length cannot take memory.
	s.body.Reset()
	if n, err := io.CopyN(&s.body, s.from, int64(size)); err != nil {
		return 0, nil, s.short(err, opHead+n)
	}
	b := s.body.Bytes()
	err := s.check(op, head[:], b)
	s.at += opHead + int64(size)
	return op, b, err
}

// short turns the end of the input after n bytes of a record into errCut.
func (s *scanner) short(err error, n int64) error {
	if !cutShort(err) {
		return err
	}
	s.rest = n
	return errCut
}

// check adds a record to the checksum of its section, or compares the two where
// a section ends. 0 says that there is none.
func (s *scanner) check(op mcap.OpCode, head, b []byte) error {
	want, cover := uint32(0), len(b)
	switch {
	case op == mcap.OpDataEnd && len(b) >= 4:
		want = binary.LittleEndian.Uint32(b)
	case op == mcap.OpFooter && len(b) >= 20:
		want, cover = binary.LittleEndian.Uint32(b[16:]), 16
	}
	if op != mcap.OpDataEnd {
		s.sum = crc32.Update(s.sum, crc32.IEEETable, head)
		s.sum = crc32.Update(s.sum, crc32.IEEETable, b[:cover])
	}
	sum := s.sum
	if op == mcap.OpDataEnd {
		s.sum = 0
	}
	if want != 0 && want != sum {
		return &fault{s.at, "checksum of the section before it is wrong"}
	}
	return nil
}

// end reads what follows the footer and returns io.EOF when all is well.
func (s *scanner) end() error {
	tail := make([]byte, len(mcap.Magic)+1)
	n, err := io.ReadFull(s.from, tail)
	switch {
	case err == nil:
		return &fault{s.at, "bytes follow the end"}
	case !cutShort(err):
		return err
	case !bytes.Equal(tail[:n], mcap.Magic[:n]):
		return &fault{s.at, "the end is wrong"}
	case n < len(mcap.Magic):
		s.rest = int64(n)
		return errCut
	}
	s.at += int64(n)
	return io.EOF
}

// take uses what stands in the data section, in a chunk or outside.
func (s *scanner) take(op mcap.OpCode, b []byte) error {
	switch op {
	case mcap.OpSchema:
		v, err := mcap.ParseSchema(b)
		if err != nil {
			return err
		}
		v.Data = bytes.Clone(v.Data)
		s.schemas[v.ID] = v
	case mcap.OpChannel:
		v, err := mcap.ParseChannel(b)
		if err != nil {
			return err
		}
		s.channels[v.ID] = v
	case mcap.OpMetadata:
		v, err := mcap.ParseMetadata(b)
		if err == nil && s.names == nil {
			s.names = v.Metadata
		}
		return err
	case mcap.OpMessage:
		return s.takeMessage(b)
	}
	return nil
}

// takeMessage queues a copy of a message.
func (s *scanner) takeMessage(b []byte) error {
	const fixed = 2 + 4 + 8 + 8
	if len(b) < fixed {
		return fmt.Errorf("message of %d bytes", len(b))
	}
	id := binary.LittleEndian.Uint16(b)
	c := s.channels[id]
	if c == nil {
		return fmt.Errorf("message of channel %d, which nobody declared", id)
	}
	n := len(s.slab)
	s.slab = append(s.slab, b[fixed:]...) // older messages keep the block they are in
	s.queue = append(s.queue, message{c, binary.LittleEndian.Uint64(b[6:]), s.slab[n:len(s.slab):len(s.slab)]})
	return nil
}
