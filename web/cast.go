package web

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// What a viewer may have waiting, and how long it may keep a message waiting.
const (
	queueSize  = 256
	stallLimit = 3 * time.Second
)

// cast is all who watch.
type cast struct {
	mu      sync.Mutex
	viewers map[*viewer]struct{}
	dropped atomic.Uint64 // viewers that stalled
	bytes   atomic.Uint64 // sent to all
}

// viewer is one open WebSocket. Its writer takes the newest frame and the
// messages in order; neither is waited for.
type viewer struct {
	conn  *websocket.Conn
	cast  *cast
	wake  chan struct{}
	end   context.CancelCauseFunc
	mu    sync.Mutex
	frame []byte   // newest, not yet sent
	queue [][]byte // JSON

	answer func(any) // takes what is said in place of the queue; nil: the queue
}

var (
	errStalled = errors.New("it read nothing for too long")
	errCrowded = errors.New("too many viewers")
	errFlood   = errors.New("too many messages")
)

// join adds a viewer, with what it hears first.
func (c *cast) join(v *viewer, first ...[]byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.viewers) >= MaxViewers {
		return errCrowded
	}
	if c.viewers == nil {
		c.viewers = map[*viewer]struct{}{}
	}
	c.viewers[v] = struct{}{}
	for _, m := range first {
		v.tell(m)
	}
	return nil
}

func (c *cast) leave(v *viewer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.viewers, v)
}

// size returns how many watch.
func (c *cast) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.viewers)
}

// show offers a frame to everybody; who has not sent the last one loses it.
func (c *cast) show(frame []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for v := range c.viewers {
		v.mu.Lock()
		v.frame = frame
		v.mu.Unlock()
		v.poke()
	}
}

// tell sends a message to everybody.
func (c *cast) tell(m any) {
	raw, err := json.Marshal(m)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for v := range c.viewers {
		v.tell(raw)
	}
}

// hello sends the description of a new scene; frames of the old one are thrown away.
func (c *cast) hello(raw []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for v := range c.viewers {
		v.mu.Lock()
		v.frame = nil
		v.mu.Unlock()
		v.tell(raw)
	}
}

// tell queues a message. A viewer whose queue is full has stalled.
func (v *viewer) tell(raw []byte) {
	v.mu.Lock()
	full := len(v.queue) >= queueSize
	if !full {
		v.queue = append(v.queue, raw)
	}
	v.mu.Unlock()
	if full {
		v.end(errStalled)
		return
	}
	v.poke()
}

// say is tell for a value.
func (v *viewer) say(m any) {
	if v.answer != nil {
		v.answer(m)
		return
	}
	if raw, err := json.Marshal(m); err == nil {
		v.tell(raw)
	}
}

func (v *viewer) poke() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// write sends what comes until ctx ends. A message that does not get through in
// time ends the viewer.
func (v *viewer) write(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-v.wake:
		}
		v.mu.Lock()
		frame, queue := v.frame, v.queue
		v.frame, v.queue = nil, nil
		v.mu.Unlock()
		for _, m := range queue {
			if !v.send(ctx, websocket.MessageText, m) {
				return
			}
		}
		if frame != nil && !v.send(ctx, websocket.MessageBinary, frame) {
			return
		}
	}
}

func (v *viewer) send(ctx context.Context, t websocket.MessageType, m []byte) bool {
	limited, cancel := context.WithTimeout(ctx, stallLimit)
	defer cancel()
	if err := v.conn.Write(limited, t, m); err != nil {
		if errors.Is(limited.Err(), context.DeadlineExceeded) {
			err = errStalled
		}
		v.end(err)
		return false
	}
	v.cast.bytes.Add(uint64(len(m)))
	return true
}
