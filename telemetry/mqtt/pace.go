package mqtt

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"legctl/telemetry"
)

// Rates are messages a second by topic: state and status. 0 turns a topic off;
// of status it leaves what is sent on change. A nil map is DefaultRates; a topic
// that is left out has its default.
type Rates map[string]float64

// MaxRate is the highest rate of a topic, messages a second.
const MaxRate = 1000

// DefaultRates returns the rates without any wish: 20 states a second; a status
// a second, and one more whenever one of its words changes.
func DefaultRates() Rates { return Rates{"state": 20, "status": 1} }

// ParseRates reads TOPIC=HZ, each a wish that differs from DefaultRates.
func ParseRates(wishes []string) (Rates, error) {
	r := DefaultRates()
	for _, w := range wishes {
		topic, text, ok := strings.Cut(w, "=")
		hz, err := strconv.ParseFloat(text, 64)
		if !ok || err != nil {
			return nil, fmt.Errorf("mqtt: rate %q, want TOPIC=HZ such as state=10", w)
		}
		r[topic] = hz
		if err := r.check(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r Rates) check() error {
	known := slices.Sorted(maps.Keys(DefaultRates()))
	for topic, hz := range r {
		if !slices.Contains(known, topic) {
			return fmt.Errorf("mqtt: rate of topic %q; known: %s", topic, strings.Join(known, ", "))
		}
		if !(hz >= 0 && hz <= MaxRate) {
			return fmt.Errorf("mqtt: rate of %s: %g a second, want 0 to %d", topic, hz, MaxRate)
		}
	}
	return nil
}

// beat says when a topic is due.
type beat struct {
	every time.Duration // 0 = never
	last  time.Time
}

// early is how much too soon a message may be: ticks come when they come.
const early = 2 * time.Millisecond

func beatOf(hz float64) beat {
	if hz == 0 {
		return beat{}
	}
	return beat{every: time.Duration(float64(time.Second) / hz)}
}

func (b *beat) due(now time.Time) bool {
	if b.every == 0 || now.Sub(b.last) < b.every-min(early, b.every/4) {
		return false
	}
	// A message that is late does not put the next one off.
	if b.last = b.last.Add(b.every); now.Before(b.last) || now.Sub(b.last) > b.every {
		b.last = now
	}
	return true
}

// statusGap is the shortest time between two statuses, however much changes.
const statusGap = 50 * time.Millisecond

// pacer decides in which ticks what is published. It belongs to Tick.
type pacer struct {
	given   Rates
	state   beat
	status  beat
	words   telemetry.Words
	owed    bool // the words changed and no status has said so
	first   bool // a status was sent
	said    time.Time
	since   telemetry.Since
	watcher telemetry.Watcher
	tally   telemetry.Tally
}

func newPacer(r Rates) (pacer, error) {
	all := DefaultRates()
	maps.Copy(all, r)
	if err := all.check(); err != nil {
		return pacer{}, err
	}
	return pacer{given: all, state: beatOf(all["state"]), status: beatOf(all["status"])}, nil
}

func (p *pacer) rates() map[string]float64 { return maps.Clone(p.given) }

// news reports whether a status is to be sent.
func (p *pacer) news(w telemetry.Words, now time.Time) bool {
	p.owed = p.owed || w != p.words || !p.first
	p.words = w
	switch {
	case p.owed && now.Sub(p.said) >= statusGap:
	case !p.status.due(now):
		return false
	}
	p.owed, p.first, p.said, p.status.last = false, true, now, now
	return true
}
