package feetech

import (
	"bytes"
	"fmt"
	"testing"

	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
)

func FuzzParser(f *testing.F) {
	req, err := STS.AppendRead(nil, 1, RegPresentPosition, 2)
	if err != nil {
		f.Fatal(err)
	}
	servotest.FuzzChunks(f, func(t *testing.T, b []byte, chunks ...[]byte) string {
		var echoed, group Parser
		echoed.ExpectOne(1, 2, req)
		group.ExpectGroup([]byte{1, 2, 3}, 2, nil)
		for _, c := range chunks {
			echoed.Feed(c)
			group.Feed(c)
		}
		fault, partial := echoed.Finish(), group.Finish()
		if echoed.Reply().Fault.HasData() && !bytes.HasPrefix(b, req) {
			t.Error("a reply without the echo")
		}
		for _, r := range group.Replies() {
			if r.Fault.HasData() && !bytes.Contains(b, servo.SumFrame{Header: 0xFF, Ahead: 4}.Append(nil, r.ID, r.Status, r.Params...)) {
				t.Errorf("%+v was never sent", r)
			}
		}
		return fmt.Sprint(fault, partial, echoed.Reply(), group.Replies(), echoed.Counts, group.Counts)
	})
}
