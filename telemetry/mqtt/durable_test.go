package mqtt

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"legctl/control"
	"legctl/rig"
	"legctl/telemetry"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// ledger collects the numbers of durable messages over reconnections: a session
// that lasts and a client that comes back by itself, as an archive would.
type ledger struct {
	mu   sync.Mutex
	seqs []uint64
}

func keepLedger(t *testing.T, addr string) *ledger {
	t.Helper()
	l := &ledger{}
	a, err := ParseAddress(addr)
	if err != nil {
		t.Fatal(err)
	}
	o, err := options(a, "ledger")
	if err != nil {
		t.Fatal(err)
	}
	o.SetCleanSession(false).SetAutoReconnect(true).SetMaxReconnectInterval(200 * time.Millisecond)
	listening := make(chan error, 1)
	o.SetOnConnectHandler(func(c paho.Client) {
		err := wait(c.Subscribe("legctl/+/event", 1, l.enter), connectLimit)
		select {
		case listening <- err:
		default: // it was there before: the session lasts
		}
	})
	c := paho.NewClient(o)
	if err := wait(c.Connect(), connectLimit); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Disconnect(quiesce) })
	// What happens before the first subscription is not for this ledger.
	if err := <-listening; err != nil {
		t.Fatal(err)
	}
	return l
}

// enter writes down one event.
func (l *ledger) enter(_ paho.Client, m paho.Message) {
	var e telemetry.Event
	if json.Unmarshal(m.Payload(), &e) == nil {
		l.mu.Lock()
		l.seqs = append(l.seqs, e.Seq)
		l.mu.Unlock()
	}
}

// gaps returns what is missing of 1 to n, and the first number above from that
// came for the first time after a higher one, with what came before it.
func (l *ledger) gaps(n, from uint64) (missing, disorder []uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := map[uint64]bool{}
	last := uint64(0)
	for i, s := range l.seqs {
		if !seen[s] && s < last && s > from && disorder == nil {
			disorder = slices.Clone(l.seqs[max(i-5, 0) : i+1])
		}
		seen[s] = true
		last = max(last, s)
	}
	for s := uint64(1); s <= n; s++ {
		if !seen[s] {
			missing = append(missing, s)
		}
	}
	return missing, disorder
}

// TestBrokerKilled: the broker is killed in mid-run and started again; nothing
// durable is lost and the order stays, with the spool on disk and in memory.
func TestBrokerKilled(t *testing.T) {
	both(t, false, func(t *testing.T, h *house) {
		for _, disk := range []bool{true, false} {
			t.Run(fmt.Sprintf("disk %v", disk), func(t *testing.T) { killBroker(t, h, disk) })
		}
	})
}

func killBroker(t *testing.T, h *house, disk bool) {
	o := h.join()
	o.own = nil // a new broker has another secret; this one asks for none
	if disk {
		o.Spool = filepath.Join(t.TempDir(), "spool")
	}
	b := quietBridge(t, o)
	l := keepLedger(t, h.addr)
	n := uint64(0)
	happen := func(k int) {
		for range k {
			n++
			b.Tick(&control.Output{Tick: n, Events: control.EventModeChanged}, nil)
			time.Sleep(time.Millisecond) // a tick
		}
	}
	const before = 100
	happen(before)
	h.save()
	h.kill()
	happen(200)
	h.live()
	happen(100)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		missing, disorder := l.gaps(n, h.redelivers*before)
		if disorder != nil {
			t.Fatalf("not in order: %v", disorder)
		}
		if len(missing) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("of %d events %d are missing: %v", n, len(missing), missing[:min(len(missing), 20)])
		}
	}
	if c := b.Counts(); c.Dropped > 0 {
		t.Errorf("%+v", c)
	}
	until(t, "all is confirmed", func() bool { return b.Counts().Waiting == 0 })
}

// quietBridge is a bridge without states, whose ticks the test makes itself.
func quietBridge(t *testing.T, o BridgeOptions) *Bridge {
	t.Helper()
	o.Rates = Rates{"state": 0, "status": 0}
	o.Warn = func(what string, err error) { t.Log(what, err) }
	b, err := NewBridge(&telemetry.Names{Rig: "ant", Gaits: []string{"walk"}}, 0.001, func(control.Command) (bool, uint64) { return false, 0 }, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// TestSpoolOutlivesProcess: what no broker confirmed is sent by the next process.
func TestSpoolOutlivesProcess(t *testing.T) {
	dir := t.TempDir()
	s, err := openSpool(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		if err := s.put(record{s.next(), "legctl/ant/event", fmt.Appendf(nil, `{"seq":%d}`, i+1)}); err != nil {
			t.Fatal(err)
		}
	}
	r, epoch, _ := s.take()
	s.confirm(r.seq, epoch)
	if other, err := openSpool(dir, 0); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("two at one spool: %v, %v", other, err)
	}
	// The process dies here: nothing is closed but what the system closes.
	s.disk.lock.Close()
	addr := mosquitto(t)
	l := keepLedger(t, addr)
	b := quietBridge(t, BridgeOptions{Broker: addr, Spool: dir})
	until(t, "all of the last process", func() bool { missing, _ := l.gaps(10, 0); return slices.Equal(missing, []uint64{1}) })
	b.Tick(&control.Output{Events: control.EventWall}, &rig.Observation{})
	until(t, "the next one", func() bool { missing, _ := l.gaps(11, 0); return len(missing) == 1 })
	until(t, "all is confirmed", func() bool { return b.Counts().Waiting == 0 })
}

func TestSpoolBound(t *testing.T) {
	for name, dir := range map[string]string{"memory": "", "disk": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			s, err := openSpool(dir, 64<<10)
			if err != nil {
				t.Fatal(err)
			}
			body := make([]byte, 1000)
			for range 200 {
				if err := s.put(record{s.next(), "t", body}); err != nil {
					t.Fatal(err)
				}
			}
			n, lost := s.waiting()
			if n+int(lost) != 200 || n < 60 || n > 66 {
				t.Errorf("%d wait, %d lost", n, lost)
			}
			if r, _, _ := s.take(); r.seq != lost+1 {
				t.Errorf("the first is %d, want %d", r.seq, lost+1)
			}
			if err := s.close(); err != nil {
				t.Error(err)
			}
			if dir == "" {
				return
			}
			size := int64(0)
			files, _ := filepath.Glob(filepath.Join(dir, "*"+segmentExt))
			for _, f := range files {
				info, err := os.Stat(f)
				if err != nil {
					t.Fatal(err)
				}
				size += info.Size()
			}
			if size > 90<<10 {
				t.Errorf("%d bytes on disk", size)
			}
		})
	}
	if _, err := openSpool("", 100); err == nil {
		t.Error("a bound of 100 bytes was taken")
	}
}

// TestSpoolTorn: whatever is left of the last segment, whole records are read
// and the rest does not stand in the way.
func TestSpoolTorn(t *testing.T) {
	var whole []byte
	for i := range uint64(5) {
		whole = appendRecord(whole, &record{i + 1, "legctl/ant/event", []byte(`{"event":"wall"}`)})
	}
	one := len(whole) / 5
	for cut := 0; cut <= len(whole); cut += 7 {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "00000000000000000001"+segmentExt), string(whole[:cut]))
		s, err := openSpool(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := s.waiting(); n != cut/one {
			t.Errorf("cut at %d: %d records, want %d", cut, n, cut/one)
		}
		next := s.next()
		if err := s.put(record{next, "t", nil}); err != nil || next != uint64(cut/one)+1 {
			t.Errorf("cut at %d: the next is %d, %v", cut, next, err)
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
		again, err := openSpool(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := again.waiting(); n != cut/one+1 {
			t.Errorf("cut at %d: %d records the second time", cut, n)
		}
		_ = again.close()
	}
}

// FuzzRecords: no bytes make the reader panic, and what it reads it writes.
func FuzzRecords(f *testing.F) {
	f.Add(appendRecord(nil, &record{7, "legctl/ant/event", []byte("x")}))
	f.Add([]byte{})
	f.Add(make([]byte, 40))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list := parseRecords(raw)
		var back []byte
		for i := range list {
			back = appendRecord(back, &list[i])
		}
		if !strings.HasPrefix(string(raw), string(back)) {
			t.Fatalf("%x read as %v", raw, list)
		}
	})
}
