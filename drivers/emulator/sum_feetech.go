package emulator

// feetechTable is the register table of STS and SMS servos, or of SCS ones.
type feetechTable struct{ scs bool }

func (feetechTable) idAt() int { return 5 }
func (feetechTable) ram() int  { return 40 }

func (t feetechTable) lock() int {
	if t.scs {
		return 48
	}
	return 55
}

func (t feetechTable) locked(p *page) bool { return p[t.lock()] != 0 }

func (t feetechTable) get(p *page, addr int) int {
	if t.scs {
		return p.big(addr)
	}
	return p.word(addr)
}

func (t feetechTable) set(p *page, addr, v int) {
	if t.scs {
		p.setBig(addr, v)
	} else {
		p.setWord(addr, v)
	}
}

func (t feetechTable) defaults(p *page, id int, m *Motor) {
	*p = page{}
	p[0], p[1] = 3, 9
	if !t.scs {
		p[2] = 0
	}
	t.set(p, 3, m.Model.Number)
	p[5], p[6], p[7], p[8] = byte(id), 0, 250, 1
	t.set(p, 9, 0)
	t.set(p, 11, int(m.Model.Max))
	p[13], p[14], p[15] = byte(m.Model.Celsius), 90, 40
	t.set(p, 16, 1000)
	p[18], p[19], p[20] = 12, 44, 47
	p[34], p[35], p[36] = 20, 200, 80
	t.set(p, 42, int(m.Model.Center))
	if !t.scs {
		t.set(p, 48, 1000)
	}
	p[t.lock()] = 1
}

// offset is the homing offset of STS: present = actual - offset.
func (t feetechTable) offset(p *page) float64 {
	if t.scs {
		return 0
	}
	w := p.word(31)
	if w&0x800 != 0 {
		return -float64(w & 0x7FF)
	}
	return float64(w & 0x7FF)
}

func (t feetechTable) refresh(p *page, m *Motor) {
	p[40] = 0
	if m.Torque {
		p[40] = 1
	}
	at := m.Position - t.offset(p)
	if t.scs {
		t.set(p, 56, clampInt(at, 0, m.Model.Max))
	} else {
		t.set(p, 56, signed(at, 15))
	}
	speed := 0.0
	if m.moving() {
		speed = m.cap
		if m.Goal < m.Position {
			speed = -speed
		}
	}
	t.set(p, 58, signed(speed, 15))
	t.set(p, 60, signed(m.Load*1000, 10))
	p[62], p[63] = byte(m.Volts*10+0.5), byte(m.Celsius)
	p[66] = 0
	if m.moving() {
		p[66] = 1
	}
	if !t.scs {
		t.set(p, 69, int(abs(m.Load)*300))
	}
}

func (t feetechTable) wrote(p *page, m *Motor, addr, n int) byte {
	touches := func(a int) bool { return addr <= a && a < addr+n }
	if touches(56) || touches(62) || p[5] > 253 {
		return 0x20
	}
	if touches(40) {
		switch p[40] {
		case 0:
			m.limp()
		case 128: // call this position 2048
			t.set(p, 31, signed(m.Position-2048, 11))
		default:
			m.Torque, m.Goal = true, m.Position
		}
	}
	if touches(43) {
		t.move(p, m)
	}
	if touches(31) && !t.scs && abs(t.offset(p)) > 2047 {
		return 0x20
	}
	return 0
}

// move obeys goal, time and speed. Torque stays as it is: without it the servo
// does not move.
func (t feetechTable) move(p *page, m *Motor) {
	goal := float64(t.get(p, 42) & 0x7FFF)
	if t.get(p, 42)&0x8000 != 0 {
		goal = -goal
	}
	lo, hi := float64(t.get(p, 9)), float64(t.get(p, 11))
	goal = min(max(goal, lo), hi) + t.offset(p)
	if !m.Torque {
		return
	}
	if ms := t.get(p, 44); ms > 0 {
		m.moveIn(goal, float64(ms)/1000)
		return
	}
	m.move(goal, float64(t.get(p, 46)))
}

func (feetechTable) quiet(p *page, inst byte) bool { return p[8] == 0 && inst != 2 }

func (t feetechTable) knows(_ *Motor, inst byte) bool {
	return inst != 0x92 && (inst != 0x82 || !t.scs)
}

func (t feetechTable) alarms(p *page, m *Motor, strained bool) byte {
	var a byte
	if v := byte(m.Volts*10 + 0.5); v < p[15] || v > p[14] {
		a |= 1
	}
	if m.Celsius >= float64(p[13]) {
		a |= 4
	}
	if strained {
		a |= 32
	}
	return a
}

func (feetechTable) shut(p *page, m *Motor, alarm byte) {
	if alarm&p[19] != 0 {
		m.limp()
	}
}

func abs(v float64) float64 { return max(v, -v) }
