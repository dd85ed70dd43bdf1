package drivers

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"legctl/drivers/servo"

	"golang.org/x/sys/unix"
)

// OpenRaw opens a serial device in a way that lets its descriptor be handed to
// another process: raw, 8N1, at a baud, non-blocking, for nobody else to open.
// Errors are those of OpenSerial.
func OpenRaw(name string, baud int) (*os.File, error) {
	device, err := FindPort(name)
	if err != nil {
		return nil, err
	}
	adaptorOf(device).quicken()
	fd, err := unix.Open(device, unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, explain(name, device, err)
	}
	if err := makeRaw(fd, baud); err != nil {
		_ = unix.Close(fd)
		return nil, explain(name, device, err)
	}
	if err := unix.IoctlSetInt(fd, unix.TIOCEXCL, 0); err != nil {
		_ = unix.Close(fd)
		return nil, explain(name, device, err)
	}
	return os.NewFile(uintptr(fd), device), nil
}

// WithDescriptor calls do with the descriptor of a file, without making it a
// blocking one as File.Fd would.
func WithDescriptor(f *os.File, do func(fd int) error) (err error) {
	raw, e := f.SyscallConn()
	if e == nil {
		e = raw.Control(func(fd uintptr) { err = do(int(fd)) })
	}
	return errors.Join(e, err)
}

// makeRaw sets a terminal to pass bytes as they are, at any baud the driver can
// make.
func makeRaw(fd, baud int) error {
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS2)
	if err != nil {
		return err
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cflag = unix.CS8 | unix.CREAD | unix.CLOCAL | unix.BOTHER
	t.Ispeed, t.Ospeed = uint32(baud), uint32(baud)
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return unix.IoctlSetTermios(fd, unix.TCSETS2, t)
}

// FilePort makes a port of a descriptor that OpenRaw opened, perhaps in another
// process. Reads and writes have deadlines of their own.
func FilePort(f *os.File) (servo.Port, error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, fmt.Errorf("drivers: port of a descriptor: %w", err)
	}
	if err := f.SetReadDeadline(time.Time{}); err != nil {
		return nil, fmt.Errorf("drivers: port of a descriptor that cannot wait (it was opened blocking): %w", err)
	}
	p := &filePort{f: f, raw: raw}
	p.look = func(fd uintptr) { p.n, p.err = unix.Read(int(fd), p.buf) }
	return p, nil
}

// filePort is a port on a descriptor.
type filePort struct {
	f       *os.File
	raw     syscall.RawConn
	timeout time.Duration

	look func(fd uintptr) // reads what is there into buf, without waiting
	buf  []byte
	n    int
	err  error
}

// SetReadTimeout implements servo.Port.
func (p *filePort) SetReadTimeout(d time.Duration) error {
	p.timeout = d
	return nil
}

// Read implements servo.Port. What is there is read even when there is no time
// left to wait.
func (p *filePort) Read(b []byte) (int, error) {
	p.buf = b
	if err := p.raw.Control(p.look); err != nil {
		return 0, err
	}
	switch {
	case p.err == unix.EAGAIN || p.err == unix.EINTR:
	case p.err != nil:
		return 0, p.err
	case p.n > 0:
		return p.n, nil
	case len(b) > 0:
		return 0, io.EOF // hung up
	}
	if p.timeout <= 0 {
		return 0, nil
	}
	if err := p.f.SetReadDeadline(time.Now().Add(p.timeout)); err != nil {
		return 0, err
	}
	n, err := p.f.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return n, nil
	}
	return n, err
}

// Write implements servo.Port.
func (p *filePort) Write(b []byte) (int, error) {
	if err := p.f.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return 0, err
	}
	n, err := p.f.Write(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = fmt.Errorf("a write did not go through within %v: %w", writeTime, err)
	}
	return n, err
}

// ResetInputBuffer implements servo.Port.
func (p *filePort) ResetInputBuffer() (err error) {
	if e := p.raw.Control(func(fd uintptr) { err = unix.IoctlSetInt(int(fd), unix.TCFLSH, unix.TCIFLUSH) }); e != nil {
		return e
	}
	return err
}

// SetBaud implements servo.Bauder.
func (p *filePort) SetBaud(baud int) (err error) {
	if e := p.raw.Control(func(fd uintptr) { err = makeRaw(int(fd), baud) }); e != nil {
		return e
	}
	return err
}

// Close implements servo.Port.
func (p *filePort) Close() error {
	if err := p.f.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
