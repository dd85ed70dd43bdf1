package web

import (
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"legctl/telemetry"

	"github.com/coder/websocket"
)

// stillServes fails unless a well-behaved viewer is served as ever.
func (b *bench) stillServes() {
	b.t.Helper()
	c := b.watch()
	if err := c.send(websocket.MessageText, `{"id":"ok","do":"stop"}`); err != nil {
		b.t.Fatal(err)
	}
	until(b.t, "the entry of the order", func() bool { return b.run.Mailbox.Len() > 0 })
	b.tick(1)
	if m := c.await("reply", `"ok"`); m["accepted"] != true {
		b.t.Errorf("a good order: %v", m)
	}
}

// TestMessagesRefused: every message that is no order is answered with the
// reason, and the viewer stays.
func TestMessagesRefused(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	c := b.watch()
	rows := []struct {
		name, text, says string
		kind             websocket.MessageType
	}{
		{"not JSON", `hello`, "not a message", websocket.MessageText},
		{"cut off", `{"id":1,"do":"tw`, "not a message", websocket.MessageText},
		{"an array", `[1,2,3]`, "not a message", websocket.MessageText},
		{"a number", `5`, "not a message", websocket.MessageText},
		{"deep", strings.Repeat("[", 20000), "not a message", websocket.MessageText},
		{"empty", ``, "not a message", websocket.MessageText},
		{"binary", "\x00\x01\x02", "binary messages are not taken", websocket.MessageBinary},
		{"unknown order", `{"id":2,"do":"fly"}`, "unknown topic", websocket.MessageText},
		{"near an order", `{"id":2,"do":"twists"}`, `did you mean`, websocket.MessageText},
		{"no order", `{"id":3}`, "unknown topic", websocket.MessageText},
		{"a long order", `{"id":4,"do":"` + strings.Repeat("x", 5000) + `"}`, "unknown topic", websocket.MessageText},
		{"unknown key", `{"id":5,"do":"twist","with":{"speed":1}}`, "unknown key", websocket.MessageText},
		{"not finite", `{"id":6,"do":"twist","with":{"vx":1e999}}`, "finite", websocket.MessageText},
		{"values of no object", `{"id":7,"do":"twist","with":[1]}`, "not a JSON object", websocket.MessageText},
		{"unknown leg", `{"id":8,"do":"leg","with":{"leg":"zz","on":true}}`, "unknown leg", websocket.MessageText},
		{"unknown key of a deed", `{"id":9,"do":"push","with":{"force":1}}`, "unknown field", websocket.MessageText},
		{"text for a number", `{"id":10,"do":"rate","with":{"rate":"fast"}}`, "rate", websocket.MessageText},
		{"too many ticks", `{"id":11,"do":"step","with":{"ticks":100000}}`, "want 1 to 1000", websocket.MessageText},
		{"solve of no leg", `{"id":12,"do":"solve","with":{"leg":"zz"}}`, "unknown leg", websocket.MessageText},
		{"parameters of no tuner", `{"id":13,"do":"parameters"}`, "cannot be changed", websocket.MessageText},
		{"lease without one", `{"id":14,"do":"lease","with":{"action":"take","holder":"x"}}`, "use MQTT", websocket.MessageText},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			c.mu.Lock()
			c.said = nil
			c.mu.Unlock()
			if err := c.send(r.kind, r.text); err != nil {
				t.Fatal(err)
			}
			var m map[string]any
			until(t, "an answer", func() bool { m = c.find("reply", ""); return m != nil })
			why, _ := m["reason"].(string)
			if m["accepted"] != false || !strings.Contains(why, r.says) {
				t.Errorf("%v does not say %q", m, r.says)
			}
			if len(why) > 400 {
				t.Errorf("a reason of %d bytes", len(why))
			}
		})
	}
	b.stillServes()
}

// TestOversized: a message above the limit ends its sender with the reason and
// nobody else.
func TestOversized(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	good, bad := b.watch(), b.watch()
	_ = bad.send(websocket.MessageText, `{"id":1,"do":"`+strings.Repeat("x", MaxMessage)+`"}`)
	<-bad.done
	if got := websocket.CloseStatus(bad.err); got != websocket.StatusMessageTooBig {
		t.Errorf("ended by %v: %v", got, bad.err)
	}
	select {
	case <-good.done:
		t.Errorf("another viewer was ended: %v", good.err)
	default:
	}
	b.stillServes()
}

// TestMalformedFrames: bytes that are no WebSocket frame end their connection.
func TestMalformedFrames(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	for _, row := range []struct {
		name string
		raw  []byte
	}{
		{"reserved bits", []byte{0xf1, 0x80, 0, 0, 0, 0}},
		{"not masked", []byte{0x81, 0x02, 'h', 'i'}},
		{"unknown kind", []byte{0x8b, 0x80, 0, 0, 0, 0}},
		{"long control frame", append([]byte{0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0}, make([]byte, 256)...)},
		{"a length of 2^63", []byte{0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}},
		{"continuation of nothing", []byte{0x80, 0x80, 0, 0, 0, 0}},
		{"text of another protocol", []byte("GET / HTTP/1.1\r\n\r\n")},
	} {
		t.Run(row.name, func(t *testing.T) {
			conn := b.handshake(t)
			defer conn.Close()
			if _, err := conn.Write(row.raw); err != nil {
				t.Fatal(err)
			}
			_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
			if _, err := io.Copy(io.Discard, conn); errors.Is(err, errTimeout(err)) {
				t.Error("still open after 10 s")
			}
		})
	}
	b.stillServes()
}

// errTimeout returns err when it is a time-out, else something it is not.
func errTimeout(err error) error {
	var n net.Error
	if errors.As(err, &n) && n.Timeout() {
		return err
	}
	return errors.ErrUnsupported
}

// handshake opens a WebSocket by hand.
func (b *bench) handshake(t *testing.T) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", b.Addr())
	if err != nil {
		t.Fatal(err)
	}
	_, err = conn.Write([]byte("GET /ws HTTP/1.1\r\nHost: " + b.Addr() + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	head := make([]byte, 0, 4096)
	one := make([]byte, 1)
	for !bytes.HasSuffix(head, []byte("\r\n\r\n")) {
		if _, err := conn.Read(one); err != nil {
			t.Fatal(err)
		}
		head = append(head, one[0])
	}
	if !bytes.Contains(head, []byte("101")) {
		t.Fatalf("%s", head)
	}
	return conn
}

// TestFlood: too many messages are refused, then their sender is ended.
func TestFlood(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	c := b.watch()
	for range 20000 {
		if c.send(websocket.MessageText, `{"id":1,"do":"fly"}`) != nil {
			break
		}
	}
	<-c.done
	if got := websocket.CloseStatus(c.err); got != websocket.StatusPolicyViolation || !strings.Contains(c.err.Error(), "too many messages") {
		t.Errorf("ended by %v: %v", got, c.err)
	}
	b.stillServes()
}

// TestRequestsRefused: HTTP that is wrong is answered with status and reason.
func TestRequestsRefused(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	b.tick(10)
	post := http.Header{"Content-Type": {"application/json"}}
	rows := []struct {
		name, method, path, body, says string
		header                         http.Header
		status                         int
	}{
		{"another origin reads", "GET", "/api/state", "", "another origin", http.Header{"Origin": {"http://evil.example"}}, 403},
		{"another origin orders", "POST", "/api/commands/stop", "{}", "another origin", http.Header{"Origin": {"http://evil.example"}, "Content-Type": {"application/json"}}, 403},
		{"another origin, the socket", "GET", "/ws", "", "another origin", http.Header{"Origin": {"http://evil.example"}}, 403},
		{"the null origin", "GET", "/api/state", "", "another origin", http.Header{"Origin": {"null"}}, 403},
		{"same host, another port", "GET", "/api/state", "", "another origin", http.Header{"Origin": {"http://127.0.0.1:1"}}, 403},
		{"a cross-site fetch without origin", "GET", "/api/state", "", "another origin", http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"no-cors"}}, 403},
		{"a name that resolves to us", "GET", "/api/state", "", "unknown host", http.Header{"Host": {"rebound.example"}}, 421},
		{"a form", "POST", "/api/commands/stop", "x=1", "Content-Type", http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, 415},
		{"no content type", "POST", "/api/commands/stop", "{}", "Content-Type", nil, 415},
		{"too large", "POST", "/api/commands/twist", strings.Repeat("x", maxBody+1), "at most 65536", post, 413},
		{"unknown command", "POST", "/api/commands/fly", "{}", "unknown topic", post, 404},
		{"bad command", "POST", "/api/commands/twist", `{"vx":"fast"}`, "want a number", post, 422},
		{"not JSON", "POST", "/api/commands/twist", `{`, "not JSON", post, 422},
		{"command by GET", "GET", "/api/commands/stop", "", "", nil, 404},
		{"unknown path of the API", "GET", "/api/secrets", "", "no such path", nil, 404},
		{"a page by POST", "POST", "/", "", "want GET", nil, 405},
		{"a tile of no field", "GET", "/api/terrain/tile?i=0&j=0", "", "no height field", nil, 404},
		{"the socket without upgrade", "GET", "/ws", "", "", nil, 426},
		{"an unknown file", "GET", "/nothing.js", "", "no such page", nil, 404},
		{"an unknown kind of file", "GET", "/app.exe", "", "no such page", nil, 404},
		{"a hidden file", "GET", "/.gitignore", "", "no such page", nil, 404},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			status, text := b.request(t, r.method, r.path, r.body, r.header)
			if status != r.status || !strings.Contains(text, r.says) {
				t.Errorf("%d %q, want %d with %q", status, text, r.status, r.says)
			}
		})
	}
	b.stillServes()
}

// request does one request; a header Host names another host.
func (b *bench) request(t *testing.T, method, path, body string, h http.Header) (int, string) {
	t.Helper()
	req, err := http.NewRequest(method, b.url("/"), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.URL.Opaque = path // as it is: nothing cleans it
	for k, v := range h {
		req.Header[k] = v
	}
	if host := h.Get("Host"); host != "" {
		req.Host = host
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(raw)
}

// TestNoWayOut: no path leads out of the bundle.
func TestNoWayOut(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	for _, path := range []string{
		"/../server.go", "/../../etc/passwd", "/%2e%2e/server.go", "/..%2fserver.go", "/%2e%2e%2f%2e%2e%2fetc/passwd", "//etc/passwd",
		"/dist/../../server.go", "/..\\server.go", "/%5c..%5cserver.go", "/./../go.mod", "/index.html/../../go.mod", "/%00index.html",
		"/api/../../go.mod", "/server.go", "/dist/index.html", "/...//...//etc/passwd", "/.git/config",
	} {
		t.Run(path, func(t *testing.T) {
			status, text := b.request(t, "GET", path, "", nil)
			if strings.Contains(text, "package web") || strings.Contains(text, "root:") || strings.Contains(text, "module legctl") || strings.Contains(text, "[core]") {
				t.Fatalf("%d: it was served: %.80s", status, text)
			}
			if status == http.StatusOK {
				t.Errorf("200: %.80s", text)
			}
		})
	}
	b.stillServes()
}

// TestToken: with a token nothing is served without it.
func TestToken(t *testing.T) {
	const token = "correct-horse-battery"
	opened := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("fine")) })
	b := newBench(t, "phantomx", Options{Token: token, Open: map[string]http.Handler{"/healthz": opened}, Lease: new(telemetry.Lease)})
	b.tick(10)
	bearer := func(s string) http.Header { return http.Header{"Authorization": {"Bearer " + s}} }
	for _, r := range []struct {
		name, path string
		header     http.Header
		status     int
	}{
		{"none", "/api/state", nil, 401},
		{"none, the page", "/", nil, 401},
		{"none, the socket", "/ws", nil, 401},
		{"wrong", "/api/state", bearer("wrong-horse-battery-x"), 401},
		{"a beginning", "/api/state", bearer(token[:8]), 401},
		{"empty", "/api/state", bearer(""), 401},
		{"in the address of the API", "/api/state?token=" + token, nil, 401},
		{"wrong in the address", "/?token=nope", nil, 401},
		{"wrong in the cookie", "/api/state", http.Header{"Cookie": {cookieName + "=nope"}}, 401},
		{"right", "/api/state", bearer(token), 200},
		{"right in the cookie", "/api/state", http.Header{"Cookie": {cookieName + "=" + token}}, 200},
		{"right in the address of the page", "/?token=" + token, nil, 303},
		{"an open path", "/healthz", nil, 200},
	} {
		t.Run(r.name, func(t *testing.T) {
			if status, text := b.request(t, "GET", r.path, "", r.header); status != r.status {
				t.Errorf("%d %s, want %d", status, text, r.status)
			}
		})
	}
	if _, res, err := b.dial(nil); err == nil || res.StatusCode != 401 {
		t.Errorf("the socket without a token: %v", err)
	}
	conn, _, err := b.dial(bearer(token))
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.CloseNow()
	if !strings.HasSuffix(b.URL(), "?token="+token) {
		t.Errorf("the address is %s", b.URL())
	}
}

// TestTokenBeyondLoopback: a server that others can reach has a token of its own.
func TestTokenBeyondLoopback(t *testing.T) {
	b := newBench(t, "phantomx", Options{Addr: "0.0.0.0:0"})
	if len(b.opts.Token) != 32 || !strings.Contains(b.URL(), "?token=") || strings.Contains(b.URL(), "0.0.0.0") {
		t.Errorf("token %q, address %s", b.opts.Token, b.URL())
	}
}

func TestPortTaken(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	if s, err := Listen(Options{Addr: b.Addr()}); err == nil || !strings.Contains(err.Error(), "--http") {
		t.Errorf("a taken port: %v", err)
		_ = s.Close()
	}
}
