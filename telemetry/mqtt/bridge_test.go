package mqtt

import (
	"errors"
	"strings"
	"testing"

	"legctl/control"
	"legctl/telemetry"
)

func TestCommandAndReply(t *testing.T) {
	b := broker(t)
	f := fake(t, "ant", b.Addr(), b.Keeps)
	c := dial(t, b.Addr())
	rig, err := c.Rig(t.Context(), "")
	if err != nil || rig != "ant" {
		t.Fatalf("rig %q, %v", rig, err)
	}
	if err := c.Ask(t.Context(), rig, "gait", map[string]any{"gait": "gallop"}); err != nil {
		t.Fatal(err)
	}
	if got := f.commands(); len(got) != 1 || got[0].Kind != control.KindGait || got[0].Gait != 1 {
		t.Errorf("the rig got %+v", got)
	}
	rows := []struct {
		name, topic string
		body        map[string]any
		says        string
	}{
		{"refused by the tick", "height", map[string]any{"height": 2}, "out of range: value 2, bound 1"},
		{"refused by the decoder", "twist", map[string]any{"vxx": 2}, `did you mean "vx"`},
		{"unknown gait", "gait", map[string]any{"gait": "hop"}, "walk, gallop"},
		{"no clips", "style", map[string]any{"weights": map[string]any{"jog": 1}}, "no clips"},
	}
	for _, r := range rows {
		err := c.Ask(t.Context(), rig, r.topic, r.body)
		if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), r.says) {
			t.Errorf("%s: %v", r.name, err)
		}
	}
	if got := f.commands(); len(got) != 1 {
		t.Errorf("refused commands reached the rig: %+v", got[1:])
	}
}

// TestMalformed: whatever comes without an id is answered too, and nothing
// reaches the rig.
func TestMalformed(t *testing.T) {
	b := broker(t)
	f := fake(t, "ant", b.Addr(), b.Keeps)
	replies := listen(t, b.Addr(), "legctl/ant/reply")
	rows := map[string]string{
		"{":                      "ends too early",
		strings.Repeat("[", 2e5): "at most 65536",
		`{"vx":NaN}`:             "not JSON",
		`{"vx":1e999}`:           "not finite",
	}
	for body, why := range rows {
		publish(t, b.Addr(), "legctl/ant/cmd/twist", body, false)
		until(t, why, func() bool { return says(replies(), `"accepted":false`, why) })
	}
	publish(t, b.Addr(), "legctl/ant/cmd/twist/deep", "{}", false)
	until(t, "reply to a wrong topic", func() bool { return says(replies(), "unknown topic") })
	if got := f.commands(); len(got) > 0 {
		t.Errorf("the rig got %+v", got)
	}
}

// TestRetainedRefused: a command that was sent to be kept is refused although
// the rig was online when it came, is taken off the broker, and does not stand
// in the way of a plain one that says the same.
func TestRetainedRefused(t *testing.T) {
	b := broker(t)
	f := fake(t, "ant", b.Addr(), b.Keeps)
	replies := listen(t, b.Addr(), "legctl/ant/reply")
	publish(t, b.Addr(), "legctl/ant/cmd/twist", `{"vx":0.1}`, true)
	until(t, "refusal", func() bool { return says(replies(), "retained") })
	until(t, "broker forgets", func() bool { return !b.Keeps("legctl/ant/cmd/twist", []byte(`{"vx":0.1}`)) })
	late := listen(t, b.Addr(), "legctl/ant/cmd/#")
	publish(t, b.Addr(), "legctl/ant/cmd/twist", `{"vx":0.1}`, false)
	until(t, "plain command", func() bool { return len(f.commands()) == 1 })
	if got := late(); len(got) != 1 {
		t.Errorf("a later subscriber got %q", got)
	}
	publish(t, b.Addr(), "legctl/ant/cmd/stop", "", false)
	until(t, "stop with no payload", func() bool { return len(f.commands()) == 2 })
}

func TestOnline(t *testing.T) {
	b := broker(t)
	seen := listen(t, b.Addr(), "legctl/+/online")
	fake(t, "ant", b.Addr(), b.Keeps)
	until(t, "online", func() bool { return says(seen(), "legctl/ant/online true") })
	keeps(t, b.Addr(), "legctl/+/online", "legctl/ant/online true")

	fake(t, "bee", b.Addr(), b.Keeps)
	c := dial(t, b.Addr())
	if _, err := c.Rig(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "ant, bee") {
		t.Errorf("two rigs online: %v", err)
	}
}

// TestFullMailbox: a command the loop has no room for is answered.
func TestFullMailbox(t *testing.T) {
	b := broker(t)
	f := fake(t, "ant", b.Addr(), b.Keeps)
	f.mu.Lock()
	f.full = true
	f.mu.Unlock()
	c := dial(t, b.Addr())
	if err := c.Ask(t.Context(), "ant", "stop", nil); err == nil || !strings.Contains(err.Error(), "too many commands") {
		t.Errorf("%v", err)
	}
}

func TestRigName(t *testing.T) {
	names := &telemetry.Names{Rig: "my rig"}
	if _, err := NewBridge(names, 0.02, nil, BridgeOptions{}); err == nil || !strings.Contains(err.Error(), `"my rig"`) {
		t.Errorf("%v", err)
	}
}

func TestNobodyThere(t *testing.T) {
	if _, err := Dial(t.Context(), "127.0.0.1:1"); err == nil || !strings.Contains(err.Error(), "no broker at 127.0.0.1:1") {
		t.Errorf("client: %v", err)
	}
	names := &telemetry.Names{Rig: "ant"}
	if _, err := NewBridge(names, 0.02, nil, BridgeOptions{Broker: "127.0.0.1:1"}); err == nil {
		t.Error("bridge to nobody")
	}
	b := broker(t)
	if _, err := dial(t, b.Addr()).Rig(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "no rig is online") {
		t.Errorf("no rig: %v", err)
	}
}

// TestReplaced: a command that a newer one overtook is answered, in words that
// one who streams can tell from a refusal.
func TestReplaced(t *testing.T) {
	b := broker(t)
	var before uint64
	o := b.Join()
	bridge, err := NewBridge(&telemetry.Names{Rig: "ant", Gaits: []string{"walk"}}, 0.02, func(c control.Command) (bool, uint64) {
		old := before
		before = c.ID
		return false, old
	}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bridge.Close)
	c := dial(t, b.Addr())
	first, err := c.Send("ant", "twist", map[string]any{"vx": 0.1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Send("ant", "twist", map[string]any{"vx": 0.2}); err != nil {
		t.Fatal(err)
	}
	if r := <-first; !Replaced(r) || Replaced(&telemetry.Reply{Reason: "no"}) {
		t.Errorf("%+v", r)
	}
}
