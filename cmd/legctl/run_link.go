//go:build linux

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// kind is what a message between the shell and the loop is.
type kind byte

// To the loop.
const (
	kindBegin   kind = 'b' // what to run: startOrder
	kindCommand kind = 'c' // the bytes of a control.Command
	kindPort    kind = 'p' // a descriptor, or why there is none
	kindLeave   kind = 'q' // stop, sit, limp, end
)

// To the shell.
const (
	kindRecord kind = 'r' // tag, tick and bytes of a record
	kindStats  kind = 's' // loopStats
	kindAsk    kind = 'a' // a port is wanted: its baud
	kindBad    kind = 'e' // why the loop has ended
)

// longest is the most one message may have.
const longest = 64 << 20

// link is one end of the socket that joins the shell and the loop: messages with
// a length, and descriptors beside them. Any goroutine may send, one receives.
type link struct {
	c   *net.UnixConn
	mu  sync.Mutex
	out []byte

	in  []byte // received and not yet taken
	fds []int
}

// newLinkPair returns the shell's end and the file for the other one.
func newLinkPair() (*link, *os.File, error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("run: join the two processes: %w", err)
	}
	far := os.NewFile(uintptr(fds[1]), "loop")
	l, err := newLink(os.NewFile(uintptr(fds[0]), "shell"))
	if err != nil {
		return nil, nil, errors.Join(err, far.Close())
	}
	return l, far, nil
}

// newLink takes over an end.
func newLink(f *os.File) (*link, error) {
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		return nil, fmt.Errorf("run: the socket between the processes: %w", err)
	}
	u, ok := c.(*net.UnixConn)
	if !ok {
		return nil, errors.Join(errors.New("run: the descriptor is no socket"), c.Close())
	}
	return &link{c: u}, nil
}

// send sends one message, in parts, with a descriptor where fd is not negative.
func (l *link) send(k kind, fd int, parts ...[]byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out = append(l.out[:0], 0, 0, 0, 0, byte(k))
	for _, p := range parts {
		l.out = append(l.out, p...)
	}
	binary.LittleEndian.PutUint32(l.out, uint32(len(l.out)-4))
	var rights []byte
	if fd >= 0 {
		rights = unix.UnixRights(fd)
	}
	rest := l.out
	for len(rest) > 0 {
		n, _, err := l.c.WriteMsgUnix(rest, rights, nil)
		if err != nil {
			return err
		}
		rest, rights = rest[n:], nil
	}
	return nil
}

// receive returns the next message; its bytes are good until the next call.
func (l *link) receive() (kind, []byte, error) {
	for {
		if len(l.in) >= 4 {
			n := int(binary.LittleEndian.Uint32(l.in))
			if n < 1 || n > longest {
				return 0, nil, fmt.Errorf("run: a message of %d bytes between the processes", n)
			}
			if len(l.in) >= 4+n {
				m := l.in[4 : 4+n]
				l.in = l.in[4+n:]
				return kind(m[0]), m[1:], nil
			}
		}
		if err := l.read(); err != nil {
			return 0, nil, err
		}
	}
}

// read takes what has arrived.
func (l *link) read() error {
	const room = 256 << 10
	if cap(l.in)-len(l.in) < room {
		l.in = append(make([]byte, 0, 2*len(l.in)+2*room), l.in...)
	}
	var oob [256]byte
	n, oobn, _, _, err := l.c.ReadMsgUnix(l.in[len(l.in):cap(l.in)], oob[:])
	if err != nil {
		return err
	}
	l.in = l.in[:len(l.in)+n]
	messages, err := unix.ParseSocketControlMessage(oob[:oobn])
	if err != nil {
		return err
	}
	for i := range messages {
		if fds, err := unix.ParseUnixRights(&messages[i]); err == nil {
			l.fds = append(l.fds, fds...)
		}
	}
	if n == 0 && oobn == 0 {
		return io.EOF
	}
	return nil
}

// descriptor takes the next one that came beside a message.
func (l *link) descriptor() (*os.File, bool) {
	if len(l.fds) == 0 {
		return nil, false
	}
	fd := l.fds[0]
	l.fds = l.fds[1:]
	unix.CloseOnExec(fd)
	_ = unix.SetNonblock(fd, true) // it is already; the runtime looks
	return os.NewFile(uintptr(fd), "port"), true
}

func (l *link) close() error {
	for {
		f, ok := l.descriptor()
		if !ok {
			return l.c.Close()
		}
		_ = f.Close()
	}
}
