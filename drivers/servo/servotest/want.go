package servotest

import (
	"bytes"
	"encoding/json"
	"testing"

	"legctl/drivers/servo"
)

// decoded is what a case says came back: one reply, or a group.
type decoded struct {
	reply
	Replies []reply
	Missing []struct {
		ID    byte
		Class string
	}
}

type reply struct {
	ID     byte
	Status byte `json:"error_byte"`
	Params *Hex
}

// WantReplies compares what a parser found with the replies of a case, and who
// is missing and why. Cases whose decoded form has other fields are left to the
// caller.
func WantReplies(t testing.TB, v Vector, got []servo.Reply) {
	t.Helper()
	var want decoded
	Decode(t, v.Decoded, &want)
	if string(v.Decoded) == "null" {
		for _, r := range got {
			if r.Fault.HasData() {
				t.Fatalf("%+v, want no data", r)
			}
		}
		return
	}
	if want.Params != nil {
		want.Replies = []reply{want.reply}
	}
	group(t, want, got)
}

// group compares the replies that came with those asked, then those missing.
func group(t testing.TB, want decoded, got []servo.Reply) {
	t.Helper()
	for _, r := range got {
		switch {
		case r.Fault.HasData() && len(want.Replies) > 0:
			w := want.Replies[0]
			if r.ID != w.ID || r.Status != w.Status || !bytes.Equal(r.Params, *w.Params) {
				t.Fatalf("got %+v, want id %d status %d %x", r, w.ID, w.Status, *w.Params)
			}
			want.Replies = want.Replies[1:]
		case !r.Fault.HasData() && len(want.Missing) > 0:
			if w := want.Missing[0]; r.ID != w.ID || r.Fault.Class.String() != w.Class {
				t.Fatalf("got %+v, want %d missing by %s", r, w.ID, w.Class)
			}
			want.Missing = want.Missing[1:]
		default:
			t.Fatalf("got %+v, which the case does not have", r)
		}
	}
	if len(want.Replies)+len(want.Missing) > 0 {
		t.Fatalf("not found: %+v %+v", want.Replies, want.Missing)
	}
}

// WantNumber compares one decoded number of a case, if the case has it.
func WantNumber(t testing.TB, v Vector, name string, got int, ok bool) {
	t.Helper()
	var fields map[string]json.RawMessage
	Decode(t, v.Decoded, &fields)
	raw, has := fields[name]
	if !has {
		return
	}
	var want int
	Decode(t, raw, &want)
	if !ok || got != want {
		t.Fatalf("%s: got %d (%v), want %d", name, got, ok, want)
	}
}
