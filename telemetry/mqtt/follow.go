package mqtt

import (
	"context"
	"encoding/json"
	"strings"

	"legctl/telemetry"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// News is one message of a rig; exactly one of its fields is set.
type News struct {
	State  *telemetry.State
	Status *telemetry.Status
	Event  *telemetry.Event
	Lease  *telemetry.LeaseState
	Info   *telemetry.Info
	Online *bool
}

// Follow calls tell with everything a rig says from now on, and with what the
// broker keeps of it. tell is called from one goroutine at a time and must not
// wait: neither for the client nor for a person. Messages that cannot be read
// are passed over.
func (c *Client) Follow(ctx context.Context, rig string, tell func(News)) error {
	base := "legctl/" + rig + "/"
	subs := map[string]byte{base + "state": 0, base + "status": 0, base + "event": 1, base + "lease": 1, base + "info": 1}
	c.mu.Lock()
	c.follow, c.followed = tell, rig
	on, known := c.rigs[rig]
	c.mu.Unlock()
	if known {
		tell(News{Online: &on})
	}
	return waitFor(ctx, c.paho.SubscribeMultiple(subs, func(_ paho.Client, m paho.Message) {
		if n, ok := newsOf(strings.TrimPrefix(m.Topic(), base), m.Payload()); ok {
			tell(n)
		}
	}), connectLimit)
}

// newsOf reads a message.
func newsOf(topic string, raw []byte) (n News, ok bool) {
	var err error
	switch topic {
	case "state":
		err = json.Unmarshal(raw, &n.State)
		ok = n.State != nil
	case "status":
		err = json.Unmarshal(raw, &n.Status)
		ok = n.Status != nil
	case "event":
		err = json.Unmarshal(raw, &n.Event)
		ok = n.Event != nil
	case "lease":
		err = json.Unmarshal(raw, &n.Lease)
		ok = n.Lease != nil
	case "info":
		err = json.Unmarshal(raw, &n.Info)
		ok = n.Info != nil
	}
	return n, ok && err == nil
}

// Lost is where the reason comes when the connection breaks, once.
func (c *Client) Lost() <-chan error { return c.lost }

// Lease asks for something of the lease of a rig: an action of
// telemetry.LeaseActions, with seconds to live (0: the rig's default). Once it
// is accepted, commands of this client carry the holder's name.
func (c *Client) Lease(ctx context.Context, rig, action, holder string, ttl float64) error {
	body := map[string]any{"action": action, "holder": holder}
	if ttl > 0 {
		body["ttl"] = ttl
	}
	err := c.Ask(ctx, rig, "lease", body)
	if err == nil {
		name := holder
		if action == "release" {
			name = ""
		}
		c.As(name)
	}
	return err
}

// As lets all commands from now on carry the name of a holder of the lease; ""
// takes it off.
func (c *Client) As(holder string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.holder = holder
}
