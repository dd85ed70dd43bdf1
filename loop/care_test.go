package loop

import (
	"testing"

	"legctl/control"
	"legctl/control/mode"
	"legctl/rig"
)

func TestCareAnswersAlarms(t *testing.T) {
	is := func(in mode.Input) control.Command { return control.Command{Kind: control.KindMode, Mode: in} }
	stop := control.Command{Kind: control.KindStop}
	none := control.Command{}
	for _, c := range []struct {
		name   string
		alarms rig.Alarm
		mode   mode.Mode
		want   control.Command
	}{
		{"nothing", 0, mode.Walk, none},
		{"warm", rig.AlarmWarm | rig.AlarmBatteryLow | rig.AlarmBusErrors | rig.AlarmLimit, mode.Walk, none},
		{"hot", rig.AlarmHot, mode.Walk, is(mode.Sit)},
		{"hot, sitting", rig.AlarmHot, mode.Sitting, is(mode.Disarm)},
		{"hot, on the way down", rig.AlarmHot, mode.Lowering, none},
		{"battery", rig.AlarmBatterySit, mode.Stand, is(mode.Sit)},
		{"battery empty", rig.AlarmBatteryEmpty, mode.Walk, is(mode.Disarm)},
		{"overheated", rig.AlarmOverheat | rig.AlarmHot, mode.Walk, is(mode.Disarm)},
		{"brown-out", rig.AlarmBrownout | rig.AlarmReset, mode.Walk, is(mode.Disarm)},
		{"port gone", rig.AlarmBus, mode.Hold, is(mode.Disarm)},
		{"port gone, limp", rig.AlarmBus, mode.Limp, none},
		{"stop button", rig.AlarmStop, mode.Walk, is(mode.EStop)},
		{"stop button held", rig.AlarmStop, mode.Stopped, none},
		{"no number", rig.AlarmSetpoint, mode.Walk, is(mode.EStop)},
		{"servo lost", rig.AlarmLost, mode.Walk, stop},
		{"servo restarted", rig.AlarmReset, mode.Walk, stop},
		{"servo stuck", rig.AlarmStuck, mode.Walk, stop},
		{"servo lost, standing", rig.AlarmLost, mode.Stand, none},
		{"watchdog", rig.AlarmWatchdog, mode.Walk, is(mode.Disarm)},
	} {
		care, cmd := Care{Dt: 0.02}, none
		spoke := care.Next(&cmd, &rig.Observation{Alarms: c.alarms}, c.mode)
		if cmd != c.want || spoke != (c.want != none) {
			t.Errorf("%s: %+v, want %+v", c.name, cmd, c.want)
		}
	}
}

func TestCareAnswersFalls(t *testing.T) {
	for _, c := range []struct {
		name  string
		roll  float64
		ticks int
		want  mode.Input
		none  bool
	}{
		{name: "level", roll: 0.1, ticks: 5, none: true},
		{name: "one sample", roll: 1.5, ticks: 1, none: true},
		{name: "tipping", roll: 0.8, ticks: 2, want: mode.Sit},
		{name: "fallen", roll: -1.4, ticks: 2, want: mode.Disarm},
	} {
		care, cmd, spoke := Care{Dt: 0.02}, control.Command{}, false
		for range c.ticks {
			spoke = care.Next(&cmd, &rig.Observation{Has: rig.HasTilt, Roll: c.roll}, mode.Walk)
		}
		if spoke == c.none || spoke && cmd.Mode != c.want {
			t.Errorf("%s: spoke %v, %+v", c.name, spoke, cmd)
		}
	}
	care, cmd := Care{}, control.Command{}
	for range 3 {
		if care.Next(&cmd, &rig.Observation{Roll: 3}, mode.Walk) {
			t.Error("a tilt that nobody measured was believed")
		}
	}
}

// TestCareRepeats: an order that does not take is repeated, not in every tick.
func TestCareRepeats(t *testing.T) {
	care, n := Care{Dt: 0.02}, 0
	for range 100 {
		cmd := control.Command{}
		if care.Next(&cmd, &rig.Observation{Alarms: rig.AlarmLost}, mode.Walk) {
			n++
		}
	}
	if n < 3 || n > 5 {
		t.Errorf("said %d times in two seconds", n)
	}
}

func TestCareLeaves(t *testing.T) {
	care, cmd := Care{Dt: 0.1, Grace: 1}, control.Command{}
	if care.Left(mode.Limp) {
		t.Error("left without having been asked")
	}
	care.Leave()
	if !care.Left(mode.Limp) || care.Left(mode.Walk) {
		t.Error("left is not limp")
	}
	if !care.Next(&cmd, &rig.Observation{}, mode.Walk) || cmd.Mode != mode.Sit {
		t.Errorf("first: %+v", cmd)
	}
	for range 12 {
		care.Next(&cmd, &rig.Observation{}, mode.Lowering)
	}
	if cmd.Mode != mode.Disarm {
		t.Errorf("after its grace: %+v", cmd)
	}
}
