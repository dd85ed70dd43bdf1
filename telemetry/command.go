package telemetry

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Decode reads the payload of legctl/<rig>/cmd/<name>. Keys are matched
// exactly; an unknown or repeated key, a value of the wrong kind, a number that
// is not finite, a missing key and a payload above MaxPayload are refused.
// The id is in dst as soon as it could be read, also when the rest is refused.
// An empty payload counts as {}. A returned error is always a *Refusal.
func (n *Names) Decode(dst *Request, name string, payload []byte) error {
	*dst = Request{}
	t, err := topicOf(name)
	if len(payload) > MaxPayload {
		return tooLong(name, len(payload))
	}
	members, parseErr := object(payload)
	dst.ID = idOf(members)
	if err = errors.Join(err, parseErr); err == nil {
		dst.topic, dst.Cmd.Kind = t, t.kind
		err = n.fill(dst, members)
	}
	var r *Refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &r):
		r.Topic = name
		return r
	}
	return &Refusal{Topic: clip(name), What: strings.ReplaceAll(err.Error(), "\n", "; ")}
}

func tooLong(name string, n int) *Refusal {
	return &Refusal{
		Topic: clip(name), What: fmt.Sprintf("payload of %d bytes, at most %d", n, MaxPayload),
		Value: Num(n), Bound: MaxPayload, HasNum: true,
	}
}

// topicOf finds the row of a topic word.
func topicOf(name string) (*topic, error) {
	for i := range topics {
		if topics[i].name == name {
			return &topics[i], nil
		}
	}
	return nil, unknown("topic", name, Topics())
}

// fill sets the fields of r from the members of the payload.
func (n *Names) fill(r *Request, members []member) error {
	t := r.topic
	for _, m := range members {
		if done, err := r.common(members, m); done || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		f := t.field(m.key)
		if f == nil {
			return unknown("key", m.key, t.keys())
		}
		if err := n.set(r, f, m.value); err != nil {
			return err
		}
	}
	return t.complete(members)
}

// common reads the keys every topic takes.
func (r *Request) common(members []member, m member) (done bool, err error) {
	switch m.key {
	case "id":
		if idOf(members) == nil {
			return true, fmt.Errorf("id: want a string or a number of at most %d bytes", maxID)
		}
		return true, nil
	case "lease":
		if json.Unmarshal(m.value, &r.Lease) != nil || m.value[0] != '"' {
			return true, fmt.Errorf("lease: want the name of its holder in quotes, got %s", short(m.value))
		}
		return true, nil
	}
	return false, nil
}

// complete checks that no required key is missing and no key stands in two
// forms.
func (t *topic) complete(members []member) error {
	for i := range t.fields {
		if f := &t.fields[i]; f.required && !has(members, f.key) {
			return fmt.Errorf("key %q is missing; keys: %s", f.key, strings.Join(t.keys(), ", "))
		}
	}
	for _, c := range clashes {
		if t.field(c[0]) != nil && has(members, c[0]) && has(members, c[1]) {
			return fmt.Errorf("keys %q and %q say the same: send one of them", c[0], c[1])
		}
	}
	return nil
}

func (t *topic) field(key string) *field {
	for i := range t.fields {
		if t.fields[i].key == key {
			return &t.fields[i]
		}
	}
	return nil
}

// keys returns the keys a topic takes, id and lease last.
func (t *topic) keys() []string {
	var keys []string
	for i := range t.fields {
		keys = append(keys, t.fields[i].key)
	}
	return append(keys, "id", "lease")
}

// set reads one value into r.
func (n *Names) set(r *Request, f *field, raw json.RawMessage) error {
	switch {
	case f.num != nil:
		v, err := floatOf(f.key, f.unit, raw)
		*f.num(r) = v
		return err
	case f.vec != nil:
		v, err := vectorOf(f, raw)
		if err != nil {
			return err
		}
		return f.vec(r, v)
	case f.shares != nil:
		return f.setShares(n, r, raw)
	case f.text != nil:
		var s string
		if json.Unmarshal(raw, &s) != nil || raw[0] != '"' {
			return fmt.Errorf("%s: want a name in quotes, got %s", f.key, short(raw))
		}
		return f.text(n, r, s)
	}
	var v bool
	if json.Unmarshal(raw, &v) != nil || raw[0] == 'n' {
		return fmt.Errorf("%s: want true or false, got %s", f.key, short(raw))
	}
	f.flag(r, v)
	return nil
}
