package dxl2

import "legctl/drivers/servo"

// MaxID is the highest id of one servo.
const MaxID = 252

// MaxParams is the largest number of parameters, not counting stuffing, that
// this package sends: the most that surely fits the length with every third
// byte stuffed.
const MaxParams = 4096

// Instructions of the protocol.
const (
	instPing         = 0x01
	instRead         = 0x02
	instWrite        = 0x03
	instRegWrite     = 0x04
	instAction       = 0x05
	instReset        = 0x06
	instReboot       = 0x08
	instClear        = 0x10
	instSyncRead     = 0x82
	instSyncWrite    = 0x83
	instFastSyncRead = 0x8A
	instBulkRead     = 0x92
	instBulkWrite    = 0x93
	instFastBulkRead = 0x9A
)

// single refuses an id that is not a servo's; broadcast lets 254 through.
func single(id byte, broadcast bool) error {
	if id > MaxID && (!broadcast || id != servo.Broadcast) {
		return servo.Refuse("dxl2", "id", float64(id), "0 to 252, or 254 where all may be meant")
	}
	return nil
}

// span refuses what is no part of a register table.
func span(addr uint16, n int) error {
	if n < 1 || n > MaxParams || int(addr)+n > 1<<16 {
		return servo.Refuse("dxl2", "number of bytes", float64(n), "1 up to the end of the table, at most 4096")
	}
	return nil
}

// group refuses a group that is empty, too large, or names an id twice.
func group(ids []byte, params int) error {
	if len(ids) == 0 || params > MaxParams {
		return servo.Refuse("dxl2", "servos in a group", float64(len(ids)), "at least one, at most 4096 parameters in all")
	}
	if id, ok := servo.Distinct(ids, MaxID); !ok {
		return servo.Refuse("dxl2", "id", float64(id), "0 to 252, once")
	}
	return nil
}

// plain appends an instruction with few parameters and no register in it.
func plain(dst []byte, id, inst byte, broadcast bool, params ...byte) ([]byte, error) {
	if err := single(id, broadcast); err != nil {
		return dst, err
	}
	start := len(dst)
	return closeFrame(append(open(dst, id, inst), params...), start), nil
}

// AppendPing asks for model and firmware. At the broadcast id all servos answer
// one after the other.
func AppendPing(dst []byte, id byte) ([]byte, error) { return plain(dst, id, instPing, true) }

// AppendAction lets a servo, or all, carry out what it has stored.
func AppendAction(dst []byte, id byte) ([]byte, error) { return plain(dst, id, instAction, true) }

// AppendReboot restarts a servo, or all: the only way out of a shutdown. Its
// torque is off afterwards.
func AppendReboot(dst []byte, id byte) ([]byte, error) { return plain(dst, id, instReboot, true) }

// ResetOption says what a factory reset leaves alone.
type ResetOption byte

// The options of AppendFactoryReset.
const (
	ResetAll         ResetOption = 0xFF
	ResetAllButID    ResetOption = 0x01
	ResetAllButIDBps ResetOption = 0x02
)

// AppendFactoryReset resets one servo.
func AppendFactoryReset(dst []byte, id byte, o ResetOption) ([]byte, error) {
	if o != ResetAll && o != ResetAllButID && o != ResetAllButIDBps {
		return dst, servo.Refuse("dxl2", "reset option", float64(o), "1, 2 or 255")
	}
	return plain(dst, id, instReset, false, byte(o))
}

// AppendClearMultiTurn makes a servo forget the whole turns in its position.
func AppendClearMultiTurn(dst []byte, id byte) ([]byte, error) {
	return plain(dst, id, instClear, false, 1, 'D', 'X', 'L', '"')
}

// AppendRead asks one servo for n registers from addr.
func AppendRead(dst []byte, id byte, addr, n uint16) ([]byte, error) {
	if err := span(addr, int(n)); err != nil {
		return dst, err
	}
	return plain(dst, id, instRead, false, byte(addr), byte(addr>>8), byte(n), byte(n>>8))
}

// AppendWrite writes registers from addr, of one servo or, at the broadcast id, of all.
func AppendWrite(dst []byte, id byte, addr uint16, data ...byte) ([]byte, error) {
	return write(dst, instWrite, id, addr, data)
}

// AppendRegWrite stores a write in the servo until AppendAction.
func AppendRegWrite(dst []byte, id byte, addr uint16, data ...byte) ([]byte, error) {
	return write(dst, instRegWrite, id, addr, data)
}

func write(dst []byte, inst, id byte, addr uint16, data []byte) ([]byte, error) {
	if err := single(id, true); err != nil {
		return dst, err
	}
	if err := span(addr, len(data)); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = append(open(dst, id, inst), byte(addr), byte(addr>>8))
	return closeFrame(append(dst, data...), start), nil
}
