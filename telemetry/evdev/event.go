package evdev

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
)

// Event is struct input_event of the kernel without its time.
type Event struct {
	Type  uint16
	Code  uint16
	Value int32
}

// Types and codes of events that count here (input-event-codes.h).
const (
	TypeSync uint16 = 0
	TypeKey  uint16 = 1
	TypeAbs  uint16 = 3

	AbsX    uint16 = 0x00 // left stick
	AbsY    uint16 = 0x01
	AbsZ    uint16 = 0x02
	AbsRX   uint16 = 0x03 // right stick
	AbsRY   uint16 = 0x04
	AbsRZ   uint16 = 0x05
	AbsHatX uint16 = 0x10
	AbsHatY uint16 = 0x11

	ButtonSouth  uint16 = 0x130 // A, cross
	ButtonEast   uint16 = 0x131 // B, circle
	ButtonNorth  uint16 = 0x133
	ButtonWest   uint16 = 0x134
	ButtonLeft   uint16 = 0x136 // shoulder
	ButtonRight  uint16 = 0x137
	ButtonSelect uint16 = 0x13a
	ButtonStart  uint16 = 0x13b
)

// Size is the length of an event on this machine: two words of time, then eight
// bytes.
const Size = 2*bits.UintSize/8 + 8

// Parse reads the event in the first Size bytes of raw.
func Parse(raw []byte) (Event, error) {
	if len(raw) < Size {
		return Event{}, fmt.Errorf("evdev: event of %d bytes, want %d", len(raw), Size)
	}
	b := raw[Size-8:]
	return Event{
		Type: binary.NativeEndian.Uint16(b), Code: binary.NativeEndian.Uint16(b[2:]),
		Value: int32(binary.NativeEndian.Uint32(b[4:])),
	}, nil
}

// Append appends the bytes of e at the time 0, for tests and recordings.
func Append(dst []byte, e Event) []byte {
	dst = append(dst, make([]byte, Size-8)...)
	dst = binary.NativeEndian.AppendUint16(dst, e.Type)
	dst = binary.NativeEndian.AppendUint16(dst, e.Code)
	return binary.NativeEndian.AppendUint32(dst, uint32(e.Value))
}

// read reads one event. The kernel never hands out parts of one, a pipe may.
func read(r io.Reader, buf *[Size]byte) (Event, error) {
	if _, err := io.ReadFull(r, buf[:]); err != nil {
		return Event{}, err
	}
	return Parse(buf[:])
}
