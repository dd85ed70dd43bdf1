package mqtt

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"legctl/control"
	"legctl/rig"
	"legctl/telemetry"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// StateEvery is the time between two state messages.
const StateEvery = 50 * time.Millisecond

// pendingSize is how many commands may wait for their tick's answer.
const pendingSize = 128

// Inbox takes a command on its way to the tick and never waits. full means it
// was not taken; replaced is the ID of an older command that will not be
// answered because of this one, 0 = none. It is called from one goroutine at a
// time.
type Inbox func(cmd control.Command) (full bool, replaced uint64)

// BridgeOptions say where a Bridge connects.
type BridgeOptions struct {
	Broker string                                  // host:port
	Keeps  func(topic string, payload []byte) bool // is this kept by the broker? nil: the retain flag tells
	Warn   func(message string, err error)         // connection lost and the like; nil: nobody is told
	Lost   time.Duration                           // how long the first connection may take; 0 = 5 s
}

// Bridge joins one rig to a broker. Tick may be called from one goroutine while
// messages come in on another.
type Bridge struct {
	names *telemetry.Names
	inbox Inbox
	opts  BridgeOptions
	base  string // legctl/<rig>
	dt    float64

	client paho.Client
	queue  *queue
	stop   chan struct{}
	done   sync.WaitGroup

	mu      sync.Mutex
	next    uint64
	pending []waiting // oldest first
	cleared map[string]int

	since telemetry.Since // of Tick alone
	prev  control.Event
	last  time.Time
}

// waiting is a command whose answer has not come.
type waiting struct {
	id    uint64
	raw   json.RawMessage
	topic string
}

// NewBridge connects to a broker and announces the rig. dt is the length of a
// tick, seconds. The rig is online until Close, or until the broker misses it.
func NewBridge(names *telemetry.Names, dt float64, inbox Inbox, o BridgeOptions) (*Bridge, error) {
	if !telemetry.ValidRig(names.Rig) {
		return nil, fmt.Errorf("mqtt: rig name %q, want [a-z0-9][a-z0-9_-]*: it stands in topics", names.Rig)
	}
	b := &Bridge{
		names: names, inbox: inbox, opts: o, base: "legctl/" + names.Rig, dt: dt,
		queue: newQueue(), stop: make(chan struct{}), cleared: map[string]int{},
	}
	if err := b.connect(); err != nil {
		return nil, err
	}
	b.done.Add(1)
	go b.publish()
	return b, nil
}

// Tick takes the result of one tick. It never waits and keeps nothing of out
// and obs; obs may be nil.
func (b *Bridge) Tick(out *control.Output, obs *rig.Observation) {
	if out.Reply.ID != 0 {
		b.answer(&out.Reply, out.Tick)
	}
	for _, e := range b.names.Events(out, b.prev, b.dt) {
		b.send("event", 1, e)
	}
	b.prev = out.Events
	b.since.Add(out)
	if now := time.Now(); now.Sub(b.last) >= StateEvery-2*time.Millisecond {
		b.last = now
		s := b.names.State(out, obs, &b.since, b.dt)
		s.Dropped = b.queue.lost()
		b.since = telemetry.Since{}
		if raw, err := json.Marshal(s); err == nil {
			b.queue.putLatest(message{topic: b.base + "/state", body: raw})
		}
	}
}

// answer publishes what a tick said of a command.
func (b *Bridge) answer(r *control.Reply, tick uint64) {
	if w, ok := b.settle(r.ID); ok {
		b.send("reply", 1, b.names.Answer(w.raw, r, tick))
	}
}

// settle takes a command out of those that wait.
func (b *Bridge) settle(id uint64) (waiting, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, w := range b.pending {
		if w.id == id {
			b.pending = append(b.pending[:i], b.pending[i+1:]...)
			return w, true
		}
	}
	return waiting{}, false
}

// enter numbers a command and remembers whom to answer; the oldest is forgotten
// when too many wait (their ticks have lost the answer).
func (b *Bridge) enter(raw json.RawMessage, topic string) uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.pending) == pendingSize {
		b.pending = append(b.pending[:0], b.pending[1:]...)
	}
	b.next++
	b.pending = append(b.pending, waiting{b.next, raw, topic})
	return b.next
}

// receive handles one message on cmd/#. It runs in the client's goroutine and
// must not wait for a token.
func (b *Bridge) receive(_ paho.Client, m paho.Message) {
	name := strings.TrimPrefix(m.Topic(), b.base+"/cmd/")
	if b.ownClear(m) {
		return
	}
	var req telemetry.Request
	err := b.names.Decode(&req, name, m.Payload())
	if b.kept(m) {
		err = fmt.Errorf("mqtt: %s: retained messages on cmd are refused: send it without the retain flag", name)
	}
	if err != nil {
		b.send("reply", 1, telemetry.Refused(req.ID, name, err))
		return
	}
	req.Cmd.ID = b.enter(req.ID, name)
	full, old := b.inbox(req.Cmd)
	if full {
		b.refuse(req.Cmd.ID, "too many commands wait for their tick: send fewer a second")
	}
	if old != 0 {
		b.refuse(old, "a newer one came before its tick")
	}
}

// refuse answers a command that no tick will see.
func (b *Bridge) refuse(id uint64, why string) {
	if w, ok := b.settle(id); ok {
		b.send("reply", 1, telemetry.Refused(w.raw, w.topic, fmt.Errorf("mqtt: %s: %s", w.topic, why)))
	}
}

// kept reports whether m was sent to be kept. Such a message is taken off an
// embedded broker again, so that it does not lie in wait for the next one who
// subscribes.
func (b *Bridge) kept(m paho.Message) bool {
	if m.Retained() || b.opts.Keeps == nil || len(m.Payload()) == 0 {
		return m.Retained()
	}
	if !b.opts.Keeps(m.Topic(), m.Payload()) {
		return false
	}
	b.mu.Lock()
	b.cleared[m.Topic()]++
	b.mu.Unlock()
	b.queue.put(message{topic: m.Topic(), retain: true})
	return true
}

// ownClear reports whether m is the empty message by which kept removed
// another, or by which somebody else did.
func (b *Bridge) ownClear(m paho.Message) bool {
	if len(m.Payload()) > 0 {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cleared[m.Topic()] > 0 {
		b.cleared[m.Topic()]--
		return true
	}
	return m.Retained()
}

// send queues a message below the rig's base topic.
func (b *Bridge) send(name string, qos byte, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		b.warn("a message could not be written", err)
		return
	}
	b.queue.put(message{topic: b.base + "/" + name, body: raw, qos: qos})
}

func (b *Bridge) warn(what string, err error) {
	if b.opts.Warn != nil {
		b.opts.Warn(what, err)
	}
}
