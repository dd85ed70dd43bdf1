package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"legctl/control"
	"legctl/telemetry"
)

// firstID is where the numbers of the page's commands begin, so that they are
// never those of another way in.
const firstID = 1 << 48

// pendingMost is how many commands may wait for their tick's answer.
const pendingMost = 256

// desk takes orders from viewers and from the API and answers each.
type desk struct {
	lease *telemetry.Lease

	mu      sync.Mutex
	server  *Server
	scene   *Scene
	next    uint64
	pending map[uint64]order
}

// order is one that waits for its tick.
type order struct {
	id    json.RawMessage
	topic string
	reply func(*telemetry.Reply)
	owner *viewer // nil: the API
	since time.Time
}

// request is an order as it is sent.
type request struct {
	ID   json.RawMessage `json:"id"`
	Do   string          `json:"do"`
	With json.RawMessage `json:"with"`
	As   string          `json:"as"` // who orders, when that is who holds the lease
}

// answer is a reply as viewers get it.
type answer struct {
	Type string `json:"type"`
	*telemetry.Reply
	Result any `json:"result,omitempty"`
}

func refusal(id json.RawMessage, topic, why string) answer {
	return answer{Type: "reply", Reply: telemetry.Refused(id, topic, errors.New("web: "+why))}
}

// reset begins with another scene; orders of the old one are refused.
func (d *desk) reset(s *Server, sc *Scene) {
	d.mu.Lock()
	old := d.pending
	d.server, d.scene, d.pending = s, sc, map[uint64]order{}
	if d.next == 0 {
		d.next = firstID
	}
	d.mu.Unlock()
	for _, o := range old {
		o.reply(telemetry.Refused(o.id, o.topic, errors.New("web: the scene was changed before its tick")))
	}
}

// leave forgets the orders of a viewer that has gone.
func (d *desk) leave(v *viewer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for n, o := range d.pending {
		if o.owner == v {
			delete(d.pending, n)
		}
	}
}

// take reads one message of a viewer.
func (d *desk) take(v *viewer, raw []byte) {
	var r request
	if err := json.Unmarshal(raw, &r); err != nil {
		v.say(refusal(nil, "", "not a message: want JSON such as {\"id\":1,\"do\":\"stop\"}: "+clip(err.Error())))
		return
	}
	if len(r.ID) > 128 {
		r.ID = nil
	}
	d.mu.Lock()
	sc := d.scene
	d.mu.Unlock()
	if sc == nil {
		v.say(refusal(r.ID, clip(r.Do), "nothing is shown yet"))
		return
	}
	if f, ok := deeds[r.Do]; ok {
		f(&deed{desk: d, scene: sc, viewer: v, request: r})
		return
	}
	d.command(sc, r, v, func(m *telemetry.Reply) { v.say(answer{Type: "reply", Reply: m}) })
}

// command sends a command of package telemetry to the tick. reply is called
// once, by any goroutine.
func (d *desk) command(sc *Scene, r request, owner *viewer, reply func(*telemetry.Reply)) {
	var req telemetry.Request
	err := sc.Names.Decode(&req, r.Do, r.With)
	if r.ID == nil {
		r.ID = req.ID
	}
	if req.Lease == "" {
		req.Lease = r.As
	}
	now := time.Now()
	if err == nil && d.lease != nil {
		if req.Cmd.Kind == control.KindNone {
			err = d.beyond(&req, now)
			if err == nil {
				reply(&telemetry.Reply{ID: r.ID, Topic: r.Do, Accepted: true})
				return
			}
		} else {
			err = d.lease.Admit(&req, now)
		}
	}
	if err == nil && req.Cmd.Kind == control.KindNone {
		err = fmt.Errorf("web: %s: not taken here: use MQTT", clip(r.Do))
	}
	if err != nil {
		reply(telemetry.Refused(r.ID, clip(r.Do), err))
		return
	}
	req.Cmd.ID = d.enter(order{id: r.ID, topic: r.Do, reply: reply, owner: owner, since: now})
	full, old := sc.Inbox(req.Cmd)
	if full {
		d.drop(req.Cmd.ID, "too many commands wait for their tick: send fewer a second")
	}
	if old != 0 {
		d.drop(old, "a newer one came before its tick")
	}
}

// beyond carries out what is not for the tick.
func (d *desk) beyond(req *telemetry.Request, now time.Time) error {
	if req.Ask.Action == "" {
		return fmt.Errorf("web: %s: not taken here: use MQTT", req.Topic())
	}
	return d.lease.Ask(req.Ask, now)
}

// holder returns who holds the lease, "" for nobody.
func (d *desk) holder(now time.Time) string {
	if d.lease == nil {
		return ""
	}
	name, _ := d.lease.Holder(now)
	return name
}

// enter numbers an order. When too many wait the oldest is refused: its tick
// lost the answer.
func (d *desk) enter(o order) uint64 {
	d.mu.Lock()
	var lost order
	if len(d.pending) >= pendingMost {
		var oldest uint64
		for n := range d.pending {
			if oldest == 0 || n < oldest {
				oldest = n
			}
		}
		lost = d.pending[oldest]
		delete(d.pending, oldest)
	}
	d.next++
	n := d.next
	d.pending[n] = o
	d.mu.Unlock()
	if lost.reply != nil {
		lost.reply(telemetry.Refused(lost.id, lost.topic, errors.New("web: its answer was lost")))
	}
	return n
}

// settle takes an order out of those that wait.
func (d *desk) settle(n uint64) (order, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	o, ok := d.pending[n]
	delete(d.pending, n)
	return o, ok
}

// answered passes on what a tick said.
func (d *desk) answered(r *control.Reply, tick uint64) {
	if r.ID < firstID {
		return
	}
	d.mu.Lock()
	sc := d.scene
	d.mu.Unlock()
	if o, ok := d.settle(r.ID); ok {
		o.reply(sc.Names.Answer(o.id, r, tick))
	}
}

// drop refuses an order that no tick will see.
func (d *desk) drop(n uint64, why string) {
	if o, ok := d.settle(n); ok {
		o.reply(telemetry.Refused(o.id, o.topic, errors.New("web: "+o.topic+": "+why)))
	}
}
