package web

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"legctl/telemetry"
)

// DefaultAddr is where the page is unless somebody asks for another place. When
// the port is taken a free one is used.
const DefaultAddr = "127.0.0.1:8080"

// The bounds of what strangers may use up.
const (
	MaxViewers = 128 // open WebSockets
	maxConns   = 512
	maxHeader  = 16 << 10
	maxBody    = telemetry.MaxPayload
)

// Options say where and for whom a Server listens. The zero value listens at
// DefaultAddr, without a token.
type Options struct {
	Addr  string // host:port; port 0: a free one; "" = DefaultAddr
	Token string // asked of everybody; "" = none on loopback, a new one elsewhere
	// Mount holds handlers of further paths, such as "/metrics", behind the same
	// guard. Paths in Open need no token (health and readiness).
	Mount map[string]http.Handler
	Open  map[string]http.Handler
	Lease *telemetry.Lease                // who may command; nil: everybody
	Warn  func(message string, err error) // told what goes wrong; nil: nobody
	// Version is shown to people.
	Version string
}

// Server serves the page and its API.
type Server struct {
	opts  Options
	guard guard
	http  *http.Server
	ln    net.Listener
	done  chan struct{}

	ctx    context.Context //nolint:containedctx // ends with the server, for its sockets
	cancel context.CancelFunc

	scene atomic.Pointer[Scene]
	epoch atomic.Uint32 // of scene; counts Show
	cast  cast
	desk  desk
	conns sync.WaitGroup // sockets
}

// Listen starts a server that shows nothing yet. With an empty Addr a taken
// port is no failure; one that was asked for is.
func Listen(o Options) (*Server, error) {
	ln, err := listen(o.Addr)
	if err != nil {
		return nil, err
	}
	tcp, _ := ln.Addr().(*net.TCPAddr)
	loop := tcp != nil && tcp.IP.IsLoopback()
	if o.Token == "" && !loop {
		o.Token = newToken()
	}
	s := &Server{opts: o, ln: newLimited(ln, maxConns), done: make(chan struct{})}
	s.guard = guard{token: o.Token, loopback: loop, open: o.Open}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.desk.lease = o.Lease
	s.http = &http.Server{
		Handler: s.guard.wrap(s.routes()), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 15 * time.Second,
		WriteTimeout: 30 * time.Second, IdleTimeout: 30 * time.Second, MaxHeaderBytes: maxHeader, ErrorLog: discard(),
	}
	go func() {
		defer close(s.done)
		if err := s.http.Serve(s.ln); !errors.Is(err, http.ErrServerClosed) {
			s.warn("the page ended", err)
		}
	}()
	return s, nil
}

// listen opens the port.
func listen(addr string) (net.Listener, error) {
	want := addr
	if want == "" {
		want = DefaultAddr
	}
	var lc net.ListenConfig
	ln, err := lc.Listen(context.Background(), "tcp", want)
	if err != nil && addr == "" {
		ln, err = lc.Listen(context.Background(), "tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, fmt.Errorf("web: %w: name another place with --http host:port", err)
	}
	return ln, nil
}

// newToken returns 128 random bits as text.
func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Addr returns host:port of the server.
func (s *Server) Addr() string { return s.ln.Addr().String() }

// URL returns the address to open, with the token if one is asked for. A server
// that listens everywhere is named by this machine's own address.
func (s *Server) URL() string {
	host, port, _ := net.SplitHostPort(s.Addr())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = outward()
	}
	url := "http://" + net.JoinHostPort(host, port) + "/"
	if s.opts.Token != "" {
		url += "?token=" + s.opts.Token
	}
	return url
}

// outward returns the address under which others may know this machine.
func outward() string {
	addrs, _ := net.InterfaceAddrs()
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	return "localhost"
}

// Port returns the port of the server.
func (s *Server) Port() int {
	_, p, _ := net.SplitHostPort(s.Addr())
	n, _ := strconv.Atoi(p)
	return n
}

// Show lets the viewers see another scene from now on.
func (s *Server) Show(sc *Scene) {
	sc.prepare()
	s.scene.Store(sc)
	s.desk.reset(s, sc)
	sc.epoch = s.epoch.Add(1)
	s.cast.hello(s.hello(sc))
}

// Close ends every connection and waits for all goroutines.
func (s *Server) Close() error {
	s.cancel()
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Second)
	defer stop()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, s.http.Close())
	}
	s.conns.Wait()
	<-s.done
	return err
}

func (s *Server) warn(what string, err error) {
	if s.opts.Warn != nil {
		s.opts.Warn(what, err)
	}
}
