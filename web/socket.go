package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/coder/websocket"
)

// socketPath is where the WebSocket is.
const socketPath = "/ws"

// What a viewer may send.
const (
	MaxMessage  = 64 << 10 // bytes
	perSecond   = 120.0    // messages
	burst       = 240.0
	floodFactor = 4 // so many times burst refused, less what was taken, end the connection
)

// socket is the handler of the WebSocket.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	if s.ctx.Err() != nil || s.cast.size() >= MaxViewers {
		refuse(w, http.StatusServiceUnavailable, "there are as many viewers as there may be, close another page first")
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return // Accept has answered
	}
	s.conns.Add(1)
	defer s.conns.Done()
	s.watch(conn)
}

// watch serves one viewer until it leaves.
func (s *Server) watch(conn *websocket.Conn) {
	conn.SetReadLimit(MaxMessage)
	ctx, end := context.WithCancelCause(s.ctx)
	defer end(nil)
	v := &viewer{conn: conn, cast: &s.cast, wake: make(chan struct{}, 1), end: end}
	if err := s.cast.join(v, s.greeting()...); err != nil {
		_ = conn.Close(websocket.StatusTryAgainLater, err.Error())
		return
	}
	defer s.cast.leave(v)
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		v.write(ctx)
		// A reader that waits is woken by the end of the connection.
		_ = conn.CloseNow()
	}()
	err := s.read(ctx, v)
	if errors.Is(err, errFlood) {
		_ = conn.Close(websocket.StatusPolicyViolation, err.Error())
	}
	end(err)
	<-wrote
	s.desk.leave(v)
	if errors.Is(context.Cause(ctx), errStalled) {
		s.cast.dropped.Add(1)
	}
}

// read takes the messages of a viewer one by one.
func (s *Server) read(ctx context.Context, v *viewer) error {
	b := bucket{level: burst, at: time.Now()}
	refused := 0
	for {
		kind, raw, err := v.conn.Read(ctx)
		if err != nil {
			return err
		}
		if !b.take(time.Now()) {
			if refused++; refused == 1 {
				v.say(refusal(nil, "", "too many messages: at most 120 a second"))
			}
			if refused > floodFactor*burst {
				return errFlood
			}
			continue
		}
		refused = max(0, refused-1) // more than twice the rate, for a while, is a flood
		if kind != websocket.MessageText {
			v.say(refusal(nil, "", "binary messages are not taken: send JSON such as {\"id\":1,\"do\":\"stop\"}"))
			continue
		}
		s.desk.take(v, raw)
	}
}

// bucket lets perSecond messages through, and burst at once.
type bucket struct {
	level float64
	at    time.Time
}

func (b *bucket) take(now time.Time) bool {
	b.level = min(burst, b.level+perSecond*now.Sub(b.at).Seconds())
	b.at = now
	if b.level < 1 {
		return false
	}
	b.level--
	return true
}
