package pca9685

import (
	"fmt"

	"legctl/drivers/servo"
)

// Bus writes to one chip: a connection of an I2C package that is bound to the
// chip's address. A write is one transfer and all or nothing.
type Bus interface {
	Write(p []byte) (int, error)
}

// Board holds what the 16 channels of one chip should do and sends what has
// changed in one write. The zero value has all channels off and unsent. The chip
// takes over the channels of a write together, at its stop.
type Board struct {
	regs  [4 * Channels]byte
	known uint16 // channels whose registers the chip has
	live  uint16 // channels that have pulses
	buf   [1 + 4*Channels]byte
}

// Stagger is the rising edge by which the channels of a board share the period
// evenly.
func Stagger(channel int) int { return channel * (Period / Channels) }

// Set gives a channel a pulse of so many ticks from tick on.
func (b *Board) Set(channel, on, ticks int) error {
	if err := check(channel, on, ticks); err != nil {
		return err
	}
	off := (on + ticks) % Period
	b.put(channel, [4]byte{byte(on), byte(on >> 8), byte(off), byte(off >> 8)})
	b.live |= 1 << channel
	return nil
}

// Off ends the pulses of a channel.
func (b *Board) Off(channel int) error {
	if channel < 0 || channel >= Channels {
		return servo.Refuse("pca9685", "channel", float64(channel), "0 to 15")
	}
	b.off(channel)
	return nil
}

func (b *Board) off(channel int) {
	b.put(channel, [4]byte{3: fullOff})
	b.live &^= 1 << channel
}

// OffAll ends the pulses of all channels.
func (b *Board) OffAll() {
	for ch := range Channels {
		b.off(ch)
	}
}

func (b *Board) put(channel int, r [4]byte) {
	old := (*[4]byte)(b.regs[4*channel:])
	if *old != r {
		*old = r
		b.known &^= 1 << channel
	}
}

// Live is the set of channels that have pulses, bit 0 for channel 0.
func (b *Board) Live() uint16 { return b.live }

// Forget makes the next write send all channels: after the chip lost power or a
// write failed.
func (b *Board) Forget() { b.known = 0 }

// AppendChanges appends the one write that brings the chip up to date, from the
// first to the last channel that changed; nothing when none did. Say Sent when
// it has gone through.
func (b *Board) AppendChanges(dst []byte) []byte {
	first, last := Channels, -1
	for ch := range Channels {
		if b.known>>ch&1 == 0 {
			first, last = min(first, ch), ch
		}
	}
	if last < 0 {
		return dst
	}
	dst = append(dst, byte(regChannel+4*first))
	start := len(dst)
	dst = append(dst, b.regs[4*first:4*last+4]...)
	b.mend(dst[start:], first)
	return dst
}

// mend gives channels that were never set the registers of full-off: in a zero
// Board they are zero, which would be a pulse without end.
func (b *Board) mend(regs []byte, first int) {
	for i := 0; i < len(regs); i += 4 {
		if b.live>>(first+i/4)&1 == 0 {
			copy(regs[i:], []byte{0, 0, 0, fullOff})
		}
	}
}

// Sent notes that the chip has what AppendChanges gave.
func (b *Board) Sent() { b.known = 1<<Channels - 1 }

// Flush sends what changed. A write that fails or is short leaves the chip
// unknown, so that the next Flush sends everything.
func (b *Board) Flush(bus Bus) error {
	out := b.AppendChanges(b.buf[:0])
	if len(out) == 0 {
		return nil
	}
	n, err := bus.Write(out)
	if err == nil && n != len(out) {
		err = fmt.Errorf("pca9685: write of %d bytes, %d taken: check the wiring", len(out), n)
	}
	if err != nil {
		b.Forget()
		return err
	}
	b.Sent()
	return nil
}
