package servo

// Torque that went off by itself is how a servo without an alarm for it shows
// that it restarted: it has forgotten what is in its RAM.

// Holding notes that torque was put on servos, or taken off.
func (t *Table) Holding(id int, on bool) {
	t.reset[id>>6] &^= 1 << (id & 63)
	t.on[id>>6] &^= 1 << (id & 63)
	if on {
		t.on.Add(byte(id))
	}
}

// LetGo notes that torque was taken off all servos.
func (t *Table) LetGo() { t.on, t.reset = IDs{}, IDs{} }

// CheckTorque asks one of the servos that should hold, in turn, for its torque
// register, and marks those that were found without.
func (t *Table) CheckTorque(dst []Feedback, addr byte) (err error) {
	t.turn++
	f := &dst[t.turn%len(dst)]
	if has(&t.on, byte(f.ID)) {
		if t.tx, err = t.Regs.AppendRead(t.tx[:0], byte(f.ID), addr, 1); err != nil {
			return err
		}
		t.from[0] = f.ID
		t.p.ExpectOne(byte(f.ID), 1, t.Bus.EchoOf(t.tx))
		t.q = Question{Request: t.tx, Answer: &t.p, From: t.from[:], Cost: Cost{Tx: 8, Rx: 7, Replies: 1}}
		fault, err := t.Bus.Ask(&t.q)
		if err != nil {
			return err
		}
		if r := t.p.Reply(); fault.HasData() && len(r.Params) == 1 && r.Params[0] == 0 {
			t.reset.Add(byte(f.ID))
		}
	}
	for i := range dst {
		if has(&t.reset, byte(dst[i].ID)) {
			dst[i].Alarms |= AlarmReset
		}
	}
	return nil
}
