package emulator

import "time"

// xPage is the register table of an X servo, both blocks of indirect data
// included.
type xPage [720]byte

// xDevice is Dynamixel 2.0.
type xDevice struct {
	regs, kept []xPage
	waiting    [][]byte
	fed        []time.Duration // when the watchdog was last fed
	strain     []time.Duration
}

func newXDevice(b *Bank) *xDevice {
	n := len(b.motors)
	d := &xDevice{regs: make([]xPage, n), kept: make([]xPage, n), waiting: make([][]byte, n), fed: make([]time.Duration, n), strain: make([]time.Duration, n)}
	for i := range b.motors {
		d.kept[i].defaults(b.ids[i], b.o.Baud, &b.motors[i])
		d.regs[i] = d.kept[i]
	}
	return d
}

// take reads one instruction packet.
func (d *xDevice) take(b *Bank, buf []byte) int {
	for k, h := range []byte{0xFF, 0xFF, 0xFD, 0} {
		if k < len(buf) && buf[k] != h {
			b.stats.Bad++
			return 1
		}
	}
	if len(buf) < 7 {
		return 0
	}
	n := 7 + int(buf[5]) + int(buf[6])<<8
	if n < 10 || n > 8192 {
		b.stats.Bad++
		return 1
	}
	if len(buf) < n {
		return 0
	}
	id := buf[4]
	if crc16(buf[:n-2]) != uint16(buf[n-2])|uint16(buf[n-1])<<8 {
		b.stats.Bad++
		d.answer(b, d.those(b, id), 3, nil)
		return n
	}
	b.stats.Requests++
	body := unstuffed(buf[7 : n-2])
	for i := range b.motors { // any instruction feeds the watchdog
		d.fed[i] = b.now
	}
	d.obey(b, id, body[0], body[1:])
	return n
}

func (d *xDevice) those(b *Bank, id byte) []int {
	var out []int
	for i := range b.motors {
		if !b.motors[i].Absent && (id == 254 || b.ids[i] == int(id)) {
			out = append(out, i)
		}
	}
	return out
}

func (d *xDevice) obey(b *Bank, id, inst byte, p []byte) {
	to := d.those(b, id)
	switch {
	case inst == 1:
		d.ping(b, to, id)
	case inst == 2 && len(p) == 4 && id != 254:
		d.read(b, to, le(p), le(p[2:]))
	case (inst == 3 || inst == 4) && len(p) > 2:
		var bad byte
		for _, i := range to {
			if inst == 4 {
				d.waiting[i] = append([]byte(nil), p...)
			} else {
				bad = max(bad, d.put(b, i, le(p), p[2:]))
			}
		}
		d.acknowledge(b, to, id, bad)
	case inst == 5:
		for _, i := range to {
			if w := d.waiting[i]; w != nil {
				d.put(b, i, le(w), w[2:])
			}
			d.waiting[i] = nil
		}
		d.acknowledge(b, to, id, 0)
	case inst == 6 && len(p) == 1 && id != 254:
		d.factory(b, to, id, p[0])
	case inst == 8:
		d.acknowledge(b, to, id, 0)
		for _, i := range to {
			b.motors[i].limp()
			d.reset(b, i)
			b.stats.Reboots++
		}
	case inst == 0x10:
		d.acknowledge(b, to, id, 0)
	default:
		d.group(b, to, id, inst, p)
	}
}

// factory resets a servo but for its id (1), its id and baud (2), or nothing.
func (d *xDevice) factory(b *Bank, to []int, id, option byte) {
	d.acknowledge(b, to, id, 0)
	for _, i := range to {
		next := 1
		if option != 0xFF {
			next = b.ids[i]
		}
		baud := 57600
		if option == 2 {
			baud = b.o.Baud
		}
		d.kept[i].defaults(next, baud, &b.motors[i])
		d.reset(b, i)
	}
}

// ping answers with model and firmware; asked all at once, one after the other.
func (d *xDevice) ping(b *Bank, to []int, id byte) {
	for k := 0; k < len(to); k++ {
		group := to[k : k+1]
		if id != 254 {
			group, k = to, len(to)
		}
		parts := make([][]byte, len(group))
		for n, i := range group {
			parts[n] = []byte{d.regs[i][0], d.regs[i][1], d.regs[i][6]}
		}
		d.answer(b, group, 0, parts)
	}
}

// group obeys the instructions that name several servos. A servo that is not
// there silences those behind it: each waits for the one before.
func (d *xDevice) group(b *Bank, to []int, id, inst byte, p []byte) {
	switch {
	case inst == 0x83 && len(p) > 4:
		size := le(p[2:])
		for rest := p[4:]; size > 0 && len(rest) >= size+1; rest = rest[size+1:] {
			for _, i := range d.those(b, rest[0]) {
				d.put(b, i, le(p), rest[1:size+1])
			}
		}
	case inst == 0x82 && len(p) > 4, inst == 0x8A && len(p) > 4:
		var spans []xSpan
		for _, one := range p[4:] {
			spans = append(spans, xSpan{one, le(p), le(p[2:])})
		}
		d.spans(b, spans, inst == 0x8A)
	case (inst == 0x92 || inst == 0x9A) && len(p) >= 5:
		var spans []xSpan
		for rest := p; len(rest) >= 5; rest = rest[5:] {
			spans = append(spans, xSpan{rest[0], le(rest[1:]), le(rest[3:])})
		}
		d.spans(b, spans, inst == 0x9A)
	case inst == 0x93:
		for rest := p; len(rest) >= 5; {
			size := le(rest[3:])
			if len(rest) < 5+size {
				return
			}
			for _, i := range d.those(b, rest[0]) {
				d.put(b, i, le(rest[1:]), rest[5:5+size])
			}
			rest = rest[5+size:]
		}
	case id != 254:
		d.answer(b, to, 2, nil)
	}
}

// xSpan is a part of one servo's table.
type xSpan struct {
	id       byte
	addr, sz int
}

func (d *xDevice) spans(b *Bank, spans []xSpan, fast bool) {
	if fast {
		d.fast(b, spans)
		return
	}
	for _, s := range spans {
		to := d.those(b, s.id)
		if len(to) == 0 {
			return
		}
		d.read(b, to, s.addr, s.sz)
	}
}

// fast answers with one merged frame, which breaks off at a servo that is not
// there or has no such registers.
func (d *xDevice) fast(b *Bank, spans []xSpan) {
	n := 1
	for _, s := range spans {
		n += 4 + s.sz
	}
	f := []byte{0xFF, 0xFF, 0xFD, 0, 254, byte(n), byte(n >> 8), 0x55}
	crc, done := uint16(0), 0 // of what is before done
	for _, s := range spans {
		to := d.those(b, s.id)
		if len(to) == 0 {
			break
		}
		data, bad := d.look(b, to[0], s.addr, s.sz)
		if bad != 0 {
			break
		}
		f = append(append(f, d.alert(to[0]), s.id), data...)
		crc = crcOn(crc, f[done:])
		done = len(f)
		f = append(f, byte(crc), byte(crc>>8))
	}
	b.reply(int(spans[0].id), d.delay(b, 0), f)
}

func (d *xDevice) read(b *Bank, to []int, addr, n int) {
	parts := make([][]byte, len(to))
	var bad byte
	for k, i := range to {
		var e byte
		parts[k], e = d.look(b, i, addr, n)
		bad = max(bad, e)
	}
	d.answer(b, to, bad, parts)
}

// acknowledge answers a write, unless it went to all or the status return level
// is below 2.
func (d *xDevice) acknowledge(b *Bank, to []int, id, bad byte) {
	if id == 254 || len(to) == 0 || d.regs[to[0]][68] < 2 {
		return
	}
	d.answer(b, to, bad, nil)
}

// alert is the bit that says: look at register 70.
func (d *xDevice) alert(i int) byte {
	if d.regs[i][70] != 0 {
		return 0x80
	}
	return 0
}

// answer sends the status packets of servos with one id, laid over each other.
func (d *xDevice) answer(b *Bank, to []int, bad byte, parts [][]byte) {
	var frames [][]byte
	for k, i := range to {
		var part []byte
		if parts != nil {
			part = parts[k]
		}
		frames = append(frames, xStatus(byte(b.ids[i]), bad|d.alert(i), part))
	}
	if len(frames) > 0 {
		b.reply(b.ids[to[0]], d.delay(b, to[0]), overlay(frames))
	}
}

func (d *xDevice) delay(_ *Bank, i int) time.Duration {
	return time.Duration(d.regs[i][9]) * 2 * time.Microsecond
}

func (d *xDevice) stranger(reply []byte) []byte {
	reply[4] = (reply[4] + 1) % 253
	c := crc16(reply[:len(reply)-2])
	reply[len(reply)-2], reply[len(reply)-1] = byte(c), byte(c>>8)
	return reply
}

func le(b []byte) int { return int(b[0]) | int(b[1])<<8 }

// crc16 is the CRC bit by bit.
func crc16(b []byte) uint16 { return crcOn(0, b) }

// crcOn goes on with a CRC.
func crcOn(c uint16, b []byte) uint16 {
	for _, x := range b {
		for bit := 7; bit >= 0; bit-- {
			top := c>>15 ^ uint16(x>>bit&1)
			c <<= 1
			if top != 0 {
				c ^= 0x8005
			}
		}
	}
	return c
}

// unstuffed is a copy without the FD behind each FF FF FD.
func unstuffed(b []byte) []byte {
	var out []byte
	for k := 0; k < len(b); k++ {
		out = append(out, b[k])
		n := len(out)
		if n >= 3 && out[n-3] == 0xFF && out[n-2] == 0xFF && out[n-1] == 0xFD && k+1 < len(b) && b[k+1] == 0xFD {
			k++
		}
	}
	return out
}

func xStatus(id, bad byte, params []byte) []byte {
	body := []byte{0x55, bad}
	for _, c := range params {
		body = append(body, c)
		if n := len(body); n >= 3 && body[n-3] == 0xFF && body[n-2] == 0xFF && c == 0xFD {
			body = append(body, 0xFD)
		}
	}
	n := len(body) + 2
	f := append([]byte{0xFF, 0xFF, 0xFD, 0, id, byte(n), byte(n >> 8)}, body...)
	c := crc16(f)
	return append(f, byte(c), byte(c>>8))
}
