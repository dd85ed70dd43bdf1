package socket

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync"

	"gobot.io/x/gobot/v2/drivers/i2c"
)

// Served is a board that others use through a socket, from several goroutines.
type Served interface {
	i2c.Connector
	DigitalRead(pin string) (int, error)
	DigitalWrite(pin string, level byte) error
}

// Server is a board on a socket. Use Listen.
type Server struct {
	l     net.Listener
	board Served
	wg    sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool
	shut  bool
}

// Listen serves a board on a new socket, which only its owner may open. A socket
// that nobody serves any more is replaced; any other file of that name is left
// alone.
func Listen(path string, b Served) (*Server, error) {
	if st, err := os.Lstat(path); err == nil {
		if st.Mode()&fs.ModeSocket == 0 {
			return nil, fmt.Errorf("socket: %s: there is a file of that name already", path)
		}
		if c, err := net.DialTimeout("unix", path, answerTime); err == nil {
			_ = c.Close()
			return nil, fmt.Errorf("socket: %s: another program serves it", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("socket: %w", err)
		}
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("socket: %s: %w (a path has at most 107 bytes)", path, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("socket: %w", err), l.Close())
	}
	s := &Server{l: l, board: b, conns: map[net.Conn]bool{}}
	s.wg.Go(s.accept)
	return s, nil
}

// Close ends all connections and removes the socket. A second call does nothing.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.shut {
		s.mu.Unlock()
		return nil
	}
	s.shut = true
	err := s.l.Close()
	for c := range s.conns {
		_ = c.Close()
	}
	s.mu.Unlock()
	s.wg.Wait()
	return err
}

// accept takes connections until Close.
func (s *Server) accept() {
	for {
		c, err := s.l.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		if s.shut {
			s.mu.Unlock()
			_ = c.Close()
			return
		}
		s.conns[c] = true
		s.mu.Unlock()
		s.wg.Go(func() { s.serve(c) })
	}
}

// serve answers one connection until it ends or says something that is no
// request.
func (s *Server) serve(c net.Conn) {
	defer func() {
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
		_ = c.Close()
	}()
	var in, out []byte
	for {
		r, n, err := ParseRequest(in)
		switch {
		case err != nil:
			_, _ = c.Write(AppendReply(nil, Reply{Failed, []byte(err.Error())}))
			return
		case n == 0:
			if in, err = more(c, in); err != nil {
				return
			}
			continue
		}
		out = AppendReply(out[:0], Answer(s.board, &r))
		in = append(in[:0], in[n:]...)
		if _, err := c.Write(out); err != nil {
			return
		}
	}
}

// Answer carries out one request on a board.
func Answer(b Served, r *Request) Reply {
	data, err := carryOut(b, r)
	switch {
	case errors.Is(err, ErrNack):
		return Reply{Nack, []byte(err.Error())}
	case err != nil:
		return Reply{Failed, []byte(err.Error())}
	}
	return Reply{Done, data}
}

func carryOut(b Served, r *Request) ([]byte, error) {
	switch r.Op {
	case OpRead:
		v, err := b.DigitalRead(string(r.Data))
		return []byte{byte(v)}, err
	case OpWrite:
		return nil, b.DigitalWrite(string(r.Data), r.Level)
	}
	c, err := b.GetI2cConnection(int(r.Address), int(r.Bus))
	if err != nil {
		return nil, err
	}
	in := make([]byte, r.Read)
	switch {
	case r.Read == 0:
		_, err = c.Write(r.Data)
	case len(r.Data) == 1:
		err = c.ReadBlockData(r.Data[0], in)
	case len(r.Data) > 1:
		return nil, fmt.Errorf("socket: %d bytes written before reading, want one register", len(r.Data))
	default:
		_, err = c.Read(in)
	}
	return in, err
}
