package maestro

import (
	"slices"
	"testing"

	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
)

type args struct {
	Ch, First, Value int
	US               any
	Device           *byte
	CRC              bool
	Data             servotest.Hex
}

func (a args) dialect() Dialect {
	d := Dialect{CRC: a.CRC}
	if a.Device != nil {
		d.Pololu, d.Device = true, *a.Device
	}
	return d
}

func encode(t *testing.T, op string, a args) ([]byte, error) {
	d := a.dialect()
	switch op {
	case "set_target":
		q, err := QuarterUS(a.US.(float64))
		if err != nil {
			return nil, err
		}
		return d.AppendTarget(nil, a.Ch, q)
	case "set_multiple_targets":
		var all []int
		for _, us := range a.US.([]any) {
			q, err := QuarterUS(us.(float64))
			if err != nil {
				return nil, err
			}
			all = append(all, q)
		}
		return d.AppendTargets(nil, a.First, all)
	case "set_speed":
		return d.AppendSpeed(nil, a.Ch, a.Value)
	case "set_acceleration":
		return d.AppendAcceleration(nil, a.Ch, a.Value)
	case "mini_ssc":
		return AppendMiniSSC(nil, a.Ch, a.Value)
	case "crc7":
		return append(a.Data, CRC7(a.Data)), nil
	case "get_position":
		return d.AppendGetPosition(nil, a.Ch)
	case "get_moving_state":
		return d.AppendGetMoving(nil)
	case "get_errors":
		return d.AppendGetErrors(nil)
	case "go_home":
		return d.AppendGoHome(nil)
	case "baud_indication":
		return AppendDetect(nil), nil
	}
	t.Fatalf("operation %q is not tested", op)
	return nil, nil
}

func expect(p *Parser, op string) {
	switch op {
	case "get_position":
		p.ExpectPosition()
	case "get_moving_state":
		p.ExpectMoving()
	default:
		p.ExpectErrors()
	}
}

func TestVectors(t *testing.T) {
	var p Parser
	servotest.Exchange[args]{Protocol: "maestro", Encode: encode,
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
		US     float64
		Moving bool
		Flags  []string
	}
	servotest.Decode(t, v.Decoded, &want)
	servotest.WantNumber(t, v, "quarter_us", p.Quarters(), true)
	servotest.WantNumber(t, v, "register", int(p.Errors()), true)
	if float64(p.Quarters())/4 != want.US || p.Moving() != want.Moving || !slices.Equal(ErrorFlags(p.Errors()), want.Flags) {
		t.Fatalf("got %d %v %q, want %+v", p.Quarters(), p.Moving(), ErrorFlags(p.Errors()), want)
	}
}

func TestSurplusIsNoAnswer(t *testing.T) {
	var p Parser
	servotest.Splits([]byte{0x70, 0x17, 0x00}, func(chunks ...[]byte) {
		p.ExpectPosition()
		for _, c := range chunks {
			p.Feed(c)
		}
		if f := p.Finish(); f.Class != servo.BadFrame || p.Quarters() != 0 {
			t.Fatalf("%v, %d", f, p.Quarters())
		}
	})
}

func targets18() []int {
	out := make([]int, 18)
	for i := range out {
		out[i] = 6000
	}
	return out
}

func TestTargetsAllocateNothing(t *testing.T) {
	all, buf := targets18(), make([]byte, 0, 64)
	for _, d := range []Dialect{{}, {Pololu: true, Device: DefaultDevice, CRC: true}} {
		n := testing.AllocsPerRun(100, func() {
			if out, err := d.AppendTargets(buf, 0, all); err != nil || len(out) != d.TargetsCost(18).Tx {
				t.Fatalf("%d bytes, %v", len(out), err)
			}
		})
		if n != 0 {
			t.Errorf("%+v: %v allocations", d, n)
		}
	}
}

func BenchmarkTargets18(b *testing.B) {
	all, buf := targets18(), make([]byte, 0, 64)
	d := Dialect{Pololu: true, Device: DefaultDevice, CRC: true}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.AppendTargets(buf, 0, all); err != nil {
			b.Fatal(err)
		}
	}
}
