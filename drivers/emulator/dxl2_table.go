package emulator

import "time"

func (p *xPage) word(a int) int { return int(p[a]) | int(p[a+1])<<8 }

func (p *xPage) long(a int) int {
	return int(int32(uint32(p[a]) | uint32(p[a+1])<<8 | uint32(p[a+2])<<16 | uint32(p[a+3])<<24))
}

func (p *xPage) set(a, size, v int) {
	for k := range size {
		p[a+k] = byte(v >> (8 * k))
	}
}

// xBauds are the rates of register 8, by index.
var xBauds = []int{9600, 57600, 115200, 1_000_000, 2_000_000, 3_000_000, 4_000_000}

func (p *xPage) defaults(id, baud int, m *Motor) {
	*p = xPage{}
	p.set(0, 2, m.Model.Number)
	p[6], p[7], p[9], p[10], p[11], p[13] = 46, byte(id), 250, 0, 3, 2
	p[12] = 255
	for k, v := range xBauds {
		if v == baud {
			p[8] = byte(k)
		}
	}
	p[31] = byte(m.Model.Celsius)
	p.set(32, 2, int(m.Model.Volts[1]*10)+20)
	p.set(34, 2, int(m.Model.Volts[0]*10)-5)
	p.set(36, 2, 885)
	p.set(44, 4, 1023)
	p.set(48, 4, 4095)
	p[63], p[68] = 52, 2
	p.set(84, 2, 800)
	p.set(100, 2, 885)
	p.set(116, 4, int(m.Model.Center))
	for k := range 28 {
		p.set(168+2*k, 2, 224+k)
		p.set(578+2*k, 2, 634+k)
	}
}

func (d *xDevice) reset(b *Bank, i int) {
	d.regs[i] = d.kept[i]
	d.waiting[i], d.strain[i] = nil, 0
	b.ids[i] = int(d.regs[i][7])
}

// tick ages watchdogs and looks for hardware errors.
func (d *xDevice) tick(b *Bank) {
	for i := range b.motors {
		m, p := &b.motors[i], &d.regs[i]
		if w := int8(p[98]); w > 0 && m.Torque && b.now-d.fed[i] > time.Duration(w)*20*time.Millisecond {
			p[98] = 0xFF
			m.Goal = m.Position
		}
		if abs(m.Load) < 0.85 {
			d.strain[i] = 0
		} else if d.strain[i] == 0 {
			d.strain[i] = max(b.now, 1)
		}
		var e byte
		if v := int(m.Volts*10 + 0.5); v > p.word(32) || v < p.word(34) {
			e |= 1
		}
		if m.Celsius >= float64(p[31]) {
			e |= 4
		}
		if d.strain[i] > 0 && b.now-d.strain[i] > time.Second {
			e |= 32
		}
		p[70] |= e // stays until a reboot
		if e&p[63] != 0 {
			m.limp()
		}
	}
}

// refresh writes the present values.
func (d *xDevice) refresh(i int, m *Motor) {
	p := &d.regs[i]
	p[64] = 0
	if m.Torque {
		p[64] = 1
	}
	p[122] = 0
	speed := 0.0
	if m.moving() {
		p[122] = 1
		speed = m.cap / m.Model.PerTurn * 60 / 0.229
		if m.Goal < m.Position {
			speed = -speed
		}
	}
	p.set(126, 2, int(m.Load*1000))
	p.set(128, 4, int(speed))
	p.set(132, 4, int(floor(m.Position+0.5))+p.long(20))
	p.set(140, 4, int(floor(m.Goal+0.5)))
	p.set(144, 2, int(m.Volts*10+0.5))
	p[146] = byte(m.Celsius)
}

// at follows an indirect address.
func (p *xPage) at(a int) int {
	switch {
	case a >= 224 && a < 252:
		return p.word(168 + 2*(a-224))
	case a >= 634 && a < 662:
		return p.word(578 + 2*(a-634))
	}
	return a
}

// look reads registers. A servo whose watchdog fired still answers reads.
func (d *xDevice) look(b *Bank, i, addr, n int) ([]byte, byte) {
	d.refresh(i, &b.motors[i])
	p := &d.regs[i]
	if n < 1 || addr+n > len(p) {
		return nil, 4
	}
	out := make([]byte, n)
	for k := range out {
		if a := p.at(addr + k); a < len(p) {
			out[k] = p[a]
		}
	}
	return out, 0
}

// put writes registers and returns an error number.
func (d *xDevice) put(b *Bank, i, addr int, data []byte) byte {
	p, m := &d.regs[i], &b.motors[i]
	if len(data) < 1 || addr+len(data) > len(p) {
		return 5
	}
	before := *p
	touched := map[int]bool{}
	for k, v := range data {
		a := p.at(addr + k)
		if a >= len(p) {
			return 7
		}
		if a < 64 && m.Torque || a < 7 || a >= 120 && a < 147 || a >= 168 && a < 224 && m.Torque {
			*p = before
			return 7 // read only, or kept registers with torque on
		}
		p[a] = v
		touched[a] = true
	}
	if bad := d.wrote(p, m, touched); bad != 0 {
		*p = before
		return bad
	}
	for a := range touched {
		if a < 64 {
			d.kept[i][a] = p[a]
		}
	}
	b.ids[i] = int(p[7])
	return 0
}

// wrote is what a write does to the motor.
func (d *xDevice) wrote(p *xPage, m *Motor, touched map[int]bool) byte {
	goals := touched[100] || touched[102] || touched[104] || touched[116]
	if goals && int8(p[98]) == -1 {
		return 4 // the watchdog fired: clear it first
	}
	if p[7] > 252 || touched[98] && (p[98] > 127) {
		return 4
	}
	if touched[116] && p[11] == 3 {
		if g := p.long(116); g > p.long(48) || g < p.long(52) {
			return 4
		}
	}
	if touched[64] {
		switch {
		case p[64] == 0:
			m.limp()
		case p[70] != 0:
			p[64] = 0
			return 1 // shut down: only a reboot helps
		case !m.Torque:
			m.Torque, m.Goal = true, m.Position
			p.set(116, 4, int(floor(m.Position+0.5))+p.long(20))
		}
	}
	if touched[116] && m.Torque {
		m.move(float64(p.long(116)-p.long(20)), d.speed(p, m))
	}
	return 0
}

// speed is the profile velocity in steps a second; 0 is none. A profile by time
// (bit 2 of the drive mode) is in milliseconds.
func (d *xDevice) speed(p *xPage, m *Motor) float64 {
	v := float64(p.long(112))
	if p[10]&4 != 0 {
		if v == 0 {
			return 0
		}
		return abs(float64(p.long(116)-p.long(20))-m.Position) / (v / 1000)
	}
	return v * 0.229 / 60 * m.Model.PerTurn
}

func floor(v float64) float64 {
	t := float64(int(v))
	if t > v {
		t--
	}
	return t
}
