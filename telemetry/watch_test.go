package telemetry

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"
)

func TestStatusMessage(t *testing.T) {
	obs := &rig.Observation{
		Has: rig.HasServos, Servos: []rig.Sense{{Celsius: 40, Alarms: rig.AlarmWarm}, {Celsius: 51, Load: -0.7}},
		Battery: 11.1, Faults: 5, FellSince: 2, Alarms: rig.AlarmBatteryLow,
	}
	out := output()
	out.Twist = [3]float64{0.3, 0.4, 0}
	raw, err := json.Marshal(spider.Status(out, obs, 0.02))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"mode":"walk","gait":"tripod","binding":"joint_speed","speed":0.5`, `"margin":null`, `"battery":11.1`, `"temperature":51`, `"load":0.7`,
		`"alarms":["battery_low","warm"]`, `"faults":["lf","lh"]`, `"falls":2`,
	} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s is not in\n%s", want, raw)
		}
	}
	raw, _ = json.Marshal(spider.Status(out, nil, 0.02))
	if strings.Contains(string(raw), "battery") || !strings.Contains(string(raw), `"faults":[]`) {
		t.Errorf("without a plant: %s", raw)
	}
	with, again, without := WordsOf(out, obs), WordsOf(out, obs), WordsOf(out, nil)
	if with == without || with != again {
		t.Error("words of a status do not tell it from another")
	}
}

// TestWatcher: what lasts is told once, what is new again.
func TestWatcher(t *testing.T) {
	var w Watcher
	look := func(events control.Event, o rig.Observation) string {
		var names []string
		for _, e := range w.Look(spider, &control.Output{Events: events}, &o, 0.02) {
			names = append(names, e.Event+strings.Join(e.Legs, ",")+strings.Join(e.Alarms, ","))
		}
		return strings.Join(names, " ")
	}
	for i, r := range []struct {
		events control.Event
		obs    rig.Observation
		want   string
	}{
		{0, rig.Observation{FellSince: 3}, ""},
		{control.EventWall, rig.Observation{FellSince: 3, Faults: 2}, "wall faultrf"},
		{control.EventWall, rig.Observation{FellSince: 3, Faults: 3}, "faultlf"},
		{0, rig.Observation{FellSince: 4, Faults: 1}, "fault_clearedrf fall"},
		{0, rig.Observation{FellSince: 4, Faults: 1, Alarms: rig.AlarmHot}, "alarmhot"},
		{0, rig.Observation{FellSince: 4, Faults: 1, Alarms: rig.AlarmHot}, ""},
		{0, rig.Observation{FellSince: 4, Alarms: rig.AlarmHot | rig.AlarmBus}, "fault_clearedlf alarmbus_lost,hot"},
		{control.EventWall, rig.Observation{FellSince: 4}, "wall"},
	} {
		if got := look(r.events, r.obs); got != r.want {
			t.Errorf("tick %d: %q, want %q", i, got, r.want)
		}
	}
	for _, name := range AllEvents() {
		if name == "" || strings.Count(strings.Join(AllEvents(), " "), name) == 0 {
			t.Errorf("event %q", name)
		}
	}
}

func TestTally(t *testing.T) {
	var tally Tally
	for i, m := range []float64{math.Inf(-1), 0.05, 0.03, 0.04} {
		out := &control.Output{Mode: mode.Walk, Margin: m, AngleLimit: 3, Unreached: 1}
		out.PoseWB.P.X = 0.1 * float64(i)
		if i == 2 {
			out.Reply = control.Reply{Kind: control.KindHeight, Reason: control.OutOfRange}
		}
		tally.Add(out, &rig.Observation{FellSince: 1}, 0.5)
	}
	s := tally.Summary("ant", time.Unix(0, 0))
	if s.Ticks != 4 || s.Seconds != 2 || s.Walked != 2 || math.Abs(float64(s.Path)-0.3) > 1e-12 || s.Margin == nil || *s.Margin != 0.03 ||
		s.Clamps != 8 || s.Missed != 4 || s.Refused != 1 || s.Accepted != 0 || s.Falls != 1 || s.Ended != "1970-01-01T00:00:00Z" {
		t.Errorf("%+v", s)
	}
	if (&Tally{}).Summary("ant", time.Unix(0, 0)).Margin != nil {
		t.Error("a margin of a run that never was")
	}
}

// TestHomeAssistant: identifiers are unique, topics exist, and what buttons and
// the select send is taken.
func TestHomeAssistant(t *testing.T) {
	n := *spider
	n.Why = []string{"", "too slow", ""}
	topic, d, err := n.HomeAssistant("", "v1")
	if err != nil || topic != "homeassistant/device/legctl_spider/config" {
		t.Fatal(topic, err)
	}
	ids := map[string]bool{}
	var outputs []string
	for _, o := range Outputs() {
		outputs = append(outputs, "legctl/spider/"+o.Name)
	}
	for key, c := range d.Components {
		if ids[c.UniqueID] || c.Platform == "" || c.Name == "" {
			t.Errorf("%s: %+v", key, c)
		}
		ids[c.UniqueID] = true
		if c.StateTopic != "" && !slices.Contains(outputs, c.StateTopic) {
			t.Errorf("%s: there is no topic %s", key, c.StateTopic)
		}
		if c.CommandTopic == "" {
			continue
		}
		bodies := []string{c.PayloadPress}
		if c.Platform == "select" {
			bodies = nil
			for _, o := range c.Options {
				bodies = append(bodies, strings.ReplaceAll(c.CommandTemplate, "{{ value }}", o))
			}
		}
		for _, body := range bodies {
			var r Request
			if err := n.Decode(&r, strings.TrimPrefix(c.CommandTopic, "legctl/spider/cmd/"), []byte(body)); err != nil {
				t.Errorf("%s: %v", key, err)
			}
		}
	}
	for _, want := range []string{"battery", "temperature", "margin", "mode", "faults", "fault", "gait", "stop", "stand", "arm", "disarm"} {
		if d.Components[want].Platform == "" {
			t.Errorf("there is no %s", want)
		}
	}
	if got := d.Components["gait"].Options; !slices.Equal(got, []string{"walk", "tripod"}) {
		t.Errorf("gaits %v", got)
	}
	for _, bad := range []string{"a b", "a/#", "+", "/a", "a/", "é"} {
		if _, _, err := n.HomeAssistant(bad, ""); err == nil {
			t.Errorf("prefix %q was taken", bad)
		}
	}
	if topic, _, err := n.HomeAssistant("ha/x", ""); err != nil || !strings.HasPrefix(topic, "ha/x/device/") {
		t.Errorf("%s, %v", topic, err)
	}
}

func TestCheckTopic(t *testing.T) {
	for _, good := range [][2]string{{"ant", "twist"}, {"a-1", "twist/cbor"}} {
		if err := CheckTopic(good[0], good[1]); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range [][2]string{{"a b", "twist"}, {"+", "twist"}, {"ant", "tw ist"}, {"ant", "#"}, {"ant", "twist/+"}, {"ant", ""}, {"ant", "a//b"}, {"", "stop"}} {
		if CheckTopic(bad[0], bad[1]) == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestROSTwist(t *testing.T) {
	r := request(t, "twist", `{"linear":{"x":0.1,"y":-0.2,"z":0},"angular":{"x":0,"y":0,"z":0.3},"ttl":0.5}`)
	if c := r.Cmd; c.Vx != 0.1 || c.Vy != -0.2 || c.Wz != 0.3 || c.TTL != 0.5 {
		t.Errorf("%+v", c)
	}
	for body, says := range map[string]string{
		`{"linear":{"z":0.1}}`:               "want 0",
		`{"angular":{"x":0.1}}`:              "want 0",
		`{"linear":{"x":1},"vx":1}`:          "say the same",
		`{"angular":{"z":1},"wz":1}`:         "say the same",
		`{"linear":{"w":1}}`:                 "unknown key of linear",
		`{"linear":[1,2,3]}`:                 `want {"x"`,
		`{"linear":{"x":1e999}}`:             "linear.x",
		`{"linear":{"x":1,"x":2}}`:           "stands twice",
		`{"linear":{"x":{"x":{"x":1}}}}`:     "want a number",
		`{"lineal":{"x":1}}`:                 `did you mean "linear"`,
		`{"vx":1,"lease":7}`:                 "name of its holder",
		`{"linear":null}`:                    `want {"x"`,
		`{"linear":{"X":1}}`:                 "unknown key",
		`{"linear":{"x":1},"angular":"yes"}`: `want {"x"`,
	} {
		var r Request
		if err := spider.Decode(&r, "twist", []byte(body)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", body, err, says)
		}
	}
}

func TestNumReadsNull(t *testing.T) {
	var s State
	if err := json.Unmarshal([]byte(`{"margin":null,"time":2.5}`), &s); err != nil || !math.IsNaN(float64(s.Margin)) || s.Time != 2.5 {
		t.Errorf("%v, %v, %v", s.Margin, s.Time, err)
	}
}

// TestDescribe: every topic and key is explained, and its keys are those it
// takes.
func TestDescribe(t *testing.T) {
	for _, d := range Describe() {
		if d.Doc == "" || strings.HasSuffix(d.Doc, ".") {
			t.Errorf("%s: %q", d.Name, d.Doc)
		}
		row, err := topicOf(d.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range d.Keys {
			if k.Doc == "" || row.field(k.Name) == nil || k.Type == KeyNumber && k.Unit == "" {
				t.Errorf("%s: key %+v", d.Name, k)
			}
		}
	}
	for _, o := range Outputs() {
		if o.Doc == "" || o.When == "" || o.Type == nil {
			t.Errorf("%+v", o)
		}
	}
}
