package dxl2

import (
	"bytes"
	"testing"

	"legctl/drivers/servo"
)

// TestStuffing sends and reads back bytes full of headers.
func TestStuffing(t *testing.T) {
	for _, data := range [][]byte{
		{0xFF, 0xFF, 0xFD},
		{0xFF, 0xFF, 0xFD, 0xFD},
		{0xFF, 0xFF, 0xFF, 0xFD, 0xFF, 0xFF, 0xFD, 0x00},
		{0xFD, 0xFF, 0xFD, 0xFF, 0xFF, 0xFD},
		bytes.Repeat([]byte{0xFF, 0xFF, 0xFD}, 40),
	} {
		raw := closeFrame(append(open(nil, 7, statusOf), append([]byte{0}, data...)...), 0)
		if i := bytes.Index(raw[ahead:], []byte{0xFF, 0xFF, 0xFD, 0x00}); i >= 0 {
			t.Errorf("%x: a header inside the frame", raw)
		}
		var p Parser
		p.ExpectOne(7, len(data), nil)
		if !p.Feed(raw) || p.Finish().Class != servo.None || !bytes.Equal(p.Reply().Params, data) {
			t.Errorf("%x: got %+v", data, p.Reply())
		}
	}
}

func TestIndirect(t *testing.T) {
	data, err := AppendIndirect(nil, []Span{{Addr: RegPresentCurrent, Len: 2}, {Addr: RegPresentPosition, Len: 4}})
	if err != nil || !bytes.Equal(data, []byte{126, 0, 127, 0, 132, 0, 133, 0, 134, 0, 135, 0}) {
		t.Errorf("%v, %v", data, err)
	}
	if _, err := AppendIndirect(nil, []Span{{Addr: 0, Len: 29}}); err == nil {
		t.Error("29 registers were not refused")
	}
}

func TestWatchdog(t *testing.T) {
	for _, c := range []struct {
		seconds float64
		want    byte
		ok      bool
	}{{0, 0, true}, {0.001, 1, true}, {0.02, 1, true}, {0.5, 25, true}, {2.54, 127, true}, {2.55, 0, false}, {-1, 0, false}} {
		if got, err := Watchdog(c.seconds); got != c.want || (err == nil) != c.ok {
			t.Errorf("%v s: got %d, %v", c.seconds, got, err)
		}
	}
}

// TestFastPartOfAnother: a merged reply in another order than asked gives no
// servo the data of another.
func TestFastPartOfAnother(t *testing.T) {
	raw := []byte{0xFF, 0xFF, 0xFD, 0, 0xFE, 13, 0, statusOf, 0, 3, 0xAA, 1, 2, 0, 9, 0xBB}
	crc := CRC16(raw)
	raw = append(raw, byte(crc), byte(crc>>8))
	raw[5] = byte(len(raw) - ahead)
	crc = CRC16(raw[:len(raw)-2])
	raw[len(raw)-2], raw[len(raw)-1] = byte(crc), byte(crc>>8)
	var p Parser
	p.ExpectFast([]Span{{3, 146, 1}, {7, 146, 1}}, nil)
	p.Feed(raw)
	if f := p.Finish(); f.Class != servo.Partial {
		t.Errorf("got %v", f)
	}
	r := p.Replies()
	if r[0].Params[0] != 0xAA || r[1].Fault.Class != servo.WrongID || r[1].Params != nil {
		t.Errorf("got %+v", r)
	}
}

func group18(t testing.TB) (ids, data []byte) {
	t.Helper()
	for i := range byte(18) {
		ids = append(ids, i+1)
		var err error
		if data, err = AppendNumber(data, -131073, 4); err != nil {
			t.Fatal(err)
		}
	}
	return ids, data
}

func TestGroupsAllocateNothing(t *testing.T) {
	ids, data := group18(t)
	buf := make([]byte, 0, 512)
	var p Parser
	n := testing.AllocsPerRun(100, func() {
		if _, err := AppendSyncWrite(buf, RegGoalPosition, 4, ids, data); err != nil {
			t.Fatal(err)
		}
		req, err := AppendSyncRead(buf, RegPresentPosition, 4, ids)
		if err != nil {
			t.Fatal(err)
		}
		p.ExpectGroup(ids, 4, nil)
		p.Feed(req)
		p.Finish()
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSyncWrite18(b *testing.B) {
	ids, data := group18(b)
	for i := range data {
		data[i] = byte(i % 4)
	}
	buf := make([]byte, 0, 512)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := AppendSyncWrite(buf, RegGoalPosition, 4, ids, data); err != nil {
			b.Fatal(err)
		}
	}
}
