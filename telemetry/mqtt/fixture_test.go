package mqtt

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"legctl/control"
	"legctl/rig"
	"legctl/telemetry"

	paho "github.com/eclipse/paho.mqtt.golang"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// broker starts an embedded broker on a free port and checks that nothing of it
// stays behind.
func broker(t *testing.T) *Broker {
	t.Helper()
	dir := t.TempDir()
	b, err := StartBroker(dir, freePort(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s is left behind", left[0].Name())
		}
	})
	return b
}

// fakeRig answers commands like a loop of 50 ticks a second would. It refuses
// heights above 1 m and remembers what it was told.
type fakeRig struct {
	bridge *Bridge
	mu     sync.Mutex
	box    []control.Command
	got    []control.Command
	full   bool
	events control.Event // of the ticks from now on
	faults uint64
	once   sync.Once
	stop   chan struct{}
	done   chan struct{}
}

func (f *fakeRig) put(c control.Command) (bool, uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.full {
		return true, 0
	}
	f.box = append(f.box, c)
	return false, 0
}

func (f *fakeRig) run() {
	defer close(f.done)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	var out control.Output
	for {
		select {
		case <-f.stop:
			return
		case <-tick.C:
		}
		out.Tick++
		out.Reply = control.Reply{}
		f.mu.Lock()
		if len(f.box) > 0 {
			c := f.box[0]
			f.box = f.box[1:]
			out.Reply = control.Reply{ID: c.ID, Kind: c.Kind}
			if c.Height > 1 {
				out.Reply = control.Reply{ID: c.ID, Kind: c.Kind, Reason: control.OutOfRange, Value: c.Height, Bound: 1}
			} else {
				f.got = append(f.got, c)
			}
		}
		out.Events = f.events
		obs := rig.Observation{Faults: f.faults}
		f.mu.Unlock()
		f.bridge.Tick(&out, &obs)
	}
}

func (f *fakeRig) commands() []control.Command {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.got)
}

// fake joins a fake rig to a broker.
func fake(t *testing.T, name, addr string, keeps func(string, []byte) bool) *fakeRig {
	t.Helper()
	return fakeWith(t, name, BridgeOptions{Broker: addr, Keeps: keeps})
}

// fakeWith is fake with more options.
func fakeWith(t *testing.T, name string, o BridgeOptions) *fakeRig {
	t.Helper()
	f := &fakeRig{stop: make(chan struct{}), done: make(chan struct{})}
	names := &telemetry.Names{Rig: name, Legs: []string{"lf", "rf"}, Gaits: []string{"walk", "gallop"}}
	o.Warn = func(what string, err error) { t.Log(what, err) }
	b, err := NewBridge(names, 0.02, f.put, o)
	if err != nil {
		t.Fatal(err)
	}
	f.bridge = b
	go f.run()
	t.Cleanup(f.end)
	return f
}

// end stops the rig and its bridge; once is enough.
func (f *fakeRig) end() {
	f.once.Do(func() {
		close(f.stop)
		<-f.done
		f.bridge.Close()
	})
}

// dial connects a client.
func dial(t *testing.T, addr string) *Client {
	t.Helper()
	c, err := Dial(t.Context(), addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// plain is a client without any of ours around it, not connected yet.
func plain(t testing.TB, addr string) paho.Client {
	t.Helper()
	a, err := ParseAddress(addr)
	if err != nil {
		t.Fatal(err)
	}
	o, err := options(a, clientID("test"))
	if err != nil {
		t.Fatal(err)
	}
	return paho.NewClient(o.SetAutoReconnect(false))
}

// listen subscribes with a plain client and returns what it has heard so far.
func listen(t *testing.T, addr, topic string) func() []string {
	t.Helper()
	var mu sync.Mutex
	var got []string
	c := plain(t, addr)
	if err := wait(c.Connect(), connectLimit); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Disconnect(quiesce) })
	err := wait(c.Subscribe(topic, 1, func(_ paho.Client, m paho.Message) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, m.Topic()+" "+string(m.Payload()))
	}), connectLimit)
	if err != nil {
		t.Fatal(err)
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(got)
	}
}

// publish sends one message with a plain client.
func publish(t *testing.T, addr, topic, body string, retain bool) {
	t.Helper()
	c := plain(t, addr)
	if err := wait(c.Connect(), connectLimit); err != nil {
		t.Fatal(err)
	}
	defer c.Disconnect(quiesce)
	if err := wait(c.Publish(topic, 1, retain, body), publishLimit); err != nil {
		t.Fatal(err)
	}
}

// until polls for a condition. The limit ends a test that hangs; it is no claim
// about speed.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 20 s: %s", what)
		}
	}
}

// keeps waits until a broker keeps a message, and so gives it to whoever comes
// later. It subscribes anew each time: the embedded broker passes a message on a
// moment before it keeps it.
func keeps(t *testing.T, addr, topic string, words ...string) {
	t.Helper()
	until(t, topic+" is retained", func() bool {
		late := listen(t, addr, topic)
		for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if says(late(), words...) {
				return true
			}
		}
		return false
	})
}

// says reports whether one of the lines contains all words.
func says(lines []string, words ...string) bool {
	return slices.ContainsFunc(lines, func(l string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(l, w) })
	})
}

// mosquitto starts Debian's broker on a free port, or skips.
func mosquitto(t *testing.T) string {
	t.Helper()
	bin := tool(t, "mosquitto")
	port := freePort(t)
	conf := filepath.Join(t.TempDir(), "conf")
	text := "listener " + strconv.Itoa(port) + " 127.0.0.1\nallow_anonymous true\npersistence false\n"
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, bin, "-c", conf)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); _ = cmd.Wait() })
	addr := "127.0.0.1:" + strconv.Itoa(port)
	until(t, "mosquitto listens", func() bool { return answers(addr) })
	return addr
}

// tool finds a program of Debian's mosquitto packages. CI installs them; a
// machine without them skips.
func tool(t *testing.T, name string) string {
	t.Helper()
	for _, dir := range []string{"", "/usr/sbin/", "/usr/bin/"} {
		if path, err := exec.LookPath(dir + name); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed (make test installs it)", name)
	return ""
}
