package emulator

import (
	"legctl/drivers/dxl1"
	"legctl/drivers/dxl2"
	"legctl/drivers/feetech"
	"legctl/drivers/firmata"
	"legctl/drivers/lx16a"
	"legctl/drivers/maestro"
	"legctl/drivers/servo"
	"legctl/drivers/ssc32"
)

// capsOf returns what a serial protocol can do; pca9685 is on I2C, see Chips.
func capsOf(protocol string) (servo.Caps, bool) {
	switch protocol {
	case "dxl1":
		return dxl1.Caps, true
	case "dxl2":
		return dxl2.Caps, true
	case "feetech_sts":
		return feetech.STS.Caps(), true
	case "feetech_scs":
		return feetech.SCS.Caps(), true
	case "lx16a":
		return lx16a.Caps, true
	case "ssc32":
		return ssc32.Caps, true
	case "maestro":
		return maestro.Caps, true
	case "firmata":
		return firmata.Caps, true
	}
	return servo.Caps{}, false
}

// protocols lists what capsOf knows.
func protocols() []string {
	var out []string
	for _, p := range servo.Protocols() {
		if _, ok := capsOf(p); ok {
			out = append(out, p)
		}
	}
	return out
}

// newDevice returns the protocol of a bank whose motors are there.
func newDevice(b *Bank) device {
	switch b.o.Protocol {
	case "dxl1":
		return newSumDevice(b, axTable{})
	case "feetech_sts":
		return newSumDevice(b, feetechTable{})
	case "feetech_scs":
		return newSumDevice(b, feetechTable{scs: true})
	case "dxl2":
		return newXDevice(b)
	case "lx16a":
		return newLXDevice(b)
	case "ssc32":
		return newSSCDevice(b)
	case "maestro":
		return newMaestroDevice(b)
	}
	return newFirmataDevice(b)
}

// RobotOptions are the options of a bank that stands in for the servos of a
// config, in its order.
func RobotOptions(c *servo.Config) Options {
	o := Options{Protocol: c.Protocol, Baud: c.Baud, Maestro: c.Maestro}
	for i := range c.Servos {
		o.IDs = append(o.IDs, c.Servos[i].ID)
		o.Models = append(o.Models, c.Servos[i].Model)
	}
	if c.Protocol == "maestro" {
		o.Timeout = seconds(c.Watchdog)
	}
	return o
}

// Word is the number in two bytes of a servo's registers, as its host would read
// it; -1 for protocols without registers and for servos that are not there.
func (b *Bank) Word(id, addr int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.ids {
		if b.ids[i] != id {
			continue
		}
		switch d := b.device.(type) {
		case *sumDevice:
			d.table.refresh(&d.regs[i], &b.motors[i])
			if t, ok := d.table.(feetechTable); ok {
				return t.get(&d.regs[i], addr)
			}
			return d.regs[i].word(addr)
		case *xDevice:
			d.refresh(i, &b.motors[i])
			return d.regs[i].word(addr)
		}
	}
	return -1
}
