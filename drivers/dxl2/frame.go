package dxl2

import (
	"bytes"

	"legctl/drivers/servo"
)

const (
	header   = 4 // FF FF FD 00
	ahead    = 7 // bytes before the instruction
	statusOf = 0x55
)

// crcTable is the CRC of each single byte.
var crcTable = func() (t [256]uint16) {
	for i := range t {
		c := uint16(i) << 8
		for range 8 {
			top := c & 0x8000
			c <<= 1
			if top != 0 {
				c ^= 0x8005
			}
		}
		t[i] = c
	}
	return t
}()

// CRC16 returns the CRC of b: polynomial 8005 hex, highest bit first, from 0.
func CRC16(b []byte) uint16 {
	var c uint16
	t := &crcTable
	for ; len(b) >= 2; b = b[2:] { // two bytes at a time: the second's table does not wait for the first
		hi, lo := byte(c>>8)^b[0], byte(c)^b[1]
		c = crcPairs[hi] ^ t[lo]
	}
	if len(b) > 0 {
		c = c<<8 ^ t[byte(c>>8)^b[0]]
	}
	return c
}

// crcPairs is the CRC of each byte with a zero byte behind it.
var crcPairs = func() (t [256]uint16) {
	for i, c := range crcTable {
		t[i] = c<<8 ^ crcTable[c>>8]
	}
	return t
}()

// open appends what stands before the parameters.
func open(dst []byte, id, inst byte) []byte {
	return append(dst, 0xFF, 0xFF, 0xFD, 0, id, 0, 0, inst)
}

// closeFrame stuffs the frame that begins at start, fills in its length and
// appends its CRC.
func closeFrame(dst []byte, start int) []byte {
	dst = stuff(dst, start+ahead)
	n := len(dst) + 2 - start - ahead
	dst[start+5], dst[start+6] = byte(n), byte(n>>8)
	crc := CRC16(dst[start:])
	return append(dst, byte(crc), byte(crc>>8))
}

// stuffed is what must not occur behind the header.
var stuffed = [3]byte{0xFF, 0xFF, 0xFD}

// stuff inserts FD after each FF FF FD from index from on.
func stuff(dst []byte, from int) []byte {
	if !bytes.Contains(dst[from:], stuffed[:]) {
		return dst
	}
	for i := from + 2; i < len(dst); i++ {
		if dst[i] == 0xFD && dst[i-1] == 0xFF && dst[i-2] == 0xFF {
			dst = append(dst, 0)
			copy(dst[i+2:], dst[i+1:])
			dst[i+1] = 0xFD
			i++
		}
	}
	return dst
}

// unstuff removes in place the FD behind each FF FF FD and returns what is left.
func unstuff(b []byte) []byte {
	n := 0
	for i := 0; i < len(b); i++ {
		b[n] = b[i]
		n++
		if n >= 3 && b[n-1] == 0xFD && b[n-2] == 0xFF && b[n-3] == 0xFF && i+1 < len(b) && b[i+1] == 0xFD {
			i++
		}
	}
	return b[:n]
}

// Format is how status frames are read; see servo.Format. The zero value reads
// ordinary ones; with Fast set, the merged reply to a fast read.
type Format struct{ Fast bool }

// Header is 4: FF FF FD 00.
func (Format) Header() int { return header }

// Size returns the length of a frame; ids FD and FF and a length too short for
// an instruction and a CRC are impossible.
func (Format) Size(b []byte) int {
	for i, h := range [header]byte{0xFF, 0xFF, 0xFD, 0} {
		if i < len(b) && b[i] != h {
			return -1
		}
	}
	if len(b) > 4 && b[4] > MaxID && b[4] != servo.Broadcast {
		return -1
	}
	if len(b) < ahead {
		return 0
	}
	if n := int(b[5]) | int(b[6])<<8; n >= 3 {
		return n + ahead
	}
	return -1
}

// Verify compares the CRC at the end.
func (Format) Verify(frame []byte) servo.Fault {
	n := len(frame) - 2
	got, want := int(frame[n])|int(frame[n+1])<<8, int(CRC16(frame[:n]))
	if got != want {
		return servo.Fault{Class: servo.CRC, Got: got, Want: want}
	}
	return servo.Fault{}
}

// Open reads id and error. A frame with another instruction than status is an
// echo. Of a merged reply the error is left to the parts.
func (f Format) Open(frame []byte) (servo.Reply, bool) {
	if frame[ahead] != statusOf || len(frame) < ahead+4 {
		return servo.Reply{}, false
	}
	r := servo.Reply{ID: frame[4], Status: frame[8], Params: frame[9 : len(frame)-2]}
	if f.Fast {
		r.Status = 0
		return r, true
	}
	r.Fault = fault(r.Status)
	return r, true
}

// Params removes the stuffing, which may reach from the error into the
// parameters. Merged replies have none; there the parameters begin with the
// error of the first device.
func (f Format) Params(frame []byte) []byte {
	if f.Fast {
		return frame[8 : len(frame)-2]
	}
	return unstuff(frame[ahead : len(frame)-2])[2:]
}

// fault returns what an error byte means: a number, an alert, both, or nothing.
func fault(status byte) servo.Fault {
	switch {
	case status&0x7F != 0:
		return servo.Fault{Class: servo.DeviceError, Got: int(status)}
	case status != 0:
		return servo.Fault{Class: servo.DeviceAlert, Got: int(status)}
	}
	return servo.Fault{}
}

// ErrorName names the number of an error byte and says whether the alert bit is
// set. The name is empty for no error, and for a number nobody has named.
func ErrorName(status byte) (name string, alert bool) {
	names := [...]string{"", "result_fail", "instruction", "crc", "data_range", "data_length", "data_limit", "access"}
	if n := int(status & 0x7F); n < len(names) {
		name = names[n]
	}
	return name, status&0x80 != 0
}

// HardwareErrors names the bits of register 70.
func HardwareErrors(bits byte) []string {
	return servo.FlagNames(bits, []string{"input_voltage", "", "overheating", "encoder", "electrical_shock", "overload"})
}
