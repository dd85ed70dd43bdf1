package telemetry

import "reflect"

// Output describes a topic a rig publishes on, below legctl/<rig>/.
type Output struct {
	Name     string
	Doc      string
	Type     reflect.Type // of the payload
	QoS      int
	Retained bool
	Durable  bool // waits while the broker is away
	When     string
	CBOR     bool // also on <name>/cbor: replies to commands that came in CBOR, others when watched
}

// Outputs returns every topic a rig publishes on.
func Outputs() []Output {
	return []Output{
		{"state", "Everything about a tick: what a viewer draws", reflect.TypeFor[State](), 0, false, false, "20 times a second (--mqtt-rate state=HZ)", true},
		{"status", "The few values a dashboard shows", reflect.TypeFor[Status](), 0, true, false, "when one of its words changes, and once a second (--mqtt-rate status=HZ)", true},
		{"event", "What happened", reflect.TypeFor[Event](), 1, false, true, "when it happens", true},
		{"reply", "The answer to one command", reflect.TypeFor[Reply](), 1, false, false, "once for each command", true},
		{"lease", "Who may command", reflect.TypeFor[LeaseState](), 1, true, false, "when it changes", false},
		{"info", "What the rig is: its birth message", reflect.TypeFor[Info](), 1, true, false, "after each connection", false},
		{"online", "Whether the rig is there: true at birth; false at its end, or as its last will", reflect.TypeFor[bool](), 1, true, false, "after each connection, and at the end", false},
		{"summary", "How a run went", reflect.TypeFor[Summary](), 1, false, true, "at the end of a run", false},
	}
}
