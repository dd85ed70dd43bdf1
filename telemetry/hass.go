package telemetry

import (
	"fmt"
	"regexp"
)

// HomeAssistantPrefix is where Home Assistant looks for devices unless told
// otherwise.
const HomeAssistantPrefix = "homeassistant"

// Component is one entity of a Home Assistant device. Field names are Home
// Assistant's own.
type Component struct {
	Platform        string   `json:"platform"`
	UniqueID        string   `json:"unique_id"`
	Name            string   `json:"name"`
	Icon            string   `json:"icon,omitempty"`
	StateTopic      string   `json:"state_topic,omitempty"`
	ValueTemplate   string   `json:"value_template,omitempty"`
	AttributesTopic string   `json:"json_attributes_topic,omitempty"`
	CommandTopic    string   `json:"command_topic,omitempty"`
	CommandTemplate string   `json:"command_template,omitempty"`
	PayloadPress    string   `json:"payload_press,omitempty"`
	PayloadOn       string   `json:"payload_on,omitempty"`
	PayloadOff      string   `json:"payload_off,omitempty"`
	DeviceClass     string   `json:"device_class,omitempty"`
	StateClass      string   `json:"state_class,omitempty"`
	Unit            string   `json:"unit_of_measurement,omitempty"`
	Precision       *int     `json:"suggested_display_precision,omitempty"`
	Category        string   `json:"entity_category,omitempty"`
	Options         []string `json:"options,omitempty"`
}

// Device is the message on <prefix>/device/legctl_<rig>/config: one device with
// all its entities, after Home Assistant's device-based discovery. Retained.
type Device struct {
	Device struct {
		Identifiers  []string `json:"identifiers"`
		Name         string   `json:"name"`
		Manufacturer string   `json:"manufacturer"`
		Model        string   `json:"model"`
		Version      string   `json:"sw_version"`
	} `json:"device"`
	Origin struct {
		Name    string `json:"name"`
		Version string `json:"sw_version"`
	} `json:"origin"`
	AvailabilityTopic   string               `json:"availability_topic"`
	PayloadAvailable    string               `json:"payload_available"`
	PayloadNotAvailable string               `json:"payload_not_available"`
	Components          map[string]Component `json:"components"`
}

var prefixForm = regexp.MustCompile(`^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$`)

// HomeAssistant makes the discovery message of a rig and the topic it goes to.
// prefix may hold letters, digits, _ and -, in levels; "" is Home Assistant's
// own.
func (n *Names) HomeAssistant(prefix, version string) (topic string, d *Device, err error) {
	if prefix == "" {
		prefix = HomeAssistantPrefix
	}
	if !prefixForm.MatchString(prefix) {
		return "", nil, fmt.Errorf("telemetry: Home Assistant prefix %q, want levels of letters, digits, _ and -: it stands in topics", clip(prefix))
	}
	id, base := "legctl_"+n.Rig, "legctl/"+n.Rig
	d = &Device{
		AvailabilityTopic: base + "/online", PayloadAvailable: "true", PayloadNotAvailable: "false",
		Components: map[string]Component{},
	}
	d.Device.Identifiers, d.Device.Name = []string{id}, n.Rig
	d.Device.Manufacturer, d.Device.Model, d.Device.Version = "legctl", fmt.Sprintf("rig with %d legs", len(n.Legs)), version
	d.Origin.Name, d.Origin.Version = "legctl", version
	add := func(key string, c Component) {
		c.UniqueID = id + "_" + key
		d.Components[key] = c
	}
	for _, s := range sensors {
		add(s.key, s.component(base))
	}
	add("fault", Component{
		Platform: "binary_sensor", Name: "Fault", DeviceClass: "problem", StateTopic: base + "/status", AttributesTopic: base + "/status",
		ValueTemplate: "{{ 'ON' if value_json.faults or value_json.mode == 'fault' else 'OFF' }}", PayloadOn: "ON", PayloadOff: "OFF",
	})
	for _, b := range n.buttons() {
		add(b.key, Component{Platform: "button", Name: b.name, Icon: b.icon, CommandTopic: base + "/cmd/" + b.topic, PayloadPress: b.payload})
	}
	add("gait", Component{
		Platform: "select", Name: "Gait", Icon: "mdi:foot-print", Options: n.Offered(),
		StateTopic: base + "/status", ValueTemplate: "{{ value_json.gait }}",
		CommandTopic: base + "/cmd/gait", CommandTemplate: `{"gait": "{{ value }}"}`,
	})
	return prefix + "/device/" + id + "/config", d, nil
}

// sensor is a number or a word of Status shown as an entity.
type sensor struct {
	key, name, template, class, unit, icon string
	digits                                 int // -1: a word
}

var sensors = [...]sensor{
	{"battery", "Battery", "{{ value_json.battery | default(none) }}", "voltage", "V", "", 2},
	{"temperature", "Temperature", "{{ value_json.temperature | default(none) }}", "temperature", "°C", "", 0},
	{"margin", "Stability margin", "{{ value_json.margin }}", "distance", "m", "mdi:scale-balance", 3},
	{"speed", "Speed", "{{ value_json.speed }}", "speed", "m/s", "", 2},
	{"mode", "Mode", "{{ value_json.mode }}", "", "", "mdi:state-machine", -1},
	{"binding", "Limit", "{{ value_json.binding }}", "", "", "mdi:speedometer-slow", -1},
	{"faults", "Faulty legs", "{{ value_json.faults | join(', ') if value_json.faults else 'none' }}", "", "", "mdi:alert", -1},
	{"alarms", "Alarms", "{{ value_json.alarms | join(', ') if value_json.alarms else 'none' }}", "", "", "mdi:alarm-light", -1},
	{"lease", "Operator", "{{ value_json.lease | default('anybody', true) }}", "", "", "mdi:account", -1},
}

func (s *sensor) component(base string) Component {
	c := Component{
		Platform: "sensor", Name: s.name, Icon: s.icon, StateTopic: base + "/status",
		ValueTemplate: s.template, DeviceClass: s.class, Unit: s.unit,
	}
	if s.digits < 0 {
		c.Category = "diagnostic"
		return c
	}
	c.StateClass, c.Precision = "measurement", &s.digits
	return c
}

// button is a command with a fixed payload.
type button struct{ key, name, icon, topic, payload string }

// buttons are stop and the orders of the mode machine.
func (n *Names) buttons() []button {
	list := []button{{"stop", "Stop", "mdi:stop", "stop", "{}"}}
	for _, o := range Orders() {
		b := button{o, caption(o), "mdi:robot", "mode", `{"mode":"` + o + `"}`}
		if o == "rise" {
			b.key, b.name = "stand", "Stand"
		}
		list = append(list, b)
	}
	return list
}

// caption turns a word into what stands on a button.
func caption(s string) string { return string(s[0]-'a'+'A') + s[1:] }
