package servotest_test

import (
	"bytes"
	"fmt"
	"testing"

	"legctl/drivers/servo"
	"legctl/drivers/servo/servotest"
)

// bank is the far end of two servos whose position is 256 times their id.
func bank(tx []byte) []byte {
	if len(tx) < 6 || tx[4] != servo.InstRead {
		return nil
	}
	return position(tx[2])
}

func position(id byte) []byte {
	return servo.SumFrame{Header: 0xFF, Ahead: 4}.Append(nil, id, 0, 0, id)
}

// ask sends a read and reads until the reply is there or two time-outs passed.
func ask(t *testing.T, line servo.Line, p *servo.StatusParser, id byte, echo bool) servo.Fault {
	t.Helper()
	req, err := servo.Registers{Protocol: "test", MaxID: 253}.AppendRead(nil, id, 36, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := line.ResetInputBuffer(); err != nil {
		t.Fatal(err)
	}
	if _, err := line.Write(req); err != nil {
		t.Fatal(err)
	}
	if !echo {
		req = nil
	}
	p.ExpectOne(id, 2, req)
	buf := make([]byte, 64)
	for silent := 0; silent < 1; {
		n, err := line.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			silent++
		}
		if p.Feed(buf[:n]) {
			break
		}
	}
	return p.Finish()
}

func TestLineMisbehaves(t *testing.T) {
	for _, c := range []struct {
		name    string
		fault   servotest.Fault
		echo    bool
		collide bool
		want    servo.Class
	}{
		{"good", servotest.Good, false, false, servo.None},
		{"lost", servotest.Lost, false, false, servo.Timeout},
		{"late", servotest.Late, false, false, servo.Timeout},
		{"corrupted", servotest.Corrupted, false, false, servo.Checksum},
		{"cut", servotest.Cut, false, false, servo.Truncated},
		{"duplicated", servotest.Duplicated, false, false, servo.None},
		{"foreign", servotest.Foreign, false, false, servo.None},
		{"noise", servotest.Noise, false, false, servo.None},
		{"echo", servotest.Good, true, false, servo.None},
		{"echo of nobody", servotest.Lost, true, false, servo.Timeout},
		{"collision", servotest.Good, true, true, servo.EchoMismatch},
	} {
		for _, chunk := range []int{0, 1, 3} {
			line := &servotest.Line{
				Far: bank, Faults: func(int) servotest.Fault { return c.fault }, Echo: c.echo, Collide: c.collide,
				Stranger: position(9), Garbage: []byte{0xFF, 0xFF, 0xFF}, Chunk: chunk,
			}
			var p servo.StatusParser
			if f := ask(t, line, &p, 1, c.echo); f.Class != c.want {
				t.Errorf("%s in chunks of %d: got %v, want %v", c.name, chunk, f, c.want)
			}
			if r := p.Reply(); c.want == servo.None && !bytes.Equal(r.Params, []byte{0, 1}) {
				t.Errorf("%s: got %+v", c.name, r)
			}
		}
	}
}

// TestLateIsNotTakenForAnother: the reply to the first question comes while the
// second is open, behind the flush that would have removed it.
func TestLateIsNotTakenForAnother(t *testing.T) {
	line := &servotest.Line{Far: bank, Faults: func(n int) servotest.Fault {
		return []servotest.Fault{servotest.Late, servotest.Lost, servotest.Good}[n]
	}}
	var p servo.StatusParser
	if f := ask(t, line, &p, 1, false); f.Class != servo.Timeout {
		t.Fatalf("first: %v", f)
	}
	req, err := servo.Registers{Protocol: "test", MaxID: 253}.AppendRead(nil, 2, 36, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := line.Write(req); err != nil {
		t.Fatal(err)
	}
	p.ExpectOne(2, 2, nil)
	buf := make([]byte, 64)
	for range 2 {
		n, err := line.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		p.Feed(buf[:n])
	}
	if f := p.Finish(); f.Class != servo.WrongID || f.Got != 1 {
		t.Errorf("second: %v", f)
	}
	if f := ask(t, line, &p, 2, false); f.Class != servo.None || p.Reply().Params[1] != 2 {
		t.Errorf("third: %v %+v", f, p.Reply())
	}
}

func TestRecordAndPlayback(t *testing.T) {
	rec := servotest.NewRecorder(&servotest.Line{Far: bank, Chunk: 5})
	session := func(line servo.Line) string {
		var p servo.StatusParser
		out := ""
		for _, id := range []byte{1, 2, 1} {
			out += fmt.Sprint(ask(t, line, &p, id, false), p.Reply())
		}
		return out
	}
	want := session(rec)
	play := servotest.NewPlayback(rec.Steps())
	if got := session(play); got != want || play.Rest() != 0 {
		t.Errorf("played %s, recorded %s, %d steps left", got, want, play.Rest())
	}
	if _, err := play.Write([]byte{1}); err == nil {
		t.Error("a write behind the end of the recording went through")
	}
	play = servotest.NewPlayback(rec.Steps())
	if n, err := play.Write([]byte{0xFF, 0xFF, 7}); err == nil || n != 2 {
		t.Errorf("another request went through: %d, %v", n, err)
	}
}

func TestSplitsKeepTheBytes(t *testing.T) {
	b, n := []byte("abcd"), 0
	servotest.Splits(b, func(chunks ...[]byte) {
		n++
		if got := bytes.Join(chunks, nil); !bytes.Equal(got, b) {
			t.Errorf("%q", got)
		}
	})
	if n != 1+1+3+3 {
		t.Errorf("%d ways", n)
	}
}
