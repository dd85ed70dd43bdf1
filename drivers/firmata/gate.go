package firmata

import (
	"io"
	"sync"
	"time"

	"legctl/drivers/servo"
)

// gate is the port as gobot's client sees it. The client panics in a goroutine of
// its own when a write fails while it connects, and spins when a read fails, so
// writes of a lost port are swallowed and reads of one wait for Close. The owner
// asks Lost.
type gate struct {
	port servo.Port
	shut chan struct{}
	once sync.Once

	mu   sync.Mutex // one writer at a time: frames are never mixed
	lost error
}

// lookEvery is how long a read waits before it looks whether the gate is shut.
const lookEvery = 20 * time.Millisecond

func newGate(port servo.Port) *gate { return &gate{port: port, shut: make(chan struct{})} }

// Read waits for bytes. After Close it returns io.EOF.
func (g *gate) Read(p []byte) (int, error) {
	for {
		select {
		case <-g.shut:
			return 0, io.EOF
		default:
		}
		err := g.port.SetReadTimeout(lookEvery)
		n := 0
		if err == nil {
			n, err = g.port.Read(p)
		}
		if err != nil {
			g.lose(err)
			<-g.shut
			return 0, io.EOF
		}
		if n > 0 {
			return n, nil
		}
	}
}

// Write is for the client: it never fails.
func (g *gate) Write(p []byte) (int, error) {
	_ = g.Send(p)
	return len(p), nil
}

// Send writes one message whole.
func (g *gate) Send(p []byte) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lost != nil {
		return g.lost
	}
	n, err := g.port.Write(p)
	if err == nil && n != len(p) {
		err = io.ErrShortWrite
	}
	g.lost = err
	return err
}

func (g *gate) lose(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lost == nil {
		g.lost = err
	}
}

// Lost is why the port is gone, nil while it is there.
func (g *gate) Lost() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.lost
}

// Close ends all reads. The port stays open: its owner closes it.
func (g *gate) Close() error {
	g.once.Do(func() { close(g.shut) })
	return nil
}
