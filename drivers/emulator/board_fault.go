package emulator

import (
	"fmt"
	"time"
)

// judge lets time pass and says what becomes of a transfer.
func (b *Board) judge(address int) error {
	b.mu.Lock()
	b.advance()
	var hold time.Duration
	lost := false
	for i := range b.faults {
		f := &b.faults[i]
		if !f.active(b.now) || !b.touches(f, address) {
			continue
		}
		switch f.Kind {
		case Slow:
			hold = seconds(f.By)
		case Lost:
			lost = lost || b.dice.hit(f.Chance)
		}
	}
	if lost || hold > 0 {
		b.struck++
	}
	b.mu.Unlock()
	if hold > 0 {
		b.o.Clock.Sleep(hold)
	}
	if lost {
		return fmt.Errorf("%w at address %#02x", ErrNack, address)
	}
	return nil
}

// touches reports whether a fault is one of the chip at an address.
func (b *Board) touches(f *Fault, address int) bool {
	i := f.ID / 16
	return f.ID < 0 || i < len(b.chips) && int(b.o.Config.Pulses.Addresses[i]) == address
}

// Inject adds a fault of those that make sense on I2C. Its At counts from now.
func (b *Board) Inject(f Fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.advance()
	f.At += b.now
	b.faults = append(b.faults, f)
}

// advance brings faults and servos up to now.
func (b *Board) advance() {
	for now := b.o.Clock.Now() - b.start; b.now < now; {
		step := min(now-b.now, grain)
		b.now += step
		b.turn()
		for i, c := range b.chips {
			c.Follow(b.motors[i], step)
		}
	}
}

// turn begins and ends faults.
func (b *Board) turn() {
	for i := range b.faults {
		f := &b.faults[i]
		on := f.active(b.now)
		if f.Kind == BrownOut { // power is back after By seconds
			on = b.now >= f.At && b.now < f.At+seconds(f.By)
			on = on || b.now >= f.At && !f.begun
		}
		if on == (f.begun && !f.ended) || f.ended {
			continue
		}
		f.begun, f.ended = true, !on
		if on {
			b.struck++
		}
		b.strike(f, on)
	}
}

// strike begins or ends a fault that lasts.
func (b *Board) strike(f *Fault, on bool) {
	switch f.Kind {
	case Stuck:
		for i := range b.motors {
			for ch := range b.motors[i] {
				if f.ID < 0 || f.ID == 16*i+ch {
					b.motors[i][ch].Stuck = on
				}
			}
		}
	case Sag:
		v := b.full()
		if on {
			v = f.By
		}
		b.power(v)
	case Unplugged, BrownOut:
		for i, a := range b.o.Config.Pulses.Addresses {
			if f.ID >= 0 && f.ID/16 != i {
				continue
			}
			b.Unplug(int(a), on)
			if on && f.Kind == BrownOut {
				b.chips[i].PowerUp()
			}
		}
	}
}
