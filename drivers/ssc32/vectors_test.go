package ssc32

import (
	"encoding/json"
	"testing"

	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
)

type args struct {
	Servos       []struct{ Ch, US, Speed int }
	TimeMS       int `json:"time_ms"`
	Offsets      []struct{ Ch, US int }
	Channels     []int
	Ch, Register int
}

func encode(t *testing.T, op string, a args) ([]byte, error) {
	switch op {
	case "move":
		var moves []Move
		for _, s := range a.Servos {
			moves = append(moves, Move{s.Ch, s.US, s.Speed})
		}
		return AppendMove(nil, moves, a.TimeMS)
	case "offset":
		var trims []Trim
		for _, o := range a.Offsets {
			trims = append(trims, Trim{o.Ch, o.US})
		}
		return AppendTrim(nil, trims)
	case "query_moving":
		return AppendQueryMoving(nil), nil
	case "query_pulse":
		return AppendQueryPulse(nil, a.Ch)
	case "version":
		return AppendVersion(nil), nil
	case "off":
		return AppendOff(nil, a.Channels)
	case "stop":
		return AppendStop(nil, a.Ch)
	case "read_register":
		return AppendReadRegister(nil, a.Register)
	}
	t.Fatalf("operation %q is not tested", op)
	return nil, nil
}

func expect(p *Parser, op string) {
	switch op {
	case "query_moving":
		p.ExpectMoving()
	case "query_pulse":
		p.ExpectPulse()
	default:
		p.ExpectText()
	}
}

func TestVectors(t *testing.T) {
	var p Parser
	servotest.Exchange[args]{Protocol: "ssc32", Encode: encode,
		Expect: func(_ *testing.T, v servotest.Vector, _ args, _ []byte) servo.Answer {
			expect(&p, v.Operation)
			return &p
		},
		Check: func(t *testing.T, v servotest.Vector, _ args, _ servo.Fault) { checkDecoded(t, v, &p) },
	}.Run(t)
}

func checkDecoded(t *testing.T, v servotest.Vector, p *Parser) {
	t.Helper()
	var want struct {
		Moving *bool
		US     []int
		Text   *string
	}
	servotest.Decode(t, v.Decoded, &want)
	if want.Moving != nil && *want.Moving != p.Moving() {
		t.Fatalf("moving: got %v", p.Moving())
	}
	if len(want.US) > 0 && want.US[0] != p.PulseUS() {
		t.Fatalf("pulse: got %v, want %v", p.PulseUS(), want.US)
	}
	if want.Text == nil {
		return
	}
	if string(p.Text()) != *want.Text {
		t.Fatalf("text: got %q, want %q", p.Text(), *want.Text)
	}
	var n int
	if err := json.Unmarshal([]byte(*want.Text), &n); err == nil {
		if got, ok := p.Number(); !ok || got != n {
			t.Fatalf("number: got %v (%v), want %v", got, ok, n)
		}
	}
}

// TestSurplusIsNoAnswer: a byte too many means that something late came first.
func TestSurplusIsNoAnswer(t *testing.T) {
	var p Parser
	p.ExpectPulse()
	servotest.Splits([]byte{'.', 150}, func(chunks ...[]byte) {
		p.ExpectPulse()
		for _, c := range chunks {
			p.Feed(c)
		}
		if f := p.Finish(); f.Class != servo.BadFrame || p.PulseUS() != 0 {
			t.Fatalf("%v, %d", f, p.PulseUS())
		}
	})
}

func moves18() []Move {
	out := make([]Move, 18)
	for i := range out {
		out[i] = Move{Channel: i, US: 1500}
	}
	return out
}

func TestMoveAllocatesNothing(t *testing.T) {
	moves, buf := moves18(), make([]byte, 0, 256)
	n := testing.AllocsPerRun(100, func() {
		if out, err := AppendMove(buf, moves, 20); err != nil || len(out) != MoveCost(18, 2).Tx {
			t.Fatalf("%d bytes, %v", len(out), err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkMove18(b *testing.B) {
	moves, buf := moves18(), make([]byte, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := AppendMove(buf, moves, 20); err != nil {
			b.Fatal(err)
		}
	}
}
