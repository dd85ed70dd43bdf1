package feetech

import "legctl/drivers/servo"

// Caps of STS and SMS; SCS lacks the group read.
var Caps = servo.Caps{
	GroupWrite: true, GroupRead: true, Start: true, Feedback: true, Status: true, Timed: true, TorqueOff: true, Echo: true,
	MaxID: MaxID, Bits: 10, DefaultBaud: 1_000_000,
}

// MaxID is the highest id of one servo.
const MaxID = 253

// Registers both series have at the same address.
const (
	RegID              = 5  // 1 byte
	RegBaud            = 6  // 1
	RegReturnDelay     = 7  // 1: 2 us each
	RegStatusLevel     = 8  // 1
	RegMinPosition     = 9  // 2
	RegMaxPosition     = 11 // 2
	RegTorqueEnable    = 40 // 1; STS: 128 calls this 2048
	RegAcceleration    = 41 // 1
	RegGoalPosition    = 42 // 2, then time, then speed
	RegPresentPosition = 56 // 2, then speed and load, 2 each
	RegPresentVoltage  = 62 // 1: 0.1 V
	RegPresentTemp     = 63 // 1: Celsius
)

// Registers that differ.
const (
	RegOffsetSTS = 31 // 2: sign bit 11
	RegModeSTS   = 33 // 1: position, velocity, PWM, step
	RegLockSTS   = 55 // 1: 0 open, 1 shut
	RegLockSCS   = 48 // 1: 0 open, 1 shut
)

// Series is one of the two byte orders. The zero value is STS.
type Series uint8

// The series.
const (
	STS Series = iota
	SCS
)

// String is the name of the protocol of a series.
func (s Series) String() string {
	if s == SCS {
		return "feetech_scs"
	}
	return "feetech_sts"
}

// Caps is what the series can do.
func (s Series) Caps() servo.Caps {
	c := Caps
	c.GroupRead = s == STS
	return c
}

// registers is the shared part of the protocol.
func (s Series) registers() servo.Registers {
	return servo.Registers{Protocol: s.String(), MaxID: MaxID}
}

// Parser finds status frames; see servo.StatusParser.
type Parser = servo.StatusParser

// AppendPing asks whether a servo is there. At the broadcast id every servo
// answers, all at once: for a bus with one.
func (s Series) AppendPing(dst []byte, id byte) ([]byte, error) {
	return s.registers().AppendPing(dst, id)
}

// AppendRead asks one servo for n registers from addr.
func (s Series) AppendRead(dst []byte, id, addr, n byte) ([]byte, error) {
	return s.registers().AppendRead(dst, id, addr, n)
}

// AppendWrite writes registers from addr, of one servo or, at the broadcast id, of all.
func (s Series) AppendWrite(dst []byte, id, addr byte, data ...byte) ([]byte, error) {
	return s.registers().AppendWrite(dst, id, addr, data...)
}

// AppendRegWrite stores a write in the servo until AppendAction.
func (s Series) AppendRegWrite(dst []byte, id, addr byte, data ...byte) ([]byte, error) {
	return s.registers().AppendRegWrite(dst, id, addr, data...)
}

// AppendAction lets all servos carry out what they have stored.
func (s Series) AppendAction(dst []byte) []byte { return s.registers().AppendAction(dst) }

// AppendFactoryReset resets one servo.
func (s Series) AppendFactoryReset(dst []byte, id byte) ([]byte, error) {
	return s.registers().AppendReset(dst, id)
}

// AppendSyncWrite writes size registers from addr of every servo in ids; data
// holds their bytes one servo after the other. Nobody answers.
func (s Series) AppendSyncWrite(dst []byte, addr byte, size int, ids, data []byte) ([]byte, error) {
	return s.registers().AppendSyncWrite(dst, addr, size, ids, data)
}

// AppendSyncRead asks every servo in ids for n registers from addr; each answers
// with a frame of its own, in that order. SCS has none and is refused.
func (s Series) AppendSyncRead(dst []byte, addr, n byte, ids []byte) ([]byte, error) {
	if s == SCS {
		return dst, servo.Refuse(s.String(), "sync read of servos", float64(len(ids)), "single reads: the series has no sync read")
	}
	return s.registers().AppendSyncRead(dst, addr, n, ids)
}

// AppendWord appends a number of two bytes in the byte order of the series.
func (s Series) AppendWord(dst []byte, v uint16) []byte {
	if s == SCS {
		return append(dst, byte(v>>8), byte(v))
	}
	return append(dst, byte(v), byte(v>>8))
}

// Word reads a register of one or two bytes. False for any other number.
func (s Series) Word(params []byte) (uint16, bool) {
	switch len(params) {
	case 1:
		return uint16(params[0]), true
	case 2:
		lo, hi := params[0], params[1]
		if s == SCS {
			lo, hi = hi, lo
		}
		return uint16(lo) | uint16(hi)<<8, true
	}
	return 0, false
}

// SignMagnitude returns value as a magnitude with its sign in the given bit, 1
// to 15. A magnitude that does not fit below the bit is refused.
func SignMagnitude(value int, bit uint) (uint16, error) {
	if bit < 1 || bit > 15 {
		return 0, servo.Refuse("feetech", "sign bit", float64(bit), "1 to 15")
	}
	limit := 1<<bit - 1
	if value > limit || value < -limit {
		return 0, servo.Refuse("feetech", "magnitude", float64(value), "a number below the sign bit")
	}
	if value < 0 {
		return uint16(-value | 1<<bit), nil
	}
	return uint16(value), nil
}

// ErrorFlags names the bits of a status frame's error byte.
func ErrorFlags(status byte) []string {
	return servo.FlagNames(status, []string{"voltage", "sensor", "temperature", "current", "angle", "overload"})
}
