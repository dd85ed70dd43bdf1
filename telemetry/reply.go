package telemetry

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"legctl/control"
	"legctl/control/mode"
)

// Reply is the message on legctl/<rig>/reply: the answer to one command.
type Reply struct {
	ID       json.RawMessage `json:"id,omitempty" doc:"as it was sent"`
	Topic    string          `json:"topic" doc:"the word after cmd/"`
	Accepted bool            `json:"accepted" doc:"whether it is carried out"`
	Reason   string          `json:"reason,omitempty" doc:"why not"`
	Value    *Num            `json:"value,omitempty" doc:"what was refused"`
	Bound    *Num            `json:"bound,omitempty" doc:"and the limit it broke"`
	Tick     uint64          `json:"tick,omitempty" doc:"the tick that answered"`
	Holder   string          `json:"holder,omitempty" doc:"who holds the lease, when that is why"`
}

// Answer makes the reply to a command from what the tick said of it.
func (n *Names) Answer(id json.RawMessage, r *control.Reply, tick uint64) *Reply {
	m := &Reply{ID: id, Topic: KindName(r.Kind), Accepted: r.Reason == control.Accepted, Tick: tick}
	if m.Accepted {
		return m
	}
	m.Reason = fmt.Sprintf("control: %s: %s", m.Topic, ReasonName(r.Reason))
	switch r.Reason {
	case control.NotFinite, control.OutOfRange, control.LastLegs:
		v, b := Num(r.Value), Num(r.Bound)
		m.Value, m.Bound = &v, &b
		m.Reason += fmt.Sprintf(": value %.4g, bound %.4g", r.Value, r.Bound)
	case control.IllegalMode:
		now := mode.Mode(r.Value)
		m.Reason += fmt.Sprintf(" (%v); legal now: %s", now, strings.Join(legal(now), ", "))
	case control.NotSuited:
		if i := int(r.Value); i < len(n.Why) && n.Why[i] != "" {
			m.Reason += fmt.Sprintf(": %s: %s", n.Gait(uint16(i)), n.Why[i])
		}
	}
	return m
}

// legal returns the words of the commands a mode accepts.
func legal(m mode.Mode) []string {
	var words []string
	for set := mode.Legal(m); set != 0; set &= set - 1 {
		words = append(words, mode.Input(bits.TrailingZeros32(set)).String())
	}
	return words
}

// Refused makes the reply to a message that was refused before any tick saw it.
// Any error will do; a *Refusal brings its value and bound.
func Refused(id json.RawMessage, topic string, err error) *Reply {
	m := &Reply{ID: id, Topic: topic, Reason: err.Error()}
	var r *Refusal
	if !errors.As(err, &r) {
		return m
	}
	m.Holder = r.Holder
	if r.HasNum {
		v, b := r.Value, r.Bound
		m.Value, m.Bound = &v, &b
	}
	return m
}

// Taken makes the reply to a request that was carried out before any tick.
func Taken(r *Request) *Reply { return &Reply{ID: r.ID, Topic: r.Topic(), Accepted: true} }
