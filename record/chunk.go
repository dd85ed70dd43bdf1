package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/foxglove/mcap/go/mcap"
)

// chunk queues the messages of a chunk, all or none.
func (s *scanner) chunk(body []byte) (err error) {
	defer func() {
		if p := recover(); p != nil { // of a decoder that meets bytes it did not expect
			err = fmt.Errorf("chunk cannot be unpacked: %v", p)
		}
		if err != nil {
			s.close()
		}
	}()
	c, err := mcap.ParseChunk(body)
	if err != nil {
		return err
	}
	packed := uint64(8 + 8 + 8 + 4 + 4 + len(c.Compression) + 8 + len(c.Records))
	if packed != uint64(len(body)) || c.UncompressedSize > maxChunk {
		return fmt.Errorf("chunk of %d bytes unpacked in %d, at most %d", c.UncompressedSize, len(body), maxChunk)
	}
	if s.lexer == nil {
		if s.lexer, err = mcap.NewLexer(&s.feed, &mcap.LexerOptions{SkipMagic: true, MaxRecordSize: maxChunk}); err != nil {
			return err
		}
	}
	s.feed.Reset()
	s.feed.WriteByte(byte(mcap.OpChunk))
	s.feed.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(body))))
	s.feed.Write(body)
	return s.unpack(c)
}

// inChunk are the records a chunk may hold.
var inChunk = map[mcap.TokenType]mcap.OpCode{
	mcap.TokenSchema: mcap.OpSchema, mcap.TokenChannel: mcap.OpChannel, mcap.TokenMessage: mcap.OpMessage,
}

// unpack takes the records of the chunk that was fed to the lexer, and compares
// their size and checksum with those the chunk says.
func (s *scanner) unpack(c *mcap.Chunk) error {
	s.slab, s.queue = s.slab[:0], s.queue[:0]
	var head [opHead]byte
	size, sum := uint64(0), uint32(0)
	for {
		kind, b, err := s.lexer.Next(s.token)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if cap(b) > cap(s.token) {
			s.token = b
		}
		op, ok := inChunk[kind]
		if size += opHead + uint64(len(b)); !ok || size > c.UncompressedSize {
			return fmt.Errorf("chunk holds a record of kind %v at byte %d of %d", kind, size, c.UncompressedSize)
		}
		head[0] = byte(op)
		binary.LittleEndian.PutUint64(head[1:], uint64(len(b)))
		sum = crc32.Update(crc32.Update(sum, crc32.IEEETable, head[:]), crc32.IEEETable, b)
		if err := s.take(op, b); err != nil {
			return err
		}
	}
	if size != c.UncompressedSize || c.UncompressedCRC != 0 && sum != c.UncompressedCRC {
		return errors.New("chunk's checksum is wrong")
	}
	return nil
}

// close ends the decoder.
func (s *scanner) close() {
	if s.lexer != nil {
		s.lexer.Close()
		s.lexer = nil
	}
}
