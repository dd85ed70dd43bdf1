package dxl2

import (
	"errors"
	"fmt"
	"time"

	"legctl/drivers/servo"
)

// rebootTime is how long a servo may take to answer again after a reboot.
const rebootTime = time.Second

// Driver is a bus of Dynamixels of protocol 2.0. Use New.
type Driver struct {
	table
	clock   servo.Clock
	layout  layout
	fast    bool               // all firmwares know the fast sync read
	armed   byte               // value of the watchdog register
	on      [MaxID + 1]bool    // torque was put on
	current [MaxID + 1]float64 // largest current in units of its register; 0: the register holds load
	ids     []byte
	data    []byte
	asked   []int
	spans   []Span
}

// New returns a driver on a bus. It sends nothing.
func New(bus *servo.Bus) *Driver {
	return &Driver{table: table{bus: bus}, clock: bus.Clock(), layout: direct}
}

// Demand is what a tick asks of the bus: one sync write of positions and one
// sync read of a block, by default by indirect addresses.
func Demand(n int) servo.Demand {
	d := servo.Demand{Write: SyncWriteCost(n, 4), Most: n, Fixed: SyncReadCost(0, blockSize), Each: SyncReadCost(1, blockSize)}
	d.Each.Tx, d.Each.Turns = 1, 0
	return d
}

// Caps implements servo.Driver.
func (d *Driver) Caps() servo.Caps { return Caps }

// Ping implements servo.Driver.
func (d *Driver) Ping(id int) (servo.Identity, error) {
	if err := known(id); err != nil {
		return servo.Identity{}, err
	}
	r, err := d.one(id, 3, 0, func(dst []byte) ([]byte, error) { return AppendPing(dst, byte(id)) })
	if err != nil || len(r.Params) != 3 {
		return servo.Identity{}, err
	}
	return servo.Identity{ID: id, Number: int(r.Params[0]) | int(r.Params[1])<<8, Firmware: int(r.Params[2])}, nil
}

// Open implements servo.Driver: return delay 0, answers to reads only, position
// mode, no homing offset, and one block of what is read in a tick.
func (d *Driver) Open(ids []int) (found []servo.Identity, err error) {
	d.ids, d.asked, d.spans = make([]byte, 0, len(ids)), make([]int, 0, len(ids)), make([]Span, 0, len(ids))
	for _, id := range ids {
		who, e := servo.Meet(d, id)
		if errors.Is(e, servo.ErrGone) {
			return found, e
		}
		if e == nil {
			found = append(found, who)
		}
		err = errors.Join(err, e)
	}
	d.choose(found)
	for _, who := range found {
		e := d.settle(who)
		if errors.Is(e, servo.ErrGone) {
			return found, e
		}
		err = errors.Join(err, e)
	}
	return found, err
}

// choose picks what all servos found can do.
func (d *Driver) choose(found []servo.Identity) {
	d.layout, d.fast = layoutOf(found), len(found) > 1
	for _, who := range found {
		d.fast = d.fast && knowsFast(who)
	}
}

// settle sets what the driver relies on. A servo that holds keeps its EEPROM and
// its indirect addresses, which it would refuse to change.
func (d *Driver) settle(who servo.Identity) error {
	id := who.ID
	if err := d.scale(who); err != nil {
		return err
	}
	if err := d.quieten(id); err != nil {
		return err
	}
	if on, err := d.get(id, RegTorqueEnable, 1); err != nil || on[0] != 0 {
		return err
	}
	if err := d.want(id, RegReturnDelay, 0); err != nil {
		return err
	}
	// With an offset in the servo, the watchdog makes it creep.
	if err := d.want(id, RegHomingOffset, 0, 0, 0, 0); err != nil {
		return err
	}
	return d.layout.prepare(&d.table, id)
}

// scale learns what the present current is a share of.
func (d *Driver) scale(who servo.Identity) error {
	d.current[who.ID] = 0
	if who.Number == modelXL430 || who.Number == modelXL4302 {
		return nil
	}
	b, err := d.get(who.ID, regCurrentLimit, 2)
	if err == nil {
		d.current[who.ID] = float64(int(b[0]) | int(b[1])<<8)
	}
	return err
}

// Enable implements servo.Driver. A watchdog that has fired is cleared first.
func (d *Driver) Enable(goals []servo.Goal) error {
	for i := range goals {
		g := &goals[i]
		if err := d.want(g.ID, RegBusWatchdog, 0); err != nil {
			return err
		}
		b, err := d.get(g.ID, RegPresentPosition, 4)
		if err != nil {
			return err
		}
		pos, _ := Signed(b)
		g.Pos = float64(pos)
		goal := []byte{b[0], b[1], b[2], b[3]}
		if err := d.put(g.ID, RegGoalPosition, goal...); err != nil {
			return err
		}
		if err := d.set(g.ID, RegTorqueEnable, 1); err != nil {
			return fmt.Errorf("%w; hardware error: %v", err, d.hardware(g.ID))
		}
		d.on[g.ID] = true
		// Torque on copies the present position into the goal on some firmwares and
		// not on others: say it again.
		if err := d.put(g.ID, RegGoalPosition, goal...); err != nil {
			return err
		}
		if err := d.rearm(g.ID); err != nil {
			return err
		}
	}
	return nil
}

// hardware names what a servo has in its hardware error register.
func (d *Driver) hardware(id int) []string {
	b, err := d.get(id, RegHardwareError, 1)
	if err != nil {
		return []string{"unknown"}
	}
	return HardwareErrors(b[0])
}

func (d *Driver) rearm(id int) error {
	if d.armed == 0 {
		return nil
	}
	return d.put(id, RegBusWatchdog, d.armed)
}

// Arm implements servo.Driver: every message on the bus feeds the watchdog of
// every servo whose torque is on. It holds for those enabled from now on.
func (d *Driver) Arm(seconds float64) (err error) {
	d.armed, err = Watchdog(seconds)
	return err
}

// Write implements servo.Driver: one sync write of positions.
func (d *Driver) Write(goals []servo.Goal, _ float64) error {
	if len(goals) == 0 {
		return nil
	}
	d.ids, d.data = d.ids[:0], d.data[:0]
	for _, g := range goals {
		p, err := servo.Whole("dxl2", g.Pos, -1<<31, 1<<31-1)
		if err != nil {
			return err
		}
		d.ids, d.data = append(d.ids, byte(g.ID)), append(d.data, byte(p), byte(p>>8), byte(p>>16), byte(p>>24))
	}
	return d.group(RegGoalPosition, 4)
}

// group sends one sync write of what ids and data hold.
func (d *Driver) group(addr uint16, size int) (err error) {
	if d.tx, err = AppendSyncWrite(d.tx[:0], addr, size, d.ids, d.data); err != nil {
		return err
	}
	return d.bus.Send(d.tx)
}

// Relax implements servo.Driver and reads back that it worked.
func (d *Driver) Relax(ids []int) error {
	if len(ids) == 0 {
		return nil
	}
	d.ids, d.data = d.ids[:0], d.data[:0]
	for _, id := range ids {
		d.ids, d.data = append(d.ids, byte(id)), append(d.data, 0)
	}
	if err := d.group(RegTorqueEnable, 1); err != nil {
		return err
	}
	var all error
	for _, id := range ids {
		d.on[id] = false
		err := d.want(id, RegTorqueEnable, 0)
		if errors.Is(err, servo.ErrGone) {
			return err
		}
		all = errors.Join(all, err)
	}
	return all
}

// Off implements servo.Driver.
func (d *Driver) Off() (err error) {
	d.on = [MaxID + 1]bool{}
	if d.tx, err = Off(d.tx[:0], nil); err != nil {
		return err
	}
	return d.bus.Send(d.tx)
}

// Off appends what takes torque off all servos.
func Off(dst []byte, _ []int) ([]byte, error) {
	return AppendWrite(dst, servo.Broadcast, RegTorqueEnable, 0)
}

// Reboot implements servo.Driver: the only way out of a shutdown. It returns when
// the servo answers again.
func (d *Driver) Reboot(id int) (err error) {
	if d.tx, err = AppendReboot(d.tx[:0], byte(id)); err != nil {
		return err
	}
	if err := d.bus.Send(d.tx); err != nil {
		return err
	}
	d.level[id], d.on[id] = 0, false
	until := d.clock.Now() + rebootTime
	for {
		d.clock.Sleep(rebootTime / 20)
		who, err := d.Ping(id)
		if err == nil {
			return d.settle(who)
		}
		if errors.Is(err, servo.ErrGone) || d.clock.Now() > until {
			return fmt.Errorf("dxl2: servo %d does not come back after its reboot: %w", id, err)
		}
	}
}

// SetID implements servo.Driver.
func (d *Driver) SetID(from, to int) error {
	if err := known(to); err != nil {
		return err
	}
	d.level[to] = 0
	return d.put(from, RegID, byte(to))
}

// Bauds are the rates a bus is searched at, the usual one first.
func Bauds() []int { return []int{57_600, 1_000_000, 2_000_000, 3_000_000, 4_000_000, 115_200, 9_600} }

// SetBaud implements servo.Driver.
func (d *Driver) SetBaud(id, baud int) error {
	for i := byte(0); Baud(i) != 0; i++ {
		if Baud(i) == baud {
			return d.put(id, RegBaud, i)
		}
	}
	return servo.Refuse("dxl2", "baud", float64(baud), "9600, 57600, 115200, 1, 2, 3 or 4 million")
}
