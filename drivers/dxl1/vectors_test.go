package dxl1

import (
	"bytes"
	"slices"
	"testing"

	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
)

type args struct {
	ID, Addr, Len byte
	Echo          bool
	Data          servotest.Hex
	Words         []uint16
	As            *struct {
		SignBit uint `json:"sign_bit"`
	}
	Blocks []struct {
		ID    byte
		Data  servotest.Hex
		Words []uint16
	}
	Items []Span
}

func words(data []byte, ws []uint16) []byte {
	for _, w := range ws {
		data = AppendWord(data, w)
	}
	return data
}

func encode(t *testing.T, op string, a args) ([]byte, error) {
	data := words(a.Data, a.Words)
	switch op {
	case "ping":
		return AppendPing(nil, a.ID)
	case "read":
		return AppendRead(nil, a.ID, a.Addr, a.Len)
	case "write":
		return AppendWrite(nil, a.ID, a.Addr, data...)
	case "reg_write":
		return AppendRegWrite(nil, a.ID, a.Addr, data...)
	case "action":
		return AppendAction(nil), nil
	case "factory_reset":
		return AppendFactoryReset(nil, a.ID)
	case "sync_write":
		var ids, all []byte
		size := 0
		for i, b := range a.Blocks {
			d := words(b.Data, b.Words)
			ids, all = append(ids, b.ID), append(all, d...)
			if i == 0 {
				size = len(d)
			}
		}
		return AppendSyncWrite(nil, a.Addr, size, ids, all)
	case "bulk_read":
		return AppendBulkRead(nil, a.Items)
	}
	t.Fatalf("operation %q is not tested", op)
	return nil, nil
}

func TestVectors(t *testing.T) {
	var p Parser
	servotest.Exchange[args]{Protocol: "dxl1", Encode: encode,
		Expect: func(_ *testing.T, v servotest.Vector, a args, tx []byte) servo.Answer {
			echo := servotest.EchoOf(a.Echo, tx)
			switch v.Operation {
			case "bulk_read":
				p.ExpectBulk(a.Items, echo)
			case "read":
				p.ExpectOne(a.ID, int(a.Len), echo)
			default:
				p.ExpectOne(a.ID, 0, echo)
			}
			return &p
		},
		Check: func(t *testing.T, v servotest.Vector, a args, f servo.Fault) {
			servotest.WantReplies(t, v, p.Replies())
			if f.Class == servo.DeviceError && !slices.Equal(ErrorFlags(p.Reply().Status), v.Error.Flags) {
				t.Fatalf("flags %q, want %q", ErrorFlags(p.Reply().Status), v.Error.Flags)
			}
			if a.As != nil {
				w, ok := Word(p.Reply().Params)
				got := int(w)
				if a.As.SignBit != 0 {
					got = servo.Sign(w, a.As.SignBit)
				}
				servotest.WantNumber(t, v, "value", got, ok)
			}
		},
	}.Run(t)
}

// group18 is one goal for each of 18 servos.
func group18() (ids, data []byte) {
	for i := range byte(18) {
		ids, data = append(ids, i+1), AppendWord(data, 512)
	}
	return ids, data
}

func TestGroupWriteAllocatesNothing(t *testing.T) {
	ids, data := group18()
	buf := make([]byte, 0, 256)
	n := testing.AllocsPerRun(100, func() {
		out, err := AppendSyncWrite(buf, RegGoalPosition, 2, ids, data)
		if err != nil || len(out) != SyncWriteCost(18, 2).Tx {
			t.Fatalf("%d bytes, %v", len(out), err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestReadAllocatesNothing(t *testing.T) {
	rx := []byte{0xFF, 0xFF, 1, 4, 0, 0, 2, 0xF8}
	var p Parser
	n := testing.AllocsPerRun(100, func() {
		p.ExpectOne(1, 2, nil)
		if !p.Feed(rx) || p.Finish().Class != servo.None || !bytes.Equal(p.Reply().Params, rx[5:7]) {
			t.Fatal("no reply")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSyncWrite18(b *testing.B) {
	ids, data := group18()
	buf := make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := AppendSyncWrite(buf, RegGoalPosition, 2, ids, data); err != nil {
			b.Fatal(err)
		}
	}
}
