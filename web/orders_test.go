package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"legctl/control"
	"legctl/telemetry"

	"github.com/coder/websocket"
)

func walkOrder() control.Command { return control.Command{Kind: control.KindTwist, Vx: 0.05, TTL: 60} }

// TestOrders: every order beyond the topics reaches the world and is answered.
func TestOrders(t *testing.T) {
	for _, row := range []struct {
		name, text, did string
		tick            float64
	}{
		{"push", `{"id":1,"do":"push","with":{"x":0.1}}`, "push", 7},
		{"block", `{"id":1,"do":"block","with":{"block":4}}`, "remove", 8},
		{"rate", `{"id":1,"do":"rate","with":{"rate":0.5}}`, "rate", 0},
		{"step", `{"id":1,"do":"step"}`, "step", 0},
		{"restart", `{"id":1,"do":"restart","with":{"rig":"a1"}}`, "restart", 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := newBench(t, "phantomx", Options{})
			c := b.watch()
			if err := c.send(websocket.MessageText, row.text); err != nil {
				t.Fatal(err)
			}
			m := c.await("reply", row.name)
			if tick, _ := m["tick"].(float64); m["accepted"] != true || tick != row.tick {
				t.Errorf("%v", m)
			}
			if len(b.world.log) != 1 || b.world.log[0] != row.did {
				t.Errorf("the world did %v", b.world.log)
			}
			b.world.failing = errors.New("sim: no such thing")
			if row.name == "step" {
				return // never fails
			}
			if err := c.send(websocket.MessageText, strings.Replace(row.text, `"id":1`, `"id":2`, 1)); err != nil {
				t.Fatal(err)
			}
			if m := c.await("reply", "no such thing"); m["accepted"] != false {
				t.Errorf("%v", m)
			}
		})
	}
}

// TestRealRigRefuses: what only a simulation can do.
func TestRealRigRefuses(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	b.scene.World = nil
	c := b.watch()
	for _, do := range []string{"push", "block", "rate", "step", "stages", "restart"} {
		if err := c.send(websocket.MessageText, `{"id":1,"do":"`+do+`"}`); err != nil {
			t.Fatal(err)
		}
		if m := c.await("reply", do); m["accepted"] != false || !strings.Contains(m["reason"].(string), "only a simulation") {
			t.Errorf("%s: %v", do, m)
		}
	}
}

// TestLeaseHoldsThePageToo: who does not hold the lease is refused, in the tick
// and in the world; stop is always free.
func TestLeaseHoldsThePageToo(t *testing.T) {
	lease := new(telemetry.Lease)
	b := newBench(t, "phantomx", Options{Lease: lease})
	b.ticking()
	c := b.watch()
	if err := lease.Ask(telemetry.LeaseAsk{Action: "take", Holder: "phone", TTL: 60}, time.Now()); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		text, words string
		taken       bool
	}{
		{`{"id":"t","do":"twist","with":{"vx":0.1}}`, `"t"`, false},
		{`{"id":"p","do":"push","with":{"x":1}}`, `"p"`, false},
		{`{"id":"s","do":"stop"}`, `"s"`, true},
		{`{"id":"h","do":"twist","with":{"vx":0.1},"as":"phone"}`, `"h"`, true},
		{`{"id":"q","do":"push","with":{"x":1},"as":"phone"}`, `"q"`, true},
		{`{"id":"l","do":"lease","with":{"action":"take","holder":"page"}}`, `"l"`, true},
		{`{"id":"u","do":"twist","with":{"vx":0.1},"as":"page"}`, `"u"`, true},
	} {
		if err := c.send(websocket.MessageText, row.text); err != nil {
			t.Fatal(err)
		}
		if m := c.await("reply", row.words); m["accepted"] != row.taken {
			t.Errorf("%s: %v", row.text, m)
		}
	}
}

// TestSceneChanges: viewers are told of another rig, orders of the old one are
// refused, frames of it are not sent.
func TestSceneChanges(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	c := b.watch()
	if err := c.send(websocket.MessageText, `{"id":"old","do":"stop"}`); err != nil {
		t.Fatal(err)
	}
	until(t, "the order to wait", func() bool { return b.run.Mailbox.Len() == 1 })
	old := b.take
	b.show("a1")
	c.await("hello", `"a1"`)
	if m := c.await("reply", `"old"`); m["accepted"] != false {
		t.Errorf("%v", m)
	}
	old(restOf(b.scene.Rig)) // of another scene: not shown
	until(t, "frames", func() bool { b.tick(1); c.mu.Lock(); defer c.mu.Unlock(); return len(c.frames) > 2 })
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.frames {
		if f[2] != 2 {
			t.Errorf("a frame of scene %d", f[2])
		}
	}
}

func TestAPI(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	b.ticking()
	until(t, "a state", func() bool { s, _ := b.request(t, "GET", "/api/state", "", nil); return s == 200 })
	for _, row := range []struct{ path, says string }{
		{"/api/state", `"rig":"phantomx"`},
		{"/api/rig", `"name":"lf"`},
		{"/api/terrain", `null`},
	} {
		if status, text := b.request(t, "GET", row.path, "", nil); status != 200 || !strings.Contains(text, row.says) {
			t.Errorf("%s: %d %.100s", row.path, status, text)
		}
	}
	post := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	status, text := b.request(t, "POST", "/api/commands/height", `{"height":0.1,"id":"h1"}`, post)
	var r telemetry.Reply
	if err := json.Unmarshal([]byte(text), &r); err != nil || status != 200 || !r.Accepted || r.Tick == 0 || string(r.ID) != `"h1"` {
		t.Errorf("%d %s", status, text)
	}
	if status, text = b.request(t, "POST", "/api/commands/height", `{"height":9}`, post); status != 422 || !strings.Contains(text, "bound") {
		t.Errorf("%d %s", status, text)
	}
	if status, text = b.request(t, "POST", "/api/commands/solve", `{"leg":"rf","z":0.02}`, post); status != 200 || !strings.Contains(text, `"moves":[{`) {
		t.Errorf("%d %.200s", status, text)
	}
}

// TestNothingShown: a server without a scene says so.
func TestNothingShown(t *testing.T) {
	s, err := Listen(Options{Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := &bench{Server: s, t: t}
	for _, path := range []string{"/api/state", "/api/rig", "/api/terrain"} {
		if status, text := b.request(t, "GET", path, "", nil); status != 503 || !strings.Contains(text, "nothing is shown") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	c := b.watch()
	if err := c.send(websocket.MessageText, `{"id":1,"do":"stop"}`); err != nil {
		t.Fatal(err)
	}
	c.await("reply", "nothing is shown")
}
