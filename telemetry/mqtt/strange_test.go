package mqtt

import (
	"strings"
	"testing"

	"legctl/control"
)

// TestStrangeTopics: whatever topics and payloads people send, they are refused
// by the broker or by the rig, and everything else goes on.
func TestStrangeTopics(t *testing.T) {
	both(t, false, func(t *testing.T, h *house) {
		f := fakeWith(t, "ant", h.join())
		replies := listen(t, h.addr, "legctl/ant/reply")
		for _, topic := range []string{
			"legctl/ant/cmd/tw ist", "legctl/ant/cmd/ ", "legctl/ant/cmd/twist ", "legctl/ant/cmd/+", "legctl/ant/cmd/#", "legctl/ant/cmd/", "legctl/ant/cmd//twist",
			"legctl/ant/cmd/twist/cbor/cbor", "legctl/ant/cmd/\u00e9", "legctl/ant/cmd/" + strings.Repeat("x", 2000), "legctl/ant/cmd/a/b/c/d/e/f/g",
		} {
			stranger(t, h.addr, topic, `{"vx":0.1}`)
		}
		for _, body := range []string{
			strings.Repeat("x", MaxMessage+1000), strings.Repeat(`{"a":`, 10000), `{"vx":` + strings.Repeat("[", 30000) + `}`, "\x00\xff", `{"vx":1e400}`,
		} {
			stranger(t, h.addr, "legctl/ant/cmd/twist", body)
		}
		c := dial(t, h.addr)
		if err := c.Ask(t.Context(), "ant", "gait", map[string]any{"gait": "gallop"}); err != nil {
			t.Fatalf("after all that: %v", err)
		}
		if got := f.commands(); len(got) != 1 || got[0].Kind != control.KindGait {
			t.Errorf("the rig got %+v", got)
		}
		for _, line := range replies() {
			if strings.Contains(line, `"topic":"twist"`) && strings.Contains(line, `"accepted":true`) {
				t.Errorf("taken: %s", line)
			}
		}
		if err := c.Ask(t.Context(), "a b", "stop", nil); err == nil || !strings.Contains(err.Error(), "rig name") {
			t.Errorf("a rig with a space: %v", err)
		}
		if _, err := c.Send("ant", "tw/+", nil); err == nil {
			t.Error("a wildcard was sent")
		}
	})
}

// stranger publishes and leaves; the broker may throw it out.
func stranger(t *testing.T, addr, topic, body string) {
	t.Helper()
	c := plain(t, addr)
	if err := wait(c.Connect(), connectLimit); err != nil {
		t.Fatalf("the broker lets nobody in any more: %v", err)
	}
	defer c.Disconnect(0)
	_ = wait(c.Publish(topic, 0, false, body), publishLimit)
	_ = wait(c.Publish("elsewhere", 1, false, "x"), publishLimit/10) // what came before has been read
}
