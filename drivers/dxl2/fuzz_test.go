package dxl2

import (
	"bytes"
	"fmt"
	"testing"

	"legctl/drivers/servo/servotest"
)

func FuzzParser(f *testing.F) {
	spans := []Span{{3, RegPresentPosition, 4}, {7, RegPresentTemp, 1}}
	servotest.FuzzChunks(f, func(t *testing.T, b []byte, chunks ...[]byte) string {
		var one, group, fast Parser
		one.ExpectOne(1, 4, nil)
		group.ExpectBulk(spans, nil)
		fast.ExpectFast(spans, nil)
		for _, c := range chunks {
			one.Feed(c)
			group.Feed(c)
			fast.Feed(c)
		}
		verdict := fmt.Sprint(one.Finish(), group.Finish(), fast.Finish())
		for _, r := range append(group.Replies(), one.Reply()) {
			if !r.Fault.HasData() {
				continue
			}
			frame := append(open(nil, r.ID, statusOf), r.Status)
			frame = closeFrame(append(frame, r.Params...), 0)
			stuffed := bytes.Contains(frame[ahead:], []byte{0xFF, 0xFF, 0xFD})
			if !stuffed && !bytes.Contains(b, frame) {
				t.Errorf("%+v was never sent", r)
			}
		}
		return verdict + fmt.Sprint(one.Reply(), group.Replies(), fast.Replies(), one.Counts, group.Counts, fast.Counts)
	})
}

// FuzzStuffing: what is stuffed comes back, and hides every header.
func FuzzStuffing(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > MaxParams {
			return
		}
		out := stuff(append([]byte{statusOf}, data...), 0)
		if bytes.Contains(out, []byte{0xFF, 0xFF, 0xFD, 0}) {
			t.Errorf("%x holds a header", out)
		}
		if got := unstuff(out); !bytes.Equal(got[1:], data) {
			t.Errorf("got %x, want %x", got[1:], data)
		}
	})
}
