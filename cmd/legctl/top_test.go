package main

import (
	"errors"
	"math"
	"strings"
	"testing"

	"legctl/telemetry"
	"legctl/telemetry/mqtt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

func stateAt(tick uint64, margin float64) *telemetry.State {
	return &telemetry.State{
		Tick: tick, Rig: "ant", Mode: "walk", Gait: "tripod", Binding: "reach", BindingLeg: "rf",
		Wish: telemetry.Twist{Vx: 0.2}, Twist: telemetry.Twist{Vx: 0.1}, Margin: telemetry.Num(margin),
		Legs:   map[string]telemetry.Leg{"lf": {Stance: tick%2 == 0, Status: "reached"}, "rf": {Stance: true, Status: "out_of_reach"}},
		Joints: map[string]telemetry.Num{"lf_coxa": 0.5, "rf_coxa": -0.5},
	}
}

// TestTopPicture drives the model with messages and looks at the picture.
func TestTopPicture(t *testing.T) {
	m := &topModel{width: 90, height: 40}
	on := true
	volts := telemetry.Num(11.1)
	feed := []tea.Msg{
		joined{rig: "ant", broker: "here:1883"},
		mqtt.News{Online: &on},
		mqtt.News{Info: &telemetry.Info{Legs: []string{"rf", "lf"}, Joints: []string{"rf_coxa", "lf_coxa"}}},
		mqtt.News{Status: &telemetry.Status{Battery: &volts, Faults: []string{"lf"}, Falls: 2}},
		mqtt.News{Lease: &telemetry.LeaseState{Holder: "anna", TTL: 2}},
		mqtt.News{Event: &telemetry.Event{Seq: 4, Event: "wall", Mode: "walk", Gait: "tripod"}},
		mqtt.News{Event: &telemetry.Event{Seq: 4, Event: "wall", Mode: "walk", Gait: "tripod"}},
		mqtt.News{Event: &telemetry.Event{Seq: 5, Event: "lease_taken", Holder: "bob", Was: "anna"}},
	}
	for i := range uint64(10) {
		feed = append(feed, mqtt.News{State: stateAt(i, 0.01*float64(i))})
	}
	feed = append(feed, mqtt.News{State: stateAt(10, math.Inf(-1))})
	for _, msg := range feed {
		m.Update(msg)
	}
	text := ansi.Strip(m.View().Content)
	for _, want := range []string{
		"ant at here:1883  online  operator anna", "mode walk  gait tripod  tick 10", "battery 11.1 V  falls 2  faults lf",
		"0.100 of  0.200 m/s", "limit reach (rf)", "margin     none  ▁▂▃▃▄▅▆▆▇█", "rf     stance out_of_reach ███████████",
		"lf     stance █·█·█·█·█·█", "rf_coxa  -28.6°", "lease_taken        bob, was anna",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if n := strings.Count(text, " wall "); n != 1 {
		t.Errorf("an event that came twice is shown %d times", n)
	}
	if strings.Index(text, "rf     ") > strings.Index(text, "lf     ") {
		t.Error("legs are not in the order of the rig")
	}
}

// TestTopFits: whatever the size of the terminal, the picture fits in.
func TestTopFits(t *testing.T) {
	m := &topModel{}
	m.Update(mqtt.News{State: stateAt(1, 0.1)})
	for _, size := range [][2]int{{80, 24}, {200, 60}, {20, 5}, {1, 1}, {0, 0}, {80, 2}} {
		m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		lines := strings.Split(m.View().Content, "\n")
		if len(lines) > max(size[1], 1) {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		for _, l := range lines {
			if ansi.StringWidth(l) > size[0] {
				t.Errorf("%v: a line of %d", size, ansi.StringWidth(l))
			}
		}
	}
}

func TestTopTrouble(t *testing.T) {
	m := &topModel{width: 80, height: 24}
	m.Update(joined{rig: "ant", broker: "b"})
	m.Update(mqtt.News{State: stateAt(1, 0.1)})
	m.Update(parted{errors.New("the broker went away")})
	if text := ansi.Strip(m.View().Content); !strings.Contains(text, "offline") || !strings.Contains(text, "went away; trying again") {
		t.Error(text)
	}
	m.Update(joined{rig: "ant", broker: "b"})
	m.Update(tea.KeyPressMsg{Code: tea.KeySpace, Text: " "})
	m.Update(mqtt.News{State: stateAt(2, 0.1)})
	if text := ansi.Strip(m.View().Content); strings.Contains(text, "trying again") || !strings.Contains(text, "held") || !strings.Contains(text, "tick 1") {
		t.Error(text)
	}
	if _, cmd := m.Update(tea.KeyPressMsg{Code: 'q', Text: "q"}); cmd == nil {
		t.Error("q does not end it")
	}
}
