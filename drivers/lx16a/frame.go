package lx16a

import "legctl/drivers/servo"

// header begins every frame, twice.
const header = 0x55

// Caps of the protocol.
var Caps = servo.Caps{
	Start: true, Feedback: true, Status: true, Timed: true, TorqueOff: true, Echo: true,
	MaxID: MaxID, Bits: 10, DefaultBaud: 115200,
}

// MaxID is the highest id of one servo.
const MaxID = 253

// Format is how replies are read; see servo.Format. Kind is the command.
type Format struct{}

func (Format) frame() servo.SumFrame { return servo.SumFrame{Header: header, Ahead: 3} }

// Header is 2: 55 55.
func (Format) Header() int { return 2 }

// Size is servo.SumFrame's.
func (f Format) Size(b []byte) int { return f.frame().Size(b) }

// Verify is servo.SumFrame's.
func (f Format) Verify(frame []byte) servo.Fault { return f.frame().Verify(frame) }

// Params is servo.SumFrame's.
func (f Format) Params(frame []byte) []byte { return f.frame().Params(frame) }

// Open reads id and command. The protocol has no error byte.
func (f Format) Open(frame []byte) (servo.Reply, bool) {
	return servo.Reply{ID: frame[2], Kind: frame[4], Params: f.Params(frame)}, true
}

// Parser finds the reply to a read. The zero value expects nothing.
type Parser struct{ servo.Parser }

// ExpectOne waits for the reply of a servo to a read. The broadcast id takes
// whoever answers. A command that is no Read expects nothing and is refused.
// echo as in servo.Parser.
func (p *Parser) ExpectOne(id byte, c Read, echo []byte) error {
	n := c.Params()
	if n == 0 {
		return servo.Refuse("lx16a", "command", float64(c), "a read command")
	}
	p.Expect(Format{}, servo.Want{ID: id, AnyID: id == servo.Broadcast, Kind: byte(c), HasKind: true, Params: n}, echo)
	return nil
}

// Read is a command that asks.
type Read byte

// The read commands and what their parameters are.
const (
	MoveTimeRead     Read = 2  // position, milliseconds
	MoveTimeWaitRead Read = 8  // position, milliseconds
	IDRead           Read = 14 // id; the only one that may go to all
	OffsetRead       Read = 19 // signed byte
	AngleLimitRead   Read = 21 // least, most
	VinLimitRead     Read = 23 // millivolts: least, most
	TempLimitRead    Read = 25 // Celsius
	TempRead         Read = 26 // Celsius
	VinRead          Read = 27 // millivolts
	PositionRead     Read = 28 // signed
	ModeRead         Read = 30 // mode, 0, speed
	LoadRead         Read = 32 // 0 limp, 1 holding
	LEDRead          Read = 34 // 0 on, 1 off
	LEDAlarmRead     Read = 36 // mask
)

// Params is the number of parameters of the reply, 0 for what is no read.
func (c Read) Params() int {
	switch c {
	case MoveTimeRead, MoveTimeWaitRead, AngleLimitRead, VinLimitRead, ModeRead:
		return 4
	case VinRead, PositionRead:
		return 2
	case IDRead, OffsetRead, TempLimitRead, TempRead, LoadRead, LEDRead, LEDAlarmRead:
		return 1
	}
	return 0
}

// Signed reads a position (2 bytes) or an offset (1 byte). False for any other
// number of bytes.
func Signed(b []byte) (int, bool) {
	switch len(b) {
	case 1:
		return int(int8(b[0])), true
	case 2:
		return int(int16(uint16(b[0]) | uint16(b[1])<<8)), true
	}
	return 0, false
}

// Word reads an unsigned number of 1 or 2 bytes. False for any other number.
func Word(b []byte) (int, bool) {
	switch len(b) {
	case 1:
		return int(b[0]), true
	case 2:
		return int(b[0]) | int(b[1])<<8, true
	}
	return 0, false
}
