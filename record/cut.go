package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"legctl/control"

	"github.com/foxglove/mcap/go/mcap"
)

// Piece says which ticks a cut is to take.
type Piece struct {
	First, Last uint64
	Bare        bool // the records alone, without the channels for viewers
}

// Window is the piece of a recording that a cut took.
type Window struct {
	First, Last uint64 // ticks
	Ticks       uint64
}

// Cut writes the ticks from p.First to p.Last of a recording as a whole file of
// its own to to. It begins with the newest tick not after First whose state is in
// the file (First itself where every state is recorded), so that it can be
// replayed. World events and parameters from before that are kept, since the
// ground and the controller are what they made of them; so is the last message
// of channels that stay true, such as pictures of the terrain.
func Cut(to io.Writer, from *Reader, p Piece) (Window, error) {
	if p.Last < p.First {
		return Window{}, fmt.Errorf("record: cut from tick %d to %d: the end is before the start", p.First, p.Last)
	}
	h := from.header
	h.Names = append(slices.Clone(h.Names), Name{"cut", fmt.Sprintf("ticks %d to %d", p.First, p.Last)})
	c := cutter{from: from, piece: p, header: &h, latest: map[*mcap.Channel]message{}}
	err := c.run(to)
	return c.Window, err
}

// cutter is a cut under way.
type cutter struct {
	Window
	from   *Reader
	header *Header
	piece  Piece
	to     *copier // nil: before the window

	latest map[*mcap.Channel]message // copies
	order  []*mcap.Channel           // of latest
	sticky []message                 // records that stay true, copies
	behind []message                 // since the newest state, copies
}

// run reads the recording and writes the window.
func (c *cutter) run(to io.Writer) error {
	for {
		m, err := c.from.scan.next()
		if errors.Is(err, io.EOF) || errors.Is(err, errCut) {
			break
		}
		if err != nil {
			return c.from.wrong(err)
		}
		if c.piece.Bare && m.channel.Topic != Topic {
			continue
		}
		rec, err := recordOf(m)
		if err != nil {
			return c.from.damage(c.from.scan.at, err.Error())
		}
		if c.to == nil && !c.begins(rec) {
			c.before(m, rec)
			continue
		}
		if c.to == nil {
			if rec.Tag == control.TagState {
				c.settle() // the window has a state of its own
			}
			if err := c.begin(to, rec.Tick); err != nil {
				return err
			}
		}
		if rec.Tag != tagHeader && rec.Tick > c.piece.Last {
			break
		}
		if err := c.put(m, rec); err != nil {
			return err
		}
	}
	if c.to == nil {
		return fmt.Errorf("record: no tick from %d to %d, the last is %d", c.piece.First, c.piece.Last, c.Last)
	}
	return c.to.out.close()
}

// recordOf returns the record in a message; the tag is 0 for the header and for
// messages of other channels.
func recordOf(m message) (Record, error) {
	if m.channel.Topic != Topic {
		return Record{}, nil
	}
	return readWire(m.data)
}

// begins reports whether a record is the first of the window.
func (c *cutter) begins(rec Record) bool {
	return rec.Tag != tagHeader && rec.Tick >= c.piece.First && rec.Tick <= c.piece.Last
}

// before keeps what the window needs of what lies before it.
func (c *cutter) before(m message, rec Record) {
	m.data = bytes.Clone(m.data)
	switch {
	case m.channel.Topic != Topic && isLatest(m.channel):
		if _, ok := c.latest[m.channel]; !ok {
			c.order = append(c.order, m.channel)
		}
		c.latest[m.channel] = m
	case m.channel.Topic != Topic:
		if len(c.behind) > 0 {
			c.behind = append(c.behind, m)
		}
	case rec.Tag == control.TagState, rec.Tag == control.TagGap:
		c.settle()
		if rec.Tag == control.TagState {
			c.behind = append(c.behind, m)
		}
	case rec.Tag != tagHeader:
		c.behind = append(c.behind, m)
	}
	c.Last = max(c.Last, rec.Tick)
}

// settle forgets the records since a state that is no longer the newest, but
// for those that stay true. New parameters take the place of older ones.
func (c *cutter) settle() {
	fresh := false
	for _, m := range c.behind {
		rec, _ := recordOf(m) // was read before
		switch rec.Tag {
		case control.TagParams:
			if !fresh {
				c.sticky = slices.DeleteFunc(c.sticky, isParams)
				fresh = true
			}
			c.sticky = append(c.sticky, m)
		case control.TagEvent:
			c.sticky = append(c.sticky, m)
		}
	}
	c.behind = c.behind[:0]
}

func isParams(m message) bool {
	rec, _ := recordOf(m)
	return rec.Tag == control.TagParams
}

// begin writes all that comes before the first record of the window, which has
// the tick now.
func (c *cutter) begin(to io.Writer, now uint64) (err error) {
	if c.to, err = newCopier(to, c.header.summary()); err != nil {
		return err
	}
	if c.Window = (Window{First: now}); len(c.behind) > 0 {
		rec, _ := recordOf(c.behind[0])
		c.First = rec.Tick
	}
	head, err := c.header.wire()
	if err != nil {
		return err
	}
	at := Nanos(c.First, c.header.Dt)
	if err := c.to.record(at, tagHeader, c.First, head); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	for _, of := range c.order {
		if err := c.to.put(c.from.scan, c.latest[of], at); err != nil {
			return fmt.Errorf("record: %w", err)
		}
	}
	for _, m := range c.sticky {
		if err := c.to.put(c.from.scan, m, at); err != nil {
			return fmt.Errorf("record: %w", err)
		}
	}
	for _, m := range c.behind {
		rec, _ := recordOf(m)
		if err := c.put(m, rec); err != nil {
			return err
		}
	}
	return nil
}

// put writes a message of the window.
func (c *cutter) put(m message, rec Record) error {
	if m.channel.Topic != Topic && m.time > Nanos(c.piece.Last, c.header.Dt) {
		return nil
	}
	if rec.Tag == control.TagFrame {
		c.Ticks++
	}
	c.Last = max(c.Last, rec.Tick)
	if err := c.to.put(c.from.scan, m, m.time); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}
