package web

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// connections is how many come in turn: as many as the product promises when
// LEGCTL_SOAK is set, else fewer.
func connections() int {
	if os.Getenv("LEGCTL_SOAK") != "" {
		return 10000
	}
	return 1500
}

// TestConnectionsInTurn: many that come, say something and go leave nothing
// behind. Half of them are sockets, half of those end without a goodbye.
func TestConnectionsInTurn(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	b.tick(10)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	base := 0
	for i := range connections() {
		if i == 50 {
			base = runtime.NumGoroutine()
		}
		switch i % 4 {
		case 0, 1:
			res, err := client.Get(b.url("/api/state"))
			if err != nil {
				t.Fatalf("connection %d: %v", i, err)
			}
			_, _ = io.Copy(io.Discard, res.Body)
			_ = res.Body.Close()
		case 2:
			conn, _, err := b.dial(nil)
			if err != nil {
				t.Fatalf("connection %d: %v", i, err)
			}
			_ = conn.CloseNow()
		default:
			conn, err := net.Dial("tcp", b.Addr())
			if err != nil {
				t.Fatalf("connection %d: %v", i, err)
			}
			_, _ = conn.Write([]byte("GET /ws HTTP/1.1\r\n"))
			_ = conn.Close()
		}
	}
	until(t, "all viewers to be gone", func() bool { return b.cast.size() == 0 })
	until(t, "all goroutines to be gone", func() bool { return runtime.NumGoroutine() < base+20 })
	b.stillServes()
}

// TestStalledViewerIsDropped: one that reads nothing is ended within a few
// seconds; the others get every frame, and Tick never waits.
func TestStalledViewerIsDropped(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	good := b.watch()
	conn := b.handshake(t) // and never reads
	defer conn.Close()
	if c, ok := conn.(*net.TCPConn); ok {
		_ = c.SetReadBuffer(1)
	}
	until(t, "two viewers", func() bool { return b.cast.size() == 2 })
	// Enough to fill the buffers of the system: a viewer that is slow for a
	// moment is not dropped.
	filler, _ := json.Marshal(map[string]string{"type": "filler", "x": string(bytes.Repeat([]byte("x"), 100<<10))})
	worst := time.Duration(0)
	for begin := time.Now(); b.cast.dropped.Load() == 0; time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatal("not dropped within a minute")
		}
		since := time.Now()
		b.tick(5)
		worst = max(worst, time.Since(since))
		b.cast.mu.Lock()
		for v := range b.cast.viewers {
			v.mu.Lock()
			if len(v.queue) < queueSize-1 {
				v.queue = append(v.queue, filler)
			}
			v.mu.Unlock()
			v.poke()
		}
		b.cast.mu.Unlock()
	}
	until(t, "one viewer", func() bool { return b.cast.size() == 1 })
	if worst > stallLimit {
		t.Errorf("five ticks took %v beside a stalled viewer: somebody waited for it", worst)
	}
	good.mu.Lock()
	n := len(good.frames)
	good.mu.Unlock()
	b.tick(20)
	until(t, "more frames", func() bool { good.mu.Lock(); defer good.mu.Unlock(); return len(good.frames) > n })
}

func TestTooManyViewers(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	var conns []*websocket.Conn
	defer func() {
		for _, c := range conns {
			_ = c.CloseNow()
		}
	}()
	for range MaxViewers {
		c, _, err := b.dial(nil)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
	}
	until(t, "all to be in", func() bool { return b.cast.size() == MaxViewers })
	if _, res, err := b.dial(nil); err == nil || res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one too many: %v", err)
	}
}

// TestPayload: what a viewer of a hexapod gets in a second of 20 frames, zones
// and all, and a rig of 64 legs does not break the format.
func TestPayload(t *testing.T) {
	for _, row := range []struct {
		rig  string
		most float64 // kB/s
	}{{"phantomx", 20}, {"phantomx_octopod", 20}, {"a1", 20}} {
		t.Run(row.rig, func(t *testing.T) {
			b := newBench(t, row.rig, Options{})
			c := b.watch()
			c.await("hello", "")
			c.mu.Lock()
			c.bytes = 0
			c.mu.Unlock()
			b.run.Mailbox.Put(walkOrder())
			const seconds = 5
			seen := func() int { c.mu.Lock(); defer c.mu.Unlock(); return len(c.frames) }
			for range seconds * 20 {
				n := seen()
				b.tick(5)
				until(t, "the frame", func() bool { return seen() > n })
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			framed := 0
			for _, f := range c.frames {
				framed += len(f)
			}
			// A machine that is late sends frames in between: they are not counted.
			rate := float64(framed)/float64(len(c.frames))*20/1000 + float64(c.bytes-framed)/seconds/1000
			t.Logf("%.1f kB/s, %d bytes a frame", rate, len(c.frames[len(c.frames)-1]))
			if rate > row.most {
				t.Errorf("%.1f kB/s, want at most %g", rate, row.most)
			}
		})
	}
}

// TestFrameCarriesTheTick: what a frame says is what the tick said, within the
// grain of its numbers.
func TestFrameCarriesTheTick(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	c := b.watch()
	b.run.Mailbox.Put(walkOrder())
	b.tick(101)
	b.halt(b.scene) // the last one too
	until(t, "the frame", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		n := len(c.frames)
		return n > 0 && tickOf(c.frames[n-1]) == 100
	})
	c.mu.Lock()
	raw := c.frames[len(c.frames)-1]
	c.mu.Unlock()
	f := b.run.Cell.Frame
	if raw[0] != frameKind || raw[1]&flagFact == 0 || raw[1]&flagZones == 0 {
		t.Errorf("kind %d, flags %b", raw[0], raw[1])
	}
	if got := raw[8]; got != uint8(f.Out.Mode) {
		t.Errorf("mode %d, want %d", got, f.Out.Mode)
	}
	x := math.Float32frombits(binary.LittleEndian.Uint32(raw[12:]))
	if math.Abs(float64(x)-f.Obs.PoseWB.P.X) > 1e-3 {
		t.Errorf("x %v, want %v", x, f.Obs.PoseWB.P.X)
	}
	const legs = 12 + 20 + 20 + 36 + 12 + 1 + 5 + 6 + 3
	if raw[legs] != 6 || binary.LittleEndian.Uint16(raw[legs+1:]) != 18 {
		t.Errorf("%d legs, %d joints", raw[legs], binary.LittleEndian.Uint16(raw[legs+1:]))
	}
	if got := raw[legs+3]; got < 100 {
		t.Errorf("the stances of %d ticks: whoever missed frames misses steps", got)
	}
	foot := int16(binary.LittleEndian.Uint16(raw[legs+4:]))
	want := f.Out.Legs[0].Foot.X - f.Obs.PoseWB.P.X
	if got := float64(foot) / math.MaxInt16 * b.scene.quant.reach; math.Abs(got-want) > 2e-3 {
		t.Errorf("foot at %v, want %v", got, want)
	}
}

func tickOf(frame []byte) uint32 { return binary.LittleEndian.Uint32(frame[4:]) }
