package firmata

import "bytes"

// What a board says while it is met.
const (
	version       = 0xF9
	firmware      = 0x79
	capability    = 0x6C
	analogMapping = 0x6A
	longest       = 4096 // bytes of a message
)

// next returns the first whole message of buf, nil for noise, and how many bytes
// it takes: 0 while more are to come. It is part of buf.
func next(buf []byte) (msg []byte, n int) {
	if len(buf) == 0 {
		return nil, 0
	}
	need := 3
	switch c := buf[0]; {
	case c < 0x80:
		return nil, 1
	case c == sysexBegin:
		for k := 1; k < len(buf); k++ {
			if buf[k] == sysexEnd {
				return buf[:k+1], k + 1
			}
			if buf[k] >= 0x80 || k >= longest {
				return nil, k
			}
		}
		return nil, 0
	case c >= 0xC0 && c < 0xE0: // reporting on and off
		need = 2
	case c >= 0x90 && c < 0xA0, c >= analog && c < 0xF0, c == pinMode, c == 0xF5, c == version:
	default:
		return nil, 1
	}
	for k := 1; k < min(need, len(buf)); k++ {
		if buf[k] >= 0x80 {
			return nil, k
		}
	}
	if len(buf) < need {
		return nil, 0
	}
	return buf[:need], need
}

// sieve lets through what gobot's client needs to meet a board, once it is whole:
// the client panics on answers that are cut short or name pins there are not. The
// zero value has met nothing.
type sieve struct {
	in   []byte
	pins int // the board has
}

// sift appends what of p, and of what came before, the client may have.
func (s *sieve) sift(dst, p []byte) []byte {
	s.in = append(s.in, p...)
	for {
		msg, n := next(s.in)
		if n == 0 {
			return dst
		}
		if s.fit(msg) {
			dst = append(dst, msg...)
		}
		s.in = append(s.in[:0], s.in[n:]...)
	}
}

// fit reports whether the client may have a message.
func (s *sieve) fit(msg []byte) bool {
	switch {
	case len(msg) == 0:
		return false
	case msg[0] == version:
		return true
	case msg[0] != sysexBegin || len(msg) < 3:
		return false
	}
	body := msg[2 : len(msg)-1]
	switch msg[1] {
	case firmware:
		return len(body) >= 2 // its version
	case capability:
		pins := bytes.Count(body, []byte{0x7F})
		if pins == 0 || pins > MaxPin+1 || body[len(body)-1] != 0x7F {
			return false // the client, and we, know the pins of before
		}
		s.pins = pins
		return true
	case analogMapping:
		return s.pins > 0 && len(body) <= s.pins
	}
	return false
}
