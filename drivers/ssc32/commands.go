package ssc32

import "legctl/drivers/servo"

// Caps of the protocol. Positions read back are commanded ones, no feedback.
var Caps = servo.Caps{GroupWrite: true, Timed: true, MaxID: Channels - 1, Bits: 10, DefaultBaud: 9600}

// Limits of the protocol.
const (
	Channels  = 32
	LeastUS   = 500
	MostUS    = 2500
	MostMS    = 65535
	MostSpeed = 65535
	MostTrim  = 100
	Registers = 64
)

// Escape cancels a line that was begun.
const Escape = 27

// Move is a pulse for one channel; Speed 0 sets no ceiling.
type Move struct {
	Channel, US, Speed int
}

// channel refuses what the board does not have.
func channel(ch int) error {
	if ch < 0 || ch >= Channels {
		return servo.Refuse("ssc32", "channel", float64(ch), "0 to 31")
	}
	return nil
}

// once refuses a channel that is not there or was seen before.
func once(seen *servo.IDs, ch int) error {
	if err := channel(ch); err != nil {
		return err
	}
	if !seen.Add(byte(ch)) {
		return servo.Refuse("ssc32", "channel", float64(ch), "each channel once in a line")
	}
	return nil
}

// number appends letters and a decimal number of at most five digits, in less
// than half the time of a general conversion.
func number(dst []byte, letters string, v int) []byte {
	dst = append(dst, letters...)
	if v < 0 {
		dst, v = append(dst, '-'), -v
	}
	var digits [5]byte
	i := len(digits)
	for i == len(digits) || v > 0 && i > 0 {
		i--
		digits[i] = '0' + byte(v%10)
		v /= 10
	}
	return append(dst, digits[i:]...)
}

// target appends a channel of up to two digits and a pulse of three or four: what
// a tick sends most.
func target(dst []byte, ch, us int) []byte {
	c, u := uint32(ch), uint32(us)
	if c >= 10 {
		dst = append(dst, '#', '0'+byte(c/10), '0'+byte(c%10), 'P')
	} else {
		dst = append(dst, '#', '0'+byte(c), 'P')
	}
	h, l := u/100, u%100
	if h >= 10 {
		return append(dst, '0'+byte(h/10), '0'+byte(h%10), '0'+byte(l/10), '0'+byte(l%10))
	}
	return append(dst, '0'+byte(h), '0'+byte(l/10), '0'+byte(l%10))
}

// AppendMove moves channels together in one line. ms is the least time of the
// whole line, 0 for none: the slower of it and the speeds wins.
func AppendMove(dst []byte, moves []Move, ms int) ([]byte, error) {
	if ms < 0 || ms > MostMS {
		return dst, servo.Refuse("ssc32", "time in ms", float64(ms), "0 to 65535")
	}
	if len(moves) == 0 {
		return dst, servo.Refuse("ssc32", "channels in a line", 0, "at least one")
	}
	var seen uint32
	out := dst
	for i := range moves {
		m := &moves[i]
		bit := uint32(1) << (uint(m.Channel) & 31)
		if uint(m.Channel) >= Channels || seen&bit != 0 || uint(m.US-LeastUS) > MostUS-LeastUS || uint(m.Speed) > MostSpeed {
			return dst, m.refuse()
		}
		seen |= bit
		out = target(out, m.Channel, m.US)
		if m.Speed > 0 {
			out = number(out, "S", m.Speed)
		}
	}
	if ms > 0 {
		out = number(out, "T", ms)
	}
	return append(out, '\r'), nil
}

// refuse says what is wrong with a move.
func (m *Move) refuse() error {
	switch {
	case m.Channel < 0 || m.Channel >= Channels:
		return channel(m.Channel)
	case m.US < LeastUS || m.US > MostUS:
		return servo.Refuse("ssc32", "pulse in us", float64(m.US), "500 to 2500")
	case m.Speed < 0 || m.Speed > MostSpeed:
		return servo.Refuse("ssc32", "speed in us/s", float64(m.Speed), "0 to 65535")
	}
	return servo.Refuse("ssc32", "channel", float64(m.Channel), "each channel once in a line")
}

// Trim is an offset for one channel, -100 to 100 us, forgotten at power-off.
type Trim struct{ Channel, US int }

// AppendTrim sets offsets.
func AppendTrim(dst []byte, trims []Trim) ([]byte, error) {
	if len(trims) == 0 {
		return dst, servo.Refuse("ssc32", "channels in a line", 0, "at least one")
	}
	var seen servo.IDs
	out := dst
	for _, o := range trims {
		if err := once(&seen, o.Channel); err != nil {
			return dst, err
		}
		if o.US < -MostTrim || o.US > MostTrim {
			return dst, servo.Refuse("ssc32", "offset in us", float64(o.US), "-100 to 100")
		}
		out = number(number(out, "#", o.Channel), "PO", o.US)
	}
	return append(out, '\r'), nil
}

// AppendOff ends the pulses of channels: their servos go limp.
func AppendOff(dst []byte, channels []int) ([]byte, error) {
	if len(channels) == 0 {
		return dst, servo.Refuse("ssc32", "channels in a line", 0, "at least one")
	}
	var seen servo.IDs
	out := dst
	for _, ch := range channels {
		if err := once(&seen, ch); err != nil {
			return dst, err
		}
		out = append(number(out, "#", ch), "P0"...)
	}
	return append(out, '\r'), nil
}

// AppendStop stops one channel where it is. The rest of its group goes on, and
// the board says "moving" until the group's time is over.
func AppendStop(dst []byte, ch int) ([]byte, error) {
	if err := channel(ch); err != nil {
		return dst, err
	}
	return append(number(dst, "STOP", ch), '\r'), nil
}

// AppendQueryMoving asks whether a move is under way.
func AppendQueryMoving(dst []byte) []byte { return append(dst, "Q\r"...) }

// AppendQueryPulse asks for the commanded pulse of a channel.
func AppendQueryPulse(dst []byte, ch int) ([]byte, error) {
	if err := channel(ch); err != nil {
		return dst, err
	}
	return append(number(dst, "QP", ch), '\r'), nil
}

// AppendVersion asks for the firmware: the way to find the baud.
func AppendVersion(dst []byte) []byte { return append(dst, "VER\r"...) }

// AppendReadRegister asks for a register, 0 to 63.
func AppendReadRegister(dst []byte, n int) ([]byte, error) {
	if n < 0 || n >= Registers {
		return dst, servo.Refuse("ssc32", "register", float64(n), "0 to 63")
	}
	return append(number(dst, "R", n), '\r'), nil
}

// AppendResync makes the board forget a line that was begun.
func AppendResync(dst []byte) []byte { return append(dst, Escape, '\r') }

// MoveCost is a group move of n channels 0 to n-1 with pulses of four digits and
// a time of so many digits.
func MoveCost(n, timeDigits int) servo.Cost {
	return servo.Cost{Tx: 7*n + max(0, n-10) + 1 + timeDigits + 1}
}
