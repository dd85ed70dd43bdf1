package servo_test

import (
	"bytes"
	"testing"

	"legctl/drivers/servo"

	"pgregory.net/rapid"
)

// sought is what the rules say about one id in the whole of what arrived, found
// the slow way.
type sought struct {
	class  servo.Class
	params []byte
	rest   []byte // behind the reply; all of it when there is none
}

// seek reads the rules as they are written: first good frame of the id from the
// left; failing that the first candidate cut short or with a bad sum, failing
// that a stranger, failing that noise, failing that silence.
func seek(rx []byte, id byte, params int) sought {
	bad, stranger := servo.None, servo.None
	for i := 0; i < len(rx); {
		b := rx[i:]
		switch {
		case len(b) < 2 || b[0] != 0xFF || b[1] != 0xFF, len(b) > 2 && b[2] == 0xFF, len(b) > 3 && b[3] < 2:
			i++
			continue
		case len(b) < 4 || len(b) < int(b[3])+4:
			bad = first(bad, servo.Truncated)
			i++
			continue
		}
		frame := b[:int(b[3])+4]
		last := len(frame) - 1
		var sum byte
		for _, x := range frame[2:last] {
			sum += x
		}
		if sum^frame[last] != 0xFF {
			bad = first(bad, servo.Checksum)
			i++
			continue
		}
		i += len(frame)
		if frame[2] != id {
			stranger = servo.WrongID
			continue
		}
		return answer(frame, params, rx[i:])
	}
	class := first(first(bad, stranger), servo.BadFrame)
	if len(rx) == 0 {
		class = servo.Timeout
	}
	return sought{class: class, rest: rx}
}

func answer(frame []byte, params int, rest []byte) sought {
	got := frame[5 : len(frame)-1]
	switch {
	case frame[4] != 0:
		return sought{servo.DeviceError, got, rest}
	case len(got) != params:
		return sought{servo.BadLength, nil, rest}
	}
	return sought{servo.None, got, rest}
}

func first(a, b servo.Class) servo.Class {
	if a != servo.None {
		return a
	}
	return b
}

// piece is a part of what arrives: frames of several servos, whole or not.
func piece(t *rapid.T) []byte {
	id := byte(rapid.IntRange(1, 4).Draw(t, "id"))
	size := rapid.SampledFrom([]int{2, 2, 2, 0, 1, 9}).Draw(t, "size")
	bits := rapid.SampledFrom([]byte{0, 0, 0, 0x24}).Draw(t, "bits")
	data := rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 2, 4, 0xFF, 0xFF, 0xFD}), size, size).Draw(t, "data")
	frame := status(id, bits, data...)
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		return bent(frame)
	case 1:
		return frame[:rapid.IntRange(1, len(frame)-1).Draw(t, "cut")]
	case 2:
		return data
	}
	return frame
}

// TestParserFollowsTheRules compares the parser, fed in random chunks, with the
// rules read literally.
func TestParserFollowsTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rx []byte
		for range rapid.IntRange(0, 6).Draw(t, "pieces") {
			rx = append(rx, piece(t)...)
		}
		var p servo.StatusParser
		p.ExpectGroup([]byte{1, 2, 3}, 2, nil)
		for b := rx; len(b) > 0; {
			n := rapid.IntRange(1, len(b)).Draw(t, "chunk")
			p.Feed(b[:n])
			b = b[n:]
		}
		p.Finish()
		rest := rx
		for i, r := range p.Replies() {
			want := seek(rest, byte(i+1), 2)
			rest = want.rest
			if r.Fault.Class != want.class || !bytes.Equal(r.Params, want.params) {
				t.Fatalf("%x: servo %d: got %v %x, want %v %x", rx, i+1, r.Fault, r.Params, want.class, want.params)
			}
		}
	})
}
