package servo

import (
	"errors"
	"fmt"
	"math"
)

// Goal is where a servo is to go: its id on the bus, or a channel counted through
// all boards, and a native position (Servo.Zero), which the driver rounds to what
// the wire can say.
type Goal struct {
	ID  int
	Pos float64
}

// Field is a bit set of what a Feedback holds.
type Field uint8

// The fields.
const (
	HasPos     Field = 1 << iota
	HasLoad          // share of the largest torque, or amperes/1 A where only current is known
	HasVolts         // volts
	HasCelsius       // degrees
	HasTorque        // whether torque is on
)

// Feedback is what one servo says. The asker sets ID; the rest is written by
// Driver.Read. Without an answer Has is 0 and Fault says why.
type Feedback struct {
	ID      int
	Has     Field
	Torque  bool
	Alarms  Alarm
	Pos     float64 // native
	Load    float64 // -1 to 1, positive towards larger Pos
	Volts   float64
	Celsius float64
	Fault   Fault
}

// Alarm is a bit set of what servos report about themselves, whatever the
// protocol calls it.
type Alarm uint16

// The alarms.
const (
	AlarmVoltage  Alarm = 1 << iota // supply outside its limits
	AlarmLimit                      // a goal outside the servo's own limits
	AlarmHeat                       // too hot: the servo has cut its torque or will
	AlarmOverload                   // too much torque for too long
	AlarmSensor                     // encoder or other sensor broken
	AlarmShock                      // electrical shock, which includes too little power
	AlarmCurrent                    // too much current
	AlarmReset                      // it has restarted and lost what it was told
	AlarmWatchdog                   // its watchdog has fired
	AlarmBoard                      // another fault of the board
)

// Driver moves the servos of one bus. Its methods are called by one goroutine
// at a time. A fault of one servo is in its Feedback, or in the error of the
// method that was about it; an error that is ErrGone says that the port is lost.
//
// Retries: reads two, settings two with reading back, goals none, since the next
// tick repeats them.
type Driver interface {
	// Caps says what the driver can do with these servos.
	Caps() Caps
	// Ping asks one servo, or the board of a channel, who it is.
	Ping(id int) (Identity, error)
	// Open asks every servo of ids who it is, and sets what the driver relies on.
	// Nothing moves and torque stays as it is. The error names all that are
	// missing or wrong. It may be called again after a Reboot.
	Open(ids []int) ([]Identity, error)
	// Enable puts torque on, each servo with a goal where it is: Pos is set to that.
	// Without feedback Pos is taken as where the servo is, by the word of the
	// operator. A servo that holds already is adopted as it is.
	Enable(goals []Goal) error
	// Write sends the goals in as few messages as the protocol has, to be reached
	// within so many seconds where a message can say that. It allocates nothing.
	Write(goals []Goal, within float64) error
	// Read asks the servos named in dst. It allocates nothing while all goes well.
	Read(dst []Feedback) error
	// Relax takes torque off some servos.
	Relax(ids []int) error
	// Off takes torque off all servos of the bus, by one message where there is one.
	Off() error
	// Arm sets the watchdog of the hardware, 0 for none; ErrUnsupported without one.
	Arm(seconds float64) error
	// Reboot restarts a servo; its torque is off afterwards.
	Reboot(id int) error
	// SetID and SetBaud change what a servo is called and how it is spoken to. Its
	// torque must be off. After SetBaud it answers at the new baud only.
	SetID(from, to int) error
	SetBaud(id int, baud int) error
}

// Confiner is a Driver whose servos keep limits of their own, which hold whatever
// is sent.
type Confiner interface {
	// Confine lets a servo go to positions from least to most only, whole steps.
	// They are kept without power, written only where they differ, and read back. A
	// servo that holds is left as it is.
	Confine(id int, least, most float64) error
}

// beyond is how much further than its joint a servo's own limits let it go, rad:
// they are for the case that everything else fails, and must not stop a leg that
// lies a little beyond its joint's end.
const beyond = 0.05

// Confines returns the limits to keep in a servo that is at a position now: those
// of its joints and a little more, wherever it is, as far as its model goes.
func (s *Servo) Confines(protocol string, at float64) (least, most float64) {
	more := beyond * math.Abs(s.PerRad)
	least, most = math.Floor(min(s.Min, at)-more), math.Ceil(max(s.Max, at)+more)
	if m, ok := ModelOf(s.Model); ok {
		lo, hi := m.Reach(protocol)
		least, most = min(max(least, lo), hi), max(min(most, hi), lo)
	}
	return least, most
}

// Demand is what one tick asks of a bus: one group write, and a read of so many
// servos that costs Fixed and Each for every one of them. The zero value of Bits
// is 10.
type Demand struct {
	Write, Fixed, Each Cost
	Bits               int     // on the wire for a byte
	Most               int     // servos one read can ask; 0: no feedback
	MostRate           float64 // writes a second the servos bear; 0: any
}

// Read is the cost of asking n servos, nothing for none.
func (d Demand) Read(n int) Cost {
	if n == 0 {
		return Cost{}
	}
	return d.Fixed.Add(d.Each.Times(n))
}

// Whole returns a native position as the whole number nearest to it, or refuses
// one that is no number or outside least to most.
func Whole(protocol string, pos, least, most float64) (int, error) {
	p := math.Floor(pos + 0.5)
	if !(p >= least && p <= most) {
		return 0, Refuse(protocol, "position", pos, fmt.Sprintf("%g to %g", least, most))
	}
	return int(p), nil
}

// Range returns two native positions as whole numbers, or refuses them: the least
// below the most, both within low to high.
func Range(protocol string, least, most, low, high float64) (lo, hi int, err error) {
	if lo, err = Whole(protocol, least, low, high-1); err == nil {
		hi, err = Whole(protocol, most, float64(lo+1), high)
	}
	return lo, hi, err
}

// Meet pings a servo that should be there, more than once if need be.
func Meet(d Driver, id int) (who Identity, err error) {
	for range 2 * maxTries {
		if who, err = d.Ping(id); err == nil || errors.Is(err, ErrGone) {
			break
		}
	}
	return who, err
}
