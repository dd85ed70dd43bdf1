package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"legctl/record"
	"legctl/rollout"

	"github.com/coder/websocket"
)

// kills is how often the process is killed here; more is for soak.
const kills = 4

// TestKilledRecordings kills a simulation that records, at any moment. A viewer
// of its live view saw how far it had come: no more than the last second of that
// may be missing in the file, which opens, can be repaired and replayed.
func TestKilledRecordings(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes for seconds")
	}
	n := kills
	if os.Getenv("LEGCTL_SOAK") != "" {
		n = 100
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 9))
	for range n {
		killOnce(t, time.Duration(200+rng.IntN(1800))*time.Millisecond)
	}
}

// killOnce starts a simulation and kills it some time after its first sign of
// life.
func killOnce(t *testing.T, after time.Duration) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "run.mcap")
	c := exec.Command(os.Args[0], "sim", "phantomx", "--headless", "--duration", "60s", "--rate", "200", "--vx", "0.05",
		"--record", file, "--foxglove", "0")
	c.Env = append(os.Environ(), asProgram+"=1")
	var said lockedBuffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	defer func() {
		if !ended {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}()
	seen, done := watchTicks(t, waitForAddress(t, &said))
	waitFirst(t, seen)
	time.Sleep(after) // the moment of death is what is being chosen
	at := time.Duration(seen.Load())
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
	ended = true
	<-done

	check := func(path string) (last time.Duration, whole bool) {
		from, err := record.Open(path)
		if err != nil {
			t.Fatalf("killed after %v: %v", after, err)
		}
		got, err := rollout.Replay(t.Context(), from, rollout.ReplayOptions{Sim: true})
		if err != nil || !got.First.Same() || got.Lost != 0 {
			t.Fatalf("killed after %v: %+v, %v", after, got, err)
		}
		if err := from.Close(); err != nil {
			t.Error(err)
		}
		return time.Duration(record.Nanos(got.Ticks, 0.005)), got.Cut == nil
	}
	last, whole := check(file)
	if whole || last < at-time.Second {
		t.Errorf("killed at %v or later, the file holds %v (whole: %v)", at, last, whole)
	}
	var out, bad bytes.Buffer
	if status := run([]string{"record", "repair", file}, &out, &bad); status != exitDone {
		t.Fatalf("repair: %s", &bad)
	}
	if mended, whole := check(file); !whole || mended != last {
		t.Errorf("repaired: %v of %v (whole: %v)", mended, last, whole)
	}
	t.Logf("killed at %v, %v lost", at, at-last)
}

var address = regexp.MustCompile(`ws://(\S+)`)

// waitForAddress waits until a simulation has said where its live view is.
func waitForAddress(t *testing.T, said *lockedBuffer) string {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if m := address.FindStringSubmatch(said.String()); m != nil {
			return m[1]
		}
	}
	t.Fatalf("no live view within 20 s: %s", said.String())
	return ""
}

// watchTicks keeps the newest time of a live view, nanoseconds of the run, until
// its server is gone.
func watchTicks(t *testing.T, addr string) (*atomic.Uint64, <-chan struct{}) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	c, _, err := websocket.Dial(ctx, "ws://"+addr, &websocket.DialOptions{Subprotocols: []string{"foxglove.websocket.v1"}})
	if err != nil {
		t.Fatal(err)
	}
	c.SetReadLimit(64 << 20)
	if err := c.Write(ctx, websocket.MessageText, []byte(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":2}]}`)); err != nil {
		t.Fatal(err)
	}
	seen, done := new(atomic.Uint64), make(chan struct{})
	go func() {
		defer close(done)
		defer cancel()
		defer func() { _ = c.CloseNow() }()
		for {
			_, b, err := c.Read(ctx)
			if err != nil {
				return
			}
			if len(b) == 9 && b[0] == 2 {
				seen.Store(binary.LittleEndian.Uint64(b[1:]))
			}
		}
	}()
	return seen, done
}

// waitFirst waits for the first time.
func waitFirst(t *testing.T, seen *atomic.Uint64) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); seen.Load() == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no tick within 20 s")
		}
	}
}
