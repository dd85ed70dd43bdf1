package lx16a

import "legctl/drivers/servo"

// Commands that write.
const (
	cmdMove         = 1
	cmdMoveWait     = 7
	cmdStart        = 11
	cmdStop         = 12
	cmdID           = 13
	cmdOffsetAdjust = 17
	cmdOffsetSave   = 18
	cmdAngleLimit   = 20
	cmdVinLimit     = 22
	cmdTempLimit    = 24
	cmdMode         = 29
	cmdLoad         = 31
	cmdLED          = 33
	cmdLEDAlarm     = 35
)

// plain appends a frame to one servo.
func plain(dst []byte, id, command byte, params ...byte) ([]byte, error) {
	if id > MaxID {
		return dst, servo.Refuse("lx16a", "id", float64(id), "0 to 253: this command is for one servo")
	}
	return Format{}.frame().Append(dst, id, command, params...), nil
}

// shared appends a frame to one servo or to all.
func shared(dst []byte, id, command byte, params ...byte) ([]byte, error) {
	if id > servo.Broadcast {
		return dst, servo.Refuse("lx16a", "id", float64(id), "0 to 253, or 254 for all")
	}
	return Format{}.frame().Append(dst, id, command, params...), nil
}

// between refuses a value outside its range.
func between(what string, v, low, high int, bound string) error {
	if v < low || v > high {
		return servo.Refuse("lx16a", what, float64(v), bound)
	}
	return nil
}

// AppendMove moves a servo, or all, to a position of 0 to 1000 in 0 to 30000 ms.
func AppendMove(dst []byte, id byte, position, ms int) ([]byte, error) {
	return move(dst, cmdMove, id, position, ms)
}

// AppendMoveWait stores a move until AppendStart.
func AppendMoveWait(dst []byte, id byte, position, ms int) ([]byte, error) {
	return move(dst, cmdMoveWait, id, position, ms)
}

func move(dst []byte, command, id byte, position, ms int) ([]byte, error) {
	if uint(position) > 1000 || uint(ms) > 30000 || id > servo.Broadcast {
		return dst, refuseMove(id, position, ms)
	}
	const length = 7
	p, q, r, s := byte(position), byte(position>>8), byte(ms), byte(ms>>8)
	sum := ^(id + length + command + p + q + r + s)
	return append(dst, header, header, id, length, command, p, q, r, s, sum), nil
}

// refuseMove says what is wrong with a move.
func refuseMove(id byte, position, ms int) error {
	if err := between("position", position, 0, 1000, "0 to 1000"); err != nil {
		return err
	}
	if err := between("time in ms", ms, 0, 30000, "0 to 30000"); err != nil {
		return err
	}
	return servo.Refuse("lx16a", "id", float64(id), "0 to 253, or 254 for all")
}

// AppendStart begins the stored moves of one servo or of all.
func AppendStart(dst []byte, id byte) ([]byte, error) { return shared(dst, id, cmdStart) }

// AppendStop stops one servo or all where they are.
func AppendStop(dst []byte, id byte) ([]byte, error) { return shared(dst, id, cmdStop) }

// AppendLoad makes one servo, or all, hold (on) or go limp.
func AppendLoad(dst []byte, id byte, on bool) ([]byte, error) {
	return shared(dst, id, cmdLoad, flag(on))
}

// AppendSetID gives one servo another id.
func AppendSetID(dst []byte, id, to byte) ([]byte, error) {
	if err := between("new id", int(to), 0, MaxID, "0 to 253"); err != nil {
		return dst, err
	}
	return plain(dst, id, cmdID, to)
}

// AppendOffsetAdjust shifts the zero of a servo by -125 to 125 steps of 0.24
// degrees. It moves at once and forgets at power-off unless saved.
func AppendOffsetAdjust(dst []byte, id byte, offset int) ([]byte, error) {
	if err := between("offset", offset, -125, 125, "-125 to 125"); err != nil {
		return dst, err
	}
	return plain(dst, id, cmdOffsetAdjust, byte(offset))
}

// AppendOffsetSave keeps the offset.
func AppendOffsetSave(dst []byte, id byte) ([]byte, error) { return plain(dst, id, cmdOffsetSave) }

// AppendAngleLimit confines a servo to positions of 0 to 1000, least below most.
func AppendAngleLimit(dst []byte, id byte, least, most int) ([]byte, error) {
	return limits(dst, id, cmdAngleLimit, "angle limit", least, most, 0, 1000, "0 to 1000, the least below the most")
}

// AppendVinLimit sets the supply voltage a servo works at, 4500 to 12000 mV.
func AppendVinLimit(dst []byte, id byte, least, most int) ([]byte, error) {
	return limits(dst, id, cmdVinLimit, "voltage limit in mV", least, most, 4500, 12000, "4500 to 12000, the least below the most")
}

func limits(dst []byte, id, command byte, what string, least, most, low, high int, bound string) ([]byte, error) {
	if err := between(what, least, low, most-1, bound); err != nil {
		return dst, err
	}
	if err := between(what, most, low, high, bound); err != nil {
		return dst, err
	}
	return plain(dst, id, command, byte(least), byte(least>>8), byte(most), byte(most>>8))
}

// AppendTempLimit sets where a servo switches off, 50 to 100 Celsius.
func AppendTempLimit(dst []byte, id byte, celsius int) ([]byte, error) {
	if err := between("temperature limit", celsius, 50, 100, "50 to 100"); err != nil {
		return dst, err
	}
	return plain(dst, id, cmdTempLimit, byte(celsius))
}

// AppendMotorMode lets a servo turn without end at a speed of -1000 to 1000.
func AppendMotorMode(dst []byte, id byte, speed int) ([]byte, error) {
	if err := between("speed", speed, -1000, 1000, "-1000 to 1000"); err != nil {
		return dst, err
	}
	return plain(dst, id, cmdMode, 1, 0, byte(speed), byte(speed>>8))
}

// AppendServoMode brings a servo back to positions.
func AppendServoMode(dst []byte, id byte) ([]byte, error) { return plain(dst, id, cmdMode, 0, 0, 0, 0) }

// AppendLED switches the lamp of a servo. On the wire 0 is on.
func AppendLED(dst []byte, id byte, on bool) ([]byte, error) {
	return plain(dst, id, cmdLED, flag(!on))
}

// AppendLEDAlarm sets what lets the lamp blink: 1 temperature, 2 voltage, 4
// locked rotor, added up.
func AppendLEDAlarm(dst []byte, id byte, mask int) ([]byte, error) {
	if err := between("alarm mask", mask, 0, 7, "0 to 7"); err != nil {
		return dst, err
	}
	return plain(dst, id, cmdLEDAlarm, byte(mask))
}

// AppendRead asks one servo. Only IDRead may go to all: for a bus with one.
func AppendRead(dst []byte, id byte, c Read) ([]byte, error) {
	if c.Params() == 0 {
		return dst, servo.Refuse("lx16a", "command", float64(c), "a read command")
	}
	if c == IDRead {
		return shared(dst, id, byte(c))
	}
	return plain(dst, id, byte(c))
}

func flag(on bool) byte {
	if on {
		return 1
	}
	return 0
}
