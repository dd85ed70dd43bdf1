package emulator

import (
	"slices"
	"time"
)

// reply sends the answer of a servo after its return delay, as the faults have
// it.
func (b *Bank) reply(id int, delay time.Duration, frame []byte) {
	b.free = max(b.free, b.now) + delay + b.wire(len(frame))
	at := b.free + b.o.Latency + b.slow
	for i := range b.faults {
		f := &b.faults[i]
		if !f.reply() || !f.active(b.now) || f.ID >= 0 && f.ID != id || !b.dice.hit(f.Chance) {
			continue
		}
		b.stats.Faults++
		if frame, at = b.spoil(f, frame, at); frame == nil {
			return
		}
	}
	b.push(at, frame)
}

// spoil does to a reply what a fault asks for; nil means it does not come.
func (b *Bank) spoil(f *Fault, frame []byte, at time.Duration) ([]byte, time.Duration) {
	switch f.Kind {
	case Lost:
		return nil, at
	case Late:
		return frame, at + seconds(f.By)
	case Corrupted:
		frame = slices.Clone(frame)
		frame[b.dice.below(len(frame))] ^= 1 << b.dice.below(8)
	case Duplicated:
		frame = append(slices.Clone(frame), frame...)
	case Foreign:
		frame = append(b.device.stranger(slices.Clone(frame)), frame...)
	case Cut:
		frame = frame[:len(frame)/2]
	}
	return frame, at
}

// turn begins and ends faults of servos and of the line.
func (b *Bank) turn() {
	for i := range b.faults {
		f := &b.faults[i]
		if f.reply() || f.ended {
			continue
		}
		on := f.active(b.now)
		switch {
		case on && !f.begun:
			f.begun = true
			b.begin(f)
		case !on && f.begun:
			f.ended = true
			b.end(f)
		}
	}
}

func (b *Bank) begin(f *Fault) {
	switch f.Kind {
	case Echo:
		b.echo = true
	case Slow:
		b.slow = seconds(f.By)
	case Sag:
		b.supply = f.By
	case Unplugged:
		b.gone = b.gone || f.ID < 0
	case BrownOut:
		b.asleep = b.now + seconds(f.By)
		b.buf = b.buf[:0]
		b.stats.Reboots++
	}
	b.each(f, func(i int, m *Motor) {
		switch f.Kind {
		case Stuck:
			m.Stuck = true
		case Overheated:
			m.Celsius, m.hot = f.By, true
		case Overloaded:
			m.External = f.By
		case Unplugged:
			m.Absent = true
		case BrownOut:
			m.limp()
			b.device.reset(b, i)
		}
	})
}

func (b *Bank) end(f *Fault) {
	f.ended = true
	switch f.Kind {
	case Echo:
		b.echo = false
	case Slow:
		b.slow = 0
	case Sag:
		b.supply = b.o.Volts
		if b.supply == 0 {
			v := b.motors[0].Model.Volts
			b.supply = (v[0] + v[1]) / 2
		}
	case Unplugged:
		b.gone = b.gone && f.ID >= 0
	}
	b.each(f, func(i int, m *Motor) {
		switch f.Kind {
		case Stuck:
			m.Stuck = false
		case Overheated:
			m.Celsius, m.hot = m.ambient, false
		case Overloaded:
			m.External = 0
		case Unplugged:
			if f.ID >= 0 {
				m.Absent = false
			}
		}
	})
}

// each calls do for the servos a fault is about. Unplugging the line leaves the
// servos as they are.
func (b *Bank) each(f *Fault, do func(i int, m *Motor)) {
	if f.Kind == Unplugged && f.ID < 0 {
		return
	}
	for i := range b.motors {
		if f.ID < 0 || b.ids[i] == f.ID {
			do(i, &b.motors[i])
		}
	}
}
