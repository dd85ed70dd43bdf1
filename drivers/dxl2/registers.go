package dxl2

import "legctl/drivers/servo"

// Caps of the protocol.
var Caps = servo.Caps{
	GroupWrite: true, GroupRead: true, Start: true, Feedback: true, Status: true, Timed: true, Watchdog: true,
	TorqueOff: true, Echo: true, MaxID: MaxID, Bits: 10, DefaultBaud: 57600,
}

// Registers of the X series. Those below 64 can be written with torque off only.
const (
	RegModel            = 0   // 2 bytes
	RegFirmware         = 6   // 1
	RegID               = 7   // 1
	RegBaud             = 8   // 1: index, see Baud
	RegReturnDelay      = 9   // 1: 2 us each
	RegOperatingMode    = 11  // 1
	RegHomingOffset     = 20  // 4
	RegMaxPosition      = 48  // 4
	RegMinPosition      = 52  // 4
	RegTorqueEnable     = 64  // 1
	RegStatusLevel      = 68  // 1
	RegHardwareError    = 70  // 1: HardwareErrors
	RegBusWatchdog      = 98  // 1: 20 ms each, 0 off, reads -1 after it fired
	RegProfileAccel     = 108 // 4
	RegProfileVelocity  = 112 // 4
	RegGoalPosition     = 116 // 4
	RegPresentCurrent   = 126 // 2: load on XL430
	RegPresentVelocity  = 128 // 4
	RegPresentPosition  = 132 // 4
	RegPresentVoltage   = 144 // 2: 0.1 V
	RegPresentTemp      = 146 // 1: Celsius
	RegIndirectAddress  = 168 // 2 each, 28 of them
	RegIndirectData     = 224 // 1 each
	indirectOfOneBlock  = 28
	watchdogLargest     = 127
	watchdogStepSeconds = 0.02
)

// Baud returns the baud of an index of register 8, 0 for an index unknown here.
func Baud(index byte) int {
	bauds := [...]int{9600, 57600, 115200, 1_000_000, 2_000_000, 3_000_000, 4_000_000}
	if int(index) >= len(bauds) {
		return 0
	}
	return bauds[index]
}

// AppendIndirect appends the data of a write to RegIndirectAddress that puts the
// registers of spans side by side from RegIndirectData on, in the order of
// spans, whose ids are not looked at. At most 28 registers; the servo takes the
// write with torque off only.
func AppendIndirect(dst []byte, spans []Span) ([]byte, error) {
	n := 0
	for _, s := range spans {
		if err := span(s.Addr, int(s.Len)); err != nil {
			return dst, err
		}
		n += int(s.Len)
	}
	if n < 1 || n > indirectOfOneBlock {
		return dst, servo.Refuse("dxl2", "indirect registers", float64(n), "1 to 28")
	}
	for _, s := range spans {
		for a := s.Addr; a-s.Addr < s.Len; a++ {
			dst = append(dst, byte(a), byte(a>>8))
		}
	}
	return dst, nil
}

// Watchdog returns what to write to RegBusWatchdog for a silence of so many
// seconds, rounded up: 0 seconds is off, the longest is 2.54.
func Watchdog(seconds float64) (byte, error) {
	for v := 0; v <= watchdogLargest; v++ {
		if seconds >= 0 && seconds <= float64(v)*watchdogStepSeconds {
			return byte(v), nil
		}
	}
	return 0, servo.Refuse("dxl2", "watchdog in seconds", seconds, "0 to 2.54")
}

// AppendNumber appends the low size bytes of v, lowest first; size is 1, 2 or 4.
// A value that is neither a signed nor an unsigned number of that size is
// refused.
func AppendNumber(dst []byte, v int64, size int) ([]byte, error) {
	if size != 1 && size != 2 && size != 4 {
		return dst, servo.Refuse("dxl2", "size of a number", float64(size), "1, 2 or 4 bytes")
	}
	bits := 8 * size
	if v < -1<<(bits-1) || v >= 1<<bits {
		return dst, servo.Refuse("dxl2", "value", float64(v), "a number of that many bytes")
	}
	for i := range size {
		dst = append(dst, byte(v>>(8*i)))
	}
	return dst, nil
}

// Signed reads 1, 2 or 4 bytes as two's complement. False for any other number.
func Signed(b []byte) (int, bool) {
	switch len(b) {
	case 1:
		return int(int8(b[0])), true
	case 2:
		return int(int16(uint16(b[0]) | uint16(b[1])<<8)), true
	case 4:
		return int(int32(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)), true
	}
	return 0, false
}
