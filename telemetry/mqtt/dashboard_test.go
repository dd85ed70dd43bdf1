package mqtt

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"legctl/control"
	"legctl/telemetry"

	paho "github.com/eclipse/paho.mqtt.golang"
	"github.com/fxamacker/cbor/v2"
)

// TestDashboard is what a dashboard relies on, in both houses.
func TestDashboard(t *testing.T) {
	both(t, false, func(t *testing.T, h *house) {
		o := h.join()
		o.Discovery, o.Version = true, "v9"
		f := fakeWith(t, "ant", o)
		all := listen(t, h.addr, "#")
		rows := []struct{ name, topic, says string }{
			{"birth", "legctl/ant/online", "true"},
			{"what it is", "legctl/ant/info", `"version":"v9","dt":0.02,"legs":["lf","rf"]`},
			{"status", "legctl/ant/status", `"mode":"limp","gait":"walk"`},
			{"lease", "legctl/ant/lease", `{"holder":"","ttl":0}`},
			{"Home Assistant", "homeassistant/device/legctl_ant/config", `"availability_topic":"legctl/ant/online"`},
		}
		for _, r := range rows {
			until(t, r.name, func() bool { return says(all(), r.topic+" ", r.says) })
		}
		f.mu.Lock()
		f.faults, f.events = 2, control.EventWall
		f.mu.Unlock()
		until(t, "fault", func() bool { return says(all(), "legctl/ant/event", `"event":"fault"`, `"legs":["rf"]`, `"seq":`) })
		until(t, "status on change", func() bool { return says(all(), "legctl/ant/status", `"faults":["rf"]`) })
		until(t, "event", func() bool { return says(all(), "legctl/ant/event", `"event":"wall"`) })
		f.end()
		until(t, "summary", func() bool { return says(all(), "legctl/ant/summary", `"rig":"ant"`, `"ticks":`) })
		until(t, "death", func() bool { return says(all(), "legctl/ant/online false") })
		keeps(t, h.addr, "legctl/ant/online", "false")
		keeps(t, h.addr, "legctl/ant/info", `"version":"v9"`)
	})
}

// TestLease: two operators, one rig, in both houses.
func TestLease(t *testing.T) {
	both(t, false, func(t *testing.T, h *house) {
		f := fakeWith(t, "ant", h.join())
		events := listen(t, h.addr, "legctl/ant/event")
		held := listen(t, h.addr, "legctl/ant/lease")
		anna, bob := dial(t, h.addr), dial(t, h.addr)
		ctx := t.Context()
		twist := map[string]any{"vx": 0.1}
		if err := bob.Ask(ctx, "ant", "twist", twist); err != nil {
			t.Fatalf("nobody holds the lease: %v", err)
		}
		if err := anna.Lease(ctx, "ant", "acquire", "anna", 30); err != nil {
			t.Fatal(err)
		}
		until(t, "lease is told", func() bool { return says(held(), `"holder":"anna","ttl":30`) })
		if err := anna.Ask(ctx, "ant", "twist", twist); err != nil {
			t.Fatalf("her own: %v", err)
		}
		for _, what := range []struct {
			topic string
			body  map[string]any
		}{{"twist", twist}, {"lease", map[string]any{"action": "acquire", "holder": "bob"}}, {"gait", map[string]any{"gait": "gallop"}}} {
			if err := bob.Ask(ctx, "ant", what.topic, what.body); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), `"anna"`) {
				t.Errorf("%s of somebody else: %v", what.topic, err)
			}
		}
		if err := bob.Ask(ctx, "ant", "stop", nil); err != nil {
			t.Errorf("stop is for everybody: %v", err)
		}
		if err := bob.Ask(ctx, "ant", "mode", map[string]any{"mode": "disarm"}); err != nil {
			t.Errorf("disarm is for everybody: %v", err)
		}
		n := len(f.commands())
		if err := bob.Lease(ctx, "ant", "take", "bob", 0.4); err != nil {
			t.Fatal(err)
		}
		until(t, "take-over is announced", func() bool {
			return says(events(), `"event":"lease_taken"`, `"holder":"bob"`, `"was":"anna"`)
		})
		until(t, "the rig stops", func() bool { return len(f.commands()) > n && f.commands()[n].Kind == control.KindStop })
		if err := anna.Ask(ctx, "ant", "twist", twist); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), `"bob"`) {
			t.Errorf("whose lease was taken: %v", err)
		}
		n = len(f.commands())
		until(t, "dead-man", func() bool { return says(events(), `"event":"lease_expired"`, `"was":"bob"`) })
		until(t, "the rig stops again", func() bool { return len(f.commands()) > n })
		if err := bob.Ask(ctx, "ant", "twist", twist); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "ended") {
			t.Errorf("after it expired: %v", err)
		}
	})
}

// raw listens for payloads as they are.
func raw(t *testing.T, addr, topic string) <-chan []byte {
	t.Helper()
	c := plain(t, addr)
	if err := wait(c.Connect(), connectLimit); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Disconnect(quiesce) })
	got := make(chan []byte, 64)
	err := wait(c.Subscribe(topic, 1, func(_ paho.Client, m paho.Message) {
		select {
		case got <- m.Payload():
		default:
		}
	}), connectLimit)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestCBOR: commands in CBOR are answered in CBOR; states come in it when asked.
func TestCBOR(t *testing.T) {
	both(t, false, func(t *testing.T, h *house) {
		f := fakeWith(t, "ant", h.join())
		replies, states := raw(t, h.addr, "legctl/ant/reply/cbor"), raw(t, h.addr, "legctl/ant/state/cbor")
		send := func(topic string, v any) {
			body, err := cbor.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			publish(t, h.addr, "legctl/ant/cmd/"+topic+"/cbor", string(body), false)
		}
		var r struct {
			ID       any
			Accepted bool
			Reason   string
		}
		send("height", map[string]any{"height": 0.5, "id": "q"})
		if err := cbor.Unmarshal(<-replies, &r); err != nil || !r.Accepted || r.ID != "q" {
			t.Errorf("%+v, %v", r, err)
		}
		if got := f.commands(); len(got) != 1 || got[0].Height != 0.5 {
			t.Errorf("the rig got %+v", got)
		}
		for says, body := range map[string]any{
			"not finite":      map[string]any{"height": nan()},
			`mean "height"`:   map[string]any{"heigth": 1},
			"not a CBOR map":  []int{1},
			"byte string":     map[string]any{"height": []byte("x")},
			"want a number":   map[string]any{"height": map[string]any{"v": 1}},
			"bound 1":         map[string]any{"height": 7.0},
			"max nested":      map[string]any{"height": deep(20)},
			"is missing":      map[string]any{},
			"want a number i": map[string]any{"height": "1"},
		} {
			send("height", body)
			if err := cbor.Unmarshal(<-replies, &r); err != nil || r.Accepted || !strings.Contains(strings.ToLower(r.Reason), strings.ToLower(says)) {
				t.Errorf("%s: %+v, %v", says, r, err)
			}
		}
		if len(states) > 0 {
			t.Error("CBOR before anybody asked")
		}
		send("watch", map[string]any{"topic": "state", "format": "cbor", "ttl": 5})
		<-replies
		var s telemetry.State
		if err := cbor.Unmarshal(<-states, &s); err != nil || s.Rig != "ant" || len(s.Legs) != 0 || s.Tick == 0 {
			t.Errorf("%+v, %v", s, err)
		}
	})
}

// deep is a nest of lists.
func deep(n int) any {
	v := any(1)
	for range n {
		v = []any{v}
	}
	return v
}

// TestRates: a rate can be set, and 0 leaves what is sent on change.
func TestRates(t *testing.T) {
	b := broker(t)
	heard := listen(t, b.Addr(), "legctl/ant/+")
	o := b.Join()
	o.Rates = Rates{"state": 0, "status": 0}
	f := fakeWith(t, "ant", o)
	until(t, "first status", func() bool { return says(heard(), "legctl/ant/status") })
	f.mu.Lock()
	f.faults = 1
	f.mu.Unlock()
	until(t, "status on change", func() bool { return says(heard(), "legctl/ant/status", `"faults":["lf"]`) })
	if lines := heard(); says(lines, "legctl/ant/state ") {
		t.Error("states at rate 0")
	}
	for _, bad := range []string{"state", "state=x", "state=-1", "state=NaN", "stat=1", "state=1e9"} {
		if _, err := ParseRates([]string{bad}); err == nil {
			t.Errorf("rate %q was taken", bad)
		}
	}
	if r, err := ParseRates([]string{"state=2.5"}); err != nil || r["state"] != 2.5 || r["status"] != 1 {
		t.Errorf("%v, %v", r, err)
	}
}

// TestReplyInBoth: a reply is the same in both forms.
func TestReplyInBoth(t *testing.T) {
	bound := telemetry.Num(1)
	r := &telemetry.Reply{ID: json.RawMessage(`7`), Topic: "height", Reason: "no", Bound: &bound}
	text, err := encode(r, false)
	if err != nil {
		t.Fatal(err)
	}
	binary, err := encode(r, true)
	if err != nil {
		t.Fatal(err)
	}
	var a, b map[string]any
	if err := errors.Join(json.Unmarshal(text, &a), cbor.Unmarshal(binary, &b)); err != nil {
		t.Fatal(err)
	}
	for k, v := range a {
		if w, ok := b[k]; !ok || w != v && k != "id" {
			t.Errorf("%s: %v in JSON, %v in CBOR", k, v, w)
		}
	}
	if len(a) != len(b) {
		t.Errorf("%v and %v", a, b)
	}
}
