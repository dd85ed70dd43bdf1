package terrain

import (
	"encoding/binary"
	"fmt"
	"math"
)

// specMagic opens the bytes of a Spec; its last byte is the layout's version.
const specMagic = "legter\x00\x01"

// AppendBinary appends s to dst, little-endian: magic, kind, numbers in the
// order of the struct, image.
func (s *Spec) AppendBinary(dst []byte) ([]byte, error) {
	if len(s.Kind) > 255 {
		return dst, fmt.Errorf("terrain: kind has %d bytes, at most 255", len(s.Kind))
	}
	dst = append(dst, specMagic...)
	dst = append(dst, byte(len(s.Kind)))
	dst = append(dst, s.Kind...)
	for _, v := range s.floats() {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(*v))
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(int32(s.Count)))
	dst = binary.LittleEndian.AppendUint64(dst, s.Seed)
	dst = append(dst, s.Material)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(s.Image)))
	return append(dst, s.Image...), nil
}

// UnmarshalBinary sets s from what AppendBinary wrote and refuses anything
// else, leaving s as it was. The image is copied. It does not Validate.
func (s *Spec) UnmarshalBinary(b []byte) error {
	if len(b) < len(specMagic)+1 || string(b[:len(specMagic)]) != specMagic {
		return fmt.Errorf("terrain: not a terrain of layout %d: it begins with %q", specMagic[7], b[:min(len(b), 8)])
	}
	b = b[len(specMagic):]
	n := 1 + int(b[0])
	var t Spec
	const fixed = 10*8 + 4 + 8 + 1 + 4
	if len(b) < n+fixed {
		return fmt.Errorf("terrain: %d bytes, too short by %d", len(b), n+fixed-len(b))
	}
	t.Kind, b = string(b[1:n]), b[n:]
	for _, v := range t.floats() {
		*v = math.Float64frombits(binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	t.Count = int(int32(binary.LittleEndian.Uint32(b)))
	t.Seed = binary.LittleEndian.Uint64(b[4:])
	t.Material = b[12]
	size := binary.LittleEndian.Uint32(b[13:])
	if b = b[17:]; uint64(len(b)) != uint64(size) {
		return fmt.Errorf("terrain: image has %d bytes, its header says %d", len(b), size)
	}
	if size > 0 {
		t.Image = append([]byte(nil), b...)
	}
	*s = t
	return nil
}

func (s *Spec) floats() [10]*float64 {
	return [10]*float64{
		&s.Start, &s.Height, &s.Rise, &s.Run, &s.Width,
		&s.Depth, &s.Amplitude, &s.Cell, &s.Angle, &s.Axis,
	}
}
