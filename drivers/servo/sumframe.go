package servo

import "encoding/binary"

// SumFrame is the frame
//
//	Header Header id length kind parameters... sum
//
// whose sum is the inverted low byte of all from id to the last parameter.
// Dynamixel 1.0 and Feetech have Header FF and a length that counts from kind
// to sum (Ahead 4: header, id and length are outside); LX-16A has Header 55 and
// counts the length byte as well (Ahead 3).
type SumFrame struct {
	Header byte
	Ahead  int // bytes of a frame its length byte does not count
}

// MaxSumParams is the largest number of parameters every SumFrame can carry.
const MaxSumParams = 250

// Open appends what stands before the parameters, with a length still to be
// filled in. start is len(dst) before the call; pass it to Close.
func (f SumFrame) Open(dst []byte, id, kind byte) []byte {
	return append(dst, f.Header, f.Header, id, 0, kind)
}

// Close fills in the length of the frame that begins at start and appends its
// sum. The caller has seen to it that there are at most MaxSumParams parameters.
func (f SumFrame) Close(dst []byte, start int) []byte {
	dst[start+3] = byte(len(dst) + 1 - start - f.Ahead)
	return append(dst, Sum8(dst[start+2:]))
}

// Append appends a whole frame. More than MaxSumParams parameters are refused
// by the protocols, not here.
func (f SumFrame) Append(dst []byte, id, kind byte, params ...byte) []byte {
	start := len(dst)
	return f.Close(append(f.Open(dst, id, kind), params...), start)
}

// Sum8 returns the inverted low byte of the sum of b. Eight bytes are added at a
// time, in the lanes of a word, which cannot overflow in the length of a frame.
func Sum8(b []byte) byte {
	const lanes = 0x00FF00FF00FF00FF
	var sum uint64
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		sum += w&lanes + w>>8&lanes
		b = b[8:]
	}
	sum += sum >> 32
	low := byte(sum) + byte(sum>>16)
	for _, c := range b {
		low += c
	}
	return ^low
}

// Size is how many bytes the frame at b has; see Format.Size. An id above the
// broadcast id and a length too short for an empty frame are impossible, which
// makes a run of header bytes noise up to its last two.
func (f SumFrame) Size(b []byte) int {
	for i := 0; i < 2 && i < len(b); i++ {
		if b[i] != f.Header {
			return -1
		}
	}
	if len(b) > 2 && b[2] > Broadcast {
		return -1
	}
	if len(b) < 4 {
		return 0
	}
	if n := int(b[3]) + f.Ahead; n >= 6 {
		return n
	}
	return -1
}

// Verify compares the sum of a complete frame.
func (f SumFrame) Verify(frame []byte) Fault {
	last := len(frame) - 1
	if want := Sum8(frame[2:last]); frame[last] != want {
		return Fault{Class: Checksum, Got: int(frame[last]), Want: int(want)}
	}
	return Fault{}
}

// Params returns what lies between kind and sum.
func (f SumFrame) Params(frame []byte) []byte { return frame[5 : len(frame)-1] }

// Broadcast is the id that every servo of a bus obeys and none answers for.
const Broadcast = 254

// IDs is a set of ids, to find one that is given twice. The zero value is empty.
type IDs [4]uint64

// Add puts an id into the set and reports whether it was not there.
func (s *IDs) Add(id byte) bool {
	word, bit := &s[id>>6], uint64(1)<<(id&63)
	fresh := *word&bit == 0
	*word |= bit
	return fresh
}

// Distinct reports whether all ids are at most the largest one and none comes
// twice; else it returns the first that is wrong.
func Distinct(ids []byte, most byte) (wrong byte, ok bool) {
	var low uint64 // ids below 64, which most are: a word in a register, not in memory
	var seen [4]uint64
	for _, id := range ids {
		if id < 64 {
			if low>>id&1 != 0 || id > most {
				return id, false
			}
			low |= 1 << id
			continue
		}
		word, bit := &seen[id>>6], uint64(1)<<(id&63)
		if id > most || *word&bit != 0 {
			return id, false
		}
		*word |= bit
	}
	return 0, true
}
