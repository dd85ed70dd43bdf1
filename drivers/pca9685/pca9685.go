package pca9685

import (
	"math"

	"legctl/drivers/servo"
)

// Caps of the chip on its bus. Bits counts a byte and its acknowledgement.
var Caps = servo.Caps{GroupWrite: true, TorqueOff: true, MaxID: MaxBoards*Channels - 1, Bits: 9, DefaultBaud: 100_000}

// Limits of the chip.
const (
	Channels  = 16
	MaxBoards = 62
	Period    = 4096 // ticks
	NominalHz = 25_000_000.0
	// AllCall is an address that every chip answers unless told not to.
	AllCall = 0x70
	// WakeMicros is how long the oscillator needs after AppendWake.
	WakeMicros = 500

	leastPrescale = 3
	mostPrescale  = 255
)

// Registers.
const (
	regMode1    = 0x00
	regMode2    = 0x01
	regChannel  = 0x06 // ON low, ON high, OFF low, OFF high; four a channel
	regAllOffHi = 0xFD
	regPrescale = 0xFE

	mode1Restart = 0x80
	mode1Auto    = 0x20 // the register number goes up with each byte
	mode1Sleep   = 0x10
	mode2Totem   = 0x04
	fullOff      = 0x10
)

// Prescale returns the divider for pulses at hz with an oscillator of osc Hz, or
// refuses a frequency the chip cannot make: at 25 MHz, 24 to 1526 Hz.
func Prescale(hz, osc float64) (byte, error) {
	if !(osc > 0) {
		return 0, servo.Refuse("pca9685", "oscillator in Hz", osc, "a positive number")
	}
	p := math.Floor(osc/(Period*hz)+0.5) - 1
	if !(hz > 0 && p >= leastPrescale && p <= mostPrescale) {
		return 0, servo.Refuse("pca9685", "frequency in Hz", hz, "24 to 1526 at 25 MHz")
	}
	return byte(p), nil
}

// ActualHz is the frequency a divider makes.
func ActualHz(prescale byte, osc float64) float64 {
	return osc / (Period * (float64(prescale) + 1))
}

// Ticks returns the length of a pulse in ticks, rounded half up, or refuses one
// that is no number, shorter than a tick or as long as the period. To end the
// pulses of a channel use full-off.
func Ticks(us float64, prescale byte, osc float64) (int, error) {
	t := math.Floor(us*osc/(1e6*(float64(prescale)+1)) + 0.5)
	if !(t >= 1 && t < Period) {
		return 0, servo.Refuse("pca9685", "pulse in us", us, "one tick up to less than the period")
	}
	return int(t), nil
}

// Locate finds the board and the channel on it of the n-th channel, counted
// through boards in their order.
func Locate(n int, boards []byte) (address, channel byte, err error) {
	if n < 0 || n >= Channels*len(boards) {
		return 0, 0, servo.Refuse("pca9685", "channel", float64(n), "0 up to 16 for each board")
	}
	return boards[n/Channels], byte(n % Channels), nil
}

// CheckBoards refuses addresses that are outside the bus, come twice, or are the
// all-call address.
func CheckBoards(boards []byte) error {
	var seen servo.IDs
	for _, a := range boards {
		if a < 0x40 || a > 0x7F || a == AllCall || !seen.Add(a) {
			return servo.Refuse("pca9685", "address", float64(a), "64 to 127, each once, not 112, which all boards answer")
		}
	}
	if len(boards) == 0 || len(boards) > MaxBoards {
		return servo.Refuse("pca9685", "number of boards", float64(len(boards)), "1 to 62")
	}
	return nil
}

// AppendPulse appends the write of one channel: rising edge at tick on, falling
// edge ticks later, past the end of the period from its beginning.
func AppendPulse(dst []byte, channel, on, ticks int) ([]byte, error) {
	if err := check(channel, on, ticks); err != nil {
		return dst, err
	}
	off := (on + ticks) % Period
	return append(dst, byte(regChannel+4*channel), byte(on), byte(on>>8), byte(off), byte(off>>8)), nil
}

func check(channel, on, ticks int) error {
	switch {
	case channel < 0 || channel >= Channels:
		return servo.Refuse("pca9685", "channel", float64(channel), "0 to 15")
	case on < 0 || on >= Period:
		return servo.Refuse("pca9685", "tick of the rising edge", float64(on), "0 to 4095")
	case ticks < 1 || ticks >= Period:
		return servo.Refuse("pca9685", "pulse in ticks", float64(ticks), "1 to 4095")
	}
	return nil
}

// AppendOff appends the write that ends the pulses of one channel.
func AppendOff(dst []byte, channel int) ([]byte, error) {
	if channel < 0 || channel >= Channels {
		return dst, servo.Refuse("pca9685", "channel", float64(channel), "0 to 15")
	}
	return append(dst, byte(regChannel+4*channel), 0, 0, 0, fullOff), nil
}

// AppendAllOff appends the write that ends the pulses of all channels.
func AppendAllOff(dst []byte) []byte { return append(dst, regAllOffHi, fullOff) }

// The set-up, in the order it is sent, each its own write: asleep, all off,
// outputs, prescale, awake, and after WakeMicros restart.

// AppendSleep stops the oscillator, the only state in which the prescale can be
// set, and no longer answers to all-call.
func AppendSleep(dst []byte) []byte { return append(dst, regMode1, mode1Sleep|mode1Auto) }

// AppendOutputs sets push-pull outputs that change with the stop of a write.
func AppendOutputs(dst []byte) []byte { return append(dst, regMode2, mode2Totem) }

// AppendPrescale sets the divider.
func AppendPrescale(dst []byte, prescale byte) ([]byte, error) {
	if prescale < leastPrescale {
		return dst, servo.Refuse("pca9685", "prescale", float64(prescale), "3 to 255")
	}
	return append(dst, regPrescale, prescale), nil
}

// AppendWake starts the oscillator.
func AppendWake(dst []byte) []byte { return append(dst, regMode1, mode1Auto) }

// AppendRestart lets channels that were on when the chip fell asleep go on.
func AppendRestart(dst []byte) []byte { return append(dst, regMode1, mode1Restart|mode1Auto) }

// WriteBits is the number of bits on the bus of a write of so many bytes: start,
// address, bytes, an acknowledgement for each, stop.
func WriteBits(bytes int) int { return 9*(bytes+1) + 2 }

// BlockBits is one write of the first n channels of a board; nothing for none.
func BlockBits(n int) int {
	if n == 0 {
		return 0
	}
	return WriteBits(1 + 4*n)
}
