package firmata

import (
	"errors"
	"fmt"
	"time"

	"legctl/drivers/servo"

	"gobot.io/x/gobot/v2/platforms/firmata/client"
)

// connectTime is how long a board may take from its reset to all its answers.
const connectTime = 5 * time.Second

// Driver is one board that runs StandardFirmata, reached through gobot's client.
// The client meets the board and knows its pins; the servo messages are written
// here, whole and many at once, because the client corrupts the stream for pins
// above 15 and knows no microseconds. Use New.
type Driver struct {
	port  servo.Port
	gate  *gate
	board *client.Client // once it is met
	clock servo.Clock
	wait  float64 // seconds a board takes to restart when its port is opened
	tx    []byte
	ids   []int
}

// New returns a driver on a port, which stays its caller's to close. It sends
// nothing.
func New(port servo.Port, clock servo.Clock, c *servo.Config) *Driver {
	d := &Driver{port: port, gate: newGate(port), clock: clock, wait: c.Firmata.Reset}
	if d.wait == 0 {
		d.wait = 2
	}
	return d
}

// Demand is what a tick asks of the bus: a pulse on each pin.
func Demand(ids []int) (d servo.Demand) {
	for _, id := range ids {
		d.Write = d.Write.Add(WriteCost(id))
	}
	return d
}

// Caps implements servo.Driver.
func (d *Driver) Caps() servo.Caps { return Caps }

// Close lets gobot's client go, which reads the port until then. The port stays
// open.
func (d *Driver) Close() error {
	c := d.board
	if d.board = nil; c == nil {
		return nil
	}
	return part(c, d.gate)
}

// connect meets the board, at most once.
func (d *Driver) connect() error {
	if d.board != nil {
		return nil
	}
	d.clock.Sleep(time.Duration(d.wait * float64(time.Second)))
	c, err := meet(d.gate)
	if err != nil {
		lost := d.gate.Lost()
		d.gate = newGate(d.port)
		if lost != nil {
			return fmt.Errorf("firmata: %w: %w", servo.ErrGone, lost)
		}
		return fmt.Errorf("firmata: the board does not answer within %v: flash the sketch StandardFirmata, and check baud and port: %w", connectTime, err)
	}
	d.board = c
	return nil
}

// Ping implements servo.Driver: the board must have the pin, and be able to move a
// servo by it.
func (d *Driver) Ping(id int) (servo.Identity, error) {
	if err := checkPin(id); err != nil {
		return servo.Identity{}, err
	}
	if err := d.connect(); err != nil {
		return servo.Identity{}, err
	}
	pins := d.board.Pins()
	if id >= len(pins) {
		return servo.Identity{}, servo.Refuse("firmata", "pin", float64(id), fmt.Sprintf("below %d: the board has no more", len(pins)))
	}
	for _, mode := range pins[id].SupportedModes {
		if mode == modeServo {
			return servo.Identity{ID: id}, nil
		}
	}
	return servo.Identity{}, fmt.Errorf("firmata: pin %d of this board cannot move a servo", id)
}

// Open implements servo.Driver: meets the board and looks at every pin.
func (d *Driver) Open(ids []int) (found []servo.Identity, err error) {
	for _, id := range ids {
		who, e := d.Ping(id)
		if e == nil {
			found = append(found, who)
		}
		err = errors.Join(err, e)
		if d.board == nil {
			return found, err
		}
	}
	d.ids = append(d.ids[:0], ids...)
	return found, err
}

// send writes what was appended, in one write.
func (d *Driver) send(tx []byte, err error) error {
	if err != nil {
		return err
	}
	d.tx = tx
	if len(tx) == 0 {
		return nil
	}
	if err := d.gate.Send(tx); err != nil {
		return fmt.Errorf("firmata: write: %w: %w", servo.ErrGone, err)
	}
	return nil
}

// Enable implements servo.Driver. Attaching a servo begins its pulses at what the
// board has for the pin, so the pulse of the rest pose is sent before and after.
func (d *Driver) Enable(goals []servo.Goal) (err error) {
	tx := d.tx[:0]
	for _, g := range goals {
		us, e := pulse(g.Pos)
		if err = e; err != nil {
			return err
		}
		for _, add := range []func([]byte) ([]byte, error){
			func(b []byte) ([]byte, error) { return AppendMicros(b, g.ID, us) },
			func(b []byte) ([]byte, error) { return AppendServoConfig(b, g.ID, LeastUS, MostUS) },
			func(b []byte) ([]byte, error) { return AppendPinMode(b, g.ID) },
			func(b []byte) ([]byte, error) { return AppendMicros(b, g.ID, us) },
		} {
			if tx, err = add(tx); err != nil {
				return err
			}
		}
	}
	return d.send(tx, nil)
}

func pulse(us float64) (int, error) { return servo.Whole("firmata", us, LeastUS, MostUS) }

// Write implements servo.Driver: all pulses in one write.
func (d *Driver) Write(goals []servo.Goal, _ float64) error {
	tx := d.tx[:0]
	for _, g := range goals {
		us, err := pulse(g.Pos)
		if err != nil {
			return err
		}
		if tx, err = AppendMicros(tx, g.ID, us); err != nil {
			return err
		}
	}
	return d.send(tx, nil)
}

// Read implements servo.Driver: there is no feedback. A port that gobot's reader
// found gone is reported here.
func (d *Driver) Read(dst []servo.Feedback) error {
	for i := range dst {
		servo.Judge(&dst[i], servo.Fault{})
	}
	if err := d.gate.Lost(); err != nil {
		return fmt.Errorf("firmata: read: %w: %w", servo.ErrGone, err)
	}
	return nil
}

// Relax implements servo.Driver: pins become inputs.
func (d *Driver) Relax(ids []int) error { return d.send(Off(d.tx[:0], ids)) }

// Off implements servo.Driver.
func (d *Driver) Off() error { return d.send(Off(d.tx[:0], d.ids)) }

// Off appends what ends the pulses of pins.
func Off(dst []byte, ids []int) (_ []byte, err error) {
	for _, id := range ids {
		if dst, err = AppendDetach(dst, id); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// Arm implements servo.Driver: there is no watchdog.
func (d *Driver) Arm(float64) error {
	return fmt.Errorf("firmata: watchdog: %w: the board holds its last pulses when the host is gone", servo.ErrUnsupported)
}

// Reboot implements servo.Driver.
func (d *Driver) Reboot(int) error { return fmt.Errorf("firmata: reboot: %w", servo.ErrUnsupported) }

// SetID implements servo.Driver: pins have no ids.
func (d *Driver) SetID(int, int) error {
	return fmt.Errorf("firmata: set id: %w", servo.ErrUnsupported)
}

// SetBaud implements servo.Driver: the sketch sets it.
func (d *Driver) SetBaud(int, int) error {
	return fmt.Errorf("firmata: set baud: %w", servo.ErrUnsupported)
}
