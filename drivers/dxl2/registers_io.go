package dxl2

import (
	"bytes"
	"errors"
	"fmt"

	"legctl/drivers/servo"
)

// maxTries is how often a read or a setting is repeated outside the tick.
const maxTries = 3

// table asks and sets registers of single servos, outside the tick.
type table struct {
	bus   *servo.Bus
	p     Parser
	tx    []byte
	q     servo.Question
	from  [1]int
	level [MaxID + 1]byte // status return level and 1; 0: not known
}

// one asks one servo something until it answers. Params are the parser's until
// the next question.
func (t *table) one(id, params, tries int, request func(dst []byte) ([]byte, error)) (servo.Reply, error) {
	tx, err := request(t.tx[:0])
	if err != nil {
		return servo.Reply{}, err
	}
	t.tx, t.from[0] = tx, id
	t.q = servo.Question{Request: tx, Answer: &t.p, From: t.from[:], Cost: servo.Cost{Rx: 11 + max(0, params), Replies: 1}}
	f, err := t.bus.AskAgain(&t.q, func() { t.p.ExpectOne(byte(id), params, t.bus.EchoOf(tx)) }, tries)
	if err != nil {
		return servo.Reply{}, err
	}
	r := t.p.Reply()
	if !f.HasData() {
		return r, fmt.Errorf("dxl2: servo %d: %w", id, f)
	}
	if name, _ := ErrorName(r.Status); name != "" {
		return r, fmt.Errorf("dxl2: servo %d refuses: %s: %w", id, name, f)
	}
	return r, nil
}

// known refuses what no servo can be called.
func known(id int) error {
	if id < 0 || id > MaxID {
		return servo.Refuse("dxl2", "id", float64(id), "0 to 252")
	}
	return nil
}

// get reads n registers. The bytes are good until the next call. An alert is no
// failure of the read.
func (t *table) get(id int, addr, n uint16) ([]byte, error) {
	if err := known(id); err != nil {
		return nil, err
	}
	r, err := t.one(id, int(n), maxTries, func(dst []byte) ([]byte, error) { return AppendRead(dst, byte(id), addr, n) })
	if err == nil && len(r.Params) != int(n) {
		err = fmt.Errorf("dxl2: servo %d: %w", id, r.Fault)
	}
	return r.Params, err
}

// set writes registers, reads them back and writes again if they differ.
func (t *table) set(id int, addr uint16, data ...byte) error {
	var got []byte
	for try := 0; try <= maxTries; try++ {
		if err := t.put(id, addr, data...); err != nil {
			return err
		}
		var err error
		if got, err = t.get(id, addr, uint16(len(data))); err != nil {
			return err
		}
		if bytes.Equal(got, data) {
			return nil
		}
	}
	return fmt.Errorf("dxl2: servo %d keeps % x at %d, % x was written: take its torque off first", id, got, addr, data)
}

// want sets registers whose value is another.
func (t *table) want(id int, addr uint16, data ...byte) error {
	got, err := t.get(id, addr, uint16(len(data)))
	if err != nil || bytes.Equal(got, data) {
		return err
	}
	return t.set(id, addr, data...)
}

// put writes registers without reading them back.
func (t *table) put(id int, addr uint16, data ...byte) error {
	if err := known(id); err != nil {
		return err
	}
	if t.level[id] == 0 {
		b, err := t.get(id, RegStatusLevel, 1)
		if err != nil {
			return err
		}
		t.level[id] = 1 + min(b[0], 2)
	}
	request := func(dst []byte) (_ []byte, err error) {
		return AppendWrite(dst, byte(id), addr, data...)
	}
	if t.level[id] == 3 {
		_, err := t.one(id, 0, 0, request)
		var f servo.Fault
		if errors.As(err, &f) && f.Class != servo.DeviceError {
			err = nil // the answer is lost; reading back tells
		}
		return err
	}
	var err error
	if t.tx, err = request(t.tx[:0]); err != nil {
		return err
	}
	return t.bus.Send(t.tx)
}

// quieten lets a servo answer reads and pings only.
func (t *table) quieten(id int) error {
	was, err := t.get(id, RegStatusLevel, 1)
	if err != nil {
		return err
	}
	if was[0] == 1 {
		t.level[id] = 2
		return nil
	}
	if t.tx, err = AppendWrite(t.tx[:0], byte(id), RegStatusLevel, 1); err != nil {
		return err
	}
	// Whether this write is still answered differs from servo to servo.
	if err := t.bus.Send(t.tx); err != nil {
		return err
	}
	t.bus.Settle(11)
	t.level[id] = 0
	b, err := t.get(id, RegStatusLevel, 1)
	if err == nil && b[0] != 1 {
		err = fmt.Errorf("dxl2: servo %d: status return level is %d, 1 was written", id, b[0])
	}
	if err == nil {
		t.level[id] = 2
	}
	return err
}
