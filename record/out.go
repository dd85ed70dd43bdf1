package record

import (
	"bufio"
	"fmt"
	"io"

	"github.com/foxglove/mcap/go/mcap"
)

// The policy of chunks: what is in one that was not written yet is lost when
// the program is killed.
const (
	chunkSpan  = 5e8     // nanoseconds of ticks a chunk holds
	chunkBytes = 4 << 20 // or so many bytes, before compression
	chunkNever = 1 << 60 // the library is told when
)

// out is an MCAP file that is being written, in chunks that end with a tick.
type out struct {
	buf   *bufio.Writer
	file  io.Writer
	mcap  *mcap.Writer
	opts  *mcap.WriterOptions // shared with mcap, which looks at ChunkSize after every message
	bytes int                 // in the open chunk
	open  bool                // it has a message
	since uint64              // time of its first message
	seq   uint32
	due   bool  // close it with the next tick that ends
	whole int64 // bytes of the file that a cut-off write has not touched
}

// newOut begins a file. names are for whoever looks into it with other tools.
func newOut(w io.Writer, names map[string]string) (*out, error) {
	o := &out{buf: bufio.NewWriterSize(w, 256<<10), file: w}
	o.opts = &mcap.WriterOptions{
		IncludeCRC: true, Chunked: true, ChunkSize: chunkNever,
		Compression: mcap.CompressionZSTD, CompressionLevel: mcap.CompressionLevelFastest,
		OverrideLibrary: true,
	}
	var err error
	if o.mcap, err = mcap.NewWriter(o.buf, o.opts); err != nil {
		return nil, err
	}
	if err := o.mcap.WriteHeader(&mcap.Header{Library: "legctl"}); err != nil {
		return nil, err
	}
	return o, o.mcap.WriteMetadata(&mcap.Metadata{Name: "legctl", Metadata: names})
}

// declare adds a channel and its schema, which may be nil.
func (o *out) declare(s *mcap.Schema, c *mcap.Channel) error {
	if s != nil {
		if err := o.mcap.WriteSchema(s); err != nil {
			return err
		}
		o.bytes += len(s.Data)
	}
	return o.mcap.WriteChannel(c)
}

// message writes one message. last says that a tick ends with it: the chunk is
// closed when it has lasted long enough.
func (o *out) message(channel uint16, time uint64, data []byte, last bool) error {
	if !o.open {
		o.open, o.since = true, time
	}
	o.bytes += len(data)
	end := last && (o.due || time >= o.since+chunkSpan || time < o.since) || o.bytes >= chunkBytes
	if end {
		o.opts.ChunkSize = -1
	}
	err := o.mcap.WriteMessage(&mcap.Message{ChannelID: channel, Sequence: o.seq, LogTime: time, PublishTime: time, Data: data})
	o.opts.ChunkSize = chunkNever
	o.seq++
	if err != nil || !end {
		return err
	}
	o.bytes, o.open, o.due = 0, false, false
	return o.flush()
}

// flush hands all closed chunks to the file.
func (o *out) flush() error {
	if err := o.buf.Flush(); err != nil {
		return err
	}
	o.whole = int64(o.mcap.Offset())
	return nil
}

// close ends the file with its index.
func (o *out) close() error {
	if err := o.mcap.Close(); err != nil {
		return err
	}
	return o.flush()
}

// trim takes the piece of a chunk off that a failed write left behind, where
// the file can do that.
func (o *out) trim() error {
	f, ok := o.file.(interface{ Truncate(size int64) error })
	if !ok {
		return nil
	}
	if err := f.Truncate(o.whole); err != nil {
		return fmt.Errorf("record: take off what was half written: %w", err)
	}
	return nil
}
