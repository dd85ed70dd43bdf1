package firmata

import (
	"testing"

	"legctl/drivers/servo/servotest"
)

type args struct {
	Pin, US, Deg int
	Min          int `json:"min_us"`
	Max          int `json:"max_us"`
}

func encode(t *testing.T, op string, a args) ([]byte, error) {
	switch op {
	case "servo_config":
		return AppendServoConfig(nil, a.Pin, a.Min, a.Max)
	case "servo_write_us":
		return AppendMicros(nil, a.Pin, a.US)
	case "servo_write_deg":
		return AppendDegrees(nil, a.Pin, a.Deg)
	case "pin_mode_servo":
		return AppendPinMode(nil, a.Pin)
	}
	t.Fatalf("operation %q is not tested", op)
	return nil, nil
}

func TestVectors(t *testing.T) {
	for _, v := range servotest.Vectors(t, "firmata") {
		t.Run(v.ID, func(t *testing.T) {
			var a args
			servotest.Decode(t, v.Args, &a)
			tx, err := encode(t, v.Operation, a)
			servotest.WantTx(t, v, tx, err)
		})
	}
}

// TestDataBytesStaySevenBits: a client that puts a pin above 15 into the command
// byte sends the start of another message.
func TestDataBytesStaySevenBits(t *testing.T) {
	for pin := 0; pin <= MaxPin; pin++ {
		out, err := AppendMicros(nil, pin, MostUS)
		if err != nil || len(out) != WriteCost(pin).Tx {
			t.Fatalf("pin %d: %x, %v", pin, out, err)
		}
		for i, b := range out {
			if b >= 0x80 && i != 0 && (i != len(out)-1 || b != sysexEnd) {
				t.Fatalf("pin %d: %x", pin, out)
			}
		}
	}
}

func TestWritesAllocateNothing(t *testing.T) {
	buf := make([]byte, 0, 128)
	n := testing.AllocsPerRun(100, func() {
		out := buf
		for pin := 2; pin < 20; pin++ {
			var err error
			if out, err = AppendMicros(out, pin, 1500); err != nil {
				t.Fatal(err)
			}
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkWrites18(b *testing.B) {
	buf := make([]byte, 0, 128)
	b.ReportAllocs()
	for b.Loop() {
		out := buf
		for pin := 2; pin < 20; pin++ {
			var err error
			if out, err = AppendMicros(out, pin, 1500); err != nil {
				b.Fatal(err)
			}
		}
	}
}
