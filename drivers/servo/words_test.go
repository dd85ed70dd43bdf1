package servo_test

import (
	"bytes"
	"testing"

	"legctl/drivers/servo"

	"pgregory.net/rapid"
)

// TestSyncWordsIsSyncWrite: the one-pass frame has the bytes of the general one,
// and is refused where that is.
func TestSyncWordsIsSyncWrite(t *testing.T) {
	regs := servo.Registers{Protocol: "test", MaxID: 253}
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.Byte(), 0, 90).Draw(t, "ids")
		words := rapid.SliceOfN(rapid.Uint16(), len(ids), len(ids)).Draw(t, "words")
		addr, big := rapid.Byte().Draw(t, "addr"), rapid.Bool().Draw(t, "big")
		var data []byte
		for _, w := range words {
			lo, hi := byte(w), byte(w>>8)
			if big {
				lo, hi = hi, lo
			}
			data = append(data, lo, hi)
		}
		before := []byte{1, 2}
		want, bad := regs.AppendSyncWrite(before, addr, 2, ids, data)
		got, err := regs.AppendSyncWords(before, addr, ids, words, big)
		if (err == nil) != (bad == nil) || !bytes.Equal(got, want) {
			t.Fatalf("got  %x, %v\nwant %x, %v", got, err, want, bad)
		}
	})
}
