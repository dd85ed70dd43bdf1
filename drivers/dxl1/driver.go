package dxl1

import (
	"errors"
	"fmt"

	"legctl/drivers/servo"
)

// blockAddr and blockLen are the registers one read takes: position, speed, load,
// voltage, temperature.
const (
	blockAddr = RegPresentPosition
	blockLen  = RegPresentTemp - RegPresentPosition + 1
)

// Models that know the bulk read.
const (
	modelMX28  = 29
	modelMX64  = 310
	modelMX106 = 320
)

// Driver is a bus of Dynamixels of protocol 1.0. Use New.
type Driver struct {
	t     *servo.Table
	bus   *servo.Bus
	bulk  bool // all servos are MX
	spans []Span
	from  []int
}

// New returns a driver on a bus. It sends nothing.
func New(bus *servo.Bus) *Driver {
	return &Driver{t: servo.NewTable(bus, registers(), RegStatusLevel, 1), bus: bus}
}

// Demand is what a tick asks of the bus: one sync write of positions, one read a
// servo, and of one servo whether it still holds.
func Demand(n int) servo.Demand {
	return servo.Demand{Write: SyncWriteCost(n, 2), Fixed: ReadCost(1), Each: ReadCost(blockLen), Most: n}
}

// Caps implements servo.Driver.
func (d *Driver) Caps() servo.Caps {
	c := Caps
	c.GroupRead = d.bulk
	return c
}

// Ping implements servo.Driver.
func (d *Driver) Ping(id int) (servo.Identity, error) {
	if _, err := d.t.Ping(id); err != nil {
		return servo.Identity{}, err
	}
	b, err := d.t.Get(id, RegModel, 3)
	if err != nil {
		return servo.Identity{}, err
	}
	return servo.Identity{ID: id, Number: int(b[0]) | int(b[1])<<8, Firmware: int(b[2])}, nil
}

// Open implements servo.Driver: return delay 0, answers to reads only.
func (d *Driver) Open(ids []int) (found []servo.Identity, err error) {
	d.bulk = len(ids) > 0
	for _, id := range ids {
		who, e := servo.Meet(d, id)
		if e == nil {
			found = append(found, who)
			e = d.settle(id)
		}
		if errors.Is(e, servo.ErrGone) {
			return found, e
		}
		err = errors.Join(err, e)
		d.bulk = d.bulk && (who.Number == modelMX28 || who.Number == modelMX64 || who.Number == modelMX106)
	}
	d.spans, d.from = make([]Span, 0, len(ids)), make([]int, 0, len(ids))
	return found, err
}

// settle sets what the driver relies on; a servo that holds is left alone.
func (d *Driver) settle(id int) error {
	on, err := d.t.Get(id, RegTorqueEnable, 1)
	if err != nil || on[0] != 0 {
		return err
	}
	if _, err := d.t.Want(id, RegReturnDelay, 0); err != nil {
		return err
	}
	return d.t.Quieten(id)
}

// Enable implements servo.Driver. A torque limit of zero, which an overload
// leaves behind, is set back.
func (d *Driver) Enable(goals []servo.Goal) error {
	d.t.Begin()
	for i := range goals {
		b, err := d.t.Get(goals[i].ID, RegPresentPosition, 2)
		if err != nil {
			return err
		}
		pos := uint16(b[0]) | uint16(b[1])<<8
		goals[i].Pos = float64(pos)
		if err := d.recover(goals[i].ID); err != nil {
			return err
		}
		d.t.Word(goals[i].ID, pos)
	}
	if err := d.t.Words(RegGoalPosition, false); err != nil {
		return err
	}
	return d.torque(goals, 1)
}

// recover writes the torque limit back where it differs from the largest torque.
func (d *Driver) recover(id int) error {
	most, err := d.t.Get(id, RegMaxTorque, 2)
	if err != nil {
		return err
	}
	_, err = d.t.Want(id, RegTorqueLimit, most[0], most[1])
	return err
}

func (d *Driver) torque(goals []servo.Goal, on byte) error {
	for _, g := range goals {
		if err := d.t.Set(g.ID, RegTorqueEnable, on); err != nil {
			return err
		}
		d.t.Holding(g.ID, on != 0)
	}
	return nil
}

// Write implements servo.Driver: one sync write of positions.
func (d *Driver) Write(goals []servo.Goal, _ float64) error {
	if len(goals) == 0 {
		return nil
	}
	d.t.Begin()
	for _, g := range goals {
		pos, err := servo.Whole("dxl1", g.Pos, 0, 4095)
		if err != nil {
			return err
		}
		d.t.Word(g.ID, uint16(pos))
	}
	return d.t.Words(RegGoalPosition, false)
}

// Read implements servo.Driver.
func (d *Driver) Read(dst []servo.Feedback) (err error) {
	switch {
	case len(dst) == 0:
		return nil
	case d.bulk && len(dst) > 1:
		err = d.t.ReadBulk(dst, d.from, d.spans, blockAddr, blockLen, take)
	default:
		err = d.t.ReadEach(dst, blockAddr, blockLen, take)
	}
	if err != nil {
		return err
	}
	return d.t.CheckTorque(dst, RegTorqueEnable)
}

// take reads a block. Load counts clockwise as positive on the wire.
func take(f *servo.Feedback, r *servo.Reply) {
	f.Alarms = alarms(r.Status)
	if b := r.Params; r.Fault.HasData() && len(b) == blockLen {
		f.Has = servo.HasPos | servo.HasLoad | servo.HasVolts | servo.HasCelsius
		f.Pos = float64(uint16(b[0]) | uint16(b[1])<<8)
		f.Load = -float64(servo.Sign(uint16(b[4])|uint16(b[5])<<8, 10)) / 1023
		f.Volts, f.Celsius = float64(b[6])/10, float64(b[7])
	}
}

// alarms of a status byte; the bits about the request itself are none.
func alarms(status byte) (a servo.Alarm) {
	for bit, is := range [...]servo.Alarm{servo.AlarmVoltage, servo.AlarmLimit, servo.AlarmHeat, 0, 0, servo.AlarmOverload} {
		if status>>bit&1 != 0 {
			a |= is
		}
	}
	return a
}

// Relax implements servo.Driver and reads back that it worked.
func (d *Driver) Relax(ids []int) error { return d.t.Relax(RegTorqueEnable, ids) }

// Off implements servo.Driver.
func (d *Driver) Off() error {
	d.t.LetGo()
	return d.t.All(RegTorqueEnable, 0)
}

// Off appends what takes torque off all servos.
func Off(dst []byte, _ []int) ([]byte, error) {
	return AppendWrite(dst, servo.Broadcast, RegTorqueEnable, 0)
}

// Arm implements servo.Driver: there is no watchdog.
func (d *Driver) Arm(float64) error {
	return fmt.Errorf("dxl1: watchdog: %w: these servos hold their last goal when the host is gone", servo.ErrUnsupported)
}

// Reboot implements servo.Driver. The protocol has no such message: torque goes
// off and the torque limit comes back, which ends an overload.
func (d *Driver) Reboot(id int) error {
	d.t.Holding(id, false)
	return errors.Join(d.t.Set(id, RegTorqueEnable, 0), d.recover(id))
}

// SetID implements servo.Driver.
func (d *Driver) SetID(from, to int) error {
	if err := d.t.CheckID(to); err != nil {
		return err
	}
	return d.t.Put(from, RegID, byte(to))
}

// Bauds are the rates a bus is searched at, the usual one first.
func Bauds() []int {
	return []int{1_000_000, 57_600, 115_200, 500_000, 200_000, 250_000, 400_000, 19_200, 9_600}
}

// SetBaud implements servo.Driver.
func (d *Driver) SetBaud(id, baud int) error {
	if baud < 7_843 || baud > 1_000_000 {
		return servo.Refuse("dxl1", "baud", float64(baud), "7843 to 1000000")
	}
	return d.t.Put(id, RegBaud, byte((2_000_000+baud/2)/baud-1))
}
