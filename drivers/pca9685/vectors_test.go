package pca9685

import (
	"math"
	"testing"

	"legctl/drivers/servo/servotest"
)

type args struct {
	FreqHz   float64 `json:"freq_hz"`
	OscHz    float64 `json:"osc_hz"`
	US       float64
	Ch, N    int
	Prescale byte
	Boards   []int
}

type decoded struct {
	Prescale byte
	ActualHz float64 `json:"actual_hz"`
	Ticks    int
	Address  byte
	Channel  byte
}

// run carries out a case and returns the bytes and the derived numbers.
func run(t *testing.T, op string, a args) (tx []byte, d decoded, err error) {
	if a.OscHz == 0 {
		a.OscHz = NominalHz
	}
	switch op {
	case "prescale":
		if d.Prescale, err = Prescale(a.FreqHz, a.OscHz); err == nil {
			d.ActualHz = math.Round(1e4*ActualHz(d.Prescale, a.OscHz)) / 1e4
		}
	case "set_pulse":
		if d.Ticks, err = Ticks(a.US, a.Prescale, a.OscHz); err == nil {
			tx, err = AppendPulse(nil, a.Ch, 0, d.Ticks)
		}
	case "locate":
		var boards []byte
		for _, b := range a.Boards {
			boards = append(boards, byte(b))
		}
		d.Address, d.Channel, err = Locate(a.N, boards)
	default:
		t.Fatalf("operation %q is not tested", op)
	}
	return tx, d, err
}

func TestVectors(t *testing.T) {
	for _, v := range servotest.Vectors(t, "pca9685") {
		t.Run(v.ID, func(t *testing.T) {
			var a args
			servotest.Decode(t, v.Args, &a)
			tx, got, err := run(t, v.Operation, a)
			servotest.WantTx(t, v, tx, err)
			var want decoded
			servotest.Decode(t, v.Decoded, &want)
			if err == nil && got != want {
				t.Fatalf("got %+v, want %+v", got, want)
			}
		})
	}
}
