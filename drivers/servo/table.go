package servo

import (
	"bytes"
	"errors"
	"fmt"
)

// Table asks and sets the registers of servos behind FF FF frames: the part that
// the drivers of Dynamixel 1.0 and Feetech share. It belongs to one goroutine.
type Table struct {
	Bus   *Bus
	Regs  Registers
	Level byte // register that says which instructions are answered
	Quiet byte // its highest value at which a servo answers pings and reads only

	p     StatusParser
	tx    []byte
	ids   []byte
	data  []byte
	words []uint16
	reply Reply // handed out; a field, so that it need not be made anew
	q     Question
	from  [1]int
	on    IDs   // hold by our order
	reset IDs   // should hold, and were found limp
	held  []int // those of on, in the order they were told
	turn  int   // whose torque is due
	quiet IDs   // servos known not to answer a write
	loud  IDs   // servos known to answer one
}

// maxTries is how often a read or a setting is repeated outside the tick.
const maxTries = 2

// NewTable returns a table on a bus.
func NewTable(bus *Bus, regs Registers, level, quiet byte) *Table {
	return &Table{Bus: bus, Regs: regs, Level: level, Quiet: quiet}
}

// one asks one servo something until it answers, outside the tick. Params are
// the parser's until the next question.
func (t *Table) one(id, params int, patience int, request func(dst []byte) ([]byte, error)) (Reply, error) {
	tx, err := request(t.tx[:0])
	if err != nil {
		return Reply{}, err
	}
	t.tx, t.from[0] = tx, id
	// A ping of Dynamixel 1.0 is, byte for byte, also a status with one error bit.
	t.q = Question{Request: tx, Answer: &t.p, From: t.from[:], Cost: Cost{Rx: 6 + max(0, params), Replies: 1}, Alike: params == 0}
	f, err := t.Bus.AskAgain(&t.q, func() { t.p.ExpectOne(byte(id), params, t.Bus.EchoOf(tx)) }, patience)
	if err != nil {
		return Reply{}, err
	}
	if !f.HasData() {
		return Reply{}, fmt.Errorf("%s: servo %d: %w", t.Regs.Protocol, id, f)
	}
	return t.p.Reply(), nil
}

// CheckID refuses what no servo can be called.
func (t *Table) CheckID(id int) error {
	if id < 0 || id > int(t.Regs.MaxID) {
		return Refuse(t.Regs.Protocol, "id", float64(id), fmt.Sprintf("0 to %d", t.Regs.MaxID))
	}
	return nil
}

// Ping asks whether a servo is there and returns its error bits.
func (t *Table) Ping(id int) (status byte, err error) {
	if err := t.CheckID(id); err != nil {
		return 0, err
	}
	r, err := t.one(id, 0, 0, func(dst []byte) ([]byte, error) { return t.Regs.AppendPing(dst, byte(id)) })
	return r.Status, err
}

// Get reads n registers. The bytes are good until the next call.
func (t *Table) Get(id int, addr, n byte) ([]byte, error) {
	if err := t.CheckID(id); err != nil {
		return nil, err
	}
	r, err := t.one(id, int(n), maxTries, func(dst []byte) ([]byte, error) { return t.Regs.AppendRead(dst, byte(id), addr, n) })
	if err == nil && len(r.Params) != int(n) {
		err = fmt.Errorf("%s: servo %d: %w", t.Regs.Protocol, id, r.Fault)
	}
	return r.Params, err
}

// Set writes registers, reads them back and writes again if they differ.
func (t *Table) Set(id int, addr byte, data ...byte) error {
	var got []byte
	for try := 0; try <= maxTries; try++ {
		if err := t.Put(id, addr, data...); err != nil {
			return err
		}
		var err error
		if got, err = t.Get(id, addr, byte(len(data))); err != nil {
			return err
		}
		if bytes.Equal(got, data) {
			return nil
		}
	}
	return fmt.Errorf("%s: servo %d keeps % x at %d, % x was written: it may be locked, or out of its range", t.Regs.Protocol, id, got, addr, data)
}

// Want sets registers whose value is another; changed says whether it was.
func (t *Table) Want(id int, addr byte, data ...byte) (changed bool, err error) {
	got, err := t.Get(id, addr, byte(len(data)))
	if err != nil || bytes.Equal(got, data) {
		return false, err
	}
	return true, t.Set(id, addr, data...)
}

// Put writes registers without reading them back: ids, bauds and locks.
func (t *Table) Put(id int, addr byte, data ...byte) error {
	if err := t.CheckID(id); err != nil {
		return err
	}
	answers, err := t.answers(id)
	if err != nil {
		return err
	}
	request := func(dst []byte) ([]byte, error) { return t.Regs.AppendWrite(dst, byte(id), addr, data...) }
	if answers {
		_, err = t.one(id, 0, 0, request)
		var f Fault
		if errors.As(err, &f) && f.Class != DeviceError {
			err = nil // the answer is lost; reading back tells
		}
		return err
	}
	if t.tx, err = request(t.tx[:0]); err != nil {
		return err
	}
	return t.Bus.Send(t.tx)
}

// answers reports whether a servo answers writes; it is asked once.
func (t *Table) answers(id int) (bool, error) {
	if has(&t.quiet, byte(id)) {
		return false, nil
	}
	if has(&t.loud, byte(id)) {
		return true, nil
	}
	level, err := t.Get(id, t.Level, 1)
	if err != nil {
		return false, err
	}
	loud := level[0] > t.Quiet
	if loud {
		t.loud.Add(byte(id))
	} else {
		t.quiet.Add(byte(id))
	}
	return loud, nil
}

// Quieten lets a servo answer reads only, which costs it no time in writes.
func (t *Table) Quieten(id int) error {
	if loud, err := t.answers(id); err != nil || !loud {
		return err
	}
	tx, err := t.Regs.AppendWrite(t.tx[:0], byte(id), t.Level, t.Quiet)
	if err != nil {
		return err
	}
	// Whether this write is still answered differs from servo to servo.
	if t.tx, err = tx, t.Bus.Send(tx); err != nil {
		return err
	}
	t.Bus.Settle(6)
	t.forget(id)
	if loud, err := t.answers(id); err != nil || !loud {
		return err
	}
	return fmt.Errorf("%s: servo %d still answers every write: take its torque off first", t.Regs.Protocol, id)
}

// forget drops what is known about how a servo answers.
func (t *Table) forget(id int) {
	t.quiet[id>>6] &^= 1 << (id & 63)
	t.loud[id>>6] &^= 1 << (id & 63)
}

func has(s *IDs, id byte) bool { return s[id>>6]>>(id&63)&1 != 0 }

// All writes registers of all servos on the bus; nobody answers.
func (t *Table) All(addr byte, data ...byte) (err error) {
	if t.tx, err = t.Regs.AppendWrite(t.tx[:0], Broadcast, addr, data...); err != nil {
		return err
	}
	return t.Bus.Send(t.tx)
}

// Begin empties the group that Add and Word fill, and Group and Words send.
func (t *Table) Begin() { t.ids, t.data, t.words = t.ids[:0], t.data[:0], t.words[:0] }

// Add puts a servo into the group; its bytes are appended to what is returned
// and handed back by Keep.
func (t *Table) Add(id int) []byte {
	t.ids = append(t.ids, byte(id))
	return t.data
}

// Keep takes the bytes that Add gave, with those of the servo behind them.
func (t *Table) Keep(data []byte) { t.data = data }

// Group sends the group by one sync write.
func (t *Table) Group(addr byte, size int) (err error) {
	if t.tx, err = t.Regs.AppendSyncWrite(t.tx[:0], addr, size, t.ids, t.data); err != nil {
		return err
	}
	return t.Bus.Send(t.tx)
}

// Word adds a servo with a number of two bytes to the group that Words sends.
func (t *Table) Word(id int, w uint16) {
	t.ids, t.words = append(t.ids, byte(id)), append(t.words, w)
}

// Words sends the group by one sync write, numbers high byte first with big set.
func (t *Table) Words(addr byte, big bool) (err error) {
	if t.tx, err = t.Regs.AppendSyncWords(t.tx[:0], addr, t.ids, t.words, big); err != nil {
		return err
	}
	return t.Bus.Send(t.tx)
}

// Same sends the same byte to one register of several servos.
func (t *Table) Same(addr, v byte, ids []int) error {
	if len(ids) == 0 {
		return nil
	}
	t.Begin()
	for _, id := range ids {
		t.Keep(append(t.Add(id), v))
	}
	return t.Group(addr, 1)
}

// Relax takes torque off servos by their torque register, and asks each whether
// it did. The error names those that still hold.
func (t *Table) Relax(addr byte, ids []int) error {
	if err := t.Same(addr, 0, ids); err != nil {
		return err
	}
	var all error
	for _, id := range ids {
		t.Holding(id, false)
		if _, err := t.Want(id, addr, 0); err != nil {
			all = errors.Join(all, fmt.Errorf("take torque off: %w", err))
			if errors.Is(err, ErrGone) {
				return all
			}
		}
	}
	return all
}
