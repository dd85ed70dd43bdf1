package telemetry

import (
	"slices"
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
