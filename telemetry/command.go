package telemetry

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"legctl/control"
	"legctl/control/mode"
)

// MaxPayload is the largest command message taken, bytes.
const MaxPayload = 64 << 10

// maxID is the longest id echoed, bytes of JSON.
const maxID = 128

// Request is a decoded command message.
type Request struct {
	ID  json.RawMessage // a JSON string or number to echo; nil = none was sent
	Cmd control.Command // Cmd.ID is 0: whoever sends it on numbers it
}

// Refusal says why a message was not taken. Its text names the topic, the value
// and the bound.
type Refusal struct {
	Topic  string // the word after cmd/
	What   string
	Value  Num // the number that was refused, with HasNum
	Bound  Num
	HasNum bool
}

// Error implements error.
func (r *Refusal) Error() string { return "telemetry: " + r.Topic + ": " + r.What }

// field is one key a topic knows. num takes a number in the unit named, text
// reads a name, flag a truth value; exactly one of them is set.
type field struct {
	key      string
	unit     string
	required bool
	num      func(c *control.Command) *float64
	text     func(n *Names, c *control.Command, s string) error
	flag     func(c *control.Command, v bool)
}

// topic is what one word after cmd/ takes.
type topic struct {
	name   string
	kind   control.Kind
	fields []field
}

func number(key, unit string, at func(c *control.Command) *float64) field {
	return field{key: key, unit: unit, num: at}
}

func (f field) must() field { f.required = true; return f }

// topics is the whole table; style is answered apart, see Decode.
var topics = [...]topic{
	{"twist", control.KindTwist, []field{
		number("vx", "m/s", func(c *control.Command) *float64 { return &c.Vx }),
		number("vy", "m/s", func(c *control.Command) *float64 { return &c.Vy }),
		number("wz", "rad/s", func(c *control.Command) *float64 { return &c.Wz }),
		number("ttl", "s", func(c *control.Command) *float64 { return &c.TTL }),
	}},
	{"goto", control.KindGoto, []field{
		number("x", "m", func(c *control.Command) *float64 { return &c.X }).must(),
		number("y", "m", func(c *control.Command) *float64 { return &c.Y }).must(),
	}},
	{"stop", control.KindStop, nil},
	{"gait", control.KindGait, []field{{key: "gait", required: true, text: gaitOf}}},
	{"pose", control.KindPose, []field{
		number("x", "m", func(c *control.Command) *float64 { return &c.Offset.X }),
		number("y", "m", func(c *control.Command) *float64 { return &c.Offset.Y }),
		number("z", "m", func(c *control.Command) *float64 { return &c.Offset.Z }),
		number("roll", "rad", func(c *control.Command) *float64 { return &c.RPY.X }),
		number("pitch", "rad", func(c *control.Command) *float64 { return &c.RPY.Y }),
		number("yaw", "rad", func(c *control.Command) *float64 { return &c.RPY.Z }),
	}},
	{"height", control.KindHeight, []field{
		number("height", "m", func(c *control.Command) *float64 { return &c.Height }).must(),
	}},
	{"leg", control.KindLeg, []field{
		{key: "leg", required: true, text: legOf},
		{key: "on", required: true, flag: func(c *control.Command, v bool) { c.On = v }},
	}},
	{"mode", control.KindMode, []field{{key: "mode", required: true, text: modeOf}}},
}

// Topics returns the words that may follow legctl/<rig>/cmd/, in table order.
func Topics() []string {
	names := make([]string, 0, len(topics))
	for i := range topics {
		names = append(names, topics[i].name)
	}
	return names
}

// Decode reads the payload of legctl/<rig>/cmd/<name>. Keys are matched
// exactly; an unknown or repeated key, a value of the wrong kind, a number that
// is not finite, a missing key and a payload above MaxPayload are refused.
// The id is in dst as soon as it could be read, also when the rest is refused.
// An empty payload counts as {}. A returned error is always a *Refusal.
func (n *Names) Decode(dst *Request, name string, payload []byte) error {
	*dst = Request{}
	t, err := topicOf(name)
	if len(payload) > MaxPayload {
		return &Refusal{
			Topic: name, What: fmt.Sprintf("payload of %d bytes, at most %d", len(payload), MaxPayload),
			Value: Num(len(payload)), Bound: MaxPayload, HasNum: true,
		}
	}
	members, parseErr := object(payload)
	dst.ID = idOf(members)
	if err = errors.Join(err, parseErr); err == nil {
		dst.Cmd.Kind = t.kind
		err = n.fill(&dst.Cmd, t, members)
	}
	var r *Refusal
	switch {
	case err == nil:
		return nil
	case errors.As(err, &r):
		r.Topic = name
		return r
	}
	return &Refusal{Topic: name, What: strings.ReplaceAll(err.Error(), "\n", "; ")}
}

// topicOf finds the row of a topic word.
func topicOf(name string) (*topic, error) {
	if name == "style" {
		return nil, errors.New("styles come with a later release; topics now: " + strings.Join(Topics(), ", "))
	}
	for i := range topics {
		if topics[i].name == name {
			return &topics[i], nil
		}
	}
	return nil, unknown("topic", name, Topics())
}

// fill sets the fields of c from the members of the payload.
func (n *Names) fill(c *control.Command, t *topic, members []member) error {
	for _, m := range members {
		if m.key == "id" {
			if idOf(members) == nil {
				return fmt.Errorf("id: want a string or a number of at most %d bytes", maxID)
			}
			continue
		}
		f := t.field(m.key)
		if f == nil {
			return unknown("key", m.key, t.keys())
		}
		if err := n.set(c, f, m.value); err != nil {
			return err
		}
	}
	for i := range t.fields {
		if f := &t.fields[i]; f.required && !has(members, f.key) {
			return fmt.Errorf("key %q is missing; keys: %s", f.key, strings.Join(t.keys(), ", "))
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

// keys returns the keys a topic takes, id last.
func (t *topic) keys() []string {
	var keys []string
	for i := range t.fields {
		keys = append(keys, t.fields[i].key)
	}
	return append(keys, "id")
}

// set reads one value into c.
func (n *Names) set(c *control.Command, f *field, raw json.RawMessage) error {
	switch {
	case f.num != nil:
		v, err := floatOf(f.key, f.unit, raw)
		*f.num(c) = v
		return err
	case f.text != nil:
		var s string
		if json.Unmarshal(raw, &s) != nil || raw[0] != '"' {
			return fmt.Errorf("%s: want a name in quotes, got %s", f.key, short(raw))
		}
		return f.text(n, c, s)
	}
	var v bool
	if json.Unmarshal(raw, &v) != nil || raw[0] == 'n' {
		return fmt.Errorf("%s: want true or false, got %s", f.key, short(raw))
	}
	f.flag(c, v)
	return nil
}

func gaitOf(n *Names, c *control.Command, s string) error {
	i, ok := find(n.Gaits, s)
	if !ok {
		return unknown("gait", s, n.Gaits)
	}
	c.Gait = uint16(i)
	return nil
}

func legOf(n *Names, c *control.Command, s string) error {
	i, ok := find(n.Legs, s)
	if !ok {
		return unknown("leg", s, n.Legs)
	}
	c.Leg = int16(i)
	return nil
}

// orders are the words of the mode topic.
var orders = [...]mode.Input{mode.Arm, mode.Disarm, mode.Rise, mode.Clear}

// Orders returns the words the mode topic takes.
func Orders() []string {
	names := make([]string, 0, len(orders))
	for _, in := range orders {
		names = append(names, in.String())
	}
	return names
}

func modeOf(_ *Names, c *control.Command, s string) error {
	i, ok := find(Orders(), s)
	if !ok {
		return unknown("mode", s, Orders())
	}
	c.Mode = orders[i]
	return nil
}
