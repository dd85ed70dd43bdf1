package servo

import "fmt"

// Class says what became of an exchange. The zero value is None: all went well.
type Class uint8

// The classes, in the order a report lists them. InvalidArg is refused before
// anything is sent; DeviceError, DeviceAlert come with data; Partial is about a
// group in which somebody is missing.
const (
	None         Class = iota
	InvalidArg         // refused before anything was sent
	Timeout            // no byte arrived
	Truncated          // a frame began but the deadline came first
	Checksum           // complete frame, 8-bit sum wrong
	CRC                // complete frame, CRC-16 wrong
	BadFrame           // bytes that cannot be a reply
	BadLength          // good frame from the right device, other number of parameters
	WrongID            // good frames from another device only
	WrongCommand       // good frame from the right device for another command
	EchoMismatch       // the echo differs from what was sent: a collision
	DeviceError        // the device reports a fault
	DeviceAlert        // the request succeeded, the device has a hardware error pending
	Partial            // some devices of a group are missing
	Deferred           // not asked: a late reply to an earlier question may still come
	classes            // how many there are
)

// classNames has a name for each Class, in its order.
var classNames = [classes]string{
	"none", "invalid_arg", "timeout", "truncated", "checksum", "crc", "bad_frame", "bad_length", "wrong_id",
	"wrong_command", "echo_mismatch", "device_error", "device_alert", "partial", "deferred",
}

// String returns the name of the class as telemetry and test vectors spell it.
func (c Class) String() string {
	if c >= classes {
		return fmt.Sprintf("class(%d)", uint8(c))
	}
	return classNames[c]
}

// Unknown stands for a number a Fault cannot know, such as the length of a
// frame that was cut before its length byte.
const Unknown = -1

// Fault is a Class and the two numbers that explain it: bytes for Truncated
// (Want may be Unknown), the sum or CRC received and computed, parameters for
// BadLength, the stranger's id or command in Got for WrongID and WrongCommand,
// the status byte in Got for DeviceError and DeviceAlert. The zero value is no
// fault.
type Fault struct {
	Class     Class
	Got, Want int
}

// HasData reports whether a reply with this fault still carries what was asked:
// true for None, DeviceError and DeviceAlert.
func (f Fault) HasData() bool {
	return f.Class == None || f.Class == DeviceError || f.Class == DeviceAlert
}

// Err returns nil for no fault, else the fault as an error. It allocates; the
// tick uses the Fault itself.
func (f Fault) Err() error {
	if f.Class == None {
		return nil
	}
	return f
}

// Error says the class and the numbers in words.
func (f Fault) Error() string {
	switch f.Class {
	case Truncated:
		if f.Want == Unknown {
			return fmt.Sprintf("servo: truncated: %d bytes of a frame of unknown length", f.Got)
		}
		return fmt.Sprintf("servo: truncated: %d of %d bytes", f.Got, f.Want)
	case Checksum, CRC:
		return fmt.Sprintf("servo: %v: got %#x, want %#x", f.Class, f.Got, f.Want)
	case BadLength:
		return fmt.Sprintf("servo: bad_length: %d parameters, want %d", f.Got, f.Want)
	case WrongID, WrongCommand:
		return fmt.Sprintf("servo: %v: a reply of %d", f.Class, f.Got)
	case DeviceError, DeviceAlert:
		return fmt.Sprintf("servo: %v: status %#02x", f.Class, f.Got)
	}
	return "servo: " + f.Class.String()
}

// Counts counts faults by class. Index it by Class. The zero value is ready.
type Counts [classes]uint64

// Add counts one fault. An unknown class is not counted.
func (c *Counts) Add(class Class) {
	if class < classes {
		c[class]++
	}
}

// Total is the number of faults of all classes, None left out.
func (c *Counts) Total() uint64 {
	var n uint64
	for _, k := range c[None+1:] {
		n += k
	}
	return n
}

// ArgError is why an encoder refused: nothing was appended, nothing may be sent.
type ArgError struct {
	Protocol, What string
	Value          float64
	Bound          string
}

// Error says protocol, what, value and bound.
func (e *ArgError) Error() string {
	return fmt.Sprintf("%s: %s is %v, want %s", e.Protocol, e.What, e.Value, e.Bound)
}

// Class is InvalidArg.
func (e *ArgError) Class() Class { return InvalidArg }

// Refuse returns an ArgError. Encoders return it beside an unchanged dst.
func Refuse(protocol, what string, value float64, bound string) error {
	return &ArgError{Protocol: protocol, What: what, Value: value, Bound: bound}
}

// Merge adds the counts of d.
func (c *Counts) Merge(d *Counts) {
	for i, n := range d {
		c[i] += n
	}
}
