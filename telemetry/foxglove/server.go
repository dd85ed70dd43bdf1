package foxglove

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"legctl/control"
	"legctl/record"
	"legctl/telemetry/show"

	"github.com/coder/websocket"
)

// Port is where viewers look first.
const Port = 8765

// The bounds of the server.
const (
	maxViewers = 64
	maxRequest = 64 << 10 // bytes of one message of a viewer
	maxQueue   = 512      // messages that wait for a viewer
	maxWaiting = 32 << 20 // bytes of them
	patience   = 5 * time.Second
)

// Server shows a run to viewers. It is a loop.Sink.
type Server struct {
	maker    *show.Maker
	channels []channel
	info     []byte // what every viewer hears first
	advert   []byte
	dt       float64
	listener net.Listener
	http     *http.Server
	served   chan struct{}

	mu      sync.Mutex
	viewers map[*viewer]struct{}
	latest  map[int]stamped // of channels whose last message stays true
	closed  bool
	running sync.WaitGroup
	sent    uint64 // tick of the last message of time, plus one
}

// stamped is a message and its time.
type stamped struct {
	nanos uint64
	json  []byte
}

// channel is a channel as viewers are told of it. Ids count from 1.
type channel struct {
	ID             int    `json:"id"`
	Topic          string `json:"topic"`
	Encoding       string `json:"encoding"`
	SchemaName     string `json:"schemaName"`
	Schema         string `json:"schema"`
	SchemaEncoding string `json:"schemaEncoding"`
	latest         bool
}

// The subprotocols, the newest first.
var subprotocols = []string{"foxglove.sdk.v1", "foxglove.websocket.v1"}

// Address makes an address of what a user says: a port means loopback, a host
// and a port mean that host.
func Address(s string) (string, error) {
	if n, err := strconv.Atoi(s); err == nil {
		if n < 0 || n > 65535 {
			return "", fmt.Errorf("foxglove: port %d, want 0 to 65535", n)
		}
		return net.JoinHostPort("127.0.0.1", s), nil
	}
	if _, _, err := net.SplitHostPort(s); err != nil {
		return "", fmt.Errorf("foxglove: address %q, want a port or host:port: %w", s, err)
	}
	return s, nil
}

// Listen begins to serve at addr (see Address). Close ends it.
func Listen(addr string, o show.Options) (*Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("foxglove: %w", err)
	}
	s := &Server{
		dt: o.Header.Dt, listener: l, served: make(chan struct{}),
		viewers: map[*viewer]struct{}{}, latest: map[int]stamped{},
	}
	s.maker = show.New(o, s.emit)
	for i, c := range s.maker.Channels() {
		s.channels = append(s.channels, channel{i + 1, c.Topic, "json", c.Schema, string(c.JSON), "jsonschema", c.Latest})
	}
	s.info, _ = json.Marshal(map[string]any{ // strings and numbers alone cannot fail
		"op": "serverInfo", "name": "legctl " + o.Names.Rig, "capabilities": []string{"time"},
		"supportedEncodings": []string{}, "metadata": map[string]string{"rig": o.Names.Rig},
		"sessionId": strconv.FormatInt(time.Now().UnixNano(), 10),
	})
	s.advert, _ = json.Marshal(map[string]any{"op": "advertise", "channels": s.channels})
	s.http = &http.Server{Handler: http.HandlerFunc(s.accept), ReadHeaderTimeout: patience}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(l) // ends with Close
	}()
	return s, nil
}

// Addr returns the host and port that is listened at.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Viewers returns how many look on.
func (s *Server) Viewers() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.viewers)
}

// Put implements loop.Sink. With nobody looking, ticks cost nothing.
func (s *Server) Put(tag control.Tag, tick uint64, data []byte) error {
	if s.Viewers() == 0 && (tag == control.TagFrame || tag == control.TagState) && s.sent > 0 {
		return nil
	}
	return s.maker.Put(tag, tick, data)
}

// emit hands a message to everybody who wants it.
func (s *Server) emit(i int, tick uint64, json []byte) error {
	nanos := record.Nanos(tick, s.dt)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.channels[i].latest {
		s.latest[i+1] = stamped{nanos, append([]byte(nil), json...)}
	}
	var body []byte // made once, for the first who wants it
	for v := range s.viewers {
		if len(v.wants) == 0 {
			continue
		}
		if s.sent != tick+1 {
			v.send(websocket.MessageBinary, timeMessage(nanos))
		}
		if id, ok := v.wants[i+1]; ok {
			if body == nil {
				body = append([]byte(nil), json...)
			}
			v.send(websocket.MessageBinary, dataMessage(id, nanos, body))
		}
	}
	s.sent = tick + 1
	return nil
}

// The opcodes of binary messages.
const (
	opData = 1
	opTime = 2
)

// dataMessage returns a message of a subscription.
func dataMessage(id uint32, nanos uint64, json []byte) []byte {
	b := binary.LittleEndian.AppendUint32(append(make([]byte, 0, 13+len(json)), opData), id)
	return append(binary.LittleEndian.AppendUint64(b, nanos), json...)
}

// timeMessage says what time it is in the run.
func timeMessage(nanos uint64) []byte {
	return binary.LittleEndian.AppendUint64([]byte{opTime}, nanos)
}

// Flush implements loop.Sink.
func (s *Server) Flush() error { return nil }

// Close ends all connections and the server.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	for v := range s.viewers {
		v.drop(websocket.StatusGoingAway, "the run has ended")
	}
	s.mu.Unlock()
	err := s.http.Close()
	<-s.served
	s.running.Wait()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	return err
}

// hosts are the sites whose pages may look on besides those of this machine.
var hosts = map[string]bool{"app.foxglove.dev": true, "studio.foxglove.dev": true}

// welcome reports whether a page of that origin may look on. Desktop programs
// have none, or one without a host.
func welcome(origin string) bool {
	if origin == "" || origin == "null" {
		return origin == ""
	}
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	if u.Host == "" {
		return u.Scheme == "file"
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() || u.Scheme == "https" && hosts[u.Hostname()]
}

// accept takes a new viewer, or refuses it with the reason.
func (s *Server) accept(w http.ResponseWriter, r *http.Request) {
	if origin := r.Header.Get("Origin"); !welcome(origin) {
		http.Error(w, fmt.Sprintf("pages of %q may not look on", origin), http.StatusForbidden)
		return
	}
	if r.Header.Get("Upgrade") == "" {
		http.Error(w, "this is a Foxglove WebSocket server: open ws://"+s.Addr()+" in Foxglove", http.StatusUpgradeRequired)
		return
	}
	if s.full() {
		http.Error(w, fmt.Sprintf("%d viewers look on, no more may", maxViewers), http.StatusServiceUnavailable)
		return
	}
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: subprotocols, InsecureSkipVerify: true}) // the origin was looked at
	if err != nil {
		return // Accept has answered
	}
	if c.Subprotocol() == "" {
		_ = c.Close(websocket.StatusPolicyViolation, "no common subprotocol, this server speaks "+subprotocols[0]+" and "+subprotocols[1])
		return
	}
	s.serve(r.Context(), c)
}

func (s *Server) full() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed || len(s.viewers) >= maxViewers
}

// serve lets a viewer look on until it leaves or is dropped.
func (s *Server) serve(ctx context.Context, c *websocket.Conn) {
	v := newViewer(c)
	s.mu.Lock()
	if s.closed || len(s.viewers) >= maxViewers {
		s.mu.Unlock()
		_ = c.Close(websocket.StatusTryAgainLater, "no room")
		return
	}
	s.viewers[v] = struct{}{}
	s.running.Add(1)
	v.send(websocket.MessageText, s.info)
	v.send(websocket.MessageText, s.advert)
	s.mu.Unlock()
	defer s.running.Done()
	defer func() {
		s.mu.Lock()
		delete(s.viewers, v)
		s.mu.Unlock()
	}()
	v.run(ctx, s.request)
}
