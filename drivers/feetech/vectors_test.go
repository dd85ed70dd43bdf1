package feetech

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
	IDs           []int
	As            *struct {
		SignBit uint `json:"sign_bit"`
	}
	Blocks []struct {
		ID    byte
		Data  servotest.Hex
		Words []uint16
	}
	Value int
	Bit   uint
}

func (a args) ids() []byte {
	var out []byte
	for _, id := range a.IDs {
		out = append(out, byte(id))
	}
	return out
}

func (s Series) words(data []byte, ws []uint16) []byte {
	for _, w := range ws {
		data = s.AppendWord(data, w)
	}
	return data
}

func encode(t *testing.T, s Series, op string, a args) ([]byte, error) {
	data := s.words(a.Data, a.Words)
	switch op {
	case "ping":
		return s.AppendPing(nil, a.ID)
	case "read":
		return s.AppendRead(nil, a.ID, a.Addr, a.Len)
	case "write":
		return s.AppendWrite(nil, a.ID, a.Addr, data...)
	case "reg_write":
		return s.AppendRegWrite(nil, a.ID, a.Addr, data...)
	case "action":
		return s.AppendAction(nil), nil
	case "factory_reset":
		return s.AppendFactoryReset(nil, a.ID)
	case "sync_write":
		var ids, all []byte
		size := 0
		for i, b := range a.Blocks {
			d := s.words(b.Data, b.Words)
			ids, all = append(ids, b.ID), append(all, d...)
			if i == 0 {
				size = len(d)
			}
		}
		return s.AppendSyncWrite(nil, a.Addr, size, ids, all)
	case "sync_read":
		return s.AppendSyncRead(nil, a.Addr, a.Len, a.ids())
	case "sign_magnitude":
		raw, err := SignMagnitude(a.Value, a.Bit)
		if err != nil {
			return nil, err
		}
		return s.AppendWord(nil, raw), nil
	}
	t.Fatalf("operation %q is not tested", op)
	return nil, nil
}

func TestVectors(t *testing.T) {
	for _, s := range []Series{STS, SCS} {
		testSeries(t, s)
	}
}

func testSeries(t *testing.T, s Series) {
	var p Parser
	servotest.Exchange[args]{Protocol: s.String(),
		Encode: func(t *testing.T, op string, a args) ([]byte, error) {
			tx, err := encode(t, s, op, a)
			if raw, ok := s.Word(tx); op == "sign_magnitude" && err == nil && (!ok || servo.Sign(raw, a.Bit) != a.Value) {
				t.Fatalf("read back as %d", servo.Sign(raw, a.Bit))
			}
			return tx, err
		},
		Expect: func(_ *testing.T, v servotest.Vector, a args, tx []byte) servo.Answer {
			echo := servotest.EchoOf(a.Echo, tx)
			switch v.Operation {
			case "sync_read":
				p.ExpectGroup(a.ids(), int(a.Len), echo)
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
				w, ok := s.Word(p.Reply().Params)
				got := int(w)
				if a.As.SignBit != 0 {
					got = servo.Sign(w, a.As.SignBit)
				}
				servotest.WantNumber(t, v, "value", got, ok)
			}
		},
	}.Run(t)
}

// group18 is goal, time and speed for each of 18 servos.
func group18() (ids, data []byte) {
	for i := range byte(18) {
		ids, data = append(ids, i+1), STS.words(data, []uint16{2048, 20, 1000})
	}
	return ids, data
}

func TestGroupWriteAllocatesNothing(t *testing.T) {
	ids, data := group18()
	buf := make([]byte, 0, 256)
	n := testing.AllocsPerRun(100, func() {
		out, err := STS.AppendSyncWrite(buf, RegGoalPosition, 6, ids, data)
		if err != nil || len(out) != SyncWriteCost(18, 6).Tx {
			t.Fatalf("%d bytes, %v", len(out), err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestSeriesDifferInByteOrder: 1023 sent to an SCS in the order of an STS reads
// 65283, a public report; the order belongs to the series.
func TestSeriesDifferInByteOrder(t *testing.T) {
	if got := SCS.AppendWord(nil, 1023); !bytes.Equal(got, []byte{3, 255}) {
		t.Errorf("SCS: %v", got)
	}
	if w, ok := STS.Word(SCS.AppendWord(nil, 1023)); !ok || w != 65283 {
		t.Errorf("read in the other order: %v", w)
	}
}

func BenchmarkSyncWrite18(b *testing.B) {
	ids, data := group18()
	buf := make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := STS.AppendSyncWrite(buf, RegGoalPosition, 6, ids, data); err != nil {
			b.Fatal(err)
		}
	}
}
