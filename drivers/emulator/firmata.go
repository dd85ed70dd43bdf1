package emulator

// firmataDevice is an Arduino with StandardFirmata, protocol 2.5, whose pins
// are all able to drive a servo.
type firmataDevice struct {
	mode  [128]byte
	least [128]int
	most  [128]int
}

func newFirmataDevice(*Bank) *firmataDevice {
	d := &firmataDevice{}
	for pin := range d.least {
		d.least[pin], d.most[pin] = 544, 2400
	}
	return d
}

func (d *firmataDevice) reset(b *Bank, i int) {
	d.mode[b.ids[i]] = 0
}

func (d *firmataDevice) tick(*Bank) {}

// take reads one message.
func (d *firmataDevice) take(b *Bank, buf []byte) int {
	c := buf[0]
	need := 0
	switch {
	case c == 0xF0:
		for k, x := range buf {
			if k > 0 && x >= 0x80 {
				if x == 0xF7 {
					b.stats.Requests++
					d.sysex(b, buf[1:k])
					return k + 1
				}
				b.stats.Bad++
				return k
			}
		}
		return 0
	case c < 0x80:
		b.stats.Bad++
		return 1
	case c >= 0xE0 && c < 0xF0, c >= 0x90 && c < 0xA0, c == 0xF4, c == 0xF5:
		need = 3
	case c >= 0xC0 && c < 0xE0:
		need = 2
	case c == 0xF9, c == 0xFF:
		need = 1
	default:
		b.stats.Bad++
		return 1
	}
	if len(buf) < need {
		return 0
	}
	for k := 1; k < need; k++ {
		if buf[k] >= 0x80 {
			b.stats.Bad++
			return k
		}
	}
	b.stats.Requests++
	d.obey(b, buf[:need])
	return need
}

func (d *firmataDevice) obey(b *Bank, m []byte) {
	switch c := m[0]; {
	case c >= 0xE0 && c < 0xF0:
		d.write(b, int(c&15), int(m[1])|int(m[2])<<7)
	case c == 0xF4:
		d.mode[m[1]] = m[2]
		if m[2] != 4 {
			d.with(b, int(m[1]), func(m *Motor) { m.limp() })
		}
	case c == 0xF9:
		b.reply(-1, 0, []byte{0xF9, 2, 5})
	case c == 0xFF:
		for i := range b.motors {
			d.mode[b.ids[i]] = 0
			b.motors[i].limp()
		}
	}
}

func (d *firmataDevice) sysex(b *Bank, p []byte) {
	if len(p) == 0 {
		return
	}
	switch {
	case p[0] == 0x79:
		b.reply(-1, 0, append([]byte{0xF0, 0x79, 2, 5}, 'E', 0, 'm', 0, 0xF7))
	case p[0] == 0x6B:
		out := []byte{0xF0, 0x6C}
		for range d.pins(b) {
			out = append(out, 0, 1, 1, 1, 4, 14, 0x7F)
		}
		b.reply(-1, 0, append(out, 0xF7))
	case p[0] == 0x69:
		out := []byte{0xF0, 0x6A}
		for range d.pins(b) {
			out = append(out, 0x7F)
		}
		b.reply(-1, 0, append(out, 0xF7))
	case p[0] == 0x6D && len(p) == 2:
		b.reply(-1, 0, []byte{0xF0, 0x6E, p[1], d.mode[p[1]], 0, 0xF7})
	case p[0] == 0x70 && len(p) == 6:
		d.least[p[1]], d.most[p[1]] = int(p[2])|int(p[3])<<7, int(p[4])|int(p[5])<<7
		d.mode[p[1]] = 4
	case p[0] == 0x6F && len(p) == 4:
		d.write(b, int(p[1]), int(p[2])|int(p[3])<<7)
	}
}

// pins is how many pins the board says it has.
func (d *firmataDevice) pins(b *Bank) int {
	n := 20
	for _, id := range b.ids {
		n = max(n, id+1)
	}
	return n
}

// write drives a servo pin: degrees below 544, microseconds from there.
func (d *firmataDevice) write(b *Bank, pin, v int) {
	if d.mode[pin] != 4 {
		return
	}
	us := float64(v)
	if v < 544 {
		us = float64(d.least[pin]) + float64(min(v, 180))/180*float64(d.most[pin]-d.least[pin])
	}
	us = min(max(us, float64(d.least[pin])), float64(d.most[pin]))
	d.with(b, pin, func(m *Motor) {
		m.Torque = true
		m.move(us, 0)
	})
}

func (d *firmataDevice) with(b *Bank, pin int, do func(*Motor)) {
	for i := range b.motors {
		if b.ids[i] == pin && !b.motors[i].Absent {
			do(&b.motors[i])
		}
	}
}

func (d *firmataDevice) stranger([]byte) []byte { return []byte{0xE0, 0, 0} }
