package apidoc

import (
	"fmt"
	"reflect"
	"strings"

	"legctl/telemetry"
)

// ref is a reference within the document.
func ref(path string) Map { return Map{{"$ref", "#/" + path}} }

// asyncInfo is what the document says of itself.
const asyncInfo = `What a rig run by legctl says over MQTT and what it takes. Values are SI and radians, frames as in docs/frames.md; null stands where
a number is not finite. Every topic but online, info, lease and summary is there in CBOR as well, with /cbor at its end: a command sent that way is answered that
way, and cmd/watch asks for states. Retained commands are refused. See docs/mqtt.md.`

// AsyncAPI returns the AsyncAPI 3 document of all topics.
func AsyncAPI() Map {
	s := NewSchemas()
	var channels, operations, messages Map
	add := func(key, address, doc string, action string, payload Map, mqtt Map) {
		channels = append(channels, Pair{key, Map{
			{"address", address}, {"description", doc + "."},
			{"parameters", parameters(address)},
			{"messages", Map{{key, ref("components/messages/" + key)}}},
		}})
		operations = append(operations, Pair{action + strings.ToUpper(key[:1]) + key[1:], Map{
			{"action", action}, {"summary", doc + "."}, {"channel", ref("channels/" + key)},
			{"bindings", Map{{"mqtt", mqtt}}},
		}})
		messages = append(messages, Pair{key, Map{{"name", key}, {"contentType", "application/json"}, {"payload", payload}}})
	}
	for _, o := range telemetry.Outputs() {
		doc := o.Doc + "; " + o.When
		if o.Durable {
			doc += "; durable: waits while the broker is away"
		}
		add(o.Name, "legctl/{rig}/"+o.Name, doc, "send", s.Of(o.Type), Map{{"qos", o.QoS}, {"retain", o.Retained}, {"bindingVersion", "0.2.0"}})
	}
	for _, t := range telemetry.Describe() {
		add("cmd_"+t.Name, "legctl/{rig}/cmd/"+t.Name, t.Doc, "receive", CommandSchema(t), Map{{"qos", 0}, {"bindingVersion", "0.2.0"}})
	}
	add("homeassistant", "{prefix}/device/legctl_{rig}/config", "Discovery by Home Assistant, with --home-assistant; after each connection", "send",
		s.Of(reflect.TypeFor[telemetry.Device]()), Map{{"qos", 1}, {"retain", true}, {"bindingVersion", "0.2.0"}})
	vocabulary(s)
	return Map{
		{"asyncapi", "3.0.0"},
		{"info", Map{{"title", "legctl over MQTT"}, {"version", "1.0.0"}, {"description", strings.ReplaceAll(asyncInfo, "\n", " ")}}},
		{"defaultContentType", "application/json"},
		{"servers", Map{
			{"embedded", Map{{"host", "127.0.0.1:1883"}, {"protocol", "mqtt"}, {"protocolVersion", "3.1.1"}, {"description", "The broker inside legctl; with --mqtt-tls-cert on port 8883 over TLS."}}},
		}},
		{"channels", channels}, {"operations", operations},
		{"components", Map{{"messages", messages}, {"schemas", s.Map()}}},
	}
}

// parameters returns what stands in braces in an address.
func parameters(address string) Map {
	docs := map[string]string{"rig": "name of the rig, [a-z0-9][a-z0-9_-]*", "prefix": "where Home Assistant looks, homeassistant by default"}
	var m Map
	for _, part := range strings.Split(address, "{")[1:] {
		key, _, _ := strings.Cut(part, "}")
		m = append(m, Pair{key, Map{{"description", docs[key]}}})
	}
	return m
}

// vocabulary lists the words of fields that are texts from a table.
func vocabulary(s *Schemas) {
	words := map[string][]string{"event": telemetry.AllEvents(), "binding": telemetry.Bindings(), "mode": telemetry.Modes()}
	for i := range s.list {
		m, _ := s.list[i].Value.(Map)
		props, _ := m.Get("properties").(Map)
		for j, p := range props {
			field, _ := p.Value.(Map)
			if known := words[p.Key]; known != nil && field.Get("type") == "string" {
				props[j].Value = append(Map{field[0], {"enum", list(known)}}, field[1:]...)
			}
		}
	}
}

// MQTTTables returns the tables of docs/mqtt.md.
func MQTTTables() string {
	var b strings.Builder
	b.WriteString("### What a rig says\n\n| topic `legctl/<rig>/...` | what | when | QoS | kept |\n| --- | --- | --- | --- | --- |\n")
	for _, o := range telemetry.Outputs() {
		kept := "no"
		switch {
		case o.Retained:
			kept = "retained"
		case o.Durable:
			kept = "durable"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %d | %s |\n", o.Name, o.Doc, o.When, o.QoS, kept)
	}
	b.WriteString("\n### What a rig takes\n\n| topic `legctl/<rig>/cmd/...` | key | takes | what |\n| --- | --- | --- | --- |\n")
	for _, t := range telemetry.Describe() {
		fmt.Fprintf(&b, "| `%s` | | | %s |\n", t.Name, t.Doc)
		for _, k := range t.Keys {
			need := ""
			if k.Required {
				need = "; required"
			}
			fmt.Fprintf(&b, "| | `%s` | %s%s | %s |\n", k.Name, takes(k), need, k.Doc)
		}
	}
	b.WriteString("| every topic | | | |\n")
	for _, k := range telemetry.CommonKeys() {
		fmt.Fprintf(&b, "| | `%s` | text | %s |\n", k.Name, k.Doc)
	}
	b.WriteString("\n### What stands in the messages\n")
	s := NewSchemas()
	for _, o := range telemetry.Outputs() {
		s.Of(o.Type)
	}
	vocabulary(s)
	for _, p := range s.Map() {
		m, _ := p.Value.(Map)
		fmt.Fprintf(&b, "\n`%s`\n\n| key | type | what |\n| --- | --- | --- |\n", p.Key)
		props, _ := m.Get("properties").(Map)
		for _, f := range props {
			field, _ := f.Value.(Map)
			fmt.Fprintf(&b, "| `%s` | %s | %v |\n", f.Key, typeText(field), orDash(field.Get("description")))
		}
	}
	return b.String()
}

func orDash(v any) any {
	if v == nil {
		return "-"
	}
	return v
}

func takes(k telemetry.Key) string {
	switch k.Type {
	case telemetry.KeyNumber:
		return "number, " + k.Unit
	case telemetry.KeyFlag:
		return "true or false"
	case telemetry.KeyVector:
		return "x, y, z, " + k.Unit
	case telemetry.KeyShares:
		return "names with numbers"
	}
	if k.Words != nil {
		if words := fixed(k); words != nil {
			return "`" + strings.Join(words, "`, `") + "`"
		}
		return "name"
	}
	return "text"
}

// typeText says in a word what a schema allows.
func typeText(m Map) string {
	if r, ok := m.Get("$ref").(string); ok {
		return "`" + r[strings.LastIndex(r, "/")+1:] + "`"
	}
	switch t := m.Get("type").(type) {
	case string:
		switch t {
		case "array":
			items, _ := m.Get("items").(Map)
			return "list of " + typeText(items)
		case "object":
			items, _ := m.Get("additionalProperties").(Map)
			return "by name: " + typeText(items)
		}
		return t
	case []any:
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(t...), " ", " or "), "[]")
	}
	return "anything"
}
