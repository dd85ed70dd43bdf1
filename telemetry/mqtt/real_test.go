package mqtt

import (
	"bytes"
	"io"
	"net"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"legctl/control"
)

// mosquittoPub sends one message with Debian's client.
func mosquittoPub(t *testing.T, addr, topic string, args ...string) {
	t.Helper()
	host, port, _ := net.SplitHostPort(addr)
	args = append([]string{"-h", host, "-p", port, "-t", topic}, args...)
	if out, err := exec.Command(tool(t, "mosquitto_pub"), args...).CombinedOutput(); err != nil {
		t.Fatalf("mosquitto_pub: %v: %s", err, out)
	}
}

// mosquittoSub listens with Debian's client until the test ends.
func mosquittoSub(t *testing.T, addr, topic string) func() []string {
	t.Helper()
	host, port, _ := net.SplitHostPort(addr)
	cmd := exec.Command(tool(t, "mosquitto_sub"), "-h", host, "-p", port, "-v", "-t", topic)
	var mu sync.Mutex
	var got bytes.Buffer
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 4096)
		for {
			n, err := pipe.Read(buf)
			mu.Lock()
			got.Write(buf[:n])
			mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-done; _ = cmd.Wait() })
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Split(got.String(), "\n")
	}
}

// TestMosquittoClients: Debian's clients drive a rig through our broker.
func TestMosquittoClients(t *testing.T) {
	b := broker(t)
	f := fake(t, "ant", b.Addr(), b.Keeps)
	heard := mosquittoSub(t, b.Addr(), "legctl/ant/#")
	until(t, "online and state", func() bool {
		return says(heard(), "legctl/ant/online true") && says(heard(), "legctl/ant/state", `"gait":"walk"`)
	})
	mosquittoPub(t, b.Addr(), "legctl/ant/cmd/twist", "-m", `{"vx":0.1,"id":"a"}`)
	until(t, "reply", func() bool { return says(heard(), "legctl/ant/reply", `"id":"a","topic":"twist","accepted":true`) })
	mosquittoPub(t, b.Addr(), "legctl/ant/cmd/gait", "-q", "2", "-m", `{"gait":"gallop"}`)
	mosquittoPub(t, b.Addr(), "legctl/ant/cmd/stop", "-q", "1", "-n")
	mosquittoPub(t, b.Addr(), "legctl/ant/cmd/leg", "-m", `{"leg":"RF","on":false}`)
	until(t, "three more commands", func() bool { return len(f.commands()) == 4 })
	mosquittoPub(t, b.Addr(), "legctl/ant/cmd/leg", "-m", `{"leg":"zz","on":false}`)
	until(t, "refusal", func() bool { return says(heard(), `"accepted":false`, "lf, rf") })
	mosquittoPub(t, b.Addr(), "legctl/ant/cmd/twist", "-r", "-m", `{"vx":0.3}`)
	until(t, "refusal of a retained one", func() bool { return says(heard(), `"accepted":false`, "retained") })
	if got := f.commands(); len(got) != 4 || got[3].Leg != 1 || got[1].Kind != control.KindGait {
		t.Errorf("the rig got %+v", got)
	}
}

// TestMosquittoBroker: bridge and client work with Debian's broker, which is
// asked to leave the retain flag on.
func TestMosquittoBroker(t *testing.T) {
	addr := mosquitto(t)
	publish(t, addr, "legctl/ant/cmd/gait", `{"gait":"gallop"}`, true) // lies in wait
	replies := listen(t, addr, "legctl/ant/reply")
	f := fake(t, "ant", addr, nil)
	until(t, "refusal of what lay in wait", func() bool { return says(replies(), `"gait"`, "retained") })
	c := dial(t, addr)
	rig, err := c.Rig(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Ask(t.Context(), rig, "goto", map[string]any{"x": 2, "y": 1}); err != nil {
		t.Fatal(err)
	}
	publish(t, addr, "legctl/ant/cmd/twist", `{"vx":0.1}`, true)
	until(t, "refusal of a live one", func() bool { return says(replies(), `"twist"`, "retained") })
	if got := f.commands(); len(got) != 1 || got[0].X != 2 {
		t.Errorf("the rig got %+v", got)
	}
}

// proxy passes one broker's connections on until cut is called, and new ones
// again after mend.
func proxy(t *testing.T, to string) (addr string, cut, mend func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var open []net.Conn
	down := false
	var all sync.WaitGroup
	all.Go(func() {
		for {
			a, err := l.Accept()
			if err != nil {
				return
			}
			b, err := net.Dial("tcp", to)
			if err != nil {
				a.Close()
				continue
			}
			mu.Lock()
			open = append(open, a, b)
			if down {
				a.Close()
				b.Close()
			}
			mu.Unlock()
			all.Go(func() { _, _ = io.Copy(a, b); a.Close() })
			all.Go(func() { _, _ = io.Copy(b, a); b.Close() })
		}
	})
	cut = func() {
		mu.Lock()
		defer mu.Unlock()
		for _, c := range open {
			c.Close()
		}
		open, down = nil, true
	}
	mend = func() {
		mu.Lock()
		defer mu.Unlock()
		down = false
	}
	t.Cleanup(func() { l.Close(); cut(); all.Wait() })
	return l.Addr().String(), cut, mend
}

// TestConnectionLost: when the rig's connection breaks the broker says that it
// is offline; when it is back, it is online and obeys again.
func TestConnectionLost(t *testing.T) {
	for name, start := range map[string]func(*testing.T) (string, func(string, []byte) bool){
		"embedded":  func(t *testing.T) (string, func(string, []byte) bool) { b := broker(t); return b.Addr(), b.Keeps },
		"mosquitto": func(t *testing.T) (string, func(string, []byte) bool) { return mosquitto(t), nil },
	} {
		t.Run(name, func(t *testing.T) {
			addr, keeps := start(t)
			via, cut, mend := proxy(t, addr)
			seen := listen(t, addr, "legctl/ant/online")
			f := fake(t, "ant", via, keeps)
			until(t, "online", func() bool { return says(seen(), "true") })
			cut()
			gone := func(line string) bool { return strings.HasSuffix(line, "false") }
			// A client that is back before the broker misses it leaves no will.
			until(t, "last will", func() bool { return slices.ContainsFunc(seen(), gone) })
			mend()
			until(t, "online again", func() bool {
				lines := seen()
				return says(lines[slices.IndexFunc(lines, gone):], "true")
			})
			publish(t, addr, "legctl/ant/cmd/stop", "{}", false)
			until(t, "command after the break", func() bool { return len(f.commands()) == 1 })
		})
	}
}
