package socket

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Op is what is asked.
type Op byte

// The operations.
const (
	OpTransfer Op = 't' // Data is written to Address of Bus, then Read bytes are read
	OpRead     Op = 'r' // the level of the pin named by Data
	OpWrite    Op = 'w' // the pin named by Data gets Level
)

// Request is one thing asked of a board. The zero value is none.
type Request struct {
	Op      Op
	Bus     byte
	Address byte
	Level   byte // of a pin, 0 or 1
	Read    int  // bytes wanted, 0 to Most
	Data    []byte
}

// Status begins a reply.
type Status byte

// The answers.
const (
	Done   Status = iota // Data is what was read
	Nack                 // no chip took it; Data says it in words
	Failed               // Data says why
)

// Reply is the answer to one request.
type Reply struct {
	Status Status
	Data   []byte
}

// Most is how many bytes one record carries besides its header.
const Most = 1024

const (
	requestHead = 5
	replyHead   = 1
)

// ErrNack is in the error of a transfer that no chip acknowledged.
var ErrNack = errors.New("no acknowledge on the I2C bus")

// AppendRequest appends a record; dst is unchanged when there is an error.
func AppendRequest(dst []byte, r *Request) ([]byte, error) {
	if len(r.Data) > Most || r.Read < 0 || r.Read > Most {
		return dst, fmt.Errorf("socket: %d bytes to write and %d to read, want at most %d", len(r.Data), r.Read, Most)
	}
	a, b := r.Bus, r.Address
	switch r.Op {
	case OpTransfer:
	case OpRead, OpWrite:
		a, b = r.Level, 0
	default:
		return dst, fmt.Errorf("socket: operation %q, want t, r or w", byte(r.Op))
	}
	dst = binary.LittleEndian.AppendUint16(dst, uint16(requestHead+len(r.Data)))
	dst = append(dst, byte(r.Op), a, b)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(r.Read))
	return append(dst, r.Data...), nil
}

// AppendReply appends a record; text that is too long is cut.
func AppendReply(dst []byte, r Reply) []byte {
	data := r.Data[:min(len(r.Data), Most)]
	dst = binary.LittleEndian.AppendUint16(dst, uint16(replyHead+len(data)))
	return append(append(dst, byte(r.Status)), data...)
}

// record returns the first record of buf without its length, and how many bytes it
// takes: none while more are to come.
func record(buf []byte, head int) ([]byte, int, error) {
	if len(buf) < 2 {
		return nil, 0, nil
	}
	n := int(binary.LittleEndian.Uint16(buf))
	if n < head || n > head+Most {
		return nil, 0, fmt.Errorf("socket: a record of %d bytes, want %d to %d: the other end is no board of legctl", n, head, head+Most)
	}
	if len(buf) < 2+n {
		return nil, 0, nil
	}
	return buf[2 : 2+n], 2 + n, nil
}

// ParseRequest reads the first record of buf and how many bytes it takes, 0 while
// more are to come. Data is part of buf. After an error nothing more can be read.
func ParseRequest(buf []byte) (r Request, n int, err error) {
	p, n, err := record(buf, requestHead)
	if n == 0 {
		return r, 0, err
	}
	r = Request{Op: Op(p[0]), Read: int(binary.LittleEndian.Uint16(p[3:])), Data: p[requestHead:]}
	switch r.Op {
	case OpTransfer:
		r.Bus, r.Address = p[1], p[2]
	case OpRead, OpWrite:
		r.Level = p[1]
	default:
		return Request{}, 0, fmt.Errorf("socket: operation %q, want t, r or w", p[0])
	}
	if r.Read > Most {
		return Request{}, 0, fmt.Errorf("socket: %d bytes to read, want at most %d", r.Read, Most)
	}
	return r, n, nil
}

// ParseReply is ParseRequest for replies.
func ParseReply(buf []byte) (r Reply, n int, err error) {
	p, n, err := record(buf, replyHead)
	if n == 0 {
		return r, 0, err
	}
	if p[0] > byte(Failed) {
		return r, 0, fmt.Errorf("socket: status %d, want 0 to %d: the other end is no board of legctl", p[0], Failed)
	}
	return Reply{Status(p[0]), p[replyHead:]}, n, nil
}
