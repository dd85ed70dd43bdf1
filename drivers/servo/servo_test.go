package servo_test

import (
	"errors"
	"fmt"
	"testing"

	"legctl/drivers/servo"
)

func TestRefusals(t *testing.T) {
	r := servo.Registers{Protocol: "test", MaxID: 253}
	ids := make([]byte, 130)
	for i := range ids {
		ids[i] = byte(i)
	}
	for name, f := range map[string]func(dst []byte) ([]byte, error){
		"read of all":        func(d []byte) ([]byte, error) { return r.AppendRead(d, 254, 36, 2) },
		"read of nothing":    func(d []byte) ([]byte, error) { return r.AppendRead(d, 1, 36, 0) },
		"read past the end":  func(d []byte) ([]byte, error) { return r.AppendRead(d, 1, 255, 2) },
		"id 255":             func(d []byte) ([]byte, error) { return r.AppendPing(d, 255) },
		"reset of all":       func(d []byte) ([]byte, error) { return r.AppendReset(d, 254) },
		"write of nothing":   func(d []byte) ([]byte, error) { return r.AppendWrite(d, 1, 30) },
		"empty group":        func(d []byte) ([]byte, error) { return r.AppendSyncRead(d, 36, 2, nil) },
		"group with all":     func(d []byte) ([]byte, error) { return r.AppendSyncRead(d, 36, 2, []byte{1, 254}) },
		"id twice":           func(d []byte) ([]byte, error) { return r.AppendSyncRead(d, 36, 2, []byte{1, 1}) },
		"too many for frame": func(d []byte) ([]byte, error) { return r.AppendSyncWrite(d, 30, 1, ids, ids) },
		"no spans":           func(d []byte) ([]byte, error) { return r.AppendBulkRead(d, nil) },
		"span twice":         func(d []byte) ([]byte, error) { return r.AppendBulkRead(d, []servo.Span{{1, 1, 1}, {1, 2, 1}}) },
	} {
		out, err := f([]byte{42})
		var refused *servo.ArgError
		if !errors.As(err, &refused) || refused.Class() != servo.InvalidArg {
			t.Errorf("%s: %v", name, err)
		}
		if len(out) != 1 || out[0] != 42 {
			t.Errorf("%s: dst became %x", name, out)
		}
	}
}

// TestAppendKeepsWhatIsThere: several frames share one buffer and one write.
func TestAppendKeepsWhatIsThere(t *testing.T) {
	r := servo.Registers{Protocol: "test", MaxID: 253}
	out, err := r.AppendPing([]byte{42}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%x", r.AppendAction(out)); got != "2affff010201fbfffffe0205fa" {
		t.Error(got)
	}
}

func TestFaultInWords(t *testing.T) {
	for f, want := range map[servo.Fault]string{
		{Class: servo.Timeout}:                                "servo: timeout",
		{Class: servo.Truncated, Got: 3, Want: servo.Unknown}: "servo: truncated: 3 bytes of a frame of unknown length",
		{Class: servo.Truncated, Got: 3, Want: 8}:             "servo: truncated: 3 of 8 bytes",
		{Class: servo.Checksum, Got: 1, Want: 2}:              "servo: checksum: got 0x1, want 0x2",
		{Class: servo.BadLength, Got: 1, Want: 2}:             "servo: bad_length: 1 parameters, want 2",
		{Class: servo.WrongID, Got: 7}:                        "servo: wrong_id: a reply of 7",
		{Class: servo.DeviceError, Got: 36}:                   "servo: device_error: status 0x24",
		{Class: 200}:                                          "servo: class(200)",
	} {
		if got := f.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if !errors.Is(f.Err(), f) {
			t.Errorf("%v is not its own error", f)
		}
	}
	if err := (servo.Fault{}).Err(); err != nil {
		t.Errorf("no fault is %v", err)
	}
}

func TestSign(t *testing.T) {
	for _, c := range []struct {
		raw  uint16
		bit  uint
		want int
	}{{0x052C, 10, -300}, {0x012C, 10, 300}, {0x80FA, 15, -250}, {0x8000, 15, 0}, {0xF801, 11, -1}} {
		if got := servo.Sign(c.raw, c.bit); got != c.want {
			t.Errorf("%#x by bit %d: got %d, want %d", c.raw, c.bit, got, c.want)
		}
	}
}

// ExampleStatusParser finds a reply behind noise and a stranger's frame, as it
// trickles in.
func ExampleStatusParser() {
	var p servo.StatusParser
	p.ExpectOne(1, 2, nil)
	for _, chunk := range [][]byte{{0x00, 0xFF}, {0xFF, 2, 2, 0, 0xFB, 0xFF, 0xFF, 1}, {4, 0, 0, 2, 0xF8}} {
		if p.Feed(chunk) {
			break
		}
	}
	fmt.Println(p.Finish().Class, p.Reply().Params)
	// Output: none [0 2]
}

func TestReach(t *testing.T) {
	m, _ := servo.ModelOf("ds3218")
	for protocol, want := range map[string][2]float64{"pca9685": {500, 2500}, "firmata": {544, 2400}} {
		if least, most := m.Reach(protocol); [2]float64{least, most} != want {
			t.Errorf("%s: %g to %g, want %g", protocol, least, most, want)
		}
	}
}
