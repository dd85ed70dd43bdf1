package record_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"legctl/record"
)

// FuzzRepair: whatever is repaired is whole afterwards, holds as many records as
// it says, and repairing it again does nothing.
func FuzzRepair(f *testing.F) {
	whole := long(f, 90)
	c := firstChunk(whole)
	f.Add(whole[:len(whole)*2/3])
	f.Add(whole[:c+30])
	for _, at := range []int{c + 1, len(whole) / 2, len(whole) - 30} {
		b := bytes.Clone(whole)
		b[at] ^= 0x41
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var out bytes.Buffer
		done, err := record.Repair(&out, bytes.NewReader(b))
		if err != nil || done.Whole {
			return
		}
		r, err := record.NewReader(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		n := uint64(0)
		for ; err == nil; n++ {
			_, err = r.Next()
		}
		if gaps := n - 1 - done.Records; !errors.Is(err, io.EOF) || n-1 < done.Records || gaps > uint64(len(done.Faults)) {
			t.Errorf("%d records, %+v, %v", n-1, done, err)
		}
		if again, err := record.Repair(io.Discard, bytes.NewReader(out.Bytes())); err != nil || !again.Whole {
			t.Errorf("again: %+v, %v", again, err)
		}
	})
}
