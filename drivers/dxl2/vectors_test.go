package dxl2

import (
	"encoding/json"
	"slices"
	"testing"

	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
)

type args struct {
	ID        byte
	Addr, Len uint16
	Echo      bool
	Data      servotest.Hex
	Value     *int64
	Size      int
	Option    byte
	IDs       []int
	ExpectIDs []int `json:"expect_ids"`
	As        json.RawMessage
	Blocks    []struct {
		ID    byte
		Value int64
	}
	Items []struct {
		ID   byte
		Addr uint16
		Len  uint16
		Data servotest.Hex
	}
}

func octets(v []int) []byte {
	var out []byte
	for _, x := range v {
		out = append(out, byte(x))
	}
	return out
}

// spans are the parts of the register tables a group read asks for.
func (a args) spans() (out []Span) {
	for _, x := range a.Items {
		out = append(out, Span{x.ID, x.Addr, max(x.Len, uint16(len(x.Data)))})
	}
	for _, id := range a.IDs {
		out = append(out, Span{byte(id), a.Addr, a.Len})
	}
	return out
}

func encode(t *testing.T, op string, a args) ([]byte, error) {
	data := []byte(a.Data)
	if a.Value != nil {
		var err error
		if data, err = AppendNumber(data, *a.Value, a.Size); err != nil {
			return nil, err
		}
	}
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
		return AppendAction(nil, a.ID)
	case "factory_reset":
		return AppendFactoryReset(nil, a.ID, ResetOption(a.Option))
	case "reboot":
		return AppendReboot(nil, a.ID)
	case "clear_multi_turn":
		return AppendClearMultiTurn(nil, a.ID)
	}
	return encodeGroup(t, op, a)
}

func encodeGroup(t *testing.T, op string, a args) ([]byte, error) {
	var ids, data []byte
	for _, b := range a.Blocks {
		ids = append(ids, b.ID)
		var err error
		if data, err = AppendNumber(data, b.Value, a.Size); err != nil {
			return nil, err
		}
	}
	for _, x := range a.Items {
		data = append(data, x.Data...)
	}
	switch op {
	case "sync_write":
		return AppendSyncWrite(nil, a.Addr, a.Size, ids, data)
	case "sync_read":
		return AppendSyncRead(nil, a.Addr, a.Len, octets(a.IDs))
	case "fast_sync_read":
		return AppendFastSyncRead(nil, a.Addr, a.Len, octets(a.IDs))
	case "bulk_read":
		return AppendBulkRead(nil, a.spans())
	case "fast_bulk_read":
		return AppendFastBulkRead(nil, a.spans())
	case "bulk_write":
		return AppendBulkWrite(nil, a.spans(), data)
	}
	t.Fatalf("operation %q is not tested", op)
	return nil, nil
}

func expect(p *Parser, op string, a args, echo []byte) {
	switch {
	case op == "fast_sync_read" || op == "fast_bulk_read":
		p.ExpectFast(a.spans(), echo)
	case op == "sync_read" || op == "bulk_read":
		p.ExpectBulk(a.spans(), echo)
	case a.ExpectIDs != nil:
		p.ExpectGroup(octets(a.ExpectIDs), 3, echo)
	case op == "ping":
		p.ExpectOne(a.ID, 3, echo)
	case op == "read":
		p.ExpectOne(a.ID, int(a.Len), echo)
	default:
		p.ExpectOne(a.ID, 0, echo)
	}
}

func TestVectors(t *testing.T) {
	var p Parser
	servotest.Exchange[args]{Protocol: "dxl2", Encode: encode,
		Expect: func(_ *testing.T, v servotest.Vector, a args, tx []byte) servo.Answer {
			expect(&p, v.Operation, a, servotest.EchoOf(a.Echo, tx))
			return &p
		},
		Check: func(t *testing.T, v servotest.Vector, a args, _ servo.Fault) {
			servotest.WantReplies(t, v, p.Replies())
			checkDecoded(t, v, a, p.Reply())
		},
	}.Run(t)
}

// checkDecoded compares what the parameters and the error byte mean.
func checkDecoded(t *testing.T, v servotest.Vector, a args, r servo.Reply) {
	t.Helper()
	if r.Fault.Class == servo.DeviceError {
		if name, alert := ErrorName(r.Status); name != v.Error.Name || alert != v.Error.Alert || int(r.Status&0x7F) != v.Error.Number {
			t.Fatalf("got %q %v, want %+v", name, alert, v.Error)
		}
	}
	if string(a.As) == `"hw_error"` {
		var want struct {
			HW []string `json:"hw_error"`
		}
		servotest.Decode(t, v.Decoded, &want)
		if got := HardwareErrors(r.Params[0]); !slices.Equal(got, want.HW) {
			t.Fatalf("got %q, want %q", got, want.HW)
		}
	}
	if r.Params == nil {
		return
	}
	n, ok := Signed(r.Params)
	servotest.WantNumber(t, v, "value", n, ok)
	if v.Operation == "ping" {
		servotest.WantNumber(t, v, "model", int(r.Params[0])|int(r.Params[1])<<8, true)
		servotest.WantNumber(t, v, "firmware", int(r.Params[2]), true)
	}
}
