package servo

// In the tick. Replies are handed to take, one a servo in the order asked, and
// are good during the call.

// ReadEach asks every servo of dst by itself for n registers from addr. A
// question whose answer came but was spoilt is asked again at once, at most
// maxTries times; silence is left to a later tick.
func (t *Table) ReadEach(dst []Feedback, addr, n byte, take func(f *Feedback, r *Reply)) (err error) {
	for i := range dst {
		if t.tx, err = t.Regs.AppendRead(t.tx[:0], byte(dst[i].ID), addr, n); err != nil {
			return err
		}
		t.from[0] = dst[i].ID
		t.q = Question{Request: t.tx, Answer: &t.p, From: t.from[:], Cost: Cost{Tx: 8, Rx: 6 + int(n), Replies: 1}}
		for try := 0; ; try++ {
			t.p.ExpectOne(byte(dst[i].ID), int(n), t.Bus.EchoOf(t.tx))
			f, err := t.Bus.Ask(&t.q)
			if err != nil {
				return err
			}
			if !f.Again() || try == maxTries {
				t.reply = t.p.Reply()
				Judge(&dst[i], f)
				take(&dst[i], &t.reply)
				break
			}
			t.Bus.Stats.Retries++
		}
	}
	return nil
}

// ReadGroup asks all servos of dst by one sync read. from is room for their ids.
func (t *Table) ReadGroup(dst []Feedback, from []int, addr, n byte, take func(f *Feedback, r *Reply)) (err error) {
	t.ids = t.ids[:0]
	from = from[:0]
	for i := range dst {
		t.ids, from = append(t.ids, byte(dst[i].ID)), append(from, dst[i].ID)
	}
	if t.tx, err = t.Regs.AppendSyncRead(t.tx[:0], addr, n, t.ids); err != nil {
		return err
	}
	t.p.ExpectGroup(t.ids, int(n), t.Bus.EchoOf(t.tx))
	return t.group(dst, from, int(n), take)
}

// ReadBulk asks the same by a bulk read.
func (t *Table) ReadBulk(dst []Feedback, from []int, spans []Span, addr, n byte, take func(f *Feedback, r *Reply)) (err error) {
	from, spans = from[:0], spans[:0]
	for i := range dst {
		from, spans = append(from, dst[i].ID), append(spans, Span{ID: byte(dst[i].ID), Addr: addr, Len: n})
	}
	if t.tx, err = t.Regs.AppendBulkRead(t.tx[:0], spans); err != nil {
		return err
	}
	t.p.ExpectBulk(spans, t.Bus.EchoOf(t.tx))
	return t.group(dst, from, int(n), take)
}

// group asks and hands out the replies of a group.
func (t *Table) group(dst []Feedback, from []int, n int, take func(f *Feedback, r *Reply)) error {
	t.q = Question{Request: t.tx, Answer: &t.p, From: from, Cost: Cost{Tx: len(t.tx), Rx: len(dst) * (6 + n), Replies: len(dst)}}
	f, err := t.Bus.Ask(&t.q)
	if err != nil {
		return err
	}
	replies := t.p.Replies()
	for i := range dst {
		t.reply = replies[i]
		if f.Class == Deferred {
			t.reply.Fault = f
		}
		Judge(&dst[i], t.reply.Fault)
		take(&dst[i], &t.reply)
	}
	return nil
}

// Judge empties a Feedback and notes the fault of its reply.
func Judge(dst *Feedback, f Fault) { *dst = Feedback{ID: dst.ID, Fault: f} }

// Again reports whether a question may be asked again at once: its answer came
// and was spoilt, so that none is still to come.
func (f Fault) Again() bool {
	return f.Class == Checksum || f.Class == CRC
}
