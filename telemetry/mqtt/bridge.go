package mqtt

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"legctl/control"
	"legctl/rig"
	"legctl/telemetry"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// pendingSize is how many commands may wait for their tick's answer.
const pendingSize = 128

// Inbox takes a command on its way to the tick and never waits. full means it
// was not taken; replaced is the ID of an older command that will not be
// answered because of this one, 0 = none. Several goroutines call it.
type Inbox func(cmd control.Command) (full bool, replaced uint64)

// BridgeOptions say where a Bridge connects and what it publishes.
type BridgeOptions struct {
	Broker string                                  // host:port, or an address of ParseAddress
	Keeps  func(topic string, payload []byte) bool // is this kept by the broker? nil: the retain flag tells
	Warn   func(message string, err error)         // connection lost and the like; nil: nobody is told
	Lost   time.Duration                           // how long the first connection may take; 0 = 5 s

	Rates      Rates            // messages a second; the zero value is DefaultRates
	StateQoS   byte             // 0, or 1: the broker confirms each state
	Spool      string           // folder for durable messages; "" = they wait in memory
	SpoolBytes int              // how much waits at most; 0 = SpoolLimit
	Lease      *telemetry.Lease // shared with other ways in; nil: the bridge's own
	Discovery  bool             // announce the rig to Home Assistant
	Prefix     string           // where Home Assistant looks; "" = its default
	Version    string           // of the program, for the birth message

	own *Broker // whose own user joins
}

// Join returns the options by which the rig's own bridge joins the broker; add
// to them what else is wanted.
func (b *Broker) Join() BridgeOptions {
	return BridgeOptions{Broker: b.Addr(), Keeps: b.Keeps, own: b}
}

// Bridge joins one rig to a broker. Tick may be called from one goroutine while
// messages come in on another.
type Bridge struct {
	names *telemetry.Names
	inbox Inbox
	opts  BridgeOptions
	addr  Address
	base  string // legctl/<rig>
	dt    float64
	lease *telemetry.Lease

	client paho.Client
	sender *sender
	births []message // what is said again after every connection
	deaf   func()    // ends the news of the lease

	mu      sync.Mutex
	next    uint64
	pending []waiting // oldest first
	cleared map[string]int
	watched map[string]time.Time // by topic, until when CBOR is wanted
	last    control.Output       // of the last tick, without its slices
	again   time.Time            // when announce is due once more, zero = it is not
	halting bool                 // a stop found the inbox full
	counts  map[string]uint64    // of what was refused before its tick, by why

	pace pacer // of Tick alone
}

// waiting is a command whose answer has not come.
type waiting struct {
	id     uint64
	raw    json.RawMessage
	topic  string
	binary bool
}

// NewBridge connects to a broker and announces the rig. dt is the length of a
// tick, seconds. The rig is online until Close, or until the broker misses it.
func NewBridge(names *telemetry.Names, dt float64, inbox Inbox, o BridgeOptions) (*Bridge, error) {
	if !telemetry.ValidRig(names.Rig) {
		return nil, fmt.Errorf("mqtt: rig name %q, want [a-z0-9][a-z0-9_-]*: it stands in topics", names.Rig)
	}
	b := &Bridge{
		names: names, inbox: inbox, opts: o, base: "legctl/" + names.Rig, dt: dt, lease: o.Lease,
		cleared: map[string]int{}, watched: map[string]time.Time{}, counts: map[string]uint64{},
	}
	if b.lease == nil {
		b.lease = &telemetry.Lease{}
	}
	if err := b.prepare(); err != nil {
		return nil, err
	}
	if err := b.connect(); err != nil {
		_ = b.sender.spool.close() // the first error says why
		return nil, err
	}
	b.deaf = b.lease.Notify(b.leaseChanged)
	b.sender.start(b.client)
	return b, nil
}

// prepare checks the options and opens the spool.
func (b *Bridge) prepare() error {
	var err error
	if b.addr, err = ParseAddress(b.opts.Broker); err != nil {
		return err
	}
	if b.opts.StateQoS > 1 {
		return fmt.Errorf("mqtt: quality of service %d for states, want 0 or 1", b.opts.StateQoS)
	}
	if b.pace, err = newPacer(b.opts.Rates); err != nil {
		return err
	}
	if err := b.birth(); err != nil {
		return err
	}
	s, err := openSpool(b.opts.Spool, b.opts.SpoolBytes)
	if err != nil {
		return err
	}
	b.sender = newSender(s, b.warn)
	return nil
}

// birth makes the retained messages that say what the rig is.
func (b *Bridge) birth() error {
	info := b.names.Info(b.opts.Version, b.dt, b.pace.rates(), b.opts.Spool != "")
	raw, err := encode(info, false)
	if err != nil {
		return err
	}
	b.births = []message{{topic: b.base + "/info", body: raw, qos: 1, retain: true}}
	if !b.opts.Discovery {
		return nil
	}
	topic, device, err := b.names.HomeAssistant(b.opts.Prefix, b.opts.Version)
	if err != nil {
		return err
	}
	if raw, err = encode(device, false); err != nil {
		return err
	}
	b.births = append(b.births, message{topic: topic, body: raw, qos: 1, retain: true})
	return nil
}

// Tick takes the result of one tick. It never waits and keeps nothing of out
// and obs; obs may be nil.
func (b *Bridge) Tick(out *control.Output, obs *rig.Observation) {
	now := time.Now()
	b.remember(out, now)
	if out.Reply.ID != 0 {
		b.answer(&out.Reply, out.Tick)
	}
	b.lease.Expire(now)
	for _, e := range b.pace.watcher.Look(b.names, out, obs, b.dt) {
		b.event(&e)
	}
	b.pace.since.Add(out)
	b.pace.tally.Add(out, obs, b.dt)
	if b.pace.state.due(now) {
		s := b.names.State(out, obs, &b.pace.since, b.dt)
		s.Dropped = b.dropped()
		b.pace.since = telemetry.Since{}
		b.latest("state", b.opts.StateQoS, false, s, now)
	}
	if b.pace.news(telemetry.WordsOf(out, obs), now) {
		s := b.names.Status(out, obs, b.dt)
		s.Dropped = b.dropped()
		s.Lease, _ = b.lease.Holder(now)
		b.latest("status", 0, true, s, now)
	}
}

// remember keeps what an event between two ticks needs to say, orders the stop
// that found no room before, and announces the rig for the second time.
func (b *Bridge) remember(out *control.Output, now time.Time) {
	b.mu.Lock()
	b.last = *out
	b.last.Legs, b.last.Set.Q = nil, nil
	halt, announce := b.halting, !b.again.IsZero() && now.After(b.again)
	b.halting = false
	if announce {
		b.again = time.Time{}
	}
	b.mu.Unlock()
	if halt {
		b.halt()
	}
	if announce {
		b.announce()
	}
}

// event queues a durable message and, where somebody asked for it, its CBOR.
func (b *Bridge) event(e *telemetry.Event) {
	e.Seq = b.sender.spool.next()
	b.durable("event", e.Seq, e)
	if b.isWatched("event", time.Now()) {
		b.send("event"+cborLevel, 1, e)
	}
}

func (b *Bridge) durable(name string, seq uint64, v any) {
	raw, err := encode(v, false)
	if err != nil {
		b.warn("a message could not be written", err)
		return
	}
	b.sender.durable.put(message{topic: b.base + "/" + name, body: raw, qos: 1, seq: seq})
}

// latest queues a message of which only the newest counts, unless each is to be
// confirmed.
func (b *Bridge) latest(name string, qos byte, retain bool, v any, now time.Time) {
	put := b.sender.queue.putLatest
	if qos > 0 {
		put = b.sender.queue.put
	}
	if raw, err := encode(v, false); err == nil {
		put(message{topic: b.base + "/" + name, body: raw, qos: qos, retain: retain})
	}
	if !b.isWatched(name, now) {
		return
	}
	if raw, err := encode(v, true); err == nil {
		put(message{topic: b.base + "/" + name + cborLevel, body: raw, qos: qos})
	}
}

// isWatched reports whether somebody wants a topic in CBOR.
func (b *Bridge) isWatched(name string, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return now.Before(b.watched[name])
}

// send queues a message below the rig's base topic.
func (b *Bridge) send(name string, qos byte, v any) {
	raw, err := encode(v, len(name) > len(cborLevel) && name[len(name)-len(cborLevel):] == cborLevel)
	if err != nil {
		b.warn("a message could not be written", err)
		return
	}
	b.sender.queue.put(message{topic: b.base + "/" + name, body: raw, qos: qos})
}

// sendReply queues a reply in the form the command came in.
func (b *Bridge) sendReply(r *telemetry.Reply, binary bool) {
	if binary {
		b.send("reply"+cborLevel, 1, r)
		return
	}
	b.send("reply", 1, r)
}

func (b *Bridge) warn(what string, err error) {
	if b.opts.Warn != nil {
		b.opts.Warn(what, err)
	}
}

// dropped returns how many messages were lost on their way to the broker.
func (b *Bridge) dropped() uint64 {
	_, lost := b.sender.spool.waiting()
	return b.sender.queue.lost() + b.sender.durable.lost() + lost
}
