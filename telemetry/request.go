package telemetry

import (
	"encoding/json"

	"legctl/control"
)

// MaxPayload is the largest command message taken, bytes.
const MaxPayload = 64 << 10

// maxID is the longest id echoed, bytes of JSON.
const maxID = 128

// Request is a decoded command message.
type Request struct {
	ID    json.RawMessage // a JSON string or number to echo; nil = none was sent
	Cmd   control.Command // Cmd.ID is 0: whoever sends it on numbers it; Kind None: not for the tick
	Lease string          // under whose lease it is sent; "" = nobody's
	Ask   LeaseAsk        // of topic lease
	Watch Watch           // of topic watch
	topic *topic
}

// Refusal says why a message was not taken. Its text names the topic, the value
// and the bound.
type Refusal struct {
	Topic  string // the word after cmd/
	What   string
	Value  Num // the number that was refused, with HasNum
	Bound  Num
	HasNum bool
	Holder string // who holds the lease, when that is why
}

// Error implements error.
func (r *Refusal) Error() string { return "telemetry: " + r.Topic + ": " + r.What }

// Watch asks for a topic in another form for a while.
type Watch struct {
	Topic  string
	Format string
	TTL    float64 // s; 0 = DefaultWatch
}

// DefaultWatch and MaxWatch are how long an answered watch lasts, seconds.
const (
	DefaultWatch = 60
	MaxWatch     = 3600
)

// Topic returns the word after cmd/ the request came on, "" before Decode.
func (r *Request) Topic() string {
	if r.topic == nil {
		return ""
	}
	return r.topic.name
}
