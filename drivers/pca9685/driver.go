package pca9685

import (
	"errors"
	"fmt"
	"time"

	"legctl/drivers/servo"
)

// Stopper switches a pin: the OE input of the boards, where high ends all pulses
// whatever the chips do.
type Stopper interface {
	DigitalWrite(pin string, level byte) error
}

// Driver is the boards of one I2C bus; channel n is channel n%16 of board n/16.
// Use New.
type Driver struct {
	buses    []Bus
	boards   []Board
	clock    servo.Clock
	pulses   servo.Pulses
	oe       Stopper
	prescale []byte
	osc      []float64
	watched  int           // board that was looked at last
	look     time.Duration // when the next one is
}

// New returns a driver of boards, one Bus each in the order of c.Addresses. oe
// may be nil. It sends nothing.
func New(buses []Bus, oe Stopper, clock servo.Clock, p servo.Pulses) (*Driver, error) {
	if err := CheckBoards(p.Addresses); err != nil {
		return nil, err
	}
	if len(buses) != len(p.Addresses) {
		return nil, fmt.Errorf("pca9685: %d connections for %d boards", len(buses), len(p.Addresses))
	}
	d := &Driver{buses: buses, boards: make([]Board, len(buses)), clock: clock, pulses: p, oe: oe}
	for i := range buses {
		osc := oscillator(p, i)
		scale, err := Prescale(rate(p), osc)
		if err != nil {
			return nil, err
		}
		d.prescale, d.osc = append(d.prescale, scale), append(d.osc, osc)
	}
	return d, nil
}

// rate is the pulses a second a setup asks for.
func rate(p servo.Pulses) float64 {
	if p.Hz == 0 {
		return servo.DefaultPulseHz
	}
	return p.Hz
}

// Demand is what a tick asks of the bus at the most, every channel between the
// first and the last of each board changing: bits, so Bits is 1.
func Demand(ids []int) servo.Demand {
	first, last := map[int]int{}, map[int]int{}
	for _, id := range ids {
		b, ch := id/Channels, id%Channels
		if _, seen := first[b]; !seen {
			first[b], last[b] = ch, ch
		}
		first[b], last[b] = min(first[b], ch), max(last[b], ch)
	}
	d := servo.Demand{Bits: 1}
	for b := range first {
		d.Write.Tx += BlockBits(last[b] - first[b] + 1)
	}
	return d
}

// Caps implements servo.Driver.
func (d *Driver) Caps() servo.Caps { return Caps }

func (d *Driver) check(id int) error {
	if id < 0 || id >= Channels*len(d.boards) {
		return servo.Refuse("pca9685", "channel", float64(id), fmt.Sprintf("0 to %d, 16 for each board", Channels*len(d.boards)-1))
	}
	return nil
}

// send is one transfer.
func send(bus Bus, p []byte) error {
	n, err := bus.Write(p)
	if err == nil && n != len(p) {
		err = fmt.Errorf("%d of %d bytes", n, len(p))
	}
	return err
}

// trouble is what is wrong with a board, in words; to its owner it is a port that
// is gone.
type trouble struct {
	text string
	err  error
}

func (t *trouble) Error() string   { return t.text }
func (t *trouble) Unwrap() []error { return []error{servo.ErrGone, t.err} }

// failed says which board does not answer.
func (d *Driver) failed(i int, err error) error {
	return &trouble{fmt.Sprintf("pca9685: board %#x does not answer (%v): look at its SDA, SCL, 3.3 V and ground, and at its address; \"legctl servo scan\" lists what does", d.pulses.Addresses[i], err), err}
}

// Ping implements servo.Driver: the board of a channel acknowledges a write of
// its outputs register.
func (d *Driver) Ping(id int) (servo.Identity, error) {
	if err := d.check(id); err != nil {
		return servo.Identity{}, err
	}
	b := id / Channels
	if err := send(d.buses[b], AppendOutputs(nil)); err != nil {
		return servo.Identity{}, d.failed(b, err)
	}
	return servo.Identity{ID: id}, nil
}

// Open implements servo.Driver: outputs shut where OE is wired, every board
// asleep, off, set up and awake. A chip goes on with its last pulses while its host
// restarts, so off comes first; Enable opens the outputs.
func (d *Driver) Open(ids []int) (found []servo.Identity, err error) {
	for _, id := range ids {
		if err := d.check(id); err != nil {
			return nil, err
		}
	}
	if err := d.outputs(false); err != nil {
		return nil, err
	}
	for i := range d.buses {
		if err := d.wake(i); err != nil {
			return nil, err
		}
	}
	for _, id := range ids {
		found = append(found, servo.Identity{ID: id})
	}
	return found, nil
}

// wake sets a board up.
func (d *Driver) wake(i int) error {
	prescale, err := AppendPrescale(nil, d.prescale[i])
	if err != nil {
		return err
	}
	for _, p := range [][]byte{AppendAllOff(nil), AppendSleep(nil), AppendOutputs(nil), prescale, AppendWake(nil)} {
		if err := send(d.buses[i], p); err != nil {
			return d.failed(i, err)
		}
	}
	d.clock.Sleep(WakeMicros * time.Microsecond)
	if err := send(d.buses[i], AppendRestart(nil)); err != nil {
		return d.failed(i, err)
	}
	d.boards[i] = Board{}
	d.boards[i].OffAll()
	if err := d.boards[i].Flush(d.buses[i]); err != nil {
		return d.failed(i, err)
	}
	return nil
}

// outputs opens or shuts all outputs by OE, which is low for open.
func (d *Driver) outputs(open bool) error {
	if d.oe == nil || d.pulses.OE == "" {
		return nil
	}
	level := byte(1)
	if open {
		level = 0
	}
	if err := d.oe.DigitalWrite(d.pulses.OE, level); err != nil {
		return fmt.Errorf("pca9685: OE pin %s: %w", d.pulses.OE, err)
	}
	return nil
}

// Enable implements servo.Driver: pulses begin where the servos rest.
func (d *Driver) Enable(goals []servo.Goal) error {
	return errors.Join(d.outputs(true), d.Write(goals, 0))
}

// Write implements servo.Driver: one write a board, from the first to the last
// channel that changed; none for a board on which nothing did.
func (d *Driver) Write(goals []servo.Goal, _ float64) error {
	for _, g := range goals {
		if err := d.check(g.ID); err != nil {
			return err
		}
		b, ch := g.ID/Channels, g.ID%Channels
		ticks, err := Ticks(g.Pos, d.prescale[b], d.osc[b])
		if err != nil {
			return err
		}
		on := 0
		if d.pulses.Stagger {
			on = Stagger(ch)
		}
		if err := d.boards[b].Set(ch, on, ticks); err != nil {
			return err
		}
	}
	if err := d.flush(); err != nil {
		return err
	}
	return d.watch()
}

// register is a Bus whose chip can be read.
type register interface {
	ReadByteData(reg uint8) (uint8, error)
}

// watchEvery is how often each board is looked at: one that holds still is sent
// nothing, and one that restarted takes all writes and makes no pulses.
const watchEvery = 500 * time.Millisecond

// watch reads whether the next board is awake as it was set up, when it is time.
func (d *Driver) watch() error {
	now := d.clock.Now()
	if now < d.look {
		return nil
	}
	d.look = now + watchEvery/time.Duration(len(d.buses))
	d.watched = (d.watched + 1) % len(d.buses)
	chip, ok := d.buses[d.watched].(register)
	if !ok {
		return nil
	}
	mode, err := chip.ReadByteData(regMode1)
	if err != nil {
		return d.failed(d.watched, err)
	}
	if mode&(mode1Sleep|mode1Auto) != mode1Auto {
		return &trouble{fmt.Sprintf("pca9685: board %#x: %v", d.pulses.Addresses[d.watched], servo.ErrReset), servo.ErrReset}
	}
	return nil
}

func (d *Driver) flush() error {
	for i := range d.boards {
		if err := d.boards[i].Flush(d.buses[i]); err != nil {
			return d.failed(i, err)
		}
	}
	return nil
}

// Read implements servo.Driver: there is no feedback.
func (d *Driver) Read(dst []servo.Feedback) error {
	for i := range dst {
		servo.Judge(&dst[i], servo.Fault{})
	}
	return nil
}

// Relax implements servo.Driver: full-off of channels.
func (d *Driver) Relax(ids []int) error {
	for _, id := range ids {
		if err := d.check(id); err != nil {
			return err
		}
		d.boards[id/Channels].off(id % Channels)
	}
	return d.flush()
}

// Off implements servo.Driver: full-off of every board by its own register, even
// if one of them does not answer, and OE shut where it is wired.
func (d *Driver) Off() error {
	err := d.outputs(false)
	for i := range d.buses {
		d.boards[i].OffAll()
		d.boards[i].Forget()
		if e := send(d.buses[i], AppendAllOff(nil)); e != nil {
			err = errors.Join(err, d.failed(i, e))
		}
	}
	return err
}

// Arm implements servo.Driver: there is no watchdog.
func (d *Driver) Arm(float64) error {
	return fmt.Errorf("pca9685: watchdog: %w: the chip goes on with its last pulses when the host is gone; wire OE to a pin the host holds low", servo.ErrUnsupported)
}

// Reboot implements servo.Driver: the board of a channel is set up anew, all its
// channels off.
func (d *Driver) Reboot(id int) error {
	if err := d.check(id); err != nil {
		return err
	}
	return d.wake(id / Channels)
}

// SetID implements servo.Driver: addresses are set by solder.
func (d *Driver) SetID(int, int) error {
	return fmt.Errorf("pca9685: set id: %w", servo.ErrUnsupported)
}

// SetBaud implements servo.Driver: the speed of the bus is the system's.
func (d *Driver) SetBaud(int, int) error {
	return fmt.Errorf("pca9685: set baud: %w", servo.ErrUnsupported)
}
