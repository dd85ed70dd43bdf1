package rig

import (
	"math/bits"
	"slices"
	"testing"
)

// TestAlarmsHaveNames: telemetry spells every alarm, each in its own way.
func TestAlarmsHaveNames(t *testing.T) {
	if n := bits.Len32(uint32(alarmEnd)) - 1; n != len(alarmNames) {
		t.Fatalf("%d alarms, %d names", n, len(alarmNames))
	}
	for i, name := range alarmNames {
		a := Alarm(1) << i
		if a.String() != name || name == "" || slices.Index(alarmNames[:], name) != i {
			t.Errorf("alarm %d is called %q", i, a)
		}
	}
}

func TestAlarmWorst(t *testing.T) {
	for _, c := range []struct {
		set   Alarm
		worst string
		names []string
	}{
		{0, "none", nil},
		{alarmEnd, "none", nil},
		{AlarmWarm | AlarmOverheat, "overheat", []string{"overheat", "warm"}},
		{AlarmBus | AlarmLost | AlarmBusErrors, "bus_lost", []string{"bus_lost", "servo_lost", "bus_errors"}},
	} {
		if c.set.String() != c.worst || !slices.Equal(c.set.Names(), c.names) {
			t.Errorf("%b: %v %v, want %s %v", c.set, c.set, c.set.Names(), c.worst, c.names)
		}
	}
}
