package maestro

import (
	"fmt"
	"slices"

	"legctl/drivers/servo"
)

// microChannels is how many channels the Micro Maestro has, which does not know
// the message that sets many.
const microChannels = 6

// maxTries is how often a question is repeated outside the tick.
const maxTries = 3

// Driver is one board. Use New.
type Driver struct {
	bus    *servo.Bus
	say    Dialect
	p      Parser
	tx     []byte
	q      servo.Question
	order  []servo.Goal // by channel
	run    []int
	ids    []int  // opened
	failed uint16 // errors since Enable: all channels are at their home setting
}

// New returns a driver on a bus. It sends nothing.
func New(bus *servo.Bus, c *servo.Config) *Driver { return &Driver{bus: bus, say: DialectOf(c)} }

// DialectOf is how a config says a board is spoken to.
func DialectOf(c *servo.Config) Dialect {
	return Dialect{Pololu: c.Maestro.Pololu, Device: byte(c.Maestro.Device), CRC: c.Maestro.CRC}
}

// Demand is what a tick asks of the bus: the targets of ids, as few messages as
// their channels allow, and the errors of the board.
func (d Dialect) Demand(ids []int) servo.Demand {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	out := servo.Demand{Fixed: servo.Cost{Tx: d.frame(), Rx: 2, Replies: 1, Turns: 1}, Most: 1}
	for len(ids) > 0 {
		n := runOf(len(ids), func(i int) int { return ids[i] })
		if single(ids[0], n) {
			out.Write = out.Write.Add(d.TargetCost().Times(n))
		} else {
			out.Write = out.Write.Add(d.TargetsCost(n))
		}
		ids = ids[n:]
	}
	return out
}

// runOf is how many of n channels in rising order follow each other.
func runOf(n int, at func(int) int) int {
	k := 1
	for k < n && at(k) == at(k-1)+1 {
		k++
	}
	return k
}

// single reports whether a run is sent channel by channel: it may be a Micro
// Maestro, or it is no longer so.
func single(first, n int) bool { return first+n <= microChannels || n == 1 }

// Caps implements servo.Driver.
func (d *Driver) Caps() servo.Caps { return Caps }

// errors asks for the errors and clears them.
func (d *Driver) errors(tries int) (uint16, error) {
	tx, err := d.say.AppendGetErrors(d.tx[:0])
	if err != nil {
		return 0, err
	}
	d.tx = tx
	d.q = servo.Question{Request: tx, Answer: &d.p, Cost: servo.Cost{Rx: 2, Replies: 1}}
	f, err := d.bus.AskAgain(&d.q, d.p.ExpectErrors, tries)
	if err == nil && !f.HasData() {
		err = f
	}
	return d.p.Errors(), err
}

// Ping implements servo.Driver: it asks for the errors of the board.
func (d *Driver) Ping(id int) (servo.Identity, error) {
	if err := channel(id); err != nil {
		return servo.Identity{}, err
	}
	if _, err := d.errors(maxTries); err != nil {
		return servo.Identity{}, fmt.Errorf(
			"maestro: the board does not answer: %w: over USB it must be in \"USB dual port\" mode and this the command port, the lower of the two", err)
	}
	return servo.Identity{ID: id}, nil
}

// Open implements servo.Driver: the byte that measures the baud, old errors read
// and thrown away, and no limits of speed and acceleration.
func (d *Driver) Open(ids []int) (found []servo.Identity, err error) {
	d.tx = AppendDetect(d.tx[:0])
	if d.say.Pololu {
		d.tx = d.tx[:0] // every command begins with it
	}
	if len(d.tx) > 0 {
		if err := d.bus.Send(d.tx); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	if _, err := d.Ping(ids[0]); err != nil {
		return nil, err
	}
	tx := d.tx[:0]
	for _, id := range ids {
		if tx, err = d.say.AppendSpeed(tx, id, 0); err == nil {
			tx, err = d.say.AppendAcceleration(tx, id, 0)
		}
		if err != nil {
			return nil, err
		}
		found = append(found, servo.Identity{ID: id})
	}
	d.tx = tx
	d.ids = slices.Clone(ids)
	d.order, d.run, d.failed = make([]servo.Goal, 0, len(ids)), make([]int, 0, len(ids)), 0
	return found, d.bus.Send(tx)
}

// Enable implements servo.Driver. A channel without pulses cannot ramp: it jumps
// to where it is told, which should be where the servo rests.
func (d *Driver) Enable(goals []servo.Goal) error {
	d.failed = 0
	return d.Write(goals, 0)
}

// Write implements servo.Driver: all in one write, channels that follow each other
// in one message.
func (d *Driver) Write(goals []servo.Goal, _ float64) error {
	if len(goals) == 0 {
		return nil
	}
	d.order = append(d.order[:0], goals...)
	slices.SortFunc(d.order, func(a, b servo.Goal) int { return a.ID - b.ID })
	tx := d.tx[:0]
	for rest := d.order; len(rest) > 0; {
		n := runOf(len(rest), func(i int) int { return rest[i].ID })
		d.run = d.run[:0]
		for _, g := range rest[:n] {
			q, err := QuarterUS(g.Pos)
			if err != nil {
				return err
			}
			d.run = append(d.run, q)
		}
		var err error
		if tx, err = d.targets(tx, rest[0].ID); err != nil {
			return err
		}
		rest = rest[n:]
	}
	d.tx = tx
	return d.bus.Send(tx)
}

// targets appends the targets of run, from channel first.
func (d *Driver) targets(tx []byte, first int) (_ []byte, err error) {
	if !single(first, len(d.run)) {
		return d.say.AppendTargets(tx, first, d.run)
	}
	for i, q := range d.run {
		if tx, err = d.say.AppendTarget(tx, first+i, q); err != nil {
			return tx, err
		}
	}
	return tx, nil
}

// Read implements servo.Driver. There is no feedback: the board is asked for its
// errors, any of which has sent every channel to its "home" setting.
func (d *Driver) Read(dst []servo.Feedback) (err error) {
	for i := range dst {
		servo.Judge(&dst[i], servo.Fault{})
	}
	if len(dst) == 0 {
		return nil
	}
	if d.tx, err = d.say.AppendGetErrors(d.tx[:0]); err != nil {
		return err
	}
	d.p.ExpectErrors()
	d.q = servo.Question{Request: d.tx, Answer: &d.p, Cost: servo.Cost{Rx: 2, Replies: 1}}
	f, err := d.bus.Ask(&d.q)
	if err != nil {
		return err
	}
	dst[0].Fault = f
	d.failed |= d.p.Errors()
	for i := range dst {
		dst[i].Alarms = alarms(d.failed)
	}
	return nil
}

// alarms of the error bits.
func alarms(bits uint16) servo.Alarm {
	const timeout = 1 << 5
	switch {
	case bits == 0:
		return 0
	case bits == timeout:
		return servo.AlarmReset | servo.AlarmWatchdog
	}
	return servo.AlarmReset | servo.AlarmBoard
}

// Relax implements servo.Driver: target 0 ends the pulses of a channel.
func (d *Driver) Relax(ids []int) error {
	goals := make([]servo.Goal, len(ids))
	for i, id := range ids {
		goals[i].ID = id
	}
	return d.Write(goals, 0)
}

// Off implements servo.Driver.
func (d *Driver) Off() (err error) {
	if d.tx, err = d.say.Off(d.tx[:0], d.ids); err != nil || len(d.tx) == 0 {
		return err
	}
	return d.bus.Send(d.tx)
}

// Off appends what ends the pulses of channels. A channel that a board does not
// have would be an error, which sends all others to their home setting.
func (d Dialect) Off(dst []byte, ids []int) (_ []byte, err error) {
	for _, ch := range ids {
		if dst, err = d.AppendTarget(dst, ch, 0); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// Arm implements servo.Driver. The watchdog is the serial timeout, a setting of
// the device that cannot be written over its serial protocol.
func (d *Driver) Arm(float64) error {
	return fmt.Errorf("maestro: watchdog: %w over serial: set \"serial timeout\" in the device with Pololu's Control Center", servo.ErrUnsupported)
}

// Reboot implements servo.Driver: errors are read, which clears them.
func (d *Driver) Reboot(int) error {
	_, err := d.errors(maxTries)
	d.failed = 0
	return err
}

// SetID implements servo.Driver: channels have no ids.
func (d *Driver) SetID(int, int) error {
	return fmt.Errorf("maestro: set id: %w", servo.ErrUnsupported)
}

// Bauds are the rates a board is searched at; it measures them itself.
func Bauds() []int { return []int{115_200, 9600, 57_600, 38_400} }

// SetBaud implements servo.Driver: the board measures the baud by itself or has
// it in its settings.
func (d *Driver) SetBaud(int, int) error {
	return fmt.Errorf("maestro: set baud: %w", servo.ErrUnsupported)
}
