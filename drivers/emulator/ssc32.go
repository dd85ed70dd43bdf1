package emulator

import (
	"fmt"
	"time"
)

// sscDevice is a Lynxmotion SSC-32: pulses on channels, no feedback.
type sscDevice struct {
	fresh [32]bool // moved since power-up
	until time.Duration
	regs  [64]int
	trim  [32]int
}

func newSSCDevice(b *Bank) *sscDevice {
	d := &sscDevice{}
	d.regs[4] = b.o.Baud / 10
	return d
}

// reset: after a loss of power the board does not know where its servos are.
func (d *sscDevice) reset(b *Bank, i int) {
	d.fresh[b.ids[i]] = false
	d.trim[b.ids[i]] = 0
	d.until = 0
}

func (d *sscDevice) tick(*Bank) {}

// take reads one line. ESC forgets what stands before it.
func (d *sscDevice) take(b *Bank, buf []byte) int {
	for k, c := range buf {
		switch c {
		case 27:
			return k + 1
		case '\r':
			if k > 0 {
				b.stats.Requests++
				d.line(b, buf[:k])
			}
			return k + 1
		}
	}
	return 0
}

// line carries out one line; letters may be small, blanks are skipped.
func (d *sscDevice) line(b *Bank, raw []byte) {
	var l []byte
	for _, c := range raw {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c != ' ' && c != '\t' && c != '\n' {
			l = append(l, c)
		}
	}
	s := sscText{rest: l}
	switch {
	case len(l) == 0:
	case l[0] == '#':
		d.moves(b, &s)
	case string(l) == "Q":
		state := byte('.')
		if b.now < d.until {
			state = '+'
		}
		d.say(b, []byte{state})
	case string(l) == "VER":
		d.say(b, []byte("SSC32-V2.03XE\r"))
	case s.word("QP"):
		if ch, ok := s.number(); ok && ch >= 0 && ch < 32 {
			d.say(b, []byte{byte(d.pulse(b, ch) / 10)})
		}
	case s.word("STOP"):
		if ch, ok := s.number(); ok {
			d.with(b, ch, func(m *Motor) { m.Goal = m.Position })
		}
	case l[0] == 'R':
		s.rest = l[1:]
		d.register(b, &s)
	default:
		b.stats.Bad++
	}
}

// say answers after the board's pause.
func (d *sscDevice) say(b *Bank, text []byte) { b.reply(-1, 600*time.Microsecond, text) }

func (d *sscDevice) register(b *Bank, s *sscText) {
	n, ok := s.number()
	if !ok || n < 0 || n > 63 {
		b.stats.Bad++
		return
	}
	if s.word("=") {
		if v, ok := s.number(); ok {
			d.regs[n] = v
		}
		return
	}
	d.say(b, fmt.Appendf(nil, "%d\r", d.regs[n]))
}

// pulse is what QP says: the pulse of the moment, 0 for a channel without.
func (d *sscDevice) pulse(b *Bank, ch int) int {
	p := 0
	d.with(b, ch, func(m *Motor) {
		if m.Torque {
			p = int(m.Position + 0.5)
		}
	})
	return p
}

// with calls do for the servo on a channel, whose plug may be out.
func (d *sscDevice) with(b *Bank, ch int, do func(*Motor)) {
	for i := range b.motors {
		if b.ids[i] == ch && !b.motors[i].Absent {
			do(&b.motors[i])
		}
	}
}

// sscMove is one #ch P pw S spd of a line; negative where it was not said.
type sscMove struct{ ch, us, speed, offset int }

// moves carries out a group: all begin together and, with a time, end together.
func (d *sscDevice) moves(b *Bank, s *sscText) {
	var group []sscMove
	ms := 0
	for len(s.rest) > 0 {
		ok := true
		switch {
		case s.word("#"):
			var m sscMove
			m.ch, ok = s.number()
			m.us, m.speed, m.offset = -1, -1, 1000
			group = append(group, m)
		case s.word("PO") && len(group) > 0:
			group[len(group)-1].offset, ok = s.number()
		case s.word("P") && len(group) > 0:
			group[len(group)-1].us, ok = s.number()
		case s.word("S") && len(group) > 0:
			group[len(group)-1].speed, ok = s.number()
		case s.word("T"):
			ms, ok = s.number()
		case s.word("L") && len(group) > 0:
			group[len(group)-1].us = 0
		default:
			ok = false
		}
		if !ok || len(group) > 0 && (group[len(group)-1].ch < 0 || group[len(group)-1].ch > 31) {
			b.stats.Bad++
			return
		}
	}
	d.run(b, group, float64(ms)/1000)
}

func (d *sscDevice) run(b *Bank, group []sscMove, least float64) {
	longest := least
	for _, g := range group {
		d.with(b, g.ch, func(m *Motor) {
			if g.us > 0 && g.speed > 0 {
				longest = max(longest, abs(float64(g.us)-m.Position)/float64(g.speed))
			}
		})
	}
	for _, g := range group {
		if g.offset != 1000 {
			d.trim[g.ch] = min(max(g.offset, -100), 100)
		}
		if g.us < 0 {
			continue
		}
		d.with(b, g.ch, func(m *Motor) { d.pulseTo(m, g, longest) })
		d.fresh[g.ch] = g.us > 0
	}
	if longest > 0 {
		d.until = b.now + seconds(longest)
	}
}

// pulseTo moves one channel. The first move after power-up, or after pulses
// ended, has no ramp: the board does not know where the servo is. What is out of
// range is taken as its end.
func (d *sscDevice) pulseTo(m *Motor, g sscMove, in float64) {
	if g.us == 0 {
		m.limp()
		return
	}
	to := float64(min(max(g.us, 500), 2500) + d.trim[g.ch])
	m.Torque = true
	if !d.fresh[g.ch] {
		m.move(to, 0)
		return
	}
	m.moveIn(to, in)
}

func (d *sscDevice) stranger([]byte) []byte { return []byte{'+'} }

// sscText reads words and numbers off a line.
type sscText struct{ rest []byte }

func (s *sscText) word(w string) bool {
	if len(s.rest) < len(w) || string(s.rest[:len(w)]) != w {
		return false
	}
	s.rest = s.rest[len(w):]
	return true
}

func (s *sscText) number() (int, bool) {
	v, n, neg := 0, 0, s.word("-")
	for n < len(s.rest) && s.rest[n] >= '0' && s.rest[n] <= '9' && v < 1<<20 {
		v = v*10 + int(s.rest[n]-'0')
		n++
	}
	s.rest = s.rest[n:]
	if neg {
		v = -v
	}
	return v, n > 0
}
