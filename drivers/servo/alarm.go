package servo

import "strings"

// alarmNames has a name for each Alarm, lowest bit first.
var alarmNames = []string{"voltage", "limit", "heat", "overload", "sensor", "shock", "current", "reset", "watchdog", "board"}

// String lists the alarms set, "" for none.
func (a Alarm) String() string {
	var out []string
	for i, name := range alarmNames {
		if a>>i&1 != 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}
