package dxl1

import (
	"bytes"
	"fmt"
	"testing"

	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
)

func FuzzParser(f *testing.F) {
	servotest.FuzzChunks(f, func(t *testing.T, b []byte, chunks ...[]byte) string {
		var one, group Parser
		one.ExpectOne(1, 2, nil)
		group.ExpectBulk([]Span{{ID: 1, Addr: 30, Len: 2}, {ID: 2, Addr: 36, Len: 1}}, nil)
		for _, c := range chunks {
			one.Feed(c)
			group.Feed(c)
		}
		fault, partial := one.Finish(), group.Finish()
		for _, r := range append(group.Replies(), one.Reply()) {
			if !r.Fault.HasData() {
				continue
			}
			frame := servo.SumFrame{Header: 0xFF, Ahead: 4}.Append(nil, r.ID, r.Status, r.Params...)
			if !bytes.Contains(b, frame) {
				t.Errorf("%+v was never sent", r)
			}
		}
		return fmt.Sprint(fault, partial, one.Reply(), group.Replies(), one.Counts, group.Counts)
	})
}
