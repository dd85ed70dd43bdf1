package firmata

import (
	"runtime"
	"sync"

	"gobot.io/x/gobot/v2"
	"gobot.io/x/gobot/v2/platforms/firmata/client"
)

// idle are clients between two boards. Each has a goroutine that never ends (the
// event loop New begins), so they are used again: as many stay as boards were ever
// met at the same time.
var idle struct {
	sync.Mutex
	clients []*client.Client
}

// meet lets a client of gobot meet the board behind a gate. After an error the gate
// is shut.
func meet(g *gate) (*client.Client, error) {
	idle.Lock()
	var c *client.Client
	if n := len(idle.clients); n > 0 {
		c, idle.clients = idle.clients[n-1], idle.clients[:n-1]
	}
	idle.Unlock()
	if c == nil {
		c = client.New()
	}
	e := &events{Eventer: c.Eventer, gate: g, once: map[string]func(any){}, ended: make(chan struct{})}
	if old, ok := c.Eventer.(*events); ok {
		e.Eventer = old.Eventer
	}
	c.Eventer, c.ConnectTimeout = e, connectTime
	if err := c.Connect(g); err != nil {
		_ = g.Close()
		select {
		case <-g.ended:
		case <-e.ended: // it was met after all, too late
		}
		release(c)
		return nil, err
	}
	return c, nil
}

// part ends what reads for a client that has met its board.
func part(c *client.Client, g *gate) error {
	err := g.Close()
	<-g.ended
	release(c)
	return err
}

// release gives a client back whose goroutines have ended.
func release(c *client.Client) {
	_ = c.Disconnect() // closes the gate, which is shut
	idle.Lock()
	idle.clients = append(idle.clients, c)
	idle.Unlock()
}

// events are those of one meeting, in the place of gobot's. They are handled by the
// goroutine that publishes them: gobot's own start one for each handler, which
// never end, and let two goroutines read from a board that has just been met.
// Subscribe and what else the client does not call are those of gobot.
type events struct {
	gobot.Eventer
	gate  *gate
	ended chan struct{} // closed when the goroutine that met the board has

	mu   sync.Mutex
	once map[string]func(any)
}

// Event implements gobot.Eventer: every name is one.
func (e *events) Event(name string) string { return name }

// AddEvent implements gobot.Eventer.
func (e *events) AddEvent(string) {}

// Once implements gobot.Eventer.
func (e *events) Once(name string, f func(any)) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.once[name] = f
	return nil
}

// Publish implements gobot.Eventer. What the client does after the last answer of
// a board has been handled needs no goroutine: the one that connects ends.
func (e *events) Publish(name string, data any) {
	e.mu.Lock()
	f := e.once[name]
	delete(e.once, name)
	e.mu.Unlock()
	if f == nil {
		return
	}
	last := name == "AnalogMappingQuery"
	if last {
		e.gate.met.Store(true)
	}
	f(data)
	if last {
		close(e.ended)
		runtime.Goexit()
	}
}
