package telemetry

import (
	"fmt"
	"strings"

	"legctl/rig"
)

// advice says what a person can do about an alarm; SERVO stands for what names
// the servos concerned to "legctl servo".
var advice = map[rig.Alarm]string{
	rig.AlarmWarm:         "it rests soon by itself: walk slower, or pause",
	rig.AlarmBatteryLow:   "charge soon",
	rig.AlarmLimit:        "the servo's own limits are narrower than the rig's file says: correct its range, or the servo's registers",
	rig.AlarmBusErrors:    "borne for half a second; if they last, look at plugs, cable and baud",
	rig.AlarmHot:          "it lies down: let it cool",
	rig.AlarmBatterySit:   "it lies down: charge the battery",
	rig.AlarmOverload:     "take the load off, then \"legctl servo set SERVO reboot=yes\" and arm again",
	rig.AlarmStuck:        "free the leg by hand, look for something that rubs, then walk on",
	rig.AlarmServo:        "\"legctl servo read SERVO\" says what; \"legctl servo set SERVO reboot=yes\" restarts it",
	rig.AlarmReset:        "its supply broke down for a moment: look at its plug, then disarm and arm",
	rig.AlarmLost:         "look at its plug and power; \"legctl servo ping SERVO\" asks for it once it is disarmed",
	rig.AlarmBrownout:     "the supply broke down: fewer servos at once, thicker wires, a larger supply; then arm again",
	rig.AlarmOverheat:     "torque is off: let it cool, then \"legctl servo set SERVO reboot=yes\" and arm again",
	rig.AlarmBatteryEmpty: "torque is off: charge the battery",
	rig.AlarmSetpoint:     "nothing was sent; clear and arm, and report it with its recording: it is a fault of legctl",
	rig.AlarmWatchdog:     "the servos heard nothing for too long: is the computer busy? arm again",
	rig.AlarmBus:          "plug the adaptor in again: it is found by its name; then arm",
	rig.AlarmStop:         "release the button, clear and arm",
}

// adviceOn is the advice on the gravest of some alarms of these joints, "" on
// none.
func (n *Names) adviceOn(a rig.Alarm, joints []string) string {
	which := fmt.Sprintf("--rig %s %s", n.Rig, strings.Join(joints[:min(1, len(joints))], ""))
	return strings.ReplaceAll(advice[a.Worst()], "SERVO", strings.TrimSpace(which))
}

// alarmed names the joints whose servos report one of some alarms.
func (n *Names) alarmed(obs *rig.Observation, a rig.Alarm) (out []string) {
	if obs.Has&rig.HasServos == 0 {
		return nil
	}
	for j := range obs.Servos {
		if obs.Servos[j].Alarms&a != 0 && j < len(n.Joints) {
			out = append(out, n.Joints[j])
		}
	}
	return out
}
