package rig

import "math/bits"

// Sense is what the servos of one joint report besides their angle. Of several
// servos on a joint it has the largest load and temperature, the lowest voltage
// and the alarms of all. The zero value is nothing known.
type Sense struct {
	Load    float64 // share of the largest torque, -1 to 1, positive where it helps the joint to larger angles; 0: unknown or none
	Volts   float64 // at the servo; 0: unknown
	Celsius float64 // 0: unknown
	Alarms  Alarm
}

// Alarm is a bit set of facts that ask for care, the gravest last. Drivers
// report them; what follows is for the loop and the mode table.
type Alarm uint32

// The alarms.
const (
	AlarmWarm         Alarm = 1 << iota // 10 degrees below the temperature limit
	AlarmBatteryLow                     // below the voltage that warns
	AlarmLimit                          // the servo refuses a goal outside its own limits
	AlarmBusErrors                      // replies fail, for less than the time that is tolerated
	AlarmHot                            // 5 degrees below the limit: lie down
	AlarmBatterySit                     // below the voltage at which the rig lies down
	AlarmOverload                       // too much torque for too long
	AlarmStuck                          // a servo does not follow
	AlarmServo                          // another fault that the servo itself reports
	AlarmReset                          // a servo or board has restarted and forgot its settings
	AlarmLost                           // a servo does not answer any more
	AlarmBrownout                       // several went silent or restarted at once: supply or cable
	AlarmOverheat                       // at the temperature limit: torque off
	AlarmBatteryEmpty                   // below the voltage at which torque goes off
	AlarmSetpoint                       // an angle that is no number was asked for; nothing was sent
	AlarmWatchdog                       // the hardware watchdog has stopped the servos
	AlarmBus                            // the port is gone
	AlarmStop                           // the stop button is pressed
	alarmEnd
)

var alarmNames = [...]string{
	"warm", "battery_low", "limit", "bus_errors", "hot", "battery_sit", "overload", "servo_stuck", "servo_fault", "servo_reset", "servo_lost",
	"brownout", "overheat", "battery_empty", "bad_setpoint", "watchdog", "bus_lost", "stop_button",
}

// Worst returns the gravest alarm of the set, 0 for none.
func (a Alarm) Worst() Alarm {
	a &= alarmEnd - 1
	if a == 0 {
		return 0
	}
	return 1 << (bits.Len32(uint32(a)) - 1)
}

// String returns the name of the gravest alarm, as telemetry spells it; "none"
// for the empty set.
func (a Alarm) String() string {
	if w := a.Worst(); w != 0 {
		return alarmNames[bits.Len32(uint32(w))-1]
	}
	return "none"
}

// Names lists the alarms of the set, the gravest first.
func (a Alarm) Names() []string {
	var out []string
	for a &= alarmEnd - 1; a != 0; a &^= a.Worst() {
		out = append(out, a.String())
	}
	return out
}
