package firmata

import "legctl/drivers/servo"

// Caps of the protocol.
var Caps = servo.Caps{MaxID: MaxPin, Bits: 10, DefaultBaud: 57600}

// Limits of the protocol.
const (
	MaxPin  = 127
	LeastUS = 544
	MostUS  = 2400
)

const (
	analog        = 0xE0
	pinMode       = 0xF4
	sysexBegin    = 0xF0
	sysexEnd      = 0xF7
	servoConfig   = 0x70
	extendedWrite = 0x6F
	modeServo     = 4
	plainPins     = 16 // those an analog message can name
)

// checkPin refuses what no message can name.
func checkPin(pin int) error {
	if pin < 0 || pin > MaxPin {
		return servo.Refuse("firmata", "pin", float64(pin), "0 to 127")
	}
	return nil
}

// AppendPinMode makes a pin a servo pin.
func AppendPinMode(dst []byte, pin int) ([]byte, error) {
	if err := checkPin(pin); err != nil {
		return dst, err
	}
	return append(dst, pinMode, byte(pin), modeServo), nil
}

// AppendServoConfig sets the pulses of 0 and 180 degrees in microseconds and
// attaches the servo.
func AppendServoConfig(dst []byte, pin, least, most int) ([]byte, error) {
	if err := checkPin(pin); err != nil {
		return dst, err
	}
	if least < 1 || least >= most || most > 1<<14-1 {
		return dst, servo.Refuse("firmata", "least pulse in us", float64(least), "1 up to below the most, which is at most 16383")
	}
	return append(dst, sysexBegin, servoConfig, byte(pin), low(least), high(least), low(most), high(most), sysexEnd), nil
}

// AppendMicros sets the pulse of a pin, 544 to 2400 us.
func AppendMicros(dst []byte, pin, us int) ([]byte, error) {
	if us < LeastUS || us > MostUS {
		return dst, servo.Refuse("firmata", "pulse in us", float64(us), "544 to 2400; less would be taken as degrees")
	}
	return write(dst, pin, us)
}

// AppendDegrees sets the angle of a pin, 0 to 180 degrees of its range.
func AppendDegrees(dst []byte, pin, deg int) ([]byte, error) {
	if deg < 0 || deg > 180 {
		return dst, servo.Refuse("firmata", "angle in degrees", float64(deg), "0 to 180")
	}
	return write(dst, pin, deg)
}

func write(dst []byte, pin, v int) ([]byte, error) {
	if err := checkPin(pin); err != nil {
		return dst, err
	}
	if pin < plainPins {
		return append(dst, analog|byte(pin), low(v), high(v)), nil
	}
	return append(dst, sysexBegin, extendedWrite, byte(pin), low(v), high(v), sysexEnd), nil
}

func low(v int) byte  { return byte(v & 0x7F) }
func high(v int) byte { return byte(v >> 7 & 0x7F) }

// WriteCost is one pulse on a pin.
func WriteCost(pin int) servo.Cost {
	if pin < plainPins {
		return servo.Cost{Tx: 3}
	}
	return servo.Cost{Tx: 6}
}

// modeInput makes a board let go of a servo.
const modeInput = 0

// AppendDetach ends the pulses of a pin: as an input it has none.
func AppendDetach(dst []byte, pin int) ([]byte, error) {
	if err := checkPin(pin); err != nil {
		return dst, err
	}
	return append(dst, pinMode, byte(pin), modeInput), nil
}
