package foxglove

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// viewer is one connection. Its map is guarded by the server's lock.
type viewer struct {
	conn    *websocket.Conn
	wants   map[int]uint32 // channel id: subscription id
	queue   chan outgoing
	waiting atomic.Int64 // bytes in queue
	end     chan ending  // why it is dropped; holds one
}

// outgoing is a message on its way to a viewer.
type outgoing struct {
	kind websocket.MessageType
	data []byte
}

// ending says why a viewer is dropped.
type ending struct {
	code websocket.StatusCode
	why  string
}

func newViewer(c *websocket.Conn) *viewer {
	c.SetReadLimit(maxRequest)
	return &viewer{conn: c, wants: map[int]uint32{}, queue: make(chan outgoing, maxQueue), end: make(chan ending, 1)}
}

// send queues a message. A viewer with a full queue is dropped.
func (v *viewer) send(kind websocket.MessageType, data []byte) {
	if v.waiting.Add(int64(len(data))) <= maxWaiting {
		select {
		case v.queue <- outgoing{kind, data}:
			return
		default:
		}
	}
	v.waiting.Add(-int64(len(data)))
	v.drop(websocket.StatusPolicyViolation, "too slow: messages pile up")
}

// drop ends a viewer; the first reason counts.
func (v *viewer) drop(code websocket.StatusCode, why string) {
	select {
	case v.end <- ending{code, why}:
	default:
	}
}

// run writes what is queued and reads requests until either ends.
func (v *viewer) run(ctx context.Context, request func(v *viewer, data []byte) error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	read := make(chan struct{})
	go func() {
		defer close(read)
		v.read(ctx, request)
	}()
	why := v.write(ctx, read)
	if why.code != 0 {
		v.goodbye(why)
	}
	cancel()
	_ = v.conn.CloseNow()
	<-read
}

// goodbye tells a viewer why it is dropped, but does not wait long for one that
// has stalled.
func (v *viewer) goodbye(why ending) {
	said := make(chan struct{})
	go func() {
		defer close(said)
		_ = v.conn.Close(why.code, why.why)
	}()
	timer := time.NewTimer(goodbyeTime)
	defer timer.Stop()
	select {
	case <-said:
	case <-timer.C:
	}
	_ = v.conn.CloseNow() // ends Close too
	<-said
}

// goodbyeTime is less than a loop waits for a sink to close.
const goodbyeTime = 300 * time.Millisecond

// write writes until the viewer is dropped, has left, or stalls.
func (v *viewer) write(ctx context.Context, left <-chan struct{}) ending {
	for {
		select {
		case why := <-v.end:
			return why
		case <-left:
			return ending{}
		case m := <-v.queue:
			v.waiting.Add(-int64(len(m.data)))
			limit, cancel := context.WithTimeout(ctx, patience)
			err := v.conn.Write(limit, m.kind, m.data)
			cancel()
			if err != nil {
				return ending{}
			}
		}
	}
}

// read reads requests. One that makes no sense is answered with what is wrong
// with it.
func (v *viewer) read(ctx context.Context, request func(v *viewer, data []byte) error) {
	for {
		kind, data, err := v.conn.Read(ctx)
		if err != nil {
			return
		}
		if kind != websocket.MessageText {
			err = errors.New("this server takes no data")
		} else {
			err = request(v, data)
		}
		if err != nil {
			b, _ := json.Marshal(map[string]any{"op": "status", "level": 2, "message": err.Error()}) // plain text cannot fail
			v.send(websocket.MessageText, b)
		}
	}
}

// asked is any request.
type asked struct {
	Op            string `json:"op"`
	Subscriptions []struct {
		ID        uint32 `json:"id"`
		ChannelID int    `json:"channelId"`
	} `json:"subscriptions"`
	SubscriptionIDs []uint32 `json:"subscriptionIds"`
}

// request does what a viewer asks.
func (s *Server) request(v *viewer, data []byte) error {
	var a asked
	if err := json.Unmarshal(data, &a); err != nil {
		return fmt.Errorf("a request that is not JSON: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch a.Op {
	case "subscribe":
		var all error
		for _, x := range a.Subscriptions {
			all = errors.Join(all, s.subscribe(v, x.ChannelID, x.ID))
		}
		return all
	case "unsubscribe":
		for _, id := range a.SubscriptionIDs {
			for c, has := range v.wants {
				if has == id {
					delete(v.wants, c)
				}
			}
		}
		return nil
	}
	return fmt.Errorf("request %.40q is not one this server knows: subscribe, unsubscribe", a.Op)
}

// subscribe adds a channel to what a viewer wants, and shows it at once what is
// still true.
func (s *Server) subscribe(v *viewer, channel int, id uint32) error {
	if channel < 1 || channel > len(s.channels) {
		return fmt.Errorf("channel %d is not one of the %d there are", channel, len(s.channels))
	}
	if _, twice := v.wants[channel]; twice {
		return fmt.Errorf("channel %d is subscribed already", channel)
	}
	for _, has := range v.wants {
		if has == id {
			return fmt.Errorf("subscription %d is in use", id)
		}
	}
	v.wants[channel] = id
	if m, ok := s.latest[channel]; ok {
		v.send(websocket.MessageBinary, dataMessage(id, m.nanos, m.json))
	}
	return nil
}
