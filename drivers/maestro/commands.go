package maestro

import (
	"math"

	"legctl/drivers/servo"
)

// Caps of the protocol. Positions read back are commanded ones, no feedback.
// The watchdog is armed by the device's own settings.
var Caps = servo.Caps{GroupWrite: true, Status: true, Timed: true, Watchdog: true, MaxID: Channels - 1, Bits: 10, DefaultBaud: 9600}

// Limits of the protocol.
const (
	Channels      = 24
	MostQuarters  = 1<<14 - 1 // of a microsecond, in a target
	DefaultDevice = 12
	// Detect is the byte by which a device measures the baud.
	Detect = 0xAA
)

// Commands, as the compact form has them.
const (
	cmdTarget       = 0x84
	cmdSpeed        = 0x87
	cmdAcceleration = 0x89
	cmdPWM          = 0x8A
	cmdPosition     = 0x90
	cmdMoving       = 0x93
	cmdTargets      = 0x9F
	cmdErrors       = 0xA1
	cmdHome         = 0xA2
	cmdStopScript   = 0xA4
)

// Dialect is how a device is spoken to. The zero value is the compact form
// without CRC. Pololu names the device (0 to 127), so that several may share a
// line. Its methods append whole commands to dst, or refuse and return dst as
// it was.
type Dialect struct {
	Pololu bool
	Device byte
	CRC    bool
}

// QuarterUS returns microseconds in quarters, rounded half up. Pulses that do
// not fit a target, and what is no number, are refused.
func QuarterUS(us float64) (int, error) {
	q := math.Floor(4*us + 0.5)
	if !(q >= 0 && q <= MostQuarters) {
		return 0, servo.Refuse("maestro", "pulse in us", us, "0 to 4095.75")
	}
	return int(q), nil
}

// begin appends what stands before the data.
func (d Dialect) begin(dst []byte, command byte) ([]byte, error) {
	if !d.Pololu {
		return append(dst, command), nil
	}
	if d.Device > 127 {
		return dst, servo.Refuse("maestro", "device", float64(d.Device), "0 to 127")
	}
	return append(dst, Detect, d.Device, command&0x7F), nil
}

// end appends the CRC of the command that begins at start.
func (d Dialect) end(dst []byte, start int) []byte {
	if !d.CRC {
		return dst
	}
	return append(dst, CRC7(dst[start:]))
}

// plain appends a command whose data bytes have been checked.
func (d Dialect) plain(dst []byte, command byte, data ...byte) ([]byte, error) {
	out, err := d.begin(dst, command)
	if err != nil {
		return dst, err
	}
	return d.end(append(out, data...), len(dst)), nil
}

// paired appends a command with a channel and a value of 14 bits.
func (d Dialect) paired(dst []byte, command byte, ch int, what string, v, most int) ([]byte, error) {
	if err := channel(ch); err != nil {
		return dst, err
	}
	if v < 0 || v > most {
		return dst, servo.Refuse("maestro", what, float64(v), "0 up to what the guide allows")
	}
	return d.plain(dst, command, byte(ch), low(v), high(v))
}

func low(v int) byte  { return byte(v & 0x7F) }
func high(v int) byte { return byte(v >> 7 & 0x7F) }

func channel(ch int) error {
	if ch < 0 || ch >= Channels {
		return servo.Refuse("maestro", "channel", float64(ch), "0 to 23")
	}
	return nil
}

// AppendTarget sets the pulse of one channel in quarters of a microsecond, 0 to
// end its pulses.
func (d Dialect) AppendTarget(dst []byte, ch, quarters int) ([]byte, error) {
	return d.paired(dst, cmdTarget, ch, "target in quarter us", quarters, MostQuarters)
}

// AppendTargets sets the pulses of channels that follow each other, from first.
// The Mini Maestros (12, 18, 24 channels) know it, the Micro Maestro does not.
func (d Dialect) AppendTargets(dst []byte, first int, quarters []int) ([]byte, error) {
	n := len(quarters)
	if n == 0 || first < 0 || first+n > Channels {
		return dst, servo.Refuse("maestro", "channel after the last", float64(first+n), "1 to 24, with at least one target")
	}
	out, err := d.begin(dst, cmdTargets)
	if err != nil {
		return dst, err
	}
	out = append(out, byte(n), byte(first))
	for _, q := range quarters {
		if q < 0 || q > MostQuarters {
			return dst, servo.Refuse("maestro", "target in quarter us", float64(q), "0 to 16383")
		}
		out = append(out, low(q), high(q))
	}
	return d.end(out, len(dst)), nil
}

// AppendSpeed limits the speed of a channel in 0.25 us per 10 ms, 0 for no limit.
func (d Dialect) AppendSpeed(dst []byte, ch, v int) ([]byte, error) {
	return d.paired(dst, cmdSpeed, ch, "speed", v, MostQuarters)
}

// AppendAcceleration limits the acceleration of a channel in 0.25 us per 10 ms
// per 80 ms, 0 to 255, 0 for no limit.
func (d Dialect) AppendAcceleration(dst []byte, ch, v int) ([]byte, error) {
	return d.paired(dst, cmdAcceleration, ch, "acceleration", v, 255)
}

// AppendPWM sets the PWM output in 48ths of a microsecond.
func (d Dialect) AppendPWM(dst []byte, on, period int) ([]byte, error) {
	if on < 0 || period > MostQuarters || on > period {
		return dst, servo.Refuse("maestro", "PWM on time", float64(on), "0 up to the period, which is at most 16383")
	}
	return d.plain(dst, cmdPWM, low(on), high(on), low(period), high(period))
}

// AppendGetPosition asks where a channel is on its ramp.
func (d Dialect) AppendGetPosition(dst []byte, ch int) ([]byte, error) {
	if err := channel(ch); err != nil {
		return dst, err
	}
	return d.plain(dst, cmdPosition, byte(ch))
}

// AppendGetMoving asks whether any channel is on a ramp. Mini Maestros.
func (d Dialect) AppendGetMoving(dst []byte) ([]byte, error) { return d.plain(dst, cmdMoving) }

// AppendGetErrors asks for the errors and clears them.
func (d Dialect) AppendGetErrors(dst []byte) ([]byte, error) { return d.plain(dst, cmdErrors) }

// AppendGoHome sends all channels to their "home" setting.
func (d Dialect) AppendGoHome(dst []byte) ([]byte, error) { return d.plain(dst, cmdHome) }

// AppendStopScript stops the script in the device.
func (d Dialect) AppendStopScript(dst []byte) ([]byte, error) { return d.plain(dst, cmdStopScript) }

// AppendMiniSSC sets a target of 0 to 254 in the range the device is set to. It
// never carries a CRC.
func AppendMiniSSC(dst []byte, ch, v int) ([]byte, error) {
	if ch < 0 || ch > 254 || v < 0 || v > 254 {
		return dst, servo.Refuse("maestro", "Mini SSC value", float64(v), "0 to 254, on a channel of 0 to 254")
	}
	return append(dst, 0xFF, byte(ch), byte(v)), nil
}

// AppendDetect appends the byte by which a device measures the baud.
func AppendDetect(dst []byte) []byte { return append(dst, Detect) }

// CRC7 returns the CRC of a command: polynomial 91 hex reflected, from zero.
func CRC7(b []byte) byte {
	var c byte
	for _, x := range b {
		c ^= x
		for range 8 {
			odd := c & 1
			c >>= 1
			if odd != 0 {
				c ^= 0x91 >> 1
			}
		}
	}
	return c
}

// TargetsCost is one AppendTargets of n channels.
func (d Dialect) TargetsCost(n int) servo.Cost { return servo.Cost{Tx: d.frame() + 2 + 2*n} }

// TargetCost is one AppendTarget.
func (d Dialect) TargetCost() servo.Cost { return servo.Cost{Tx: d.frame() + 3} }

// MiniSSCCost is one AppendMiniSSC.
func MiniSSCCost() servo.Cost { return servo.Cost{Tx: 3} }

// frame is the number of bytes round the data.
func (d Dialect) frame() int {
	n := 1
	if d.Pololu {
		n += 2
	}
	if d.CRC {
		n++
	}
	return n
}
