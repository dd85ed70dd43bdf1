package rig

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// Coder walks the fields of a record. A record names each of its fields once,
// in one method, and that one list is its layout, its writer, its reader and
// the names in a comparison:
//
//	func (s *Setpoint) Fields(c *Coder) { c.Floats("q", s.Q); c.F64("time", &s.Time) }
//
// The zero value measures: after one walk it holds the size and the layout
// hash. Write or Read then switch it over for a second walk. A Coder that
// stays on the stack of its caller costs no allocation.
//
// The bytes are the layout hash, then every field in order, little-endian,
// without padding; booleans are one byte, 0 or 1. The length of a slice is
// part of the layout and not of the bytes: a record is read into one made for
// the same rig.
type Coder struct {
	pass  pass
	err   problem
	hash  uint64
	size  int // bytes of fields, without the layout hash
	buf   []byte
	at    int         // read, compare: offset of the next field
	loops [2]span     // open lists while measuring; lists nest two deep at most
	depth int         // number of them
	cmp   *comparison // compare only
	vis   *visit      // visit only
}

// pass is what a walk is for.
type pass uint8

const (
	measuring pass = iota
	writing
	reading
	comparing
	visiting
)

// problem is what went wrong in a walk; no error is made before one is asked for.
type problem uint8

const (
	noProblem problem = iota
	badLayout
	badSize
	badBool
)

// span is an open list: the size before it and its number of elements.
type span struct{ before, n int }

// hashBytes is the length of the layout hash in front of the fields.
const hashBytes = 8

// Layout returns the hash over the names, types and counts of the fields
// walked. It means something after the first walk only.
func (c *Coder) Layout() uint64 { return c.hash }

// Size returns the number of bytes the record takes, layout hash included.
func (c *Coder) Size() int { return hashBytes + c.size }

// Write makes the next walk append to dst.
func (c *Coder) Write(dst []byte) {
	c.pass = writing
	c.buf = binary.LittleEndian.AppendUint64(dst, c.hash)
}

// Bytes returns what Write and the walk after it appended.
func (c *Coder) Bytes() []byte { return c.buf }

// Read makes the next walk read from b and reports whether b has this layout
// and length; if not, the walk is to be left out and Err says why.
func (c *Coder) Read(b []byte) bool {
	c.pass, c.buf, c.at = reading, b, hashBytes
	switch {
	case len(b) < hashBytes:
		c.err = badSize
	case binary.LittleEndian.Uint64(b) != c.hash:
		c.err = badLayout
	case len(b) != c.Size():
		c.err = badSize
	}
	return c.err == noProblem
}

// Err returns what was wrong with the bytes read, or nil. what names the
// record, such as "rig: observation". The record read holds a mix after it.
func (c *Coder) Err(what string) error {
	switch c.err {
	case badLayout:
		return fmt.Errorf("%s: layout %#x, this program and rig have %#x: %w",
			what, binary.LittleEndian.Uint64(c.buf), c.hash, ErrLayout)
	case badSize:
		return fmt.Errorf("%s: %d bytes, want %d: %w", what, len(c.buf), c.Size(), ErrLayout)
	case badBool:
		return fmt.Errorf("%s: byte %d is %d, a boolean is 0 or 1: %w", what, c.at, c.buf[c.at], ErrLayout)
	}
	return nil
}

// ErrLayout is in every error of bytes that do not fit the record.
var ErrLayout = errors.New("bytes of another rig, another version or damaged")

// field is called once for each leaf; it measures, compares or shows, and returns
// the bytes to read from, or nil in the other passes.
func (c *Coder) field(name string, kind kind) []byte {
	switch c.pass {
	case measuring:
		c.mix(name, uint64(kind))
		c.size += kind.size()
	case reading:
		if c.err == noProblem {
			b := c.buf[c.at : c.at+kind.size()]
			c.at += kind.size()
			return b
		}
	case comparing:
		c.cmp.leaf(name, kind, c.at)
		c.at += kind.size()
	case visiting:
		c.vis.leaf(name, kind, c.at)
		c.at += kind.size()
	}
	return nil
}

// mix adds a name and a number to the layout hash: eight bytes a step, a
// 64 x 64 multiply folded to 64 bits each, so that measuring costs less than
// writing.
func (c *Coder) mix(name string, n uint64) {
	const k0, k1 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	h := c.hash ^ (n+uint64(len(name))<<32)*k1
	for len(name) > 0 {
		var w uint64
		for i := 0; i < len(name) && i < 8; i++ {
			w |= uint64(name[i]) << (8 * i)
		}
		hi, lo := bits.Mul64(h^w^k0, k1)
		h = hi ^ lo
		name = name[min(8, len(name)):]
	}
	hi, lo := bits.Mul64(h^k0, k1)
	c.hash = hi ^ lo
}
