package web

import (
	"encoding/binary"
	"testing"

	"legctl/rig"
)

// TestFrameTellsAlarms: alarms of the plant and of servos, and the hottest servo,
// are where the page looks for them, and have names there.
func TestFrameTellsAlarms(t *testing.T) {
	b := newBench(t, "phantomx", Options{})
	b.tick(1)
	m, f := newFilm(b.scene), b.run.Cell.Frame
	f.Obs.Alarms, f.Obs.Has = rig.AlarmBatteryLow, f.Obs.Has|rig.HasServos
	f.Obs.Servos[4] = rig.Sense{Celsius: 61.7, Alarms: rig.AlarmWarm}
	m.add(f)
	const at = 101 // behind the share of the way that is kept
	p := m.frame(f)
	if got := rig.Alarm(binary.LittleEndian.Uint32(p[at:])); got != rig.AlarmBatteryLow|rig.AlarmWarm || p[at+4] != 61 {
		t.Errorf("alarms %v, hottest %d C", got.Names(), p[at+4])
	}
	names := tables().Alarms
	for bit, want := range map[int]rig.Alarm{0: rig.AlarmWarm, 1: rig.AlarmBatteryLow, len(names) - 1: rig.AlarmStop} {
		if names[bit] != want.String() {
			t.Errorf("bit %d is called %s, want %v", bit, names[bit], want)
		}
	}
}
