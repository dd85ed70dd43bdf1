package emulator

import (
	"time"
)

// page is the register table of one servo.
type page [256]byte

func (p *page) word(addr int) int      { return int(p[addr]) | int(p[addr+1])<<8 }
func (p *page) setWord(addr, v int)    { p[addr], p[addr+1] = byte(v), byte(v>>8) }
func (p *page) big(addr int) int       { return int(p[addr])<<8 | int(p[addr+1]) }
func (p *page) setBig(addr, v int)     { p[addr], p[addr+1] = byte(v>>8), byte(v) }
func (p *page) copyIn(a int, d []byte) { copy(p[a:], d) }

// sumDevice is servos that are a table of registers behind FF FF frames:
// Dynamixel 1.0 and Feetech.
type sumDevice struct {
	table   sumTable
	regs    []page // as read
	kept    []page // what outlives a loss of power
	waiting [][]byte
	alarm   []byte
	strain  []time.Duration // since when it carries too much; 0: it does not
}

// sumTable is what the register table of a family means.
type sumTable interface {
	defaults(p *page, id int, m *Motor)
	ram() int                                     // first register that is not kept
	locked(p *page) bool                          // writes below ram are not kept
	refresh(p *page, m *Motor)                    // present values
	wrote(p *page, m *Motor, addr, n int) byte    // what a write does; error bits
	quiet(p *page, inst byte) bool                // no status for this instruction
	knows(m *Motor, inst byte) bool               // instruction exists
	alarms(p *page, m *Motor, strained bool) byte // error bits now
	shut(p *page, m *Motor, alarm byte)           // what an alarm does to the servo
	idAt() int
}

func newSumDevice(b *Bank, t sumTable) *sumDevice {
	n := len(b.motors)
	d := &sumDevice{
		table: t, regs: make([]page, n), kept: make([]page, n), waiting: make([][]byte, n),
		alarm: make([]byte, n), strain: make([]time.Duration, n),
	}
	for i := range b.motors {
		t.defaults(&d.kept[i], b.ids[i], &b.motors[i])
		d.regs[i] = d.kept[i]
	}
	return d
}

func (d *sumDevice) reset(b *Bank, i int) {
	d.regs[i] = d.kept[i]
	d.waiting[i], d.alarm[i], d.strain[i] = nil, 0, 0
	b.ids[i] = int(d.regs[i][d.table.idAt()])
}

func (d *sumDevice) tick(b *Bank) {
	for i := range b.motors {
		m := &b.motors[i]
		switch {
		case m.Load < 0.85 && m.Load > -0.85:
			d.strain[i] = 0
		case d.strain[i] == 0:
			d.strain[i] = max(b.now, 1)
		}
		strained := d.strain[i] > 0 && b.now-d.strain[i] > time.Second
		now := d.table.alarms(&d.regs[i], m, strained)
		if fresh := now &^ d.alarm[i]; fresh != 0 {
			d.table.shut(&d.regs[i], m, fresh)
		}
		d.alarm[i] = now
	}
}

// take reads one instruction packet.
func (d *sumDevice) take(b *Bank, buf []byte) int {
	if buf[0] != 0xFF || len(buf) > 1 && buf[1] != 0xFF || len(buf) > 2 && buf[2] == 0xFF || len(buf) > 3 && buf[3] < 2 {
		b.stats.Bad++
		return 1
	}
	if len(buf) < 4 || len(buf) < 4+int(buf[3]) {
		return 0
	}
	n := 4 + int(buf[3])
	var sum byte
	for _, c := range buf[2 : n-1] {
		sum += c
	}
	id, inst, params := buf[2], buf[4], buf[5:n-1]
	if buf[n-1] != 255-sum {
		b.stats.Bad++
		d.answer(b, d.those(b, id), 0x10, nil)
		return n
	}
	b.stats.Requests++
	d.obey(b, id, inst, params)
	return n
}

// those are the servos an id means.
func (d *sumDevice) those(b *Bank, id byte) []int {
	var out []int
	for i := range b.motors {
		if !b.motors[i].Absent && (id == 254 || b.ids[i] == int(id)) {
			out = append(out, i)
		}
	}
	return out
}

func (d *sumDevice) obey(b *Bank, id, inst byte, params []byte) {
	to := d.those(b, id)
	if len(to) > 0 && !d.table.knows(&b.motors[to[0]], inst) {
		if id != 254 {
			d.answer(b, to, 0x40, nil)
		}
		return
	}
	switch {
	case inst == 1:
		d.answer(b, to, 0, nil)
	case inst == 2 && len(params) == 2 && id != 254:
		d.read(b, to, params[0], params[1])
	case inst == 3 && len(params) >= 2:
		d.writeTo(b, to, id, inst, params)
	case inst == 4 && len(params) >= 2:
		for _, i := range to {
			d.waiting[i] = append([]byte(nil), params...)
		}
		d.acknowledge(b, to, id, inst, 0)
	case inst == 5:
		for _, i := range to {
			if w := d.waiting[i]; w != nil {
				d.put(b, i, w)
			}
			d.waiting[i] = nil
		}
	case inst == 6 && id != 254:
		d.acknowledge(b, to, id, inst, 0)
		for _, i := range to {
			d.table.defaults(&d.kept[i], 1, &b.motors[i])
			d.reset(b, i)
		}
	default:
		d.group(b, to, id, inst, params)
	}
}

// group obeys the instructions that name several servos.
func (d *sumDevice) group(b *Bank, to []int, id, inst byte, params []byte) {
	switch {
	case inst == 0x83 && len(params) >= 3 && int(params[1]) > 0:
		size := int(params[1])
		for rest := params[2:]; len(rest) >= size+1; rest = rest[size+1:] {
			for _, i := range d.those(b, rest[0]) {
				d.put(b, i, append([]byte{params[0]}, rest[1:size+1]...))
			}
		}
	case inst == 0x82 && len(params) >= 3:
		for _, one := range params[2:] {
			d.read(b, d.those(b, one), params[0], params[1])
		}
	case inst == 0x92 && len(params) >= 4:
		for rest := params[1:]; len(rest) >= 3; rest = rest[3:] {
			d.read(b, d.those(b, rest[1]), rest[2], rest[0])
		}
	case id != 254:
		d.answer(b, to, 0x40, nil)
	}
}

func (d *sumDevice) writeTo(b *Bank, to []int, id, inst byte, params []byte) {
	var bad byte
	for _, i := range to {
		bad |= d.put(b, i, params)
	}
	d.acknowledge(b, to, id, inst, bad)
}

// acknowledge answers a write, unless it went to all or the servo is set to
// keep quiet.
func (d *sumDevice) acknowledge(b *Bank, to []int, id, inst, bad byte) {
	if id == 254 || len(to) == 0 || d.table.quiet(&d.regs[to[0]], inst) {
		return
	}
	d.answer(b, to, bad, nil)
}

// put writes address and data into a servo's registers and returns error bits.
func (d *sumDevice) put(b *Bank, i int, w []byte) byte {
	addr, data := int(w[0]), w[1:]
	p, m := &d.regs[i], &b.motors[i]
	if addr+len(data) > len(p) || addr < d.table.idAt() {
		return 0x08
	}
	before := *p
	p.copyIn(addr, data)
	if bad := d.table.wrote(p, m, addr, len(data)); bad != 0 {
		*p = before
		return bad
	}
	if addr < d.table.ram() && !d.table.locked(p) {
		d.kept[i].copyIn(addr, data[:min(len(data), d.table.ram()-addr)])
	}
	b.ids[i] = int(p[d.table.idAt()])
	return 0
}

func (d *sumDevice) read(b *Bank, to []int, addr, n byte) {
	if int(addr)+int(n) > 256 {
		d.answer(b, to, 0x08, nil)
		return
	}
	parts := make([][]byte, len(to))
	for k, i := range to {
		d.table.refresh(&d.regs[i], &b.motors[i])
		parts[k] = append([]byte(nil), d.regs[i][addr:int(addr)+int(n)]...)
	}
	d.answer(b, to, 0, parts)
}

// answer sends the status packets of servos. Those with one id speak at once:
// their packets are laid over each other. So do all that heard a ping to all.
func (d *sumDevice) answer(b *Bank, to []int, bad byte, parts [][]byte) {
	var frames [][]byte
	for k, i := range to {
		var part []byte
		if parts != nil {
			part = parts[k]
		}
		frames = append(frames, sumFrame(byte(b.ids[i]), bad|d.alarm[i], part))
	}
	if len(frames) == 0 {
		return
	}
	i := to[0]
	b.reply(b.ids[i], d.delay(i), overlay(frames))
}

// delay is the servo's return delay.
func (d *sumDevice) delay(i int) time.Duration {
	return time.Duration(d.regs[i][d.table.idAt()+2]) * 2 * time.Microsecond
}

func sumFrame(id, status byte, params []byte) []byte {
	f := append([]byte{0xFF, 0xFF, id, byte(len(params) + 2), status}, params...)
	return append(f, checksum(f[2:]))
}

func checksum(b []byte) byte {
	var sum byte
	for _, c := range b {
		sum += c
	}
	return 255 - sum
}

// overlay lays frames that are sent at once over each other: a driven zero wins
// over an idle one.
func overlay(frames [][]byte) []byte {
	out := append([]byte(nil), frames[0]...)
	for _, f := range frames[1:] {
		for k, c := range f {
			if k < len(out) {
				out[k] &= c
			} else {
				out = append(out, c)
			}
		}
	}
	return out
}

func (d *sumDevice) stranger(reply []byte) []byte {
	reply[2] = (reply[2] + 1) % 254
	reply[len(reply)-1] = checksum(reply[2 : len(reply)-1])
	return reply
}
