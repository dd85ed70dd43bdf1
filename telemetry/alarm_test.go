package telemetry

import (
	"slices"
	"strings"
	"testing"

	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"
)

// TestAlarmsSayWhatIsLegalNext: an alarm is announced once, with its reason and the
// commands that are legal now.
func TestAlarmsSayWhatIsLegalNext(t *testing.T) {
	var w Watcher
	n := &Names{Rig: "r", Gaits: []string{"walk"}, Legs: []string{"lf", "rf"}}
	out, obs := &control.Output{Mode: mode.Stopped}, &rig.Observation{Alarms: rig.AlarmStop | rig.AlarmWarm, Faults: 2}
	list := w.Look(n, out, obs, 0.02)
	at := slices.IndexFunc(list, func(e Event) bool { return e.Event == EventAlarm })
	if at < 0 || !slices.Equal(list[at].Alarms, []string{"stop_button", "warm"}) || !slices.Contains(list[at].Legal, "clear") || slices.Contains(list[at].Legal, "arm") {
		t.Errorf("%+v", list)
	}
	if again := w.Look(n, out, obs, 0.02); len(again) != 0 {
		t.Errorf("announced again: %+v", again)
	}
}

// TestReport21AlarmsNameTheJoint that one limp joint of many is, and say how to
// restart it.
func TestReport21AlarmsNameTheJoint(t *testing.T) {
	var w Watcher
	n := &Names{Rig: "r", Gaits: []string{"walk"}, Legs: []string{"lf"}, Joints: []string{"lf_coxa", "lf_femur"}}
	obs := &rig.Observation{Has: rig.HasServos, Servos: []rig.Sense{{Alarms: rig.AlarmWarm}, {Alarms: rig.AlarmOverload}}}
	list := w.Look(n, &control.Output{}, obs, 0.02)
	at := slices.IndexFunc(list, func(e Event) bool { return e.Event == EventAlarm })
	if at < 0 || !slices.Equal(list[at].Joints, []string{"lf_femur"}) || !strings.Contains(list[at].Advice, "servo set --rig r lf_femur reboot=yes") {
		t.Errorf("%+v", list)
	}
}

// TestEveryAlarmHasAdvice, and its commands are legctl's.
func TestEveryAlarmHasAdvice(t *testing.T) {
	n := &Names{Rig: "r"}
	for a := rig.Alarm(1); a.Worst() != 0; a <<= 1 {
		text := n.adviceOn(a, []string{"j"})
		if text == "" || strings.Contains(text, "SERVO") {
			t.Errorf("%v: %q", a, text)
		}
	}
}
