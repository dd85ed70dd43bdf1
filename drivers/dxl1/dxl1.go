package dxl1

import "legctl/drivers/servo"

// Caps of the protocol. MX has group reads (bulk read); AX, the common case, not.
var Caps = servo.Caps{
	GroupWrite: true, Start: true, Feedback: true, Status: true, Timed: true, TorqueOff: true, Echo: true,
	MaxID: MaxID, Bits: 10, DefaultBaud: 1_000_000,
}

// MaxID is the highest id of one servo.
const MaxID = 253

// Registers that every servo of the protocol has where AX has it.
const (
	RegModel           = 0  // 2 bytes
	RegID              = 3  // 1
	RegBaud            = 4  // 1: 2 000 000/(v+1)
	RegReturnDelay     = 5  // 1: 2 us each
	RegMinAngle        = 6  // 2
	RegMaxAngle        = 8  // 2
	RegMaxTemperature  = 11 // 1: Celsius
	RegMaxTorque       = 14 // 2
	RegStatusLevel     = 16 // 1
	RegTorqueEnable    = 24 // 1
	RegGoalPosition    = 30 // 2
	RegMovingSpeed     = 32 // 2
	RegTorqueLimit     = 34 // 2
	RegPresentPosition = 36 // 2
	RegPresentLoad     = 40 // 2: sign bit 10
	RegPresentVoltage  = 42 // 1: 0.1 V
	RegPresentTemp     = 43 // 1: Celsius
)

// registers is the shared part of the protocol.
func registers() servo.Registers { return servo.Registers{Protocol: "dxl1", MaxID: MaxID} }

// Parser finds status frames; see servo.StatusParser.
type Parser = servo.StatusParser

// Span is a part of a register table, for AppendBulkRead.
type Span = servo.Span

// AppendPing asks whether a servo is there. At the broadcast id every servo
// answers, all at once: for a bus with one.
func AppendPing(dst []byte, id byte) ([]byte, error) { return registers().AppendPing(dst, id) }

// AppendRead asks one servo for n registers from addr.
func AppendRead(dst []byte, id, addr, n byte) ([]byte, error) {
	return registers().AppendRead(dst, id, addr, n)
}

// AppendWrite writes registers from addr, of one servo or, at the broadcast id, of all.
func AppendWrite(dst []byte, id, addr byte, data ...byte) ([]byte, error) {
	return registers().AppendWrite(dst, id, addr, data...)
}

// AppendRegWrite stores a write in the servo until AppendAction.
func AppendRegWrite(dst []byte, id, addr byte, data ...byte) ([]byte, error) {
	return registers().AppendRegWrite(dst, id, addr, data...)
}

// AppendAction lets all servos carry out what they have stored.
func AppendAction(dst []byte) []byte { return registers().AppendAction(dst) }

// AppendFactoryReset resets one servo, its id and baud with it.
func AppendFactoryReset(dst []byte, id byte) ([]byte, error) {
	return registers().AppendReset(dst, id)
}

// AppendSyncWrite writes size registers from addr of every servo in ids; data
// holds their bytes one servo after the other. Nobody answers.
func AppendSyncWrite(dst []byte, addr byte, size int, ids, data []byte) ([]byte, error) {
	return registers().AppendSyncWrite(dst, addr, size, ids, data)
}

// AppendSyncWords is AppendSyncWrite of one number of two bytes a servo.
func AppendSyncWords(dst []byte, addr byte, ids []byte, words []uint16) ([]byte, error) {
	return registers().AppendSyncWords(dst, addr, ids, words, false)
}

// AppendBulkRead asks several servos for different registers. MX only.
func AppendBulkRead(dst []byte, spans []Span) ([]byte, error) {
	return registers().AppendBulkRead(dst, spans)
}

// AppendWord appends a number of two bytes as registers hold it.
func AppendWord(dst []byte, v uint16) []byte { return append(dst, byte(v), byte(v>>8)) }

// Word reads a register of one or two bytes. False for any other number.
func Word(params []byte) (uint16, bool) {
	switch len(params) {
	case 1:
		return uint16(params[0]), true
	case 2:
		return uint16(params[0]) | uint16(params[1])<<8, true
	}
	return 0, false
}

// ErrorFlags names the bits of a status frame's error byte.
func ErrorFlags(status byte) []string {
	return servo.FlagNames(status, []string{
		"input_voltage", "angle_limit", "overheating", "range", "checksum", "overload", "instruction",
	})
}
