package emulator

import "time"

// lxServo is what an LX-16A remembers besides its motor.
type lxServo struct {
	offset, kept    int // steps; kept outlives a loss of power
	least, most     int
	vinLow, vinHigh int // mV
	celsius         int
	mode            byte
	speed           int
	led, ledMask    byte
	waiting         bool
	goal, ms        int // stored by move-wait
	moved, movedMS  int // last move
	overheated      bool
}

// lxDevice is the LX-16A family.
type lxDevice struct{ s []lxServo }

func newLXDevice(b *Bank) *lxDevice {
	d := &lxDevice{s: make([]lxServo, len(b.motors))}
	for i := range d.s {
		d.s[i] = lxServo{most: 1000, vinLow: 4500, vinHigh: 12000, celsius: 85, led: 1, ledMask: 7, moved: int(b.motors[i].Position)}
	}
	return d
}

func (d *lxDevice) reset(b *Bank, i int) {
	s := &d.s[i]
	s.offset, s.waiting, s.mode = s.kept, false, 0
}

func (d *lxDevice) tick(b *Bank) {
	for i := range b.motors {
		m, s := &b.motors[i], &d.s[i]
		hot, volts := m.Celsius >= float64(s.celsius), m.Volts*1000
		bad := hot || volts < float64(s.vinLow) || volts > float64(s.vinHigh)
		if bad && !s.overheated {
			m.limp()
		}
		s.overheated = bad
	}
}

// take reads one command packet.
func (d *lxDevice) take(b *Bank, buf []byte) int {
	if buf[0] != 0x55 || len(buf) > 1 && buf[1] != 0x55 || len(buf) > 3 && buf[3] < 3 {
		b.stats.Bad++
		return 1
	}
	if len(buf) < 4 || len(buf) < 3+int(buf[3]) {
		return 0
	}
	n := 3 + int(buf[3])
	if buf[n-1] != checksum(buf[2:n-1]) {
		b.stats.Bad++
		return n
	}
	b.stats.Requests++
	id, cmd, params := buf[2], buf[4], buf[5:n-1]
	var replies [][]byte
	var first int
	for i := range b.motors {
		if b.motors[i].Absent || id != 254 && b.ids[i] != int(id) || id == 254 && !lxForAll(cmd) {
			continue
		}
		if r := d.obey(b, i, cmd, params); r != nil {
			if len(replies) == 0 {
				first = i
			}
			replies = append(replies, lxFrame(byte(b.ids[i]), cmd, r))
		}
	}
	if len(replies) > 0 {
		b.reply(b.ids[first], 100*time.Microsecond, overlay(replies))
	}
	return n
}

// lxForAll are the commands that may go to all; setting an id is one of them,
// which is how a bus loses its ids.
func lxForAll(cmd byte) bool {
	switch cmd {
	case 1, 7, 11, 12, 13, 14, 31:
		return true
	}
	return false
}

func lxFrame(id, cmd byte, params []byte) []byte {
	f := append([]byte{0x55, 0x55, id, byte(len(params) + 3), cmd}, params...)
	return append(f, checksum(f[2:]))
}

// obey carries out a command and returns the parameters of a reply, nil for none.
func (d *lxDevice) obey(b *Bank, i int, cmd byte, p []byte) []byte {
	s, m := &d.s[i], &b.motors[i]
	switch {
	case cmd == 1 && len(p) == 4:
		d.move(s, m, le(p), le(p[2:]))
	case cmd == 7 && len(p) == 4:
		s.waiting, s.goal, s.ms = true, le(p), le(p[2:])
	case cmd == 11 && len(p) == 0:
		if s.waiting {
			d.move(s, m, s.goal, s.ms)
		}
		s.waiting = false
	case cmd == 12 && len(p) == 0:
		m.Goal = m.Position
	case cmd == 31 && len(p) == 1:
		if p[0] == 0 {
			m.limp()
		} else if !s.overheated && !m.Torque {
			m.Torque, m.Goal = true, m.Position
		}
	case cmd == 14 && len(p) == 0:
		return []byte{byte(b.ids[i])}
	case cmd == 13 && len(p) == 1 && p[0] < 254:
		b.ids[i] = int(p[0])
	case cmd == 17 && len(p) == 1:
		shift := int(int8(p[0])) - s.offset
		s.offset += shift
		if m.Torque {
			m.move(m.Goal+float64(shift), 0)
		}
	case cmd == 18:
		s.kept = s.offset
	default:
		return d.set(s, m, cmd, p)
	}
	return nil
}

// set carries out the settings; what asks goes on to ask.
func (d *lxDevice) set(s *lxServo, m *Motor, cmd byte, p []byte) []byte {
	switch {
	case cmd == 20 && len(p) == 4 && le(p) < le(p[2:]) && le(p[2:]) <= 1000:
		s.least, s.most = le(p), le(p[2:])
	case cmd == 22 && len(p) == 4 && le(p) < le(p[2:]):
		s.vinLow, s.vinHigh = le(p), le(p[2:])
	case cmd == 24 && len(p) == 1:
		s.celsius = int(p[0])
	case cmd == 29 && len(p) == 4:
		s.mode, s.speed = p[0], int(int16(le(p[2:])))
	case cmd == 33 && len(p) == 1:
		s.led = p[0]
	case cmd == 35 && len(p) == 1:
		s.ledMask = p[0]
	case len(p) == 0:
		return d.ask(s, m, cmd)
	}
	return nil
}

// move moves within the angle limits. A move wakes a limp servo.
func (d *lxDevice) move(s *lxServo, m *Motor, to, ms int) {
	if s.overheated {
		return
	}
	to = min(max(to, s.least), s.most)
	s.moved, s.movedMS = to, ms
	m.Torque = true
	m.moveIn(float64(to+s.offset), float64(ms)/1000)
}

// ask answers a read.
func (d *lxDevice) ask(s *lxServo, m *Motor, cmd byte) []byte {
	pair := func(v int) []byte { return []byte{byte(v), byte(v >> 8)} }
	switch cmd {
	case 2:
		return append(pair(s.moved), pair(s.movedMS)...)
	case 8:
		return append(pair(s.goal), pair(s.ms)...)
	case 19:
		return []byte{byte(s.offset)}
	case 21:
		return append(pair(s.least), pair(s.most)...)
	case 23:
		return append(pair(s.vinLow), pair(s.vinHigh)...)
	case 25:
		return []byte{byte(s.celsius)}
	case 26:
		return []byte{byte(m.Celsius)}
	case 27:
		return pair(int(m.Volts * 1000))
	case 28:
		return pair(int(floor(m.Position+0.5)) - s.offset)
	case 30:
		return append([]byte{s.mode, 0}, pair(s.speed)...)
	case 32:
		return []byte{flagByte(m.Torque)}
	case 34:
		return []byte{s.led}
	case 36:
		return []byte{s.ledMask}
	}
	return nil
}

func flagByte(on bool) byte {
	if on {
		return 1
	}
	return 0
}

func (d *lxDevice) stranger(reply []byte) []byte {
	reply[2] = (reply[2] + 1) % 254
	reply[len(reply)-1] = checksum(reply[2 : len(reply)-1])
	return reply
}
