package terrain

import (
	"encoding/binary"
	"fmt"
)

// AppendState appends what has changed since New, little-endian: the version,
// the number of blocks, then one bit a block, set when removed.
func (t *Terrain) AppendState(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, t.version)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(t.blocks))
	for i := 0; i < t.blocks; i += 8 {
		var b byte
		for j := i; j < min(i+8, t.blocks); j++ {
			if t.gone[j] {
				b |= 1 << (j - i)
			}
		}
		dst = append(dst, b)
	}
	return dst
}

// RestoreState brings the terrain to what AppendState wrote. Bytes of a
// terrain with another number of blocks are refused and change nothing.
func (t *Terrain) RestoreState(b []byte) error {
	want := 12 + (t.blocks+7)/8
	if len(b) != want || binary.LittleEndian.Uint32(b[8:]) != uint32(t.blocks) {
		return fmt.Errorf("terrain: state of %d bytes is not of this %s terrain, which has %d", len(b), t.spec.Kind, want)
	}
	if rest := t.blocks % 8; rest != 0 && b[want-1]>>rest != 0 {
		return fmt.Errorf("terrain: state removes blocks beyond the %d of this %s terrain", t.blocks, t.spec.Kind)
	}
	t.version = binary.LittleEndian.Uint64(b)
	for i := range t.blocks {
		t.gone[i] = b[12+i/8]>>(i%8)&1 == 1
	}
	return nil
}
