package apidoc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"legctl/control"
	"legctl/rig"
	"legctl/telemetry"
	"legctl/telemetry/apidoc"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// document reads a document back as any tool would: through its YAML.
func document(t *testing.T, m apidoc.Map) map[string]any {
	t.Helper()
	var doc map[string]any
	if err := yaml.Unmarshal(apidoc.YAML(m), &doc); err != nil {
		t.Fatal(err)
	}
	var plain, direct map[string]any
	raw, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(m)
	if err := errors.Join(err, json.Unmarshal(raw, &plain), json.Unmarshal(text, &direct)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(plain, direct) {
		t.Error("the YAML does not say what the document says")
	}
	return plain
}

// at follows a path of keys.
func at(t *testing.T, doc any, path string) any {
	t.Helper()
	for _, key := range strings.Split(strings.TrimPrefix(path, "#/"), "/") {
		m, ok := doc.(map[string]any)
		if !ok || m[key] == nil {
			t.Errorf("%s: there is no %s", path, key)
			return nil
		}
		doc = m[key]
	}
	return doc
}

// refs calls see with every reference of a document.
func refs(v any, see func(string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if s, ok := e.(string); ok && k == "$ref" {
				see(s)
			}
			refs(e, see)
		}
	case []any:
		for _, e := range v {
			refs(e, see)
		}
	}
}

// asyncRules is the part of AsyncAPI 3.0.0 the document uses, as a JSON schema.
const asyncRules = `{
 "type":"object","required":["asyncapi","info"],"additionalProperties":false,
 "properties":{
  "asyncapi":{"const":"3.0.0"},"defaultContentType":{"type":"string"},
  "info":{"type":"object","required":["title","version"],"additionalProperties":false,"properties":{"title":{"type":"string"},"version":{"type":"string"},"description":{"type":"string"}}},
  "servers":{"type":"object","additionalProperties":{"type":"object","required":["host","protocol"],"additionalProperties":false,
    "properties":{"host":{"type":"string"},"protocol":{"enum":["mqtt","mqtts"]},"protocolVersion":{"type":"string"},"description":{"type":"string"}}}},
  "channels":{"type":"object","additionalProperties":{"type":"object","required":["address","messages"],"additionalProperties":false,
    "properties":{"address":{"type":"string"},"description":{"type":"string"},"messages":{"type":"object","minProperties":1},
     "parameters":{"type":"object","propertyNames":{"pattern":"^[A-Za-z0-9_\\-]+$"},"additionalProperties":{"type":"object","additionalProperties":false,"properties":{"description":{"type":"string"}}}}}}},
  "operations":{"type":"object","additionalProperties":{"type":"object","required":["action","channel"],"additionalProperties":false,
    "properties":{"action":{"enum":["send","receive"]},"summary":{"type":"string"},"channel":{"type":"object","required":["$ref"]},
     "bindings":{"type":"object","additionalProperties":false,"properties":{"mqtt":{"type":"object","additionalProperties":false,
       "properties":{"qos":{"enum":[0,1,2]},"retain":{"type":"boolean"},"bindingVersion":{"const":"0.2.0"}}}}}}}},
  "components":{"type":"object","additionalProperties":false,"properties":{"schemas":{"type":"object"},
    "messages":{"type":"object","additionalProperties":{"type":"object","required":["payload"],"additionalProperties":false,"properties":{"name":{"type":"string"},"contentType":{"type":"string"},"payload":{"type":"object"}}}}}}
 }}`

// compile compiles a schema found at a place of a document.
func compile(t *testing.T, doc any, place string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///doc.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///doc.json" + place)
	if err != nil {
		t.Fatalf("%s: %v", place, err)
	}
	return s
}

func TestAsyncAPIRules(t *testing.T) {
	doc := document(t, apidoc.AsyncAPI())
	var rules any
	if err := json.Unmarshal([]byte(asyncRules), &rules); err != nil {
		t.Fatal(err)
	}
	if err := compile(t, rules, "").Validate(any(doc)); err != nil {
		t.Error(err)
	}
	refs(doc, func(ref string) { at(t, doc, ref) })
	seen := map[string]bool{}
	channels, _ := at(t, doc, "channels").(map[string]any)
	for key, v := range channels {
		c, _ := v.(map[string]any)
		address, _ := c["address"].(string)
		if seen[address] || strings.ContainsAny(address, " +#") {
			t.Errorf("%s: address %q stands twice or is none", key, address)
		}
		seen[address] = true
		for _, part := range strings.Split(address, "{")[1:] {
			name, _, _ := strings.Cut(part, "}")
			at(t, doc, "channels/"+key+"/parameters/"+name)
		}
	}
	if len(channels) != len(telemetry.Outputs())+len(telemetry.Topics())+1 {
		t.Errorf("%d channels", len(channels))
	}
}

// message is a payload and the component it must satisfy.
type message struct {
	name string
	v    any
}

func messages() []message {
	names := &telemetry.Names{Rig: "ant", Legs: []string{"lf", "rf"}, Joints: []string{"a"}, Gaits: []string{"walk"}}
	out := &control.Output{
		Margin: math.Inf(-1), Events: control.EventWall, LiftOff: 1, BindLeg: 1,
		Legs: []control.LegOut{{Stance: true}, {}}, Set: rig.Setpoint{Q: []float64{math.NaN()}},
		Reply: control.Reply{ID: 1, Kind: control.KindHeight, Reason: control.OutOfRange, Value: 2, Bound: math.Inf(1)},
	}
	obs := &rig.Observation{Has: rig.HasPose | rig.HasServos, Battery: 11, Faults: 1, Servos: []rig.Sense{{Celsius: 40, Load: 0.5, Alarms: rig.AlarmHot}}}
	var w telemetry.Watcher
	var tally telemetry.Tally
	tally.Add(out, obs, 0.01)
	list := []message{
		{"state", names.State(out, obs, &telemetry.Since{Events: control.EventWall}, 0.01)},
		{"status", names.Status(out, obs, 0.01)},
		{"reply", names.Answer(json.RawMessage(`"x"`), &out.Reply, 3)},
		{"reply", telemetry.Refused(json.RawMessage(`7`), "twist", &telemetry.Refusal{Holder: "anna"})},
		{"lease", telemetry.LeaseStateOf(telemetry.LeaseChange{To: "anna", TTL: 2})},
		{"info", names.Info("v1", 0.01, map[string]float64{"state": 20}, true)},
		{"online", true},
		{"summary", tally.Summary("ant", time.Unix(0, 0))},
	}
	for _, e := range w.Look(names, out, obs, 0.01) {
		list = append(list, message{"event", e})
	}
	list = append(list, message{"event", names.EventOfLease(out, telemetry.LeaseChange{Event: telemetry.LeaseTaken, From: "a", To: "b"}, 0.01)})
	_, device, _ := names.HomeAssistant("", "v1")
	return append(list, message{"homeassistant", device})
}

// TestMessagesKeepTheSchemas: what is sent satisfies what is documented, and a
// message with something more does not.
func TestMessagesKeepTheSchemas(t *testing.T) {
	doc := document(t, apidoc.AsyncAPI())
	for _, m := range messages() {
		s := compile(t, any(doc), "#/components/messages/"+m.name+"/payload")
		raw, err := json.Marshal(m.v)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%s: %v\n%s", m.name, err, raw)
		}
		if o, ok := v.(map[string]any); ok {
			o["more"] = 1
			if s.Validate(v) == nil {
				t.Errorf("%s: the schema takes anything", m.name)
			}
		}
	}
}

// TestCommandsKeepTheSchemas: a payload the schema takes is one the rig takes,
// as far as a schema can tell, and one it refuses is refused.
func TestCommandsKeepTheSchemas(t *testing.T) {
	doc := document(t, apidoc.AsyncAPI())
	names := &telemetry.Names{Rig: "ant", Legs: []string{"lf"}, Gaits: []string{"walk"}}
	rows := []struct {
		topic, body string
		good        bool
	}{
		{"twist", `{"vx":0.1,"id":7,"lease":"anna"}`, true},
		{"twist", `{"linear":{"x":0.1},"angular":{"z":1}}`, true},
		{"twist", `{"vx":"1"}`, false},
		{"twist", `{"vxx":1}`, false},
		{"twist", `{"linear":{"w":1}}`, false},
		{"goto", `{"x":1,"y":2}`, true},
		{"goto", `{"x":1}`, false},
		{"leg", `{"leg":"lf","on":true}`, true},
		{"leg", `{"leg":"lf","on":"yes"}`, false},
		{"mode", `{"mode":"arm"}`, true},
		{"mode", `{"mode":"dance"}`, false},
		{"lease", `{"action":"take","holder":"bob"}`, true},
		{"lease", `{"action":"steal","holder":"bob"}`, false},
		{"watch", `{"topic":"state","format":"cbor","ttl":5}`, true},
		{"watch", `{"topic":"state","format":"xml"}`, false},
		{"stop", `{}`, true},
	}
	for _, r := range rows {
		s := compile(t, any(doc), "#/components/messages/cmd_"+r.topic+"/payload")
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(r.body))
		if err != nil {
			t.Fatal(err)
		}
		var req telemetry.Request
		bySchema, byRig := s.Validate(v) == nil, names.Decode(&req, r.topic, []byte(r.body)) == nil
		if bySchema != r.good || byRig != r.good {
			t.Errorf("%s %s: schema %v, rig %v, want %v", r.topic, r.body, bySchema, byRig, r.good)
		}
	}
}
