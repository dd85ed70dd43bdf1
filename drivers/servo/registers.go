package servo

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Registers is the wire of servos that are a table of registers behind FF FF
// frames: Dynamixel 1.0 and Feetech. Protocol goes into refusals; MaxID is the
// highest id of one servo. It keeps no state and its methods append whole
// frames to dst, or refuse and return dst as it was.
type Registers struct {
	Protocol string
	MaxID    byte
}

// Instructions of the FF FF protocols.
const (
	InstPing      = 0x01
	InstRead      = 0x02
	InstWrite     = 0x03
	InstRegWrite  = 0x04
	InstAction    = 0x05
	InstReset     = 0x06
	InstSyncRead  = 0x82
	InstSyncWrite = 0x83
	InstBulkRead  = 0x92
)

// frame is how these servos frame their bytes.
func (Registers) frame() SumFrame { return SumFrame{Header: 0xFF, Ahead: 4} }

// single refuses an id that is not one servo's; broadcast lets 254 through.
func (r Registers) single(id byte, broadcast bool) error {
	if id > r.MaxID && (!broadcast || id != Broadcast) {
		return Refuse(r.Protocol, "id", float64(id), "the id of a servo")
	}
	return nil
}

// span refuses a part of the register table that does not exist.
func (r Registers) span(addr byte, n int) error {
	if n < 1 || n > MaxSumParams || int(addr)+n > 256 {
		return Refuse(r.Protocol, "number of bytes", float64(n), "1 up to the end of the table at 255, at most 250")
	}
	return nil
}

// AppendPing asks whether a servo is there. At the broadcast id every servo
// answers at once: for a bus with one servo.
func (r Registers) AppendPing(dst []byte, id byte) ([]byte, error) {
	if err := r.single(id, true); err != nil {
		return dst, err
	}
	return r.frame().Append(dst, id, InstPing), nil
}

// AppendRead asks one servo for n registers from addr.
func (r Registers) AppendRead(dst []byte, id, addr, n byte) ([]byte, error) {
	if err := r.single(id, false); err != nil {
		return dst, err
	}
	if err := r.span(addr, int(n)); err != nil {
		return dst, err
	}
	return r.frame().Append(dst, id, InstRead, addr, n), nil
}

// AppendWrite writes registers from addr, of one servo or of all.
func (r Registers) AppendWrite(dst []byte, id, addr byte, data ...byte) ([]byte, error) {
	return r.write(dst, InstWrite, id, addr, data)
}

// AppendRegWrite stores a write until AppendAction.
func (r Registers) AppendRegWrite(dst []byte, id, addr byte, data ...byte) ([]byte, error) {
	return r.write(dst, InstRegWrite, id, addr, data)
}

func (r Registers) write(dst []byte, inst, id, addr byte, data []byte) ([]byte, error) {
	if err := r.single(id, true); err != nil {
		return dst, err
	}
	if err := r.span(addr, len(data)); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = append(r.frame().Open(dst, id, inst), addr)
	return r.frame().Close(append(dst, data...), start), nil
}

// AppendAction lets all servos carry out what they have stored.
func (r Registers) AppendAction(dst []byte) []byte {
	return r.frame().Append(dst, Broadcast, InstAction)
}

// AppendReset brings one servo back to its factory values; its id and baud may
// change with it. Never for all servos at once.
func (r Registers) AppendReset(dst []byte, id byte) ([]byte, error) {
	if err := r.single(id, false); err != nil {
		return dst, err
	}
	return r.frame().Append(dst, id, InstReset), nil
}

// AppendSyncWrite writes size registers from addr of every servo in ids; data
// holds their bytes, one servo after the other. Nobody answers.
func (r Registers) AppendSyncWrite(dst []byte, addr byte, size int, ids, data []byte) ([]byte, error) {
	if err := r.group(ids, len(ids)*(size+1)+2); err != nil {
		return dst, err
	}
	if err := r.span(addr, size); err != nil {
		return dst, err
	}
	if len(data) != len(ids)*size {
		return dst, Refuse(r.Protocol, "bytes of data", float64(len(data)), "size for each id")
	}
	start := len(dst)
	dst = append(r.frame().Open(dst, Broadcast, InstSyncWrite), addr, byte(size))
	return r.frame().Close(Interleave(dst, ids, data, size), start), nil
}

// AppendSyncWords is AppendSyncWrite of one number of two bytes a servo, low byte
// first, or high byte first with big set. It is what a tick sends, in one pass.
func (r Registers) AppendSyncWords(dst []byte, addr byte, ids []byte, words []uint16, big bool) ([]byte, error) {
	n := len(ids)
	if n == 0 || 3*n+2 > MaxSumParams || addr == 255 || len(words) != n {
		return r.AppendSyncWrite(dst, addr, 2, ids, make([]byte, 2*len(words))) // says what is wrong
	}
	start := len(dst)
	frame := slices.Grow(dst, 3*n+10)[:start+3*n+10] // and room for the last store
	*(*[7]byte)(frame[start:]) = [7]byte{0xFF, 0xFF, Broadcast, byte(3*n + 4), InstSyncWrite, addr, 2}
	turn := 0
	if big {
		turn = 8
	}
	out, seen, top := frame[start+7:], uint64(0), byte(0)
	// Two servos are one store of eight bytes, whose last two the next one, or the
	// sum, writes over; bytes are added in lanes, which a frame cannot overflow.
	const lane = 0x00FF00FF00FF00FF
	sums, each := uint64(0), ids
	for len(each) >= 2 && len(words) >= 2 && len(out) >= 8 {
		a, b := each[0], each[1]
		v := uint64(a) | uint64(bits.RotateLeft16(words[0], turn))<<8 | uint64(b)<<24 | uint64(bits.RotateLeft16(words[1], turn))<<32
		binary.LittleEndian.PutUint64(out, v)
		sums += v&lane + v>>8&lane
		seen |= 1<<(a&63) | 1<<(b&63)
		top = max(top, a, b)
		each, words, out = each[2:], words[2:], out[6:]
	}
	if len(each) == 1 && len(words) == 1 && len(out) >= 4 {
		v := uint64(each[0]) | uint64(bits.RotateLeft16(words[0], turn))<<8
		binary.LittleEndian.PutUint32(out, uint32(v))
		sums += v&lane + v>>8&lane
		seen |= 1 << (each[0] & 63)
		top = max(top, each[0])
	}
	// As many bits as servos: no id twice, unless one is 64 or more.
	if bits.OnesCount64(seen) != n || top > r.MaxID {
		if id, ok := Distinct(ids, r.MaxID); !ok {
			return dst, Refuse(r.Protocol, "id", float64(id), "the id of a servo, once")
		}
	}
	sums += sums >> 32
	frame = frame[:start+3*n+8]
	sum := Broadcast + byte(3*n+4) + InstSyncWrite + addr + 2 + byte(sums) + byte(sums>>16)
	frame[len(frame)-1] = ^sum
	return frame, nil
}

// Interleave appends each id with its size bytes of data. The sizes of positions
// have loops of their own: copying two bytes by a call takes longer than all the
// rest of a frame.
func Interleave(dst, ids, data []byte, size int) []byte {
	switch size {
	case 2:
		at := len(dst)
		dst = slices.Grow(dst, 3*len(ids))[:at+3*len(ids)]
		out := dst[at:]
		for i, id := range ids {
			d := (*[2]byte)(data[2*i:])
			*(*[3]byte)(out[3*i:]) = [3]byte{id, d[0], d[1]}
		}
	case 4:
		at := len(dst)
		dst = slices.Grow(dst, 5*len(ids))[:at+5*len(ids)]
		out := dst[at:]
		for i, id := range ids {
			d := (*[4]byte)(data[4*i:])
			*(*[5]byte)(out[5*i:]) = [5]byte{id, d[0], d[1], d[2], d[3]}
		}
	default:
		for i, id := range ids {
			dst = append(append(dst, id), data[i*size:(i+1)*size]...)
		}
	}
	return dst
}

// AppendSyncRead asks every servo in ids for n registers from addr; they answer
// in that order, one frame each. Feetech STS and SMS only.
func (r Registers) AppendSyncRead(dst []byte, addr, n byte, ids []byte) ([]byte, error) {
	if err := r.group(ids, len(ids)+2); err != nil {
		return dst, err
	}
	if err := r.span(addr, int(n)); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = append(r.frame().Open(dst, Broadcast, InstSyncRead), addr, n)
	return r.frame().Close(append(dst, ids...), start), nil
}

// Span is a part of one servo's register table, for AppendBulkRead.
type Span struct{ ID, Addr, Len byte }

// AppendBulkRead asks several servos for different registers; they answer in
// that order. Dynamixel MX only, AX has none.
func (r Registers) AppendBulkRead(dst []byte, spans []Span) ([]byte, error) {
	var seen IDs
	if n := 3*len(spans) + 1; n < 4 || n > MaxSumParams {
		return dst, Refuse(r.Protocol, "servos in a group", float64(len(spans)), "1 to 83")
	}
	for _, s := range spans {
		if err := r.span(s.Addr, int(s.Len)); err != nil {
			return dst, err
		}
		if s.ID > r.MaxID || !seen.Add(s.ID) {
			return dst, Refuse(r.Protocol, "id", float64(s.ID), "the id of a servo, once")
		}
	}
	start := len(dst)
	dst = append(r.frame().Open(dst, Broadcast, InstBulkRead), 0)
	for _, s := range spans {
		dst = append(dst, s.Len, s.ID, s.Addr)
	}
	return r.frame().Close(dst, start), nil
}

// group refuses ids that are not servos or come twice, an empty group, and one
// whose frame would not hold its parameters.
func (r Registers) group(ids []byte, params int) error {
	if len(ids) == 0 || params > MaxSumParams {
		return Refuse(r.Protocol, "servos in a group", float64(len(ids)), "at least one, as many as fit a frame")
	}
	if id, ok := Distinct(ids, r.MaxID); !ok {
		return Refuse(r.Protocol, "id", float64(id), "the id of a servo, once")
	}
	return nil
}
