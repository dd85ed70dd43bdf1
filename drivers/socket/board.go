package socket

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"legctl/drivers/servo"

	"gobot.io/x/gobot/v2/drivers/i2c"
)

// answerTime is how long a request may take.
const answerTime = 500 * time.Millisecond

// Is reports whether a path leads to a Unix socket.
func Is(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode()&fs.ModeSocket != 0
}

// Board is a board at the other end of a socket. Its methods may be called from
// any goroutine. A connection that was lost is made again by the next request:
// until then each is a servo.ErrGone, as of a board without power.
type Board struct {
	path string

	mu  sync.Mutex
	c   net.Conn
	end bool
	out []byte
	in  []byte
}

// Dial returns a board behind a socket that somebody serves.
func Dial(path string) (*Board, error) {
	b := &Board{path: path}
	return b, b.Connect()
}

// Connect makes the connection, if there is none.
func (b *Board) Connect() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.connect()
}

func (b *Board) connect() error {
	switch {
	case b.end:
		return fmt.Errorf("socket: %s: %w: it was closed", b.path, servo.ErrGone)
	case b.c != nil:
		return nil
	}
	c, err := net.DialTimeout("unix", b.path, answerTime)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("socket: %s: %w: nobody serves it; \"legctl servo emulate\" must run meanwhile", b.path, servo.ErrGone)
	}
	if err != nil {
		return fmt.Errorf("socket: %s: %w: %w", b.path, servo.ErrGone, err)
	}
	b.c = c
	return nil
}

// Finalize ends the connection for good.
func (b *Board) Finalize() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end = true
	return b.drop()
}

func (b *Board) drop() (err error) {
	if b.c != nil {
		err = b.c.Close()
		b.c = nil
	}
	return err
}

// ask sends a request and copies what was read to dst.
func (b *Board) ask(r *Request, dst []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	out, err := AppendRequest(b.out[:0], r)
	if err != nil {
		return err
	}
	if err := b.connect(); err != nil {
		return err
	}
	b.out = out
	a, err := b.exchange()
	if err != nil {
		_ = b.drop()
		return fmt.Errorf("socket: %s: %w: %w", b.path, servo.ErrGone, err)
	}
	switch {
	case a.Status == Nack:
		return fmt.Errorf("%w at address %#02x", ErrNack, r.Address)
	case a.Status == Failed:
		return errors.New(string(a.Data))
	case len(a.Data) != len(dst):
		return fmt.Errorf("socket: %d bytes read, want %d", len(a.Data), len(dst))
	}
	copy(dst, a.Data)
	return nil
}

// exchange sends out and waits for the answer. Its data is good until the next.
func (b *Board) exchange() (a Reply, err error) {
	if err := b.c.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return a, err
	}
	if _, err := b.c.Write(b.out); err != nil {
		return a, err
	}
	for b.in = b.in[:0]; ; {
		a, n, err := ParseReply(b.in)
		if err != nil || n > 0 {
			return a, err
		}
		if b.in, err = more(b.c, b.in); err != nil {
			return a, err
		}
	}
}

// more appends what arrives.
func more(c net.Conn, buf []byte) ([]byte, error) {
	const room = 2 + requestHead + Most
	if cap(buf)-len(buf) < room {
		buf = append(make([]byte, 0, 2*cap(buf)+room), buf...)
	}
	n, err := c.Read(buf[len(buf):cap(buf)])
	if n > 0 {
		err = nil // it comes again
	}
	return buf[:len(buf)+n], err
}

// DigitalRead returns the level of a pin.
func (b *Board) DigitalRead(pin string) (int, error) {
	var level [1]byte
	err := b.ask(&Request{Op: OpRead, Read: 1, Data: []byte(pin)}, level[:])
	return int(level[0]), err
}

// DigitalWrite sets a pin.
func (b *Board) DigitalWrite(pin string, level byte) error {
	return b.ask(&Request{Op: OpWrite, Level: level, Data: []byte(pin)}, nil)
}

// DefaultI2cBus implements i2c.Connector.
func (b *Board) DefaultI2cBus() int { return 1 }

// GetI2cConnection implements i2c.Connector.
func (b *Board) GetI2cConnection(address, bus int) (i2c.Connection, error) {
	if address < 0 || address > 0x7F || bus < 0 || bus > 0xFF {
		return nil, fmt.Errorf("socket: I2C address %d on bus %d, want 0 to 127 on bus 0 to 255", address, bus)
	}
	return &chip{b, byte(bus), byte(address)}, nil
}

var _ i2c.Connector = (*Board)(nil)
