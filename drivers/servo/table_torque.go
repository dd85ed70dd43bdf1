package servo

// Torque that went off by itself is how a servo without an alarm for it shows
// that it restarted: it has forgotten what is in its RAM.

// Holding notes that torque was put on servos, or taken off.
func (t *Table) Holding(id int, on bool) {
	t.reset[id>>6] &^= 1 << (id & 63)
	if was := has(&t.on, byte(id)); was == on {
		return
	}
	t.on[id>>6] ^= 1 << (id & 63)
	if on {
		t.held = append(t.held, id)
		return
	}
	for i, h := range t.held {
		if h == id {
			t.held = append(t.held[:i], t.held[i+1:]...)
			return
		}
	}
}

// LetGo notes that torque was taken off all servos.
func (t *Table) LetGo() { t.on, t.reset, t.held = IDs{}, IDs{}, t.held[:0] }

// CheckTorque asks one of the servos that should hold, in turn, for its torque
// register, and marks those of dst that were found without.
func (t *Table) CheckTorque(dst []Feedback, addr byte) (err error) {
	if len(t.held) > 0 {
		t.turn = (t.turn + 1) % len(t.held)
		if err := t.torqueOf(t.held[t.turn], addr); err != nil {
			return err
		}
	}
	for i := range dst {
		if has(&t.reset, byte(dst[i].ID)) {
			dst[i].Alarms |= AlarmReset
		}
	}
	return nil
}

// torqueOf asks one servo.
func (t *Table) torqueOf(id int, addr byte) (err error) {
	if t.tx, err = t.Regs.AppendRead(t.tx[:0], byte(id), addr, 1); err != nil {
		return err
	}
	t.from[0] = id
	t.p.ExpectOne(byte(id), 1, t.Bus.EchoOf(t.tx))
	t.q = Question{Request: t.tx, Answer: &t.p, From: t.from[:], Cost: Cost{Tx: 8, Rx: 7, Replies: 1}}
	f, err := t.Bus.Ask(&t.q)
	if r := t.p.Reply(); err == nil && f.HasData() && len(r.Params) == 1 && r.Params[0] == 0 {
		t.reset.Add(byte(id))
	}
	return err
}
