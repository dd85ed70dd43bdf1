package socket

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func TestRecords(t *testing.T) {
	for _, c := range []struct {
		name string
		r    Request
		want string
	}{
		{"write", Request{Op: OpTransfer, Bus: 1, Address: 0x41, Data: []byte{0, 0x10}}, "\x07\x00t\x01\x41\x00\x00\x00\x10"},
		{"read a register", Request{Op: OpTransfer, Address: 0x68, Read: 14, Data: []byte{0x3B}}, "\x06\x00t\x00\x68\x0e\x00\x3b"},
		{"pin", Request{Op: OpRead, Read: 1, Data: []byte("15")}, "\x07\x00r\x00\x00\x01\x0015"},
		{"level", Request{Op: OpWrite, Level: 1, Data: []byte("7")}, "\x06\x00w\x01\x00\x00\x007"},
	} {
		got, err := AppendRequest(nil, &c.r)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
		for cut := range got {
			if _, n, err := ParseRequest(got[:cut]); n != 0 || err != nil {
				t.Errorf("%s cut at %d: %d, %v", c.name, cut, n, err)
			}
		}
		back, n, err := ParseRequest(append(got, "next"...))
		if err != nil || n != len(got) || !reflect.DeepEqual(back, c.r) {
			t.Errorf("%s: back %+v, %d bytes, %v", c.name, back, n, err)
		}
	}
}

func TestRepliesAreCutToSize(t *testing.T) {
	out := AppendReply(nil, Reply{Failed, bytes.Repeat([]byte("x"), 2*Most)})
	r, n, err := ParseReply(out)
	if err != nil || n != len(out) || len(r.Data) != Most || r.Status != Failed {
		t.Errorf("%d bytes of %d, %v", len(r.Data), n, err)
	}
}

func TestRefused(t *testing.T) {
	request := func(r Request) error { _, err := AppendRequest(nil, &r); return err }
	parse := func(s string) error { _, _, err := ParseRequest([]byte(s)); return err }
	reply := func(s string) error { _, _, err := ParseReply([]byte(s)); return err }
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"too much to write", request(Request{Op: OpTransfer, Data: make([]byte, Most+1)}), "1025 bytes to write"},
		{"too much to read", request(Request{Op: OpTransfer, Read: Most + 1}), "1025 to read"},
		{"less than nothing", request(Request{Op: OpTransfer, Read: -1}), "-1 to read"},
		{"no operation", request(Request{Op: 'x'}), "want t, r or w"},
		{"short record", parse("\x04\x00tttt"), "a record of 4 bytes"},
		{"long record", parse("\xff\xff"), "a record of 65535 bytes"},
		{"unknown operation", parse("\x05\x00x\x00\x00\x00\x00"), "want t, r or w"},
		{"much to read", parse("\x05\x00t\x00\x00\xff\xff"), "65535 bytes to read"},
		{"empty reply", reply("\x00\x00"), "a record of 0 bytes"},
		{"unknown status", reply("\x01\x00\x09"), "status 9"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, c.err, c.want)
		}
	}
}

// FuzzRecords: whatever comes, nothing beyond it is taken, and what is taken is
// what would be sent.
func FuzzRecords(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, n, err := ParseRequest(b); err == nil && n > 0 {
			out, err := AppendRequest(nil, &r)
			if r.Op != OpTransfer {
				b[4] = 0 // pins have no second number
			}
			if err != nil || !bytes.Equal(out, b[:n]) {
				t.Errorf("%x was read as %+v, sent as %x, %v", b[:n], r, out, err)
			}
		}
		if r, n, err := ParseReply(b); err == nil && n > 0 {
			if out := AppendReply(nil, r); !bytes.Equal(out, b[:n]) {
				t.Errorf("%x was read as %+v, sent as %x", b[:n], r, out)
			}
		}
	})
}
