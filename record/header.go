package record

import (
	"encoding/binary"
	"fmt"
	"math"

	"legctl/control"
	"legctl/rig"
)

// The limits of a file.
const (
	MaxHeader = 16 << 20 // bytes; a terrain may carry a picture of 4 MiB
	MaxRecord = 1 << 20  // bytes of one payload
	maxNames  = 256
)

// magic opens the header record; its last byte is the version of the format.
const magic = "legrec\x00\x03"

// Header says what a recording is of. The zero value is not valid: Legs, Joints
// and Dt are needed (Describe fills them).
type Header struct {
	Frame  uint64  // layout hash of control.Frame
	State  uint64  // layout hash of control.State
	Legs   int     // 1 to rig.MaxLegs
	Joints int     // of the whole rig
	Dt     float64 // seconds a tick, > 0
	Seed   uint64  // of the world

	Rig     []byte // all bytes are the writer's to choose; empty: not known
	Params  []byte // of the controller
	Terrain []byte
	World   []byte // parameters of the simulator
	Space   []byte // clips the controller has; empty: none
	Names   []Name // of the rig, the gait, the program's version, ...
}

// Name is one word of a header for people.
type Name struct{ Key, Value string }

// Describe fills in what follows from the rig: sizes and layout hashes.
func (h *Header) Describe(r *rig.Rig) {
	h.Legs, h.Joints = len(r.Legs), r.Joints()
	h.Frame, _ = rig.LayoutOf(control.NewFrame(r))
	h.State, _ = rig.LayoutOf(&control.NewStates(r, 1)[0])
}

// Get returns the value of a name, or the empty string.
func (h *Header) Get(key string) string {
	for _, n := range h.Names {
		if n.Key == key {
			return n.Value
		}
	}
	return ""
}

// Check returns an error unless this program can read the records of h.
func (h *Header) Check() error {
	if err := h.validate(); err != nil {
		return err
	}
	var mine Header
	mine.Describe(h.shape())
	if mine.Frame != h.Frame || mine.State != h.State {
		return fmt.Errorf("record: layout is %#x and %#x, this program reads %#x and %#x: %w, use the program that wrote it",
			h.Frame, h.State, mine.Frame, mine.State, rig.ErrLayout)
	}
	return nil
}

// shape returns a rig that has the sizes of h and nothing else.
func (h *Header) shape() *rig.Rig {
	r := &rig.Rig{Legs: make([]rig.Leg, h.Legs)}
	r.Legs[0].Joints = make([]rig.Joint, h.Joints)
	return r
}

// validate returns the first number of h that is out of bounds.
func (h *Header) validate() error {
	switch {
	case h.Legs < 1 || h.Legs > rig.MaxLegs:
		return fmt.Errorf("record: header: legs are %d, must be 1 to %d", h.Legs, rig.MaxLegs)
	case h.Joints < 1 || h.Joints > rig.MaxLegs*rig.MaxJoints:
		return fmt.Errorf("record: header: joints are %d, must be 1 to %d", h.Joints, rig.MaxLegs*rig.MaxJoints)
	case !(h.Dt > 0 && h.Dt <= 1):
		return fmt.Errorf("record: header: dt is %g s, must be in (0, 1]", h.Dt)
	case len(h.Names) > maxNames:
		return fmt.Errorf("record: header: %d names, at most %d", len(h.Names), maxNames)
	}
	return nil
}

// AppendBinary appends the body of a header to dst. It fails when h is not valid.
func (h *Header) AppendBinary(dst []byte) ([]byte, error) {
	if err := h.validate(); err != nil {
		return dst, err
	}
	le := binary.LittleEndian
	dst = le.AppendUint64(dst, h.Frame)
	dst = le.AppendUint64(dst, h.State)
	dst = le.AppendUint16(dst, uint16(h.Legs))
	dst = le.AppendUint16(dst, uint16(h.Joints))
	dst = le.AppendUint64(dst, math.Float64bits(h.Dt))
	dst = le.AppendUint64(dst, h.Seed)
	for _, b := range [][]byte{h.Rig, h.Params, h.Terrain, h.World, h.Space} {
		dst = appendBytes(dst, b)
	}
	dst = le.AppendUint16(dst, uint16(len(h.Names)))
	for _, n := range h.Names {
		dst = appendBytes(appendBytes(dst, n.Key), n.Value)
	}
	return dst, nil
}

func appendBytes[T string | []byte](dst []byte, b T) []byte {
	return append(binary.LittleEndian.AppendUint32(dst, uint32(len(b))), b...)
}

// UnmarshalBinary reads the body of a header. The slices of h are copies.
func (h *Header) UnmarshalBinary(b []byte) error {
	r := cursor{b: b}
	n := Header{Frame: r.u64(), State: r.u64()}
	n.Legs, n.Joints = int(r.u16()), int(r.u16())
	n.Dt, n.Seed = math.Float64frombits(r.u64()), r.u64()
	for _, to := range []*[]byte{&n.Rig, &n.Params, &n.Terrain, &n.World, &n.Space} {
		if s := r.bytes(); len(s) > 0 {
			*to = append([]byte(nil), s...)
		}
	}
	for range min(int(r.u16()), maxNames+1) {
		if r.bad {
			break
		}
		n.Names = append(n.Names, Name{string(r.bytes()), string(r.bytes())})
	}
	if r.bad || len(r.b) > 0 {
		return fmt.Errorf("record: header: %d bytes do not hold one", len(b))
	}
	if err := n.validate(); err != nil {
		return err
	}
	*h = n
	return nil
}

// cursor reads from b; what is not there reads as zero and sets bad.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) take(n uint64) []byte {
	if uint64(len(c.b)) < n {
		c.bad, c.b = true, nil
		return nil
	}
	s := c.b[:n]
	c.b = c.b[n:]
	return s
}

func (c *cursor) u16() uint16 {
	if s := c.take(2); s != nil {
		return binary.LittleEndian.Uint16(s)
	}
	return 0
}

func (c *cursor) u64() uint64 {
	if s := c.take(8); s != nil {
		return binary.LittleEndian.Uint64(s)
	}
	return 0
}

func (c *cursor) bytes() []byte {
	if s := c.take(4); s != nil {
		return c.take(uint64(binary.LittleEndian.Uint32(s)))
	}
	return nil
}
