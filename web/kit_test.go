package web

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"legctl/configs"
	"legctl/control"
	"legctl/loop"
	"legctl/rig"
	"legctl/rollout"
	"legctl/telemetry"

	"github.com/coder/websocket"
	"gonum.org/v1/gonum/spatial/r3"
)

// bench is a server with a scene whose ticks the test makes.
type bench struct {
	*Server
	t     *testing.T
	run   *rollout.Rollout
	scene *Scene
	take  func(*control.Frame)
	world *fakeWorld
}

// newBench serves a rig that stands on flat ground.
func newBench(t *testing.T, name string, o Options) *bench {
	t.Helper()
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	s, err := Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Server: s, t: t, world: &fakeWorld{rate: 1}}
	b.show(name)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// show begins a scene with another rig.
func (b *bench) show(name string) {
	b.t.Helper()
	r, err := configs.LoadRig(name)
	if err != nil {
		b.t.Fatal(err)
	}
	if b.run, err = rollout.New(rollout.Config{Rig: r, Seed: 1}); err != nil {
		b.t.Fatal(err)
	}
	b.scene = sceneOf(b.t, b.run)
	b.scene.World = b.world
	b.Server.Show(b.scene)
	b.take = b.Screen(b.scene)
}

// sceneOf describes a run for the page.
func sceneOf(t testing.TB, run *rollout.Rollout) *Scene {
	t.Helper()
	c := &run.Config
	var names []string
	for i := range c.Params.Gaits {
		names = append(names, c.Params.Gaits[i].Name)
	}
	draw, err := control.New(c.Rig, *c.Params)
	if err != nil {
		t.Fatal(err)
	}
	sc := &Scene{Rig: c.Rig, Names: telemetry.NamesOf(c.Rig, names), Params: c.Params, Gait: c.Gait, Peek: NewPeek(run.Controller, draw, c.Params.Dt)}
	run.Cell.Controller = sc.Peek
	sc.Inbox = func(cmd control.Command) (bool, uint64) {
		got, old := run.Mailbox.Put(cmd)
		return got == loop.Full, old
	}
	return sc
}

// tick does n ticks and shows them.
func (b *bench) tick(n int) {
	b.t.Helper()
	ticker := loop.NewTicker(b.run.Cell, b.run.Config.Params.Dt, 0)
	ticker.Mailbox = b.run.Mailbox
	for range n {
		if err := ticker.Do(context.Background()); err != nil {
			b.t.Fatal(err)
		}
		b.take(b.run.Cell.Frame)
	}
}

// ticking does ticks in real time until the test ends.
func (b *bench) ticking() {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		beat := time.NewTicker(10 * time.Millisecond)
		defer beat.Stop()
		for {
			select {
			case <-stop:
				return
			case <-beat.C:
				b.tick(1)
			}
		}
	}()
	b.t.Cleanup(func() { close(stop); <-done })
}

// url returns an address of the server without its token.
func (b *bench) url(path string) string { return "http://" + b.Addr() + path }

// dial opens the WebSocket.
func (b *bench) dial(h http.Header) (*websocket.Conn, *http.Response, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	c, r, err := websocket.Dial(ctx, "ws://"+b.Addr()+socketPath, &websocket.DialOptions{HTTPHeader: h})
	if err == nil {
		c.SetReadLimit(1 << 20)
	}
	return c, r, err
}

// client is a viewer that keeps what it hears.
type client struct {
	t      *testing.T
	conn   *websocket.Conn
	done   chan struct{}
	mu     sync.Mutex
	said   []map[string]any
	frames [][]byte
	bytes  int
	err    error
}

// watch opens a viewer that reads.
func (b *bench) watch() *client {
	b.t.Helper()
	conn, _, err := b.dial(nil)
	if err != nil {
		b.t.Fatal(err)
	}
	c := &client{t: b.t, conn: conn, done: make(chan struct{})}
	go c.read()
	b.t.Cleanup(func() { _ = conn.CloseNow(); <-c.done })
	return c
}

func (c *client) read() {
	defer close(c.done)
	for {
		kind, raw, err := c.conn.Read(context.Background())
		c.mu.Lock()
		c.bytes += len(raw)
		switch {
		case err != nil:
			c.err = err
			c.mu.Unlock()
			return
		case kind == websocket.MessageBinary:
			c.frames = append(c.frames, raw)
		default:
			var m map[string]any
			if json.Unmarshal(raw, &m) == nil {
				c.said = append(c.said, m)
			}
		}
		c.mu.Unlock()
	}
}

// send writes a message as it is.
func (c *client) send(kind websocket.MessageType, text string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return c.conn.Write(ctx, kind, []byte(text))
}

// find returns the last message of a type that holds words, nil for none.
func (c *client) find(kind, words string) map[string]any {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := len(c.said) - 1; i >= 0; i-- {
		if c.said[i]["type"] == kind {
			raw, _ := json.Marshal(c.said[i])
			if strings.Contains(string(raw), words) {
				return c.said[i]
			}
		}
	}
	return nil
}

// await polls for a message.
func (c *client) await(kind, words string) map[string]any {
	c.t.Helper()
	var m map[string]any
	until(c.t, kind+" with "+words, func() bool { m = c.find(kind, words); return m != nil })
	return m
}

// until polls for a condition.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(40 * time.Second); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 40 s: %s", what)
		}
	}
}

// fakeWorld writes down what it is asked.
type fakeWorld struct {
	mu      sync.Mutex
	log     []string
	rate    float64
	to      Staging
	failing error
}

func (w *fakeWorld) Push(_, _ r3.Vec, done func(uint64, error)) { w.note("push"); done(7, w.failing) }
func (w *fakeWorld) Remove(_ int, done func(uint64, error))     { w.note("remove"); done(8, w.failing) }
func (w *fakeWorld) SetRate(r float64) error                    { w.note("rate"); w.rate = r; return w.failing }
func (w *fakeWorld) Step(int)                                   { w.note("step") }
func (w *fakeWorld) Stages() Stages                             { return Stages{Rigs: []string{"phantomx"}} }
func (w *fakeWorld) Restart(to Staging) error                   { w.note("restart"); w.to = to; return w.failing }

func (w *fakeWorld) note(s string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, s)
}

// restOf returns a frame of a rig at rest.
func restOf(r *rig.Rig) *control.Frame { return control.NewFrame(r) }
