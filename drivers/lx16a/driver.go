package lx16a

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"legctl/drivers/servo"
)

// maxTries is how often a read or a setting is repeated outside the tick.
const maxTries = 3

// Driver is a bus of these servos. Use New.
type Driver struct {
	bus   *servo.Bus
	p     Parser
	tx    []byte
	q     servo.Question
	from  [1]int
	ids   []int // opened
	turn  int   // counts reads: whose temperature or voltage is due
	warm  [servo.Broadcast]float64
	volts [servo.Broadcast]float64
	on    [servo.Broadcast]bool // torque was put on
	reset [servo.Broadcast]bool // and was found off
}

// New returns a driver on a bus. It sends nothing.
func New(bus *servo.Bus) *Driver { return &Driver{bus: bus} }

// Demand is what a tick asks of the bus: a move each, a position each of those
// that are read, and the temperature or the voltage of one.
func Demand(n int) servo.Demand {
	return servo.Demand{Write: MoveCost(n), Fixed: ReadCost(VinRead), Each: ReadCost(PositionRead), Most: n}
}

// Caps implements servo.Driver.
func (d *Driver) Caps() servo.Caps { return Caps }

func known(id int) error {
	if id < 0 || id > MaxID {
		return servo.Refuse("lx16a", "id", float64(id), "0 to 253")
	}
	return nil
}

// get reads a setting or a measurement, outside the tick. The bytes are good
// until the next call.
func (d *Driver) get(id int, what Read, tries int) (_ []byte, err error) {
	if err := known(id); err != nil {
		return nil, err
	}
	if d.tx, err = AppendRead(d.tx[:0], byte(id), what); err != nil {
		return nil, err
	}
	d.from[0] = id
	d.q = servo.Question{Request: d.tx, Answer: &d.p, Cost: ReadCost(what), From: d.from[:]}
	f, err := d.bus.AskAgain(&d.q, func() { _ = d.p.ExpectOne(byte(id), what, d.bus.EchoOf(d.tx)) }, tries)
	if err == nil && !f.HasData() {
		err = fmt.Errorf("lx16a: servo %d: %w", id, f)
	}
	return d.p.Reply().Params, err
}

// send writes what an encoder made.
func (d *Driver) send(tx []byte, err error) error {
	if err != nil {
		return err
	}
	d.tx = tx
	return d.bus.Send(tx)
}

// Ping implements servo.Driver. The bus knows no models.
func (d *Driver) Ping(id int) (servo.Identity, error) {
	_, err := d.get(id, IDRead, 0)
	return servo.Identity{ID: id}, err
}

// Open implements servo.Driver. A servo in motor mode is refused.
func (d *Driver) Open(ids []int) (found []servo.Identity, err error) {
	for _, id := range ids {
		who, e := servo.Meet(d, id)
		if e == nil {
			found = append(found, who)
			var mode []byte
			if mode, e = d.get(id, ModeRead, maxTries); e == nil && mode[0] != 0 {
				e = fmt.Errorf("lx16a: servo %d is in motor mode: it would turn without end; set it back to servo mode", id)
			}
		}
		if errors.Is(e, servo.ErrGone) {
			return found, e
		}
		err = errors.Join(err, e)
		if e == nil && !slices.Contains(d.ids, id) {
			d.ids = append(d.ids, id)
		}
	}
	return found, err
}

// Confine implements servo.Confiner.
func (d *Driver) Confine(id int, least, most float64) error {
	lo, hi, err := servo.Range("lx16a", least, most, 0, 1000)
	if err != nil {
		return err
	}
	if on, err := d.get(id, LoadRead, maxTries); err != nil || on[0] != 0 {
		return err
	}
	for try := 0; ; try++ {
		b, err := d.get(id, AngleLimitRead, maxTries)
		if err != nil {
			return err
		}
		was, is := int(b[0])|int(b[1])<<8, int(b[2])|int(b[3])<<8
		if was == lo && is == hi {
			return nil
		}
		if try == maxTries {
			return fmt.Errorf("lx16a: servo %d keeps the limits %d to %d, %d to %d was written", id, was, is, lo, hi)
		}
		if err := d.send(AppendAngleLimit(d.tx[:0], byte(id), lo, hi)); err != nil {
			return err
		}
	}
}

// Enable implements servo.Driver. A servo that stands outside its range is sent
// to the end it stands beyond.
func (d *Driver) Enable(goals []servo.Goal) error {
	for i := range goals {
		g := &goals[i]
		b, err := d.get(g.ID, PositionRead, maxTries)
		if err != nil {
			return err
		}
		pos, _ := Signed(b)
		g.Pos = float64(pos)
		if err := d.send(AppendMove(d.tx[:0], byte(g.ID), min(max(pos, 0), 1000), 0)); err != nil {
			return err
		}
		if err := d.hold(g.ID, true); err != nil {
			return err
		}
	}
	return nil
}

// hold switches a servo's torque and reads back that it did.
func (d *Driver) hold(id int, on bool) error {
	d.on[byte(id)], d.reset[byte(id)] = on, false
	for try := 0; ; try++ {
		if err := d.send(AppendLoad(d.tx[:0], byte(id), on)); err != nil {
			return err
		}
		b, err := d.get(id, LoadRead, maxTries)
		if err != nil || (b[0] != 0) == on {
			return err
		}
		if try == maxTries {
			return fmt.Errorf("lx16a: servo %d: torque on is %v, %v was asked", id, b[0] != 0, on)
		}
	}
}

// Write implements servo.Driver: a move each in one write, to last until the next
// one, since the move time is all the smoothing these servos have.
func (d *Driver) Write(goals []servo.Goal, within float64) (err error) {
	ms := int(math.Ceil(min(max(within, 0), 30) * 1000))
	tx := d.tx[:0]
	for _, g := range goals {
		pos, err := servo.Whole("lx16a", g.Pos, 0, 1000)
		if err != nil {
			return err
		}
		if tx, err = AppendMove(tx, byte(g.ID), pos, ms); err != nil {
			return err
		}
	}
	if len(goals) == 0 {
		return nil
	}
	return d.send(tx, nil)
}

// Read implements servo.Driver: positions, and of one servo after the other its
// temperature, its voltage and whether it holds, which are remembered in between.
func (d *Driver) Read(dst []servo.Feedback) error {
	if len(dst) == 0 {
		return nil
	}
	if err := d.slow(); err != nil {
		return err
	}
	for i := range dst {
		f := &dst[i]
		fault, err := d.ask(f.ID, PositionRead)
		if err != nil {
			return err
		}
		servo.Judge(f, fault)
		if d.reset[byte(f.ID)] {
			f.Alarms |= servo.AlarmReset
		}
		if !fault.HasData() {
			continue
		}
		pos, _ := Signed(d.p.Reply().Params)
		f.Pos, f.Has = float64(pos), servo.HasPos
		if v := d.volts[byte(f.ID)]; v > 0 {
			f.Volts, f.Has = v, f.Has|servo.HasVolts
		}
		if c := d.warm[byte(f.ID)]; c > 0 {
			f.Celsius, f.Has = c, f.Has|servo.HasCelsius
		}
	}
	return nil
}

// slow asks one servo for what changes slowly.
func (d *Driver) slow() error {
	d.turn++
	if len(d.ids) == 0 {
		return nil
	}
	id := d.ids[d.turn/3%len(d.ids)]
	what := [...]Read{LoadRead, TempRead, VinRead}[d.turn%3]
	f, err := d.ask(id, what)
	if err != nil || !f.HasData() {
		return err
	}
	v, _ := Word(d.p.Reply().Params)
	switch what {
	case TempRead:
		d.warm[byte(id)] = float64(v)
	case VinRead:
		d.volts[byte(id)] = float64(v) / 1000
	default:
		d.reset[byte(id)] = v == 0 && d.on[byte(id)]
	}
	return nil
}

// ask asks in the tick: again at once where the answer came spoilt.
func (d *Driver) ask(id int, what Read) (f servo.Fault, err error) {
	if d.tx, err = AppendRead(d.tx[:0], byte(id), what); err != nil {
		return f, err
	}
	d.from[0] = id
	d.q = servo.Question{Request: d.tx, Answer: &d.p, Cost: ReadCost(what), From: d.from[:]}
	for try := 0; ; try++ {
		if err = d.p.ExpectOne(byte(id), what, d.bus.EchoOf(d.tx)); err != nil {
			return f, err
		}
		if f, err = d.bus.Ask(&d.q); err != nil || !f.Again() || try == maxTries {
			return f, err
		}
		d.bus.Stats.Retries++
	}
}

// Relax implements servo.Driver and reads back that it worked.
func (d *Driver) Relax(ids []int) (all error) {
	tx := d.tx[:0]
	for _, id := range ids {
		var err error
		if tx, err = AppendLoad(tx, byte(id), false); err != nil {
			return err
		}
	}
	if err := d.send(tx, nil); err != nil {
		return err
	}
	for _, id := range ids {
		err := d.hold(id, false)
		if errors.Is(err, servo.ErrGone) {
			return err
		}
		all = errors.Join(all, err)
	}
	return all
}

// Off implements servo.Driver.
func (d *Driver) Off() error {
	d.on, d.reset = [servo.Broadcast]bool{}, [servo.Broadcast]bool{}
	return d.send(Off(d.tx[:0], nil))
}

// Off appends what takes torque off all servos: load off, never an id.
func Off(dst []byte, _ []int) ([]byte, error) { return AppendLoad(dst, servo.Broadcast, false) }

// Arm implements servo.Driver: there is no watchdog.
func (d *Driver) Arm(float64) error {
	return fmt.Errorf("lx16a: watchdog: %w: these servos hold their last goal when the host is gone", servo.ErrUnsupported)
}

// Reboot implements servo.Driver. There is no such message: torque goes off, which
// ends an alarm that allows it.
func (d *Driver) Reboot(id int) error { return d.hold(id, false) }

// SetID implements servo.Driver, and asks the servo under its new id.
func (d *Driver) SetID(from, to int) error {
	if err := errors.Join(known(from), known(to)); err != nil {
		return err
	}
	if err := d.send(AppendSetID(d.tx[:0], byte(from), byte(to))); err != nil {
		return err
	}
	b, err := d.get(to, IDRead, maxTries)
	if err == nil && !bytes.Equal(b, []byte{byte(to)}) {
		err = fmt.Errorf("lx16a: servo %d says its id is %d", to, b[0])
	}
	return err
}

// Bauds are the rates a bus is searched at: the bus has one.
func Bauds() []int { return []int{115_200} }

// SetBaud implements servo.Driver: the bus has one baud.
func (d *Driver) SetBaud(_, baud int) error {
	if baud != Caps.DefaultBaud {
		return fmt.Errorf("lx16a: baud is %d, want 115200: %w", baud, servo.ErrUnsupported)
	}
	return nil
}
