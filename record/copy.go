package record

import (
	"fmt"
	"io"

	"legctl/control"

	"github.com/foxglove/mcap/go/mcap"
)

// copier writes the messages of one file into another, under new numbers.
type copier struct {
	out  *out
	ids  map[*mcap.Channel]uint16 // of channels that are declared in the new file
	next uint16
}

// newCopier begins a file.
func newCopier(to io.Writer, names map[string]string) (*copier, error) {
	o, err := newOut(to, names)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	c := &copier{out: o, ids: map[*mcap.Channel]uint16{}, next: recordChannel + 1}
	if err := o.declare(recordSchema(), recordInfo()); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return c, nil
}

// put writes a message of a channel of s at a time.
func (c *copier) put(s *scanner, m message, time uint64) error {
	if m.channel.Topic == Topic {
		rec, err := readWire(m.data)
		if err != nil {
			return err
		}
		return c.out.message(recordChannel, time, m.data, rec.Tag == control.TagFrame || rec.Tag == tagHeader)
	}
	id, ok := c.ids[m.channel]
	if !ok {
		id = c.next
		if err := c.declare(s, m.channel, id); err != nil {
			return err
		}
		c.next++
		c.ids[m.channel] = id
	}
	return c.out.message(id, time, m.data, false)
}

// declare declares a channel of another file.
func (c *copier) declare(s *scanner, from *mcap.Channel, id uint16) error {
	info := *from
	info.ID, info.SchemaID = id, 0
	var schema *mcap.Schema
	if of := s.schemas[from.SchemaID]; of != nil {
		v := *of
		v.ID, info.SchemaID = id, id
		schema = &v
	}
	return c.out.declare(schema, &info)
}

// record writes a record of the copier's own.
func (c *copier) record(time uint64, tag control.Tag, tick uint64, data []byte) error {
	c.out.due = c.out.due || tag == tagHeader
	return c.out.message(recordChannel, time, appendWire(nil, tag, tick, data), tag == tagHeader)
}

// isLatest reports whether the last message of a channel stays true.
func isLatest(c *mcap.Channel) bool { return c.Metadata[latestKey] != "" }
