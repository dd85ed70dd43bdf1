package feetech

import "legctl/drivers/servo"

// Registers of torque, per mille.
const (
	regMostTorque  = 16 // kept, 2 bytes
	regTorqueLimit = 48 // STS only, in RAM, 2 bytes; of SCS this is the lock
)

// Confine implements servo.Confiner.
func (d *Driver) Confine(id int, least, most float64) error {
	top := 4095.0
	if d.series == SCS {
		top = 1023
	}
	lo, hi, err := servo.Range(d.series.String(), least, most, 0, top)
	if err != nil {
		return err
	}
	if on, err := d.t.Get(id, RegTorqueEnable, 1); err != nil || on[0] != 0 {
		return err
	}
	return d.eeprom(id, RegMinPosition, d.series.AppendWord(d.series.AppendWord(nil, uint16(lo)), uint16(hi))...)
}

// LimitTorque lets a servo push with a share of its largest torque only, 0 to 1,
// until it restarts or is set again. SCS servos have no such register that is
// not kept for ever: they are left as they are.
func (d *Driver) LimitTorque(id int, share float64) error {
	if !(share >= 0 && share <= 1) {
		return servo.Refuse(d.series.String(), "share of torque", share, "0 to 1")
	}
	if d.series == SCS {
		return nil
	}
	b, err := d.t.Get(id, regMostTorque, 2)
	if err != nil {
		return err
	}
	most, _ := d.series.Word(b)
	_, err = d.t.Want(id, regTorqueLimit, d.series.AppendWord(nil, uint16(share*float64(most)))...)
	return err
}
