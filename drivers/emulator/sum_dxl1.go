package emulator

// axTable is the register table of AX and MX servos with protocol 1.0.
type axTable struct{}

func (axTable) idAt() int         { return 3 }
func (axTable) ram() int          { return 24 }
func (axTable) locked(*page) bool { return false }

func (axTable) defaults(p *page, id int, m *Motor) {
	*p = page{}
	p.setWord(0, m.Model.Number)
	p[2], p[3], p[4], p[5] = 24, byte(id), 1, 250
	p.setWord(8, int(m.Model.Max))
	p[11], p[12], p[13] = byte(m.Model.Celsius), 60, 160
	p.setWord(14, 1023)
	p[16], p[17], p[18] = 2, 36, 36
	p.setWord(34, 1023)
	p.setWord(30, int(m.Model.Center))
	p[26], p[27], p[28], p[29] = 1, 1, 32, 32
}

func (axTable) refresh(p *page, m *Motor) {
	p[24] = 0
	if m.Torque {
		p[24] = 1
	}
	p.setWord(36, clampInt(m.Position, 0, m.Model.Max))
	p.setWord(40, signed(m.Load*1023, 10))
	p[42], p[43] = byte(m.Volts*10+0.5), byte(m.Celsius)
	p[46] = 0
	if m.moving() {
		p[46] = 1
	}
}

func (t axTable) wrote(p *page, m *Motor, addr, n int) byte {
	touches := func(a int) bool { return addr <= a && a < addr+n }
	if touches(36) || touches(43) || p[3] > 253 {
		return 0x08
	}
	limits := func(v int) bool { return v < p.word(6) || v > p.word(8) }
	if touches(31) {
		if limits(p.word(30)) {
			return 0x02
		}
		if p.word(34) > 0 {
			m.Torque = true // writing a goal switches the torque on
		}
		m.move(float64(p.word(30)), t.speed(p, m))
	}
	if touches(33) {
		m.move(m.Goal, t.speed(p, m))
	}
	if touches(24) {
		switch {
		case p[24] == 0:
			m.limp()
		case p.word(34) > 0 && !m.Torque:
			m.Torque, m.Goal = true, m.Position
			p.setWord(30, clampInt(m.Position, 0, m.Model.Max))
		}
	}
	return 0
}

// speed is the moving speed in steps a second: 0.111 rpm a unit, 0 as fast as
// it can.
func (axTable) speed(p *page, m *Motor) float64 {
	return float64(p.word(32)&1023) * 0.111 / 60 * m.Model.PerTurn
}

func (axTable) quiet(p *page, inst byte) bool { return p[16] == 0 || p[16] == 1 && inst != 2 }

func (axTable) knows(m *Motor, inst byte) bool {
	const bulkRead = 0x92
	return inst != 0x82 && (inst != bulkRead || m.Model.Max > 1023)
}

func (axTable) alarms(p *page, m *Motor, strained bool) byte {
	var a byte
	if v := byte(m.Volts*10 + 0.5); v < p[12] || v > p[13] {
		a |= 1
	}
	if m.Celsius >= float64(p[11]) {
		a |= 4
	}
	if strained || p.word(34) == 0 && p.word(14) > 0 {
		a |= 32
	}
	return a
}

// shut lets go after what register 18 names; after an overload the torque limit
// is 0 until the host writes it.
func (axTable) shut(p *page, m *Motor, alarm byte) {
	if alarm&p[18] != 0 {
		m.limp()
		p.setWord(34, 0)
	}
}

func clampInt(v, lo, hi float64) int { return int(min(max(v, lo), hi) + 0.5) }

// signed is a magnitude with its sign in a bit.
func signed(v float64, bit int) int {
	if v < 0 {
		return int(-v+0.5) | 1<<bit
	}
	return int(v + 0.5)
}
