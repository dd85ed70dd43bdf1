package telemetry

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"legctl/control"
	"legctl/control/mode"
)

// The bounds of a lease, seconds. MaxHolder is the longest name of a holder,
// bytes.
const (
	DefaultLease = 2.0
	MinLease     = 0.2
	MaxLease     = 60.0
	MaxHolder    = 64
)

// LeaseAsk is what the lease topic asks for.
type LeaseAsk struct {
	Action string  // one of LeaseActions
	Holder string  // who asks
	TTL    float64 // s; 0 = DefaultLease
}

// LeaseActions returns the words of the key action.
func LeaseActions() []string { return []string{"acquire", "renew", "release", "take"} }

// The events of a lease, as they stand in Event.Event.
const (
	LeaseAcquired = "lease_acquired"
	LeaseTaken    = "lease_taken"
	LeaseReleased = "lease_released"
	LeaseExpired  = "lease_expired"
)

// LeaseChange says that the lease went from one operator to another. After each
// of them but LeaseAcquired the rig is to stop: whoever steered it does so no
// more.
type LeaseChange struct {
	Event string
	From  string // "" = it was free
	To    string // "" = it is free now
	TTL   float64
}

// Stop reports whether the rig is to stop.
func (c LeaseChange) Stop() bool { return c.Event != LeaseAcquired }

// Lease decides which of several operators may command a rig. While nobody
// holds it everybody may. It has a dead-man: without a renewal or a command of
// its holder it expires. The zero value is free; it may be shared by all ways in
// (MQTT, the page) and used by any goroutine. Time is handed in, so tests need
// no waiting; the functions of Notify are called outside its lock and must not
// wait.
type Lease struct {
	mu     sync.Mutex
	holder string
	ttl    time.Duration
	until  time.Time
	told   []*func(LeaseChange)
}

// Notify lets f hear of every change from now on, until cancel.
func (l *Lease) Notify(f func(LeaseChange)) (cancel func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = append(slices.Clone(l.told), &f)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.told = slices.DeleteFunc(slices.Clone(l.told), func(g *func(LeaseChange)) bool { return g == &f })
	}
}

// Ask carries out a request of the lease topic at the time now. An error is
// always a *Refusal.
func (l *Lease) Ask(a LeaseAsk, now time.Time) error {
	if err := a.check(); err != nil {
		return err
	}
	l.Expire(now)
	l.mu.Lock()
	change, err := l.ask(a, now)
	l.mu.Unlock()
	if err != nil {
		return err
	}
	l.tell(change)
	return nil
}

func (a *LeaseAsk) check() error {
	ttl := a.TTL
	if ttl == 0 {
		ttl = DefaultLease
	}
	bad := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case a.Holder == "" || len(a.Holder) > MaxHolder || strings.ContainsFunc(a.Holder, bad):
		return refuse("lease", fmt.Sprintf("holder %q, want 1 to %d printable characters", clip(a.Holder), MaxHolder))
	case ttl < MinLease || ttl > MaxLease:
		r := refuse("lease", fmt.Sprintf("ttl %g s, want %g to %g", ttl, MinLease, MaxLease))
		r.Value, r.Bound, r.HasNum = Num(ttl), MaxLease, true
		if ttl < MinLease {
			r.Bound = MinLease
		}
		return r
	}
	a.TTL = ttl
	return nil
}

// ask decides under the lock.
func (l *Lease) ask(a LeaseAsk, now time.Time) (c LeaseChange, err error) {
	c = LeaseChange{From: l.holder, To: a.Holder, TTL: a.TTL}
	mine := l.holder == a.Holder
	switch {
	case a.Action == "release" && mine:
		l.holder = ""
		return LeaseChange{Event: LeaseReleased, From: c.From}, nil
	case a.Action == "release":
		return c, l.notYours(now, "release")
	case mine:
	case a.Action == "renew":
		return c, l.notYours(now, "renew")
	case l.holder == "":
		c.Event = LeaseAcquired
	case a.Action == "take":
		c.Event = LeaseTaken
	default:
		r := l.notYours(now, "acquire")
		r.What += `; action "take" takes it over`
		return c, r
	}
	l.holder, l.ttl = a.Holder, time.Duration(a.TTL*float64(time.Second))
	l.until = now.Add(l.ttl)
	return c, nil
}

// notYours is the refusal that says who holds the lease, and for how long.
func (l *Lease) notYours(now time.Time, what string) *Refusal {
	r := refuse("lease", what+": nobody holds the lease: acquire it first")
	if l.holder != "" {
		r.Holder = l.holder
		r.What = fmt.Sprintf("%s: held by %q for %.1f s more", what, l.holder, l.until.Sub(now).Seconds())
	}
	return r
}

// Admit decides whether a command may go on to the tick, and counts it as a
// sign of life of its holder. An error is always a *Refusal that names the
// holder.
func (l *Lease) Admit(r *Request, now time.Time) error {
	l.Expire(now)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.holder != "" && r.Lease == l.holder:
		l.until = now.Add(l.ttl)
		return nil
	case l.holder == "" && r.Lease == "", r.free():
		return nil
	case l.holder == "":
		return refuse(r.Topic(), fmt.Sprintf("lease of %q: it has ended: acquire it again", clip(r.Lease)))
	}
	no := refuse(r.Topic(), fmt.Sprintf(`the lease is held by %q: acquire it and send "lease" with your name`, l.holder))
	no.Holder = l.holder
	return no
}

// free reports whether a request needs no lease: what makes a rig safe, and
// what never reaches it.
func (r *Request) free() bool {
	return r.topic == nil || r.topic.free || r.Cmd.Kind == control.KindMode && (r.Cmd.Mode == mode.Disarm || r.Cmd.Mode == mode.EStop)
}

// Expire ends a lease whose time is up.
func (l *Lease) Expire(now time.Time) {
	l.mu.Lock()
	var c LeaseChange
	if l.holder != "" && !now.Before(l.until) {
		c = LeaseChange{Event: LeaseExpired, From: l.holder}
		l.holder = ""
	}
	l.mu.Unlock()
	l.tell(c)
}

// Holder returns who holds the lease at the time now and for how long if
// nothing more is heard of him; "" when it is free.
func (l *Lease) Holder(now time.Time) (string, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holder == "" || !now.Before(l.until) {
		return "", 0
	}
	return l.holder, l.until.Sub(now)
}

func (l *Lease) tell(c LeaseChange) {
	if c.Event == "" {
		return
	}
	l.mu.Lock()
	told := l.told
	l.mu.Unlock()
	for _, f := range told {
		(*f)(c)
	}
}

func refuse(topic, what string) *Refusal { return &Refusal{Topic: topic, What: what} }
