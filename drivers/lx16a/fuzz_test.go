package lx16a

import (
	"bytes"
	"fmt"
	"testing"

	"legctl/drivers/servo/servotest"
)

func FuzzParser(f *testing.F) {
	req, err := AppendRead(nil, 1, PositionRead)
	if err != nil {
		f.Fatal(err)
	}
	servotest.FuzzChunks(f, func(t *testing.T, b []byte, chunks ...[]byte) string {
		var plain, echoed Parser
		if plain.ExpectOne(1, PositionRead, nil) != nil || echoed.ExpectOne(1, PositionRead, req) != nil {
			t.Fatal("refused")
		}
		for _, c := range chunks {
			plain.Feed(c)
			echoed.Feed(c)
		}
		verdict := fmt.Sprint(plain.Finish(), echoed.Finish())
		if r := plain.Reply(); r.Fault.HasData() && !bytes.Contains(b, Format{}.frame().Append(nil, 1, byte(PositionRead), r.Params...)) {
			t.Errorf("%+v was never sent", r)
		}
		if echoed.Reply().Fault.HasData() && !bytes.HasPrefix(b, req) {
			t.Error("a reply without the echo")
		}
		return verdict + fmt.Sprint(plain.Reply(), echoed.Reply(), plain.Counts, echoed.Counts)
	})
}
