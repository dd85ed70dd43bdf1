package dxl2

import "legctl/drivers/servo"

// Models that differ in what they hold where.
const (
	modelXL430  = 1060
	modelXL4302 = 1090
	modelXL330a = 1190
	modelXL330b = 1200

	regCurrentLimit = 38 // 2 bytes; not XL430
)

// blockSize is the number of registers one read takes from a servo by indirect
// addresses: torque, hardware error, watchdog, current or load, position, voltage,
// temperature.
const blockSize = 1 + 1 + 1 + 2 + 4 + 2 + 1

// layout is where those registers are found.
type layout struct {
	addr, size                          uint16
	torque, hardware, watchdog          int // offset in what is read, -1: not there
	current, position, voltage, celsius int
}

// direct reads from the registers themselves, with what lies between them.
var direct = layout{
	addr: RegPresentCurrent, size: RegPresentTemp + 1 - RegPresentCurrent, torque: -1, hardware: -1, watchdog: -1,
	current: 0, position: RegPresentPosition - RegPresentCurrent, voltage: RegPresentVoltage - RegPresentCurrent,
	celsius: RegPresentTemp - RegPresentCurrent,
}

// indirect is one block at addr.
func indirect(addr uint16) layout {
	return layout{addr: addr, size: blockSize, torque: 0, hardware: 1, watchdog: 2, current: 3, position: 5, voltage: 9, celsius: 11}
}

// regIndirectDataXL330 is where the XL330, with 20 indirect addresses, has them.
const regIndirectDataXL330 = 208

// layoutOf is the layout all servos share. The block lies elsewhere on XL330; a
// bus of both kinds reads directly.
func layoutOf(found []servo.Identity) layout {
	small := 0
	for _, who := range found {
		if who.Number == modelXL330a || who.Number == modelXL330b {
			small++
		}
	}
	switch {
	case len(found) == 0 || small != 0 && small != len(found):
		return direct
	case small > 0:
		return indirect(regIndirectDataXL330)
	}
	return indirect(RegIndirectData)
}

// prepare points a servo's indirect addresses at the block.
func (l layout) prepare(t *table, id int) error {
	if l.hardware < 0 {
		return nil
	}
	data, err := AppendIndirect(make([]byte, 0, 2*blockSize), []Span{
		{Addr: RegTorqueEnable, Len: 1}, {Addr: RegHardwareError, Len: 1}, {Addr: RegBusWatchdog, Len: 1}, {Addr: RegPresentCurrent, Len: 2},
		{Addr: RegPresentPosition, Len: 4}, {Addr: RegPresentVoltage, Len: 2}, {Addr: RegPresentTemp, Len: 1},
	})
	if err != nil {
		return err
	}
	return t.want(id, RegIndirectAddress, data...)
}

// knowsFast reports whether a servo's firmware answers fast sync reads.
func knowsFast(who servo.Identity) bool {
	switch who.Number {
	case modelXL330a, modelXL330b:
		return who.Firmware >= 46
	case modelXL4302:
		return false
	}
	return who.Firmware >= 45
}

// Read implements servo.Driver: one sync read, a fast one where all servos know
// it.
func (d *Driver) Read(dst []servo.Feedback) (err error) {
	if len(dst) == 0 {
		return nil
	}
	d.ids, d.asked = d.ids[:0], d.asked[:0]
	for i := range dst {
		d.ids, d.asked = append(d.ids, byte(dst[i].ID)), append(d.asked, dst[i].ID)
	}
	size := int(d.layout.size)
	cost := SyncReadCost(len(dst), size)
	if fast := d.fast && len(dst) > 1; fast {
		cost = FastSyncReadCost(len(dst), size)
		d.tx, err = AppendFastSyncRead(d.tx[:0], d.layout.addr, d.layout.size, d.ids)
		d.spans = d.spans[:0]
		for _, id := range d.ids {
			d.spans = append(d.spans, Span{ID: id, Addr: d.layout.addr, Len: d.layout.size})
		}
		d.p.ExpectFast(d.spans, d.bus.EchoOf(d.tx))
	} else {
		d.tx, err = AppendSyncRead(d.tx[:0], d.layout.addr, d.layout.size, d.ids)
		d.p.ExpectGroup(d.ids, size, d.bus.EchoOf(d.tx))
	}
	if err != nil {
		return err
	}
	d.q = servo.Question{Request: d.tx, Answer: &d.p, Cost: cost, From: d.asked}
	f, err := d.bus.Ask(&d.q)
	if err != nil {
		return err
	}
	d.handOut(dst, f)
	return nil
}

// handOut gives each servo its reply.
func (d *Driver) handOut(dst []servo.Feedback, f servo.Fault) {
	replies := d.p.Replies()
	for i := range dst {
		if f.Class == servo.Deferred || i >= len(replies) {
			servo.Judge(&dst[i], f)
			continue
		}
		r := &replies[i]
		servo.Judge(&dst[i], r.Fault)
		if r.Fault.HasData() && len(r.Params) == int(d.layout.size) {
			d.decode(&dst[i], r.Params)
		}
	}
}

// decode reads a block.
func (d *Driver) decode(f *servo.Feedback, b []byte) {
	l := &d.layout
	f.Has = servo.HasPos | servo.HasLoad | servo.HasVolts | servo.HasCelsius
	if d.forgot(f, b) {
		return
	}
	pos, _ := Signed(b[l.position : l.position+4])
	current, _ := Signed(b[l.current : l.current+2])
	f.Pos, f.Load = float64(pos), float64(current)/1000
	if most := d.current[byte(f.ID)]; most > 0 {
		f.Load = float64(current) / most
	}
	f.Volts = float64(int(b[l.voltage])|int(b[l.voltage+1])<<8) / 10
	f.Celsius = float64(b[l.celsius])
	if l.hardware >= 0 {
		f.Alarms |= hardwareAlarms(b[l.hardware])
		if b[l.watchdog] == 0xFF {
			f.Alarms |= servo.AlarmWatchdog
		}
	} else if f.Fault.Class == servo.DeviceAlert {
		f.Alarms = servo.AlarmBoard
	}
}

// forgot reports whether a block comes from a servo that has restarted: its
// torque is off though it was put on, or its indirect addresses, which lead to
// nothing then, give no voltage and no temperature. Its position is not believed.
func (d *Driver) forgot(f *servo.Feedback, b []byte) bool {
	l := &d.layout
	limp := l.torque >= 0 && b[l.torque] == 0 && d.on[byte(f.ID)]
	empty := b[l.voltage] == 0 && b[l.voltage+1] == 0 && b[l.celsius] == 0
	if limp || empty {
		f.Alarms = servo.AlarmReset
		if l.hardware >= 0 && !empty {
			f.Alarms |= hardwareAlarms(b[l.hardware])
		}
	}
	if empty {
		f.Has = 0
	}
	return empty
}

func hardwareAlarms(bits byte) (a servo.Alarm) {
	for bit, is := range [...]servo.Alarm{
		servo.AlarmVoltage, 0, servo.AlarmHeat, servo.AlarmSensor, servo.AlarmShock, servo.AlarmOverload,
	} {
		if bits>>bit&1 != 0 {
			a |= is
		}
	}
	return a
}
