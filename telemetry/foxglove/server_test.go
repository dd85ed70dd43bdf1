package foxglove_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"legctl/configs"
	"legctl/control"
	"legctl/record"
	"legctl/rig"
	"legctl/telemetry"
	"legctl/telemetry/foxglove"
	"legctl/telemetry/show"

	"github.com/coder/websocket"
	"go.uber.org/goleak"
)

// stage is a server and a rig to feed it with.
type stage struct {
	t     testing.TB
	rig   *rig.Rig
	s     *foxglove.Server
	frame *control.Frame
	tick  uint64
	mu    sync.Mutex
}

// noLeaks checks, after everything else has been cleaned up, that no goroutine
// is left.
func noLeaks(t *testing.T) {
	t.Helper()
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		goleak.VerifyNone(t, before)
	})
}

func newStage(t testing.TB) *stage {
	t.Helper()
	r, err := configs.LoadRig("phantomx")
	if err != nil {
		t.Fatal(err)
	}
	h := &record.Header{Dt: 0.01}
	h.Describe(r)
	s, err := foxglove.Listen("127.0.0.1:0", show.Options{Header: h, Rig: r, Names: telemetry.NamesOf(r, []string{"walk"})})
	if err != nil {
		t.Fatal(err)
	}
	st := &stage{t: t, rig: r, s: s, frame: control.NewFrame(r)}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return st
}

// step is a tick.
func (st *stage) step(n int) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for range n {
		st.frame.Out.Tick = st.tick
		b, _ := st.frame.AppendBinary(nil)
		if err := st.s.Put(control.TagFrame, st.tick, b); err != nil {
			st.t.Error(err)
		}
		st.tick++
	}
}

// viewer is a client.
type viewer struct {
	t testing.TB
	c *websocket.Conn
}

func (st *stage) dial(o *websocket.DialOptions) (*viewer, error) {
	ctx, cancel := context.WithTimeout(st.t.Context(), 10*time.Second)
	defer cancel()
	c, resp, err := websocket.Dial(ctx, "ws://"+st.s.Addr(), o)
	if err != nil {
		if resp != nil && resp.Body != nil {
			b, _ := io.ReadAll(resp.Body)
			err = fmt.Errorf("%w: %s", err, b)
		}
		return nil, err
	}
	c.SetReadLimit(64 << 20)
	st.t.Cleanup(func() { _ = c.CloseNow() })
	return &viewer{st.t, c}, nil
}

// open is dial with a subprotocol.
func (st *stage) open(protocols ...string) *viewer {
	st.t.Helper()
	v, err := st.dial(&websocket.DialOptions{Subprotocols: protocols})
	if err != nil {
		st.t.Fatal(err)
	}
	return v
}

// text reads one text message.
func (v *viewer) text() map[string]any {
	v.t.Helper()
	kind, b := v.read()
	var m map[string]any
	if err := json.Unmarshal(b, &m); kind != websocket.MessageText || err != nil {
		v.t.Fatalf("%v, %v: %.100q", kind, err, b)
	}
	return m
}

func (v *viewer) read() (websocket.MessageType, []byte) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), 10*time.Second)
	defer cancel()
	kind, b, err := v.c.Read(ctx)
	if err != nil {
		v.t.Fatal(err)
	}
	return kind, b
}

func (v *viewer) say(s string) {
	v.t.Helper()
	if err := v.c.Write(v.t.Context(), websocket.MessageText, []byte(s)); err != nil {
		v.t.Fatal(err)
	}
}

// topics reads the greeting and returns the channels by topic.
func (v *viewer) topics() map[string]int {
	v.t.Helper()
	if m := v.text(); m["op"] != "serverInfo" || m["name"] != "legctl phantomx" || fmt.Sprint(m["capabilities"]) != "[time]" {
		v.t.Errorf("it greets with %v", m)
	}
	m := v.text()
	ids := map[string]int{}
	for _, x := range m["channels"].([]any) {
		c := x.(map[string]any)
		ids[c["topic"].(string)] = int(c["id"].(float64))
		if !json.Valid([]byte(c["schema"].(string))) || c["encoding"] != "json" || c["schemaEncoding"] != "jsonschema" || c["schemaName"] == "" {
			v.t.Errorf("channel %v", c)
		}
	}
	return ids
}

func TestAViewerSeesWhatItAsksFor(t *testing.T) {
	noLeaks(t)
	for _, protocol := range []string{"foxglove.sdk.v1", "foxglove.websocket.v1"} {
		t.Run(protocol, func(t *testing.T) {
			st := newStage(t)
			st.step(3) // before anybody looks on
			v := st.open(protocol)
			if v.c.Subprotocol() != protocol {
				t.Errorf("subprotocol %q", v.c.Subprotocol())
			}
			ids := v.topics()
			v.say(fmt.Sprintf(`{"op":"subscribe","subscriptions":[{"id":7,"channelId":%d},{"id":8,"channelId":%d}]}`, ids["/scene/rig"], ids["/tf"]))
			kind, b := v.read() // what is still true comes at once
			var u show.Update
			if kind != websocket.MessageBinary || b[0] != 1 || binary.LittleEndian.Uint32(b[1:]) != 7 || json.Unmarshal(b[13:], &u) != nil || len(u.Entities) != 19 {
				t.Fatalf("%v: %.60q, %d entities", kind, b, len(u.Entities))
			}
			st.step(50)
			clock := uint64(0)
			for seen := 0; seen < 5; {
				_, b := v.read()
				switch b[0] {
				case 2:
					clock = binary.LittleEndian.Uint64(b[1:])
				case 1:
					var tf show.FrameTransforms
					if id, at := binary.LittleEndian.Uint32(b[1:]), binary.LittleEndian.Uint64(b[5:]); id != 8 || at != clock {
						t.Fatalf("subscription %d at %d, the clock says %d", id, at, clock)
					}
					if err := json.Unmarshal(b[13:], &tf); err != nil || len(tf.Transforms) != 1+18 {
						t.Fatalf("%v: %d transforms", err, len(tf.Transforms))
					}
					seen++
				}
			}
			v.say(`{"op":"unsubscribe","subscriptionIds":[7,8]}`)
			v.say(`{"op":"getParameters"}`)
			for { // what was on its way, and then the refusal
				kind, b := v.read()
				if kind == websocket.MessageText {
					if !strings.Contains(string(b), `request \"getParameters\" is not one`) {
						t.Errorf("%s", b)
					}
					break
				}
			}
		})
	}
}

func TestNonsenseIsAnsweredAndHarmsNobody(t *testing.T) {
	noLeaks(t)
	st := newStage(t)
	v := st.open("foxglove.websocket.v1")
	ids := v.topics()
	rows := []struct{ name, say, want string }{
		{"no JSON", `{"op":`, "not JSON"},
		{"a wrong type", `{"op":7}`, "not JSON"},
		{"no such request", `{"op":"advertise","channels":[]}`, "is not one this server knows"},
		{"no such channel", `{"op":"subscribe","subscriptions":[{"id":1,"channelId":99}]}`, "channel 99 is not one of"},
		{"a channel twice", fmt.Sprintf(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":%d},{"id":2,"channelId":%[1]d}]}`, ids["/tf"]), "subscribed already"},
		{"an id twice", fmt.Sprintf(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":%d}]}`, ids["/scene/support"]), "subscription 1 is in use"},
	}
	for _, row := range rows {
		v.say(row.say)
		if m := v.text(); m["op"] != "status" || m["level"] != 2.0 || !strings.Contains(m["message"].(string), row.want) {
			t.Errorf("%s: %v, want %q", row.name, m, row.want)
		}
	}
	if err := v.c.Write(t.Context(), websocket.MessageBinary, []byte{1, 2}); err != nil {
		t.Fatal(err)
	}
	if m := v.text(); !strings.Contains(m["message"].(string), "takes no data") {
		t.Errorf("data: %v", m)
	}
	big := st.open("foxglove.websocket.v1")
	big.topics()
	_ = big.c.Write(t.Context(), websocket.MessageText, make([]byte, 1<<20)) // it may be cut off while it is written
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, _, err := big.c.Read(ctx); err == nil {
		t.Error("a message of 1 MB was taken")
	}
	st.step(20)
	if _, b := v.read(); b[0] != 2 {
		t.Errorf("the other viewer sees nothing more: %q", b)
	}
}

func TestWhoMayLookOn(t *testing.T) {
	noLeaks(t)
	st := newStage(t)
	rows := []struct {
		origin string
		ok     bool
	}{
		{"", true}, {"http://localhost:8080", true}, {"http://127.0.0.1", true}, {"http://[::1]:3000", true},
		{"https://app.foxglove.dev", true}, {"file://", true},
		{"http://app.foxglove.dev", false}, {"https://evil.example", false}, {"https://app.foxglove.dev.evil.example", false}, {"null", false}, {"https://localhost.evil.example", false},
	}
	for _, row := range rows {
		h := http.Header{}
		if row.origin != "" {
			h.Set("Origin", row.origin)
		}
		_, err := st.dial(&websocket.DialOptions{Subprotocols: []string{"foxglove.sdk.v1"}, HTTPHeader: h})
		if (err == nil) != row.ok || err != nil && !strings.Contains(err.Error(), "may not look on") {
			t.Errorf("%q: %v", row.origin, err)
		}
	}
	v, err := st.dial(&websocket.DialOptions{Subprotocols: []string{"chat"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	var end websocket.CloseError
	if _, _, err := v.c.Read(ctx); !errors.As(err, &end) || end.Code != websocket.StatusPolicyViolation || !strings.Contains(end.Reason, "no common subprotocol") {
		t.Errorf("another subprotocol: %v", err)
	}
	resp, err := http.Get("http://" + st.s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if b, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusUpgradeRequired || !strings.Contains(string(b), "open ws://") {
		t.Errorf("a browser gets %d: %s", resp.StatusCode, b)
	}
}

// TestAStalledViewerIsDropped: it reads nothing, and the others go on.
func TestAStalledViewerIsDropped(t *testing.T) {
	noLeaks(t)
	st := newStage(t)
	stalled, good := st.open("foxglove.sdk.v1"), st.open("foxglove.sdk.v1")
	all := `{"op":"subscribe","subscriptions":[`
	for i := range 10 {
		all += fmt.Sprintf(`{"id":%d,"channelId":%d},`, i, i+1)
	}
	ids := good.topics()
	stalled.say(strings.TrimSuffix(all, ",") + "]}")
	good.say(fmt.Sprintf(`{"op":"subscribe","subscriptions":[{"id":1,"channelId":%d}]}`, ids["/tf"]))
	seen := make(chan int, 1)
	go func() {
		n := 0
		for ctx := t.Context(); ; {
			_, _, err := good.c.Read(ctx)
			if err != nil {
				seen <- n
				return
			}
			n++
		}
	}()
	dropped := func() bool {
		// A stalled viewer that was dropped finds its connection closed once it
		// has read what was on its way.
		return st.s.Viewers() == 1
	}
	slowest := time.Duration(0)
	for end := time.Now().Add(20 * time.Second); !dropped(); {
		if time.Now().After(end) {
			t.Fatal("the stalled viewer is still there after 20 s")
		}
		begin := time.Now()
		st.step(2)
		slowest = max(slowest, time.Since(begin))
		time.Sleep(time.Millisecond)
	}
	if slowest > time.Second {
		t.Errorf("a tick took %v", slowest)
	}
	if err := st.s.Close(); err != nil {
		t.Error(err)
	}
	if n := <-seen; n < 100 {
		t.Errorf("the other viewer saw %d messages", n)
	}
}

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{"8765": "127.0.0.1:8765", "0": "127.0.0.1:0", "0.0.0.0:1": "0.0.0.0:1", ":8765": ":8765"} {
		if got, err := foxglove.Address(in); err != nil || got != want {
			t.Errorf("%s: %s, %v", in, got, err)
		}
	}
	for _, bad := range []string{"70000", "-1", "here", ""} {
		if got, err := foxglove.Address(bad); err == nil {
			t.Errorf("%q became %s", bad, got)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if _, err := foxglove.Listen(l.Addr().String(), show.Options{}); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("a port in use: %v", err)
	}
}
