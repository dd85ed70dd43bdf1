package mqtt

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"legctl/control"
	"legctl/telemetry"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// receive handles one message on cmd/#. It runs in the client's goroutine and
// must not wait for a token.
func (b *Bridge) receive(_ paho.Client, m paho.Message) {
	if b.ownClear(m) {
		return
	}
	name, binary := strings.CutSuffix(strings.TrimPrefix(m.Topic(), b.base+"/cmd/"), cborLevel)
	var req telemetry.Request
	why, err := b.read(&req, name, m, binary)
	if err == nil && req.Cmd.Kind == control.KindNone {
		err = b.carryOut(&req)
		if err == nil {
			b.sendReply(telemetry.Taken(&req), binary)
			return
		}
		why = "lease"
	}
	if err != nil {
		b.count(why)
		b.sendReply(telemetry.Refused(req.ID, name, err), binary)
		return
	}
	b.order(&req, name, binary)
}

// read decodes a message and decides whether it may go on.
func (b *Bridge) read(req *telemetry.Request, name string, m paho.Message, binary bool) (why string, err error) {
	body := m.Payload()
	if binary {
		if body, err = fromCBOR(body); err != nil {
			return "malformed", &telemetry.Refusal{Topic: clip(name), What: err.Error()}
		}
	}
	err = b.names.Decode(req, name, body)
	if b.kept(m) {
		return "retained", fmt.Errorf("mqtt: %s: retained messages on cmd are refused: send it without the retain flag", name)
	}
	if err != nil {
		return "malformed", err
	}
	return "lease", b.lease.Admit(req, time.Now())
}

// carryOut does what a request asks for that never reaches the tick.
func (b *Bridge) carryOut(r *telemetry.Request) error {
	now := time.Now()
	if r.Topic() == "lease" {
		return b.lease.Ask(r.Ask, now)
	}
	ttl := r.Watch.TTL
	if ttl == 0 {
		ttl = telemetry.DefaultWatch
	}
	if ttl < 0 || ttl > telemetry.MaxWatch {
		return &telemetry.Refusal{
			Topic: "watch", What: fmt.Sprintf("ttl %g s, want at most %d", ttl, telemetry.MaxWatch),
			Value: telemetry.Num(ttl), Bound: telemetry.MaxWatch, HasNum: true,
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if until := now.Add(time.Duration(ttl * float64(time.Second))); until.After(b.watched[r.Watch.Topic]) {
		b.watched[r.Watch.Topic] = until
	}
	return nil
}

// order hands a command to the tick.
func (b *Bridge) order(req *telemetry.Request, name string, binary bool) {
	req.Cmd.ID = b.enter(waiting{raw: req.ID, topic: name, binary: binary})
	full, old := b.inbox(req.Cmd)
	if full {
		b.count("full")
		b.refuse(req.Cmd.ID, "too many commands wait for their tick: send fewer a second")
	}
	if old != 0 {
		b.count("replaced")
		b.refuse(old, replaced)
	}
}

// replaced is why a command is refused that a newer one of its kind overtook.
const replaced = "a newer one came before its tick"

// Replaced reports whether a reply only says that a newer command of the same
// kind overtook this one, which is no trouble to one who streams twists.
func Replaced(r *telemetry.Reply) bool { return !r.Accepted && strings.HasSuffix(r.Reason, replaced) }

// leaseChanged announces a change of the lease and stops the rig where nobody
// steers it any more.
func (b *Bridge) leaseChanged(c telemetry.LeaseChange) {
	if c.Stop() {
		b.halt()
	}
	b.mu.Lock()
	e := b.names.EventOfLease(&b.last, c, b.dt)
	b.mu.Unlock()
	b.event(&e)
	b.tellLease(telemetry.LeaseStateOf(c))
}

func (b *Bridge) tellLease(s telemetry.LeaseState) {
	if raw, err := json.Marshal(s); err == nil {
		b.sender.queue.put(message{topic: b.base + "/lease", body: raw, qos: 1, retain: true})
	}
}

// halt stops the rig; if the inbox is full, at the next tick.
func (b *Bridge) halt() {
	full, old := b.inbox(control.Command{Kind: control.KindStop})
	if old != 0 {
		b.refuse(old, "the lease went to somebody else")
	}
	if full {
		b.mu.Lock()
		b.halting = true
		b.mu.Unlock()
	}
}

// answer publishes what a tick said of a command.
func (b *Bridge) answer(r *control.Reply, tick uint64) {
	if w, ok := b.settle(r.ID); ok {
		b.sendReply(b.names.Answer(w.raw, r, tick), w.binary)
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
func (b *Bridge) enter(w waiting) uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.pending) == pendingSize {
		b.pending = append(b.pending[:0], b.pending[1:]...)
	}
	b.next++
	w.id = b.next
	b.pending = append(b.pending, w)
	return b.next
}

// refuse answers a command that no tick will see.
func (b *Bridge) refuse(id uint64, why string) {
	if w, ok := b.settle(id); ok {
		b.sendReply(telemetry.Refused(w.raw, w.topic, fmt.Errorf("mqtt: %s: %s", w.topic, why)), w.binary)
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
	b.sender.queue.put(message{topic: m.Topic(), retain: true})
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

// count counts what is refused before its tick.
func (b *Bridge) count(why string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.counts[why]++
}

// Counts are what a Bridge has lost and refused so far.
type Counts struct {
	Connected bool
	Waiting   int               // durable messages that are not confirmed
	Queued    int               // other messages that wait
	Underway  int               // messages that were sent and are not confirmed
	Dropped   uint64            // messages lost for want of room
	Refused   map[string]uint64 // commands refused before their tick: malformed, retained, lease, full, replaced
}

// Counts returns the counts at this moment.
func (b *Bridge) Counts() Counts {
	n, _ := b.sender.spool.waiting()
	c := Counts{
		Connected: b.client.IsConnectionOpen(), Waiting: n, Queued: b.sender.queue.waits(), Underway: int(b.sender.waiting.Load()),
		Dropped: b.dropped(), Refused: map[string]uint64{},
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, v := range b.counts {
		c.Refused[k] = v
	}
	return c
}
