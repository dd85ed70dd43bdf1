package web

import (
	"net"
	"sync"
)

// limited is a listener with at most so many open connections; others wait in
// the system's queue.
type limited struct {
	net.Listener
	room chan struct{}
	end  chan struct{}
	once sync.Once
}

func newLimited(l net.Listener, most int) *limited {
	return &limited{Listener: l, room: make(chan struct{}, most), end: make(chan struct{})}
}

// Accept implements net.Listener.
func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.room <- struct{}{}:
	case <-l.end:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.room
		return nil, err
	}
	return &limitedConn{Conn: c, leave: sync.OnceFunc(func() { <-l.room })}, nil
}

// Close implements net.Listener.
func (l *limited) Close() error {
	l.once.Do(func() { close(l.end) })
	return l.Listener.Close()
}

// limitedConn gives its place back when it is closed.
type limitedConn struct {
	net.Conn
	leave func()
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
