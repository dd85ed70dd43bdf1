package firmata

import (
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"legctl/drivers/servo"
)

// gate is the port as gobot's client sees it. The client panics in a goroutine of
// its own when a write fails while it connects, spins when a read fails, and never
// ends the goroutine that reads, so writes of a lost port are swallowed and the
// goroutine that reads ends here: at Close, wherever it is by then. The owner asks
// Lost.
type gate struct {
	port servo.Port
	shut chan struct{}
	once sync.Once
	met  atomic.Bool // the board is, and the client needs to hear no more

	ended chan struct{} // closed when nobody will read again
	end   sync.Once

	sieve sieve // of the goroutine that reads
	room  [256]byte
	ready []byte

	mu   sync.Mutex // one writer at a time: frames are never mixed
	lost error
}

// lookEvery is how long a read waits before it looks whether the gate is shut.
const lookEvery = 20 * time.Millisecond

func newGate(port servo.Port) *gate {
	return &gate{port: port, shut: make(chan struct{}), ended: make(chan struct{})}
}

// Read waits for what the client may hear. After Close it ends the goroutine that
// reads. Of a port that is lost it is an error while the client connects, which
// then gives up; later it waits for Close.
func (g *gate) Read(p []byte) (int, error) {
	for len(g.ready) == 0 {
		if err := g.listen(); err != nil {
			g.lose(err)
			if !g.met.Load() {
				g.end.Do(func() { close(g.ended) })
				return 0, err
			}
			<-g.shut
		}
		select {
		case <-g.shut:
			g.leave()
		default:
		}
	}
	n := copy(p, g.ready)
	g.ready = append(g.ready[:0], g.ready[n:]...)
	return n, nil
}

// listen takes what has arrived.
func (g *gate) listen() error {
	if err := g.port.SetReadTimeout(lookEvery); err != nil {
		return err
	}
	n, err := g.port.Read(g.room[:])
	if err == nil && !g.met.Load() {
		g.ready = g.sieve.sift(g.ready, g.room[:n])
	}
	return err
}

// leave ends the goroutine of the client that calls it.
func (g *gate) leave() {
	g.end.Do(func() { close(g.ended) })
	runtime.Goexit()
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
