package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"legctl/telemetry"
	"legctl/telemetry/evdev"
	"legctl/telemetry/mqtt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// steered is a teleopModel whose orders are written down, and whose clock the
// test winds.
type steered struct {
	*teleopModel
	log []string
}

func steering() *steered {
	s := &steered{teleopModel: &teleopModel{helm: newHelm(0.2, 0.6), holder: "anna", now: time.Unix(100, 0), width: 90}}
	s.give = func(o order) {
		switch o.topic {
		case "twist":
			s.log = append(s.log, fmt.Sprintf("twist %v %v %v", o.body["vx"], o.body["vy"], o.body["wz"]))
		case "lease":
			s.log = append(s.log, fmt.Sprint("lease ", o.body["action"]))
		default:
			mode, _ := o.body["mode"].(string)
			s.log = append(s.log, strings.TrimSpace(o.topic+" "+mode))
		}
	}
	s.Update(joined{rig: "ant"})
	s.Update(leaseMine{})
	s.log = nil
	return s
}

// after winds the clock in beats of the helm.
func (s *steered) after(d time.Duration) {
	for end := s.now.Add(d); s.now.Before(end); {
		s.Update(helmTick(s.now.Add(helmEvery)))
	}
}

func (s *steered) hit(key rune) { s.Update(tea.KeyPressMsg{Code: key, Text: string(key)}) }
func (s *steered) let(key rune) { s.Update(tea.KeyReleaseMsg{Code: key, Text: string(key)}) }
func (s *steered) last() string { return s.log[len(s.log)-1] }
func (s *steered) moves() bool  { return s.helm.wish(s.now) != [3]float64{} }
func (s *steered) pad(c uint16, v int32) {
	s.Update(padEvent{evdev.Event{Type: evdev.TypeAbs, Code: c, Value: v}})
}

// TestLettingGoStops is the dead-man: without releases from the terminal, with
// them, by the pad.
func TestLettingGoStops(t *testing.T) {
	t.Run("one press, no repeat", func(t *testing.T) {
		s := steering()
		s.hit('w')
		if s.last() != "twist 0.2 0 0" {
			t.Errorf("%q", s.log)
		}
		s.after(firstHold - helmEvery)
		if !s.moves() {
			t.Error("stopped before the keyboard could repeat")
		}
		s.after(3 * helmEvery)
		if s.moves() || s.last() != "twist 0 0 0" {
			t.Errorf("still moving: %q", s.log)
		}
	})
	t.Run("repeats, then none", func(t *testing.T) {
		s := steering()
		for range 30 {
			s.hit('e')
			s.after(helmEvery)
		}
		if s.last() != "twist 0 0 -0.6" {
			t.Errorf("%q", s.last())
		}
		s.after(repeatHold + helmEvery)
		if s.last() != "twist 0 0 0" {
			t.Errorf("%q", s.last())
		}
		n := len(s.log)
		s.after(3 * helmEvery)
		if len(s.log) != n {
			t.Errorf("a zero is said once: %q", s.log[n:])
		}
	})
	t.Run("a terminal that tells", func(t *testing.T) {
		s := steering()
		s.Update(tea.KeyboardEnhancementsMsg{Flags: 2})
		s.hit('w')
		s.hit('a')
		s.after(2 * time.Second)
		if s.last() != "twist 0.2 0.2 0" {
			t.Errorf("%q", s.last())
		}
		s.let('w')
		if s.last() != "twist 0 0.2 0" {
			t.Errorf("%q", s.last())
		}
		s.let('a')
		if s.last() != "twist 0 0 0" {
			t.Errorf("%q", s.last())
		}
	})
	t.Run("stick", func(t *testing.T) {
		s := steering()
		s.Update(padThere{&evdev.Pad{Name: "pad"}})
		s.pad(evdev.AbsY, -32768)
		s.after(time.Second)
		if s.last() != "twist 0.2 0 0" && s.last() != "twist 0.2 -0 -0" {
			t.Errorf("%q", s.last())
		}
		s.pad(evdev.AbsY, 0)
		if s.moves() || !strings.HasPrefix(s.last(), "twist") {
			t.Errorf("%q", s.last())
		}
	})
}

// TestLossStops: whatever is lost, the rig stops.
func TestLossStops(t *testing.T) {
	rows := map[string]struct {
		lose tea.Msg
		says string
	}{
		"pad pulled out":        {padGone{errors.New("no such device")}, "gamepad is gone"},
		"terminal loses focus":  {tea.BlurMsg{}, "lost the keyboard"},
		"broker":                {parted{errors.New("broker away")}, "broker away"},
		"lease taken by others": {mqtt.News{Lease: &telemetry.LeaseState{Holder: "bob"}}, "went to bob"},
	}
	for name, r := range rows {
		s := steering()
		s.Update(padThere{&evdev.Pad{Name: "pad"}})
		s.pad(evdev.AbsY, -32768)
		s.hit('w')
		if !s.moves() {
			t.Fatalf("%s: does not move", name)
		}
		s.log = nil
		s.Update(r.lose)
		if s.moves() {
			t.Errorf("%s: still moves", name)
		}
		s.after(time.Second)
		for _, line := range s.log {
			if strings.HasPrefix(line, "twist") && line != "twist 0 0 0" {
				t.Errorf("%s: %s", name, line)
			}
		}
		if text := ansi.Strip(s.View().Content); !strings.Contains(text, r.says) {
			t.Errorf("%s: %q is not in\n%s", name, r.says, text)
		}
	}
}

// TestLeaseAtTheHelm: without the lease nothing moves; it is renewed while
// nothing moves and given back at the end.
func TestLeaseAtTheHelm(t *testing.T) {
	s := steering()
	s.after(2 * time.Second)
	if n := len(s.log); n < 3 || n > 5 || s.log[0] != "lease renew" {
		t.Errorf("%q", s.log)
	}
	s.Update(mqtt.News{Lease: &telemetry.LeaseState{Holder: "bob"}})
	s.log = nil
	s.hit('w')
	s.after(time.Second)
	if len(s.log) > 0 {
		t.Errorf("without the lease: %q", s.log)
	}
	s.hit('t')
	s.Update(leaseMine{})
	s.hit('w')
	if s.log[0] != "lease take" || s.last() != "twist 0.2 0 0" {
		t.Errorf("%q", s.log)
	}
	s.log = nil
	if _, cmd := s.Update(tea.KeyPressMsg{Code: 'x', Text: "x"}); cmd == nil {
		t.Error("x does not end it")
	}
	s.leave()
	if strings.Join(s.log, ", ") != "stop, lease release" {
		t.Errorf("%q", s.log)
	}
}

func TestKeysAndButtons(t *testing.T) {
	s := steering()
	for key, want := range map[rune]string{'1': "mode arm", '2': "mode rise", '0': "mode disarm", ' ': "stop", 'c': "mode clear"} {
		s.hit(key)
		if s.last() != want {
			t.Errorf("%q: %q, want %q", key, s.last(), want)
		}
	}
	for button, want := range map[uint16]string{evdev.ButtonSouth: "mode rise", evdev.ButtonEast: "stop", evdev.ButtonStart: "mode arm", evdev.ButtonNorth: "lease take"} {
		s.Update(padEvent{evdev.Event{Type: evdev.TypeKey, Code: button, Value: 1}})
		if s.last() != want {
			t.Errorf("button %x: %q, want %q", button, s.last(), want)
		}
	}
	s.hit('+')
	if s.helm.speed != 0.25 {
		t.Errorf("speed %g", s.helm.speed)
	}
	for range 100 {
		s.hit('-')
	}
	if s.helm.speed != 0.005 {
		t.Errorf("speed %g", s.helm.speed)
	}
	s.Update(refused{errors.New("rig ant: refused: too fast")})
	if text := ansi.Strip(s.View().Content); !strings.Contains(text, "too fast") {
		t.Error(text)
	}
}
