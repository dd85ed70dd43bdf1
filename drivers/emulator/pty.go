package emulator

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// PTY is a bank at the far end of a pseudo terminal, on the real clock. Its
// path can be opened like a serial port. When the whole line is unplugged the
// path vanishes, as that of a USB adaptor does; a link, if one was asked for,
// leads to the new path once it is plugged in again.
type PTY struct {
	bank  *Bank
	link  string
	start time.Time
	stop  chan struct{}
	done  chan struct{}

	mu     sync.Mutex
	path   string
	master *os.File
	slave  *os.File // keeps the line up while no host has it open
	err    error
}

// OpenPTY puts a bank on a new pseudo terminal. link, if not empty, becomes a
// symbolic link to it: a stable name. Close it to free both.
func OpenPTY(b *Bank, link string) (*PTY, error) {
	p := &PTY{bank: b, link: link, start: time.Now().Add(-b.Now()), stop: make(chan struct{}), done: make(chan struct{})}
	if err := p.plug(); err != nil {
		return nil, err
	}
	go p.serve()
	return p, nil
}

// Path is the name of the device; empty while it is unplugged.
func (p *PTY) Path() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.path
}

// Bank is the bank behind it.
func (p *PTY) Bank() *Bank { return p.bank }

// Err is why the far end stopped by itself, nil while it works.
func (p *PTY) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// Close unplugs the line for good. A second call does nothing.
func (p *PTY) Close() error {
	p.mu.Lock()
	select {
	case <-p.stop:
	default:
		close(p.stop)
	}
	if p.master != nil {
		p.master.SetReadDeadline(time.Now())
	}
	p.mu.Unlock()
	<-p.done
	return nil
}

// plug makes the pseudo terminal.
func (p *PTY) plug() error {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return fmt.Errorf("emulator: pseudo terminal: %w", err)
	}
	path, err := unlock(master)
	if err != nil {
		master.Close()
		return err
	}
	slave, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		master.Close()
		return fmt.Errorf("emulator: pseudo terminal: %w", err)
	}
	if err = raw(slave); err == nil && p.link != "" {
		os.Remove(p.link)
		err = os.Symlink(path, p.link)
	}
	if err != nil {
		master.Close()
		slave.Close()
		return fmt.Errorf("emulator: pseudo terminal: %w", err)
	}
	p.mu.Lock()
	p.path, p.master, p.slave = path, master, slave
	p.mu.Unlock()
	return nil
}

// unplug frees the pseudo terminal: its path is gone.
func (p *PTY) unplug() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.master == nil {
		return
	}
	p.slave.Close()
	p.master.Close()
	if p.link != "" {
		os.Remove(p.link)
	}
	p.path, p.master, p.slave = "", nil, nil
}

// control calls do with the descriptor of f, without making it block.
func control(f *os.File, do func(fd int) error) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := c.Control(func(fd uintptr) { inner = do(int(fd)) }); err != nil {
		return err
	}
	return inner
}

// unlock lets the other end be opened and returns its name.
func unlock(master *os.File) (path string, err error) {
	err = control(master, func(fd int) error {
		if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
			return err
		}
		n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
		path = fmt.Sprintf("/dev/pts/%d", n)
		return err
	})
	return path, err
}

// raw switches off what a terminal does to bytes.
func raw(f *os.File) error {
	return control(f, func(fd int) error {
		t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		if err != nil {
			return err
		}
		t.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
		t.Oflag &^= unix.OPOST
		t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
		t.Cflag = t.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
		return unix.IoctlSetTermios(fd, unix.TCSETS, t)
	})
}

// baud is what the host has set; 0 when it cannot be told.
func (p *PTY) baud() int {
	baud := 0
	err := control(p.slave, func(fd int) error {
		t, err := unix.IoctlGetTermios(fd, unix.TCGETS2)
		if err == nil {
			baud = int(t.Ospeed)
		}
		return err
	})
	if err != nil {
		return 0
	}
	return baud
}

// serve carries bytes until it is closed.
func (p *PTY) serve() {
	defer close(p.done)
	defer p.unplug()
	buf := make([]byte, 4096)
	for {
		select {
		case <-p.stop:
			return
		default:
		}
		if err := p.turn(buf); err != nil {
			p.mu.Lock()
			p.err = err
			p.mu.Unlock()
			return
		}
	}
}

// idle is how long the far end sleeps when nothing is due: faults and watchdogs
// begin that late at most.
const idle = 5 * time.Millisecond

// turn waits for bytes or for the time at which some are due.
func (p *PTY) turn(buf []byte) error {
	data, next, more := p.bank.Due(time.Since(p.start))
	if p.bank.Gone() {
		p.unplug()
		time.Sleep(idle)
		return nil
	}
	if p.master == nil {
		if err := p.plug(); err != nil {
			return err
		}
	}
	if len(data) > 0 {
		p.master.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
		if _, err := p.master.Write(data); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			return fmt.Errorf("emulator: pseudo terminal: %w", err)
		}
		return nil
	}
	wait := idle
	if more {
		wait = min(wait, next-time.Since(p.start))
	}
	p.master.SetReadDeadline(time.Now().Add(max(wait, 0)))
	n, err := p.master.Read(buf)
	if n > 0 {
		p.bank.Receive(time.Since(p.start), p.baud(), buf[:n])
	}
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("emulator: pseudo terminal: %w", err)
	}
	return nil
}
