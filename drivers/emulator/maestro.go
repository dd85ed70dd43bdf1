package emulator

import "time"

// Errors of a Maestro, as bits.
const (
	maestroCRC      = 1 << 3
	maestroProtocol = 1 << 4
	maestroTimeout  = 1 << 5
)

// maestroDevice is a Pololu Maestro with 24 channels whose homes are "off". It
// speaks compact, Pololu and Mini SSC at once; with CRC set, commands of the
// first two must carry one.
type maestroDevice struct {
	errors uint16
	speed  [24]int
	late   bool // the serial timeout struck
	begun  bool
}

func newMaestroDevice(b *Bank) *maestroDevice { return &maestroDevice{} }

func (d *maestroDevice) reset(b *Bank, i int) {
	d.errors, d.begun, d.late = 0, false, false
	d.speed[b.ids[i]] = 0
}

// tick lets the serial timeout strike: silence longer than it is an error.
func (d *maestroDevice) tick(b *Bank) {
	if b.o.Timeout > 0 && d.begun && !d.late && b.now-b.heard > b.o.Timeout {
		d.late = true
		d.fail(b, maestroTimeout)
	}
}

// fail notes an error: every channel goes to its home, which is off.
func (d *maestroDevice) fail(b *Bank, bit uint16) {
	d.errors |= bit
	for i := range b.motors {
		b.motors[i].limp()
	}
}

// length is the number of data bytes of a command; 9F has a count of its own.
// -1 for a command that is none.
func maestroLength(cmd byte, data []byte) int {
	switch cmd | 0x80 {
	case 0x84, 0x87, 0x89:
		return 3
	case 0x8A:
		return 4
	case 0x90:
		return 1
	case 0x93, 0xA1, 0xA2, 0xA4, 0xAE:
		return 0
	case 0xA7:
		return 1
	case 0xA8:
		return 3
	case 0x9F:
		if len(data) == 0 {
			return 2
		}
		return 2 + 2*int(data[0])
	}
	return -1
}

// take reads one command.
func (d *maestroDevice) take(b *Bank, buf []byte) int {
	d.begun, d.late = true, false
	switch {
	case buf[0] < 0x80:
		b.stats.Bad++
		return 1 // a data byte nobody waits for
	case buf[0] == 0xFF:
		return d.mini(b, buf)
	case buf[0] == 0xAA && len(buf) > 1 && buf[1] >= 0x80:
		return 1 // the byte by which the baud is measured
	case buf[0] == 0xAA && len(buf) < 3:
		return 0
	}
	at := 0
	ours := true
	if buf[0] == 0xAA {
		at = 2
		ours = int(buf[1]) == d.device(b)
	}
	return d.command(b, buf, at, ours)
}

func (d *maestroDevice) device(b *Bank) int {
	if b.o.Maestro.Device != 0 {
		return b.o.Maestro.Device
	}
	return 12
}

// command reads the command byte at buf[at], its data and its CRC.
func (d *maestroDevice) command(b *Bank, buf []byte, at int, ours bool) int {
	cmd, data := buf[at], buf[at+1:]
	n := maestroLength(cmd, data)
	if n < 0 || at > 0 && cmd >= 0x80 {
		b.stats.Bad++
		d.fail(b, maestroProtocol)
		return at + 1
	}
	end := at + 1 + n
	if b.o.Maestro.CRC {
		end++
	}
	for k, c := range data[:min(len(data), end-at-1)] {
		if c >= 0x80 { // a new command begins in the middle
			b.stats.Bad++
			d.fail(b, maestroProtocol)
			return at + 1 + k
		}
	}
	if len(buf) < end || cmd|0x80 == 0x9F && len(data) == 0 {
		return 0
	}
	if b.o.Maestro.CRC && buf[end-1] != crc7(buf[:end-1]) {
		b.stats.Bad++
		d.fail(b, maestroCRC)
		return end
	}
	b.stats.Requests++
	if ours {
		d.obey(b, cmd|0x80, data[:n])
	}
	return end
}

func (d *maestroDevice) mini(b *Bank, buf []byte) int {
	if len(buf) < 3 {
		return 0
	}
	b.stats.Requests++
	d.target(b, int(buf[1]), 4000+float64(buf[2])*(8000-4000)/254)
	return 3
}

func (d *maestroDevice) obey(b *Bank, cmd byte, p []byte) {
	pair := func(p []byte) int { return int(p[0]) | int(p[1])<<7 }
	switch cmd {
	case 0x84:
		d.target(b, int(p[0]), float64(pair(p[1:])))
	case 0x87:
		if p[0] < 24 {
			d.speed[p[0]] = pair(p[1:])
		}
	case 0x90:
		v := 0
		d.with(b, int(p[0]), func(m *Motor) {
			if m.Torque {
				v = int(4*m.Position + 0.5)
			}
		})
		b.reply(int(p[0]), 100*time.Microsecond, []byte{byte(v), byte(v >> 8)})
	case 0x93:
		var on byte
		for i := range b.motors {
			on |= flagByte(b.motors[i].moving())
		}
		b.reply(-1, 100*time.Microsecond, []byte{on})
	case 0x9F:
		for k := 0; k < int(p[0]); k++ {
			d.target(b, int(p[1])+k, float64(pair(p[2+2*k:])))
		}
	case 0xA1:
		b.reply(-1, 100*time.Microsecond, []byte{byte(d.errors), byte(d.errors >> 8)})
		d.errors = 0
	case 0xA2:
		for i := range b.motors {
			b.motors[i].limp()
		}
	case 0xAE:
		b.reply(-1, 100*time.Microsecond, []byte{1})
	}
}

func (d *maestroDevice) with(b *Bank, ch int, do func(*Motor)) {
	for i := range b.motors {
		if b.ids[i] == ch && !b.motors[i].Absent {
			do(&b.motors[i])
		}
	}
}

// target moves a channel, in quarters of a microsecond. After "off" the board
// cannot ramp.
func (d *maestroDevice) target(b *Bank, ch int, quarters float64) {
	d.with(b, ch, func(m *Motor) {
		if quarters == 0 {
			m.limp()
			return
		}
		speed := 0.0
		if m.Torque {
			speed = float64(d.speed[ch]) * 0.25 / 0.01
		}
		m.Torque = true
		m.move(min(max(quarters/4, m.Model.Min), m.Model.Max), speed)
	})
}

func (d *maestroDevice) stranger([]byte) []byte { return []byte{0} }

// crc7 is the CRC bit by bit: 91 hex reflected.
func crc7(b []byte) byte {
	var c byte
	for _, x := range b {
		for bit := range 8 {
			odd := c&1 ^ x>>bit&1
			c >>= 1
			if odd != 0 {
				c ^= 0x48
			}
		}
	}
	return c
}
