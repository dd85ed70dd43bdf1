package mqtt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"legctl/telemetry"

	paho "github.com/eclipse/paho.mqtt.golang"
)

const (
	// replyLimit is how long a rig may take to answer.
	replyLimit = 3 * time.Second
	// firstRig is how long a client waits for the first rig to show up, moreRigs
	// how much longer for others after each (retained messages come in a bunch),
	// and askAgain how soon it subscribes anew, so at least twice after each: a
	// broker may store a retained message a moment after it passed it on, and who
	// subscribes in between misses it.
	firstRig = 2 * time.Second
	moreRigs = 150 * time.Millisecond
	askAgain = 60 * time.Millisecond
)

// ErrRefused is what a refused command's error wraps.
var ErrRefused = errors.New("refused")

// Client sends commands to rigs by way of a broker and reads their answers. It
// is safe for several goroutines.
type Client struct {
	paho   paho.Client
	broker string
	id     string
	lost   chan error

	mu    sync.Mutex
	count int
	wait  map[string]chan *telemetry.Reply
	rigs  map[string]bool // online or not, as last heard
	heard chan struct{}

	holder   string // of the lease, sent with commands
	follow   func(News)
	followed string
}

// Dial connects to a broker, an address of ParseAddress, and listens for replies
// and rigs.
func Dial(ctx context.Context, broker string) (*Client, error) {
	addr, err := ParseAddress(broker)
	if err != nil {
		return nil, err
	}
	c := &Client{
		broker: addr.String(), id: clientID("cmd"), lost: make(chan error, 1),
		wait: map[string]chan *telemetry.Reply{}, rigs: map[string]bool{}, heard: make(chan struct{}, 1),
	}
	o, err := options(addr, c.id)
	if err != nil {
		return nil, err
	}
	o.SetProtocolVersion(4).SetAutoReconnect(false)
	o.SetConnectionLostHandler(func(_ paho.Client, err error) { c.lost <- err })
	c.paho = paho.NewClient(o)
	err = waitFor(ctx, c.paho.Connect(), connectLimit)
	if err == nil {
		subs := map[string]byte{"legctl/+/reply": 1, "legctl/+/online": 1}
		err = waitFor(ctx, c.paho.SubscribeMultiple(subs, c.receive), connectLimit)
	}
	if err != nil {
		c.paho.Disconnect(0)
		return nil, connectError(addr, err)
	}
	return c, nil
}

// Close leaves the broker.
func (c *Client) Close() { c.paho.Disconnect(quiesce) }

// receive sorts what comes in. It never waits.
func (c *Client) receive(_ paho.Client, m paho.Message) {
	part := strings.Split(m.Topic(), "/")
	if len(part) != 3 {
		return
	}
	if part[2] == "online" {
		c.mu.Lock()
		on := string(m.Payload()) == "true"
		c.rigs[part[1]] = on
		tell := c.follow
		if c.followed != part[1] {
			tell = nil
		}
		c.mu.Unlock()
		if tell != nil {
			tell(News{Online: &on})
		}
		select {
		case c.heard <- struct{}{}:
		default:
		}
		return
	}
	var r telemetry.Reply
	var id string
	if json.Unmarshal(m.Payload(), &r) != nil || json.Unmarshal(r.ID, &id) != nil {
		return // somebody else's
	}
	c.mu.Lock()
	ch := c.wait[id]
	delete(c.wait, id)
	c.mu.Unlock()
	if ch != nil {
		ch <- &r // has room for its one reply
	}
}

// Rig returns the rig to command: the one named, else the only one online.
func (c *Client) Rig(ctx context.Context, named string) (string, error) {
	if named != "" {
		if !telemetry.ValidRig(named) {
			return "", fmt.Errorf("mqtt: rig name %q, want [a-z0-9][a-z0-9_-]*", named)
		}
		return named, nil
	}
	online := c.Online(ctx)
	switch len(online) {
	case 0:
		return "", fmt.Errorf("mqtt: no rig is online at %s: start one with \"legctl sim\"", c.broker)
	case 1:
		return online[0], nil
	}
	return "", fmt.Errorf("mqtt: %d rigs are online: %s: choose one with --rig", len(online), strings.Join(online, ", "))
}

// Online returns the rigs that say they are online, sorted.
func (c *Client) Online(ctx context.Context) []string {
	end := time.NewTimer(firstRig)
	defer end.Stop()
	again := time.NewTicker(askAgain)
	defer again.Stop()
	known := 0
	for {
		select {
		case <-c.heard:
			if n := len(c.online()); n > known { // not one that is heard again
				known = n
				end.Reset(moreRigs)
			}
			continue
		case <-again.C:
			c.paho.Subscribe("legctl/+/online", 1, c.receive)
			continue
		case <-end.C:
		case <-ctx.Done():
		}
		return c.online()
	}
}

func (c *Client) online() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	rigs := maps.Clone(c.rigs)
	maps.DeleteFunc(rigs, func(_ string, on bool) bool { return !on })
	return slices.Sorted(maps.Keys(rigs))
}

// Send publishes a command to a rig and returns where its reply will come, once.
// body is what the topic takes; an id is added.
func (c *Client) Send(rig, topic string, body map[string]any) (<-chan *telemetry.Reply, error) {
	c.mu.Lock()
	c.count++
	id := c.id + "-" + strconv.Itoa(c.count)
	ch := make(chan *telemetry.Reply, 1)
	c.wait[id] = ch
	all := map[string]any{"id": id}
	if c.holder != "" {
		all["lease"] = c.holder
	}
	c.mu.Unlock()
	maps.Copy(all, body)
	if err := telemetry.CheckTopic(rig, topic); err != nil {
		return nil, err
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("mqtt: %s: %w", topic, err)
	}
	if err := wait(c.paho.Publish("legctl/"+rig+"/cmd/"+topic, 0, false, raw), publishLimit); err != nil {
		return nil, fmt.Errorf("mqtt: %s: %w", topic, err)
	}
	return ch, nil
}

// Ask sends a command and waits for the answer. A refusal is an error that
// wraps ErrRefused and gives the rig's reason.
func (c *Client) Ask(ctx context.Context, rig, topic string, body map[string]any) error {
	ch, err := c.Send(rig, topic, body)
	if err != nil {
		return err
	}
	timer := time.NewTimer(replyLimit)
	defer timer.Stop()
	select {
	case r := <-ch:
		return Verdict(rig, r)
	case <-timer.C:
		return fmt.Errorf("mqtt: rig %s at %s: no answer within %v: is it online?", rig, c.broker, replyLimit)
	case err := <-c.lost:
		return fmt.Errorf("mqtt: connection to %s lost: %w", c.broker, err)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Verdict turns a reply into nil or an error with the reason.
func Verdict(rig string, r *telemetry.Reply) error {
	if r.Accepted {
		return nil
	}
	return fmt.Errorf("rig %s: %w: %s", rig, ErrRefused, r.Reason)
}

// waitFor waits for a token, a limit or the end of ctx.
func waitFor(ctx context.Context, t paho.Token, limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-t.Done():
		return outcome(t)
	case <-timer.C:
		return fmt.Errorf("no answer within %v", limit)
	case <-ctx.Done():
		return ctx.Err()
	}
}
