package feetech

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"legctl/drivers/servo"
)

// More registers of STS.
const (
	regModel          = 3  // 2 bytes, low byte first in both series
	regPhaseSTS       = 18 // 1: bit 4 lets positions leave 0-4095
	regOverloadTime   = 35 // 1: 10 ms each
	regOverloadTorque = 36 // 1: per cent
	phaseOfMany       = 0x10
)

// One read takes position, speed, load, voltage and temperature.
const (
	blockAddr = RegPresentPosition
	blockLen  = RegPresentTemp - RegPresentPosition + 1
)

// Driver is a bus of Feetech servos of one series. Use New.
type Driver struct {
	t       *servo.Table
	series  Series
	protect servo.Protect
	from    []int
	take    func(*servo.Feedback, *servo.Reply)
}

// New returns a driver on a bus. It sends nothing.
func New(bus *servo.Bus, series Series, c *servo.Config) *Driver {
	d := &Driver{t: servo.NewTable(bus, series.registers(), RegStatusLevel, 0), series: series, protect: c.Protect}
	d.take = d.decode
	return d
}

// MostRateSCS is the most position writes a second for SCS servos: some of them
// stop answering after many fast ones, and only power ends that.
const MostRateSCS = 50

// Demand is what a tick asks of the bus: one sync write of positions and one
// sync read, for SCS one read a servo, and of one servo whether it still holds.
func (s Series) Demand(n int) servo.Demand {
	d := servo.Demand{Write: SyncWriteCost(n, 2), Most: n}
	if s == SCS {
		d.Fixed, d.Each, d.MostRate = ReadCost(1), ReadCost(blockLen), MostRateSCS
		return d
	}
	d.Fixed = SyncReadCost(0, blockLen).Add(ReadCost(1))
	d.Each = SyncReadCost(1, blockLen)
	d.Each.Tx, d.Each.Turns = 1, 0
	return d
}

// Caps implements servo.Driver.
func (d *Driver) Caps() servo.Caps { return d.series.Caps() }

// Ping implements servo.Driver.
func (d *Driver) Ping(id int) (servo.Identity, error) {
	if _, err := d.t.Ping(id); err != nil {
		return servo.Identity{}, err
	}
	b, err := d.t.Get(id, 0, 5)
	if err != nil {
		return servo.Identity{}, err
	}
	number, _ := d.series.Word(b[3:5]) // in the byte order of the series, like all else
	return servo.Identity{ID: id, Firmware: int(b[0])<<8 | int(b[1]), Number: int(number)}, nil
}

// Open implements servo.Driver: return delay 0, answers to reads only, positions
// within a turn, and the overload protection of the rig.
func (d *Driver) Open(ids []int) (found []servo.Identity, err error) {
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
	}
	d.from = make([]int, 0, len(ids))
	return found, err
}

// settle sets what the driver relies on; a servo that holds is left alone.
func (d *Driver) settle(id int) error {
	on, err := d.t.Get(id, RegTorqueEnable, 1)
	if err != nil || on[0] != 0 {
		return err
	}
	return errors.Join(d.eeprom(id, RegReturnDelay, 0), d.eeprom(id, RegStatusLevel, 0), d.settleSTS(id))
}

func (d *Driver) settleSTS(id int) error {
	if d.series != STS {
		return nil
	}
	phase, err := d.t.Get(id, regPhaseSTS, 1)
	if err == nil {
		err = d.eeprom(id, regPhaseSTS, phase[0]&^phaseOfMany)
	}
	if p := d.protect; err == nil && p.Overload > 0 {
		time := p.OverloadTime
		if time == 0 {
			time = 1
		}
		err = errors.Join(d.eeprom(id, regOverloadTorque, byte(math.Round(100*min(p.Overload, 1)))),
			d.eeprom(id, regOverloadTime, byte(math.Round(100*min(time, 2.54)))))
	}
	return err
}

// lock is the register that opens the EEPROM.
func (d *Driver) lock() byte {
	if d.series == SCS {
		return RegLockSCS
	}
	return RegLockSTS
}

// eeprom sets registers of the EEPROM if it differs: opens it, writes, reads
// back, and shuts it whatever happened.
func (d *Driver) eeprom(id int, addr byte, v ...byte) error {
	if got, err := d.t.Get(id, addr, byte(len(v))); err != nil || bytes.Equal(got, v) {
		return err
	}
	if err := d.t.Put(id, d.lock(), 0); err != nil {
		return err
	}
	var err error
	if addr == RegStatusLevel {
		err = d.t.Quieten(id)
	} else {
		err = d.t.Set(id, addr, v...)
	}
	return errors.Join(err, d.t.Put(id, d.lock(), 1))
}

// Enable implements servo.Driver.
func (d *Driver) Enable(goals []servo.Goal) error {
	d.t.Begin()
	for i := range goals {
		b, err := d.t.Get(goals[i].ID, RegPresentPosition, 2)
		if err != nil {
			return err
		}
		goals[i].Pos = float64(d.position(b))
		raw, err := d.raw(goals[i].Pos)
		if err != nil {
			return err
		}
		d.t.Word(goals[i].ID, raw)
	}
	if err := d.t.Words(RegGoalPosition, d.series == SCS); err != nil {
		return err
	}
	for _, g := range goals {
		if err := d.t.Set(g.ID, RegTorqueEnable, 1); err != nil {
			return err
		}
		d.t.Holding(g.ID, true)
	}
	return nil
}

// raw is a position as it goes on the wire.
func (d *Driver) raw(pos float64) (uint16, error) {
	most, least := 1023.0, 0.0
	if d.series == STS {
		most, least = 32767, -32767
	}
	p, err := servo.Whole(d.series.String(), pos, least, most)
	if err != nil || d.series == SCS {
		return uint16(p), err
	}
	return SignMagnitude(p, 15)
}

// position reads one; the sign is bit 15.
func (d *Driver) position(b []byte) int {
	w, _ := d.series.Word(b)
	return servo.Sign(w, 15)
}

// Write implements servo.Driver: one sync write of positions.
func (d *Driver) Write(goals []servo.Goal, _ float64) error {
	if len(goals) == 0 {
		return nil
	}
	d.t.Begin()
	for _, g := range goals {
		raw, err := d.raw(g.Pos)
		if err != nil {
			return err
		}
		d.t.Word(g.ID, raw)
	}
	return d.t.Words(RegGoalPosition, d.series == SCS)
}

// Read implements servo.Driver.
func (d *Driver) Read(dst []servo.Feedback) (err error) {
	switch {
	case len(dst) == 0:
		return nil
	case d.series == STS:
		err = d.t.ReadGroup(dst, d.from, blockAddr, blockLen, d.take)
	default:
		err = d.t.ReadEach(dst, blockAddr, blockLen, d.take)
	}
	if err != nil {
		return err
	}
	return d.t.CheckTorque(dst, RegTorqueEnable)
}

// decode reads a block; error bits come with data.
func (d *Driver) decode(f *servo.Feedback, r *servo.Reply) {
	f.Alarms = alarms(r.Status)
	b := r.Params
	if !r.Fault.HasData() || len(b) != blockLen {
		return
	}
	f.Has = servo.HasPos | servo.HasLoad | servo.HasVolts | servo.HasCelsius
	f.Pos = float64(d.position(b[:2]))
	load, _ := d.series.Word(b[4:6])
	f.Load = float64(servo.Sign(load, 10)) / 1000
	f.Volts, f.Celsius = float64(b[6])/10, float64(b[7])
}

func alarms(status byte) (a servo.Alarm) {
	for bit, is := range [...]servo.Alarm{
		servo.AlarmVoltage, servo.AlarmSensor, servo.AlarmHeat, servo.AlarmCurrent, servo.AlarmLimit, servo.AlarmOverload,
	} {
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
func (s Series) Off(dst []byte, _ []int) ([]byte, error) {
	return s.AppendWrite(dst, servo.Broadcast, RegTorqueEnable, 0)
}

// Arm implements servo.Driver: there is no watchdog.
func (d *Driver) Arm(float64) error {
	return fmt.Errorf("%v: watchdog: %w: these servos hold their last goal when the host is gone", d.series, servo.ErrUnsupported)
}

// Reboot implements servo.Driver. There is no such message: torque goes off, which
// ends a protection.
func (d *Driver) Reboot(id int) error {
	d.t.Holding(id, false)
	return d.t.Set(id, RegTorqueEnable, 0)
}

// SetID implements servo.Driver: opened under the old id, shut under the new.
func (d *Driver) SetID(from, to int) error {
	if err := d.t.CheckID(to); err != nil {
		return err
	}
	if err := d.t.Put(from, d.lock(), 0); err != nil {
		return err
	}
	if err := d.t.Put(from, RegID, byte(to)); err != nil {
		return err
	}
	return d.t.Put(to, d.lock(), 1)
}

// Bauds are the rates a bus is searched at, the usual one first.
func Bauds() []int { return []int{1_000_000, 500_000, 115_200, 250_000, 128_000} }

// SetBaud implements servo.Driver. Sources disagree about the indices above 4,
// so only those below are written.
func (d *Driver) SetBaud(id, baud int) error {
	for i, b := range [...]int{1_000_000, 500_000, 250_000, 128_000, 115_200} {
		if b != baud {
			continue
		}
		if err := d.t.Put(id, d.lock(), 0); err != nil {
			return err
		}
		return d.t.Put(id, RegBaud, byte(i))
	}
	return servo.Refuse(d.series.String(), "baud", float64(baud), "1000000, 500000, 250000, 128000 or 115200")
}
